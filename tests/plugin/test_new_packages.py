"""Plug-ins as `anoptima new` writes them: distributions of their own, installed without a network, found by their entry points."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from anoptima.cli.new import KINDS, package
from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]

NAMES = {kind: "vertex-cover-to-minimum-cover" if kind == "reduction" else f"own-{kind}" for kind in KINDS}

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package of every kind, and a folder `site` where they are installed."""
    folder = tmp_path_factory.mktemp("packages")
    for kind, name in NAMES.items():
        for place, text in package(kind, name).items():
            (folder / name / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / place).write_text(text)
    flags = ["--no-index", "--no-build-isolation", "--no-deps", "--quiet", "--target", str(folder / "site")]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *flags]
    done = subprocess.run(
        [*command, *(str(folder / name) for name in NAMES.values())],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def run(packages: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python where the plug-ins are installed."""
    return run_in(packages / "site", *words, folder=packages)


def run_in(site: Path, *words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python with the distributions in `site`."""
    paths = [str(site), str(ROOT / "src")]
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_each_is_listed(packages: Path) -> None:
    done = run(packages, "-m", "anoptima", "list", "--json")
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    listed = json.loads(done.stdout)
    backend = next(entry for entry in listed["backends"] if entry["name"] == "own-backend")
    assert backend["versions"] == {"anoptima-own-backend": "0.1.0"}
    assert backend["about"] == "Depth-first search, column by column."
    for kind, name in NAMES.items():
        assert f'"{name}"' in done.stdout, kind


def test_each_passes_the_tests_that_it_brings(packages: Path) -> None:
    """All in one process: each of these has every plug-in there is about it anyway."""
    folders = [f"{name}/tests" for name in NAMES.values()]
    done = run(packages, "-m", "pytest", "-v", "--import-mode=importlib", "-p", "no:cacheprovider", *folders)
    assert done.returncode == 0, done.stdout
    for name in NAMES.values():
        assert re.search(rf"/test_{name.replace('-', '_')}\.py::.* PASSED", done.stdout), (
            f"no test of {name}:\n{done.stdout}"
        )


def test_conforming_looks_as_the_document_shows(packages: Path) -> None:
    done = run(packages, "-m", "anoptima", "conform", NAMES["algorithm"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout in (ROOT / "docs" / "plugging-in.md").read_text(encoding="utf-8")


def test_a_backend_solves_a_problem(packages: Path) -> None:
    program = """
import anoptima as ao
for problem in ao.CellSuppression.examples():
    if isinstance(problem.principle, ao.KAnonymity):
        answer = ao.solve(problem, "pattern/own-backend", start=None)
        assert answer.claim is ao.Claim.OPTIMAL, answer
        assert answer.cost == ao.solve(problem, "pattern/highs").cost, answer
        assert answer.verify()
print(answer.run.versions["anoptima-own-backend"])
"""
    done = run(packages, "-c", program)
    assert (done.returncode, done.stdout.strip()) == (0, "0.1.0"), done.stderr


BROKEN = """\
[anoptima.backends]
crumbling = crumbling:Crumbling
"""


def test_a_broken_one_is_a_warning_in_a_listing_and_an_error_by_name(tmp_path: Path) -> None:
    metadata = tmp_path / "crumbling-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: crumbling\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(BROKEN)
    (tmp_path / "crumbling.py").write_text("import no_such_solver\n")
    listed = run_in(tmp_path, "-m", "anoptima", "list", "backends")
    assert listed.returncode == 0
    assert "crumbling: the backend at crumbling:Crumbling cannot be loaded: ModuleNotFoundError" in listed.stderr
    assert "crumbling" not in listed.stdout
    assert "highs" in listed.stdout
    asked = run_in(tmp_path, "-m", "anoptima", "conform", "crumbling")
    assert asked.returncode == 3
    assert "cannot be loaded: ModuleNotFoundError: No module named 'no_such_solver'" in asked.stderr
