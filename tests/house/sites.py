"""Builds the documentation in a folder, with notebooks as if they had been executed."""

from __future__ import annotations

import base64
import io
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jupytext
import pandas as pd
from matplotlib.figure import Figure
from nbformat import v4

from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
PRINTED = "what a cell prints"
WIDE = 700
"""The width of every picture, in pixels."""


def build_site(folder: Path) -> None:
    """Build the site, `site` in a folder, from a copy of the documentation; a warning is an error. Pictures and lines printed are wide."""
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("*.ipynb"))
    for part in ("CONTRIBUTING.md", "notebooks/README.md", "studies/README.md"):  # which pages include
        (folder / part).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / part, folder / part)
    executed = folder / "executed"
    executed.mkdir()
    for notebook in (ROOT / "notebooks").glob("*.py"):
        jupytext.write(_executed(notebook), executed / f"{notebook.stem}.ipynb")
    options = ["--fail-on-warning", "--quiet", "-c", str(ROOT / "docs"), "-D", f"executed_notebooks={executed}"]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            *options,
            "-d",
            str(folder / "kept"),
            str(folder / "docs"),
            str(folder / "site"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def _executed(notebook: Path) -> Any:
    """Return a notebook with output that no kernel has made: a picture where there is a text for one, else a wide line and a wide table."""
    png = io.BytesIO()
    Figure(figsize=(WIDE / 100, 1), dpi=100).savefig(png)
    new_output: Any = v4.new_output
    table = pd.DataFrame([[f"{PRINTED.split()[0]}{column}" for column in range(30)]]).to_html()
    picture = new_output("display_data", {"image/png": base64.b64encode(png.getvalue()).decode()})
    words = [
        new_output("stream", text=f"{PRINTED} {'and more ' * 30}\n"),
        new_output("execute_result", {"text/html": table}),
    ]
    cells = jupytext.read(notebook)
    for cell in cells.cells:
        if cell.cell_type == "code":
            cell.outputs = [picture] if "alt" in cell.metadata else words
    return cells
