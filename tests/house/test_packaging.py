"""The wheel from the tree is the wheel from the source archive, and holds the package, all of it and nothing else."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = SETTINGS["project"]
NAME = f"anoptima-{PROJECT['version']}"

pytestmark = pytest.mark.packaging


def build(kind: str, tree: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", str(folder), str(tree)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1577836800"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
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


@pytest.fixture(scope="module")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of its own with the wheel, installed without a network: what it depends on lies beside these tests' tools."""
    home = tmp_path_factory.mktemp("fresh") / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    (site,) = (home / "lib").glob("python*/site-packages")
    # Paths that a .pth file adds are not searched for further .pth files, so an editable install of the source tree stays unseen.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n" + sysconfig.get_path("platlib") + "\n")
    flags = ["--disable-pip-version-check", "--no-input", "--python", str(python)]
    install = ["install", "--quiet", "--no-deps", "--no-index", "--ignore-installed", str(wheel)]
    done = subprocess.run([sys.executable, "-m", "pip", *flags, *install], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return home


def run_fresh(command: list[str | Path], folder: Path) -> str:
    """Run a command in `folder` as somebody would who has the wheel and nothing else of ours."""
    without = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
    done = subprocess.run(
        command, env=without, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_installed_wheel_runs_the_commands_for_a_start(fresh: Path, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    shown = re.search(r"^```csv patients\.csv\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert shown is not None
    (tmp_path / "patients.csv").write_text(shown[1], encoding="utf-8")
    solve, verify = (
        next(line for line in text.splitlines() if line.startswith(f"anoptima {command} patients.csv"))
        for command in ("solve", "verify")
    )
    assert "OPTIMAL" in run_fresh([fresh / "bin" / "anoptima", *shlex.split(solve)[1:]], tmp_path)
    assert {"release.csv", "answer.json"} <= {path.name for path in tmp_path.iterdir()}
    run_fresh([fresh / "bin" / "anoptima", *shlex.split(verify)[1:]], tmp_path)


def test_the_installed_wheel_is_imported_and_solves(fresh: Path, tmp_path: Path) -> None:
    program = """
import anoptima as ao
print(ao.__file__)
print(ao.__version__)
answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
print(answer.claim.name, answer.cost, not answer.verify().wrong)
"""
    place, version, solved = run_fresh([fresh / "bin" / "python", "-c", program], tmp_path).splitlines()
    assert Path(place).is_relative_to(fresh)
    assert (version, solved) == (PROJECT["version"], "OPTIMAL 46 True")


def test_entry_points_lead_somewhere() -> None:
    points = distribution("anoptima").entry_points
    assert {(point.group, point.name) for point in points} == {("console_scripts", "anoptima")}
    for point in points:
        assert callable(point.load()), point


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
