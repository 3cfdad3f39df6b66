"""The wheel from the tree is the wheel from the source archive, and holds the package, all of it and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from anoptima.solvers.backends.registry import GROUP, OURS

ROOT = Path(__file__).parents[2]
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = SETTINGS["project"]
NAME = f"anoptima-{PROJECT['version']}"

pytestmark = pytest.mark.packaging


def build(kind: str, tree: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", str(folder), str(tree)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1577836800"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def unpacked(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / NAME


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist()}


def tracked(folder: str) -> set[str]:
    """What git knows of `folder`; what lies there, where this is not a checkout."""
    listed = subprocess.run(["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return set(filter(None, listed.stdout.split("\0")))
    files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix() for path in files}


def test_wheel_from_tree_is_wheel_from_archive(wheel: Path, unpacked: Path, tmp_path: Path) -> None:
    from_tree, from_archive = contents(wheel), contents(build("wheel", unpacked, tmp_path))
    assert sorted(from_tree) == sorted(from_archive)
    assert [name for name in from_tree if from_tree[name] != from_archive[name]] == []


def test_wheel_holds_the_package(wheel: Path) -> None:
    held = contents(wheel)
    missing = {f.removeprefix("src/") for f in tracked("src")} - held.keys()
    assert not missing
    assert {name.partition("/")[0] for name in held} == {"anoptima", f"{NAME}.dist-info"}
    assert not [name for name in held if "__pycache__" in name]


def test_archive_holds_what_is_tracked_and_no_links(archive: Path) -> None:
    with tarfile.open(archive) as tar:
        members = {member.name.removeprefix(f"{NAME}/"): member for member in tar.getmembers()}
    assert not [name for name, member in members.items() if member.issym() or member.islnk()]
    assert not {"models", "reductions", "solvers"} & {name.partition("/")[0] for name in members}
    for folder in ("src", "tests", "notebooks", "requirements"):
        assert not tracked(folder) - members.keys(), folder
    named = SETTINGS["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert {"LICENSE", "Makefile", "README.md", "pyproject.toml"} <= set(named)
    assert set(named) <= {name.partition("/")[0] for name in members}


def test_wheel_alone_works(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path / "site")
    program = """
import runpy, sys, anoptima
print(anoptima.__file__)
assert anoptima.__version__ == sys.argv.pop(1)
runpy.run_module("anoptima", run_name="__main__")
"""
    done = subprocess.run(
        [sys.executable, "-c", program, PROJECT["version"], "demo"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert Path(done.stdout.splitlines()[0]).is_relative_to(tmp_path)
    assert "OPTIMAL" in done.stdout


def test_entry_points_lead_somewhere() -> None:
    points = distribution("anoptima").entry_points
    assert {(point.group, point.name) for point in points} == {
        ("console_scripts", "anoptima"),
        ("anoptima.backends", "cp-sat"),
        ("anoptima.backends", "highs"),
        ("anoptima.backends", "ortools"),
        ("anoptima.backends", "pyomo"),
        ("anoptima.backends", "scip"),
    }
    for point in points:
        assert callable(point.load()), point
    assert {point for point in points if point.group == GROUP} == set(OURS), (
        "declared alike with and without installing"
    )


CENSUS = ("census.csv.gz", "README.md")


def test_the_census_table_and_its_licence_are_in_wheel_and_archive(wheel: Path, archive: Path) -> None:
    held = contents(wheel)
    for name in CENSUS:
        assert held[f"anoptima/instances/data/{name}"] == (ROOT / "src/anoptima/instances/data" / name).read_bytes()
    assert b"CC BY 4.0" in held["anoptima/instances/data/README.md"]
    assert b"CC BY 4.0" in held["anoptima/instances/census.py"]
    with tarfile.open(archive) as tar:
        names = set(tar.getnames())
    assert {f"{NAME}/src/anoptima/instances/data/{name}" for name in CENSUS} <= names
