from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.once import made_once
from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]


def build(folder: Path) -> None:
    """Build the site, and fail with what Sphinx warns of."""
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--quiet", "-d", str(folder / "kept"), "docs", str(folder / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as a site. Tests look at it and change nothing."""
    return made_once("documentation", build, tmp_path_factory) / "site"
