"""The documentation builds without a warning, asks no other host for anything, and holds what the code knows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from anoptima import public
from anoptima.cli import COMMANDS
from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
FETCHED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"(?:https?:)?//|<link\b[^>]*rel=\"stylesheet\"[^>]*//"
)


@pytest.mark.slow
def test_site_builds_and_stands_alone(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--quiet", "-d", str(tmp_path / "kept"), "docs", str(tmp_path / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "site").glob("*.html")}
    assert {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")} <= pages.keys()
    for name, page in pages.items():
        assert not FETCHED.search(page), f"{name} asks another host: {FETCHED.search(page)}"
    assert [
        name for name in public.__all__ if f'id="anoptima.{name}"' not in pages["reference.html"] and name != "plots"
    ] == []
    assert [name for name in COMMANDS if f">anoptima {name}<" not in pages["commands.html"]] == []
