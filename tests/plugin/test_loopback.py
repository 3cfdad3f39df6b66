"""A plug-in as somebody else would write it: a distribution of its own, installed without a network, found by its entry point."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PATIENCE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

pytestmark = pytest.mark.packaging

BROKEN = """\
[anoptima.backends]
crumbling = crumbling:Crumbling
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the plug-in installed."""
    folder = tmp_path_factory.mktemp("site")
    flags = ["--no-index", "--no-build-isolation", "--no-deps", "--quiet", "--target", str(folder)]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *flags, str(HERE / "loopback")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python where the plug-in is installed."""
    paths = [str(site), str(ROOT / "src")]
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_it_is_found_and_listed(site: Path) -> None:
    done = run(site, "-m", "anoptima", "list", "backends", "--json")
    assert done.returncode == 0, done.stderr
    entries = {entry["name"]: entry for entry in json.loads(done.stdout)["backends"]}
    assert entries["loopback"]["versions"] == {"anoptima-loopback": "1.2.3"}
    assert entries["loopback"]["about"] == "Depth-first search, column by column."


def test_it_solves_a_problem(site: Path) -> None:
    program = """
import anoptima as ao
for problem in ao.CellSuppression.examples():
    if isinstance(problem.principle, ao.KAnonymity):
        answer = ao.solve(problem, "pattern/loopback", start=None)
        assert answer.claim is ao.Claim.OPTIMAL, answer
        assert answer.cost == ao.solve(problem, "pattern/highs").cost, answer
        assert answer.verify()
print(answer.run.versions["anoptima-loopback"])
"""
    done = run(site, "-c", program)
    assert (done.returncode, done.stdout.strip()) == (0, "1.2.3"), done.stderr


def test_it_conforms(site: Path) -> None:
    done = run(site, "-m", "anoptima", "conform", "loopback", "--json")
    checks = json.loads(done.stdout)["checks"]
    assert not [check for check in checks if check["state"] == "red"], done.stdout
    assert done.returncode == 0
    refused = {check["check"]: check["words"] for check in checks if check["state"] == "refused"}
    assert refused == {
        "a memory limit": "loopback does not claim the capability 'memory limit'",
        "a warm start is accepted and never made worse": "loopback does not claim the capability 'warm start'",
    }


def test_a_broken_one_is_a_warning_in_a_listing_and_an_error_by_name(site: Path, tmp_path: Path) -> None:
    metadata = tmp_path / "crumbling-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: crumbling\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(BROKEN)
    (tmp_path / "crumbling.py").write_text("import no_such_solver\n")
    listed = run(tmp_path, "-m", "anoptima", "list", "backends")
    assert listed.returncode == 0
    assert "crumbling: the backend at crumbling:Crumbling cannot be loaded: ModuleNotFoundError" in listed.stderr
    assert "crumbling" not in listed.stdout
    assert "highs" in listed.stdout
    asked = run(tmp_path, "-m", "anoptima", "conform", "crumbling")
    assert asked.returncode == 3
    assert "cannot be loaded: ModuleNotFoundError: No module named 'no_such_solver'" in asked.stderr


def test_it_is_the_one_that_contributing_shows() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert (HERE / "loopback" / "src" / "loopback.py").read_text(encoding="utf-8") in shown
