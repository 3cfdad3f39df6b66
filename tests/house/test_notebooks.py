"""Every notebook runs from its first cell to its last, in a kernel of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))


def test_notebooks_are_text() -> None:
    assert NOTEBOOKS, "there are notebooks"
    for notebook in NOTEBOOKS:
        assert "# %%" in notebook.read_text(encoding="utf-8"), f"{notebook.name} is in the percent format"


@pytest.mark.notebook
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    homes = {name: str(home / name.lower()) for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("notebooks.py")), str(tmp_path), str(notebook)],
        env={**os.environ, **homes, "JUPYTER_PLATFORM_DIRS": "1", "MPLCONFIGDIR": str(home)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    rendered = json.loads((tmp_path / notebook.with_suffix(".ipynb").name).read_text(encoding="utf-8"))
    cells = [cell for cell in rendered["cells"] if cell["cell_type"] == "code"]
    assert cells
    assert any(cell["outputs"] for cell in cells), "a notebook shows something"
