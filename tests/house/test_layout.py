"""The tree is laid out as promised: links for readers, one version, bounds that are tested."""

from __future__ import annotations

import itertools
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


CHECKOUT = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="only a checkout has links; this is a source archive"
)


@CHECKOUT
@pytest.mark.parametrize("name", ["models", "reductions", "solvers"])
def test_link_for_readers(name: str) -> None:
    link = ROOT / name
    assert link.is_symlink(), (
        f"{name} at the top level is a link (git config core.symlinks true, then git checkout {name})"
    )
    assert link.readlink() == Path("src", "anoptima", name), "links are relative: the tree may lie anywhere"
    assert (link / "__init__.py").is_file()


@CHECKOUT
def test_no_other_links() -> None:
    links = {path.name for path in ROOT.iterdir() if path.is_symlink()}
    assert links == {"models", "reductions", "solvers"}


def test_package_is_typed() -> None:
    assert (ROOT / "src" / "anoptima" / "py.typed").is_file()


def test_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    found = re.search(r"^version: (\S+)$", citation, re.MULTILINE)
    assert found is not None
    assert found[1] == PROJECT["project"]["version"]


def pins(path: Path) -> dict[str, Version]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    found = {}
    for line in lines:
        requirement = Requirement(line)
        (specifier,) = requirement.specifier
        assert specifier.operator == "==", f"{path.name} pins exactly: {line}"
        found[normal(requirement.name)] = Version(specifier.version)
    return found


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def bounds(*, groups: tuple[str, ...]) -> dict[str, Requirement]:
    extras = PROJECT["project"]["optional-dependencies"]
    lines = [*PROJECT["project"]["dependencies"], *itertools.chain.from_iterable(extras.values())]
    for group in groups:
        lines += [line for line in PROJECT["dependency-groups"][group] if isinstance(line, str)]
    return {normal(requirement.name): requirement for requirement in map(Requirement, lines)}


def test_lower_bounds_are_the_tested_ones() -> None:
    tested = pins(ROOT / "requirements" / "lowest.txt")
    stated = bounds(groups=("test",))
    assert tested.keys() == stated.keys()
    for name, requirement in stated.items():
        (lower,) = [Version(one.version) for one in requirement.specifier if one.operator == ">="]
        assert lower.release == tested[name].release[: len(lower.release)], name
        assert tested[name] in requirement.specifier, name


def test_ci_runs_what_may_be_installed() -> None:
    locked = pins(ROOT / "requirements" / "ci.txt")
    for name, requirement in bounds(groups=("test", "dev")).items():
        assert locked[name] in requirement.specifier, f"{name} {locked[name]} is outside {requirement}; run: make lock"


def test_core_is_light() -> None:
    core = {Requirement(line).name for line in PROJECT["project"]["dependencies"]}
    assert core == {"highspy", "networkx", "numba", "numpy", "ortools", "pandas", "pyomo"}
