"""Executes notebooks in text form and keeps them with their output; makes handouts without solutions, and figures for slides.

python tests/house/notebooks.py FOLDER NOTEBOOK.py ...             executed
python tests/house/notebooks.py --handout FOLDER NOTEBOOK.py ...   not executed, without the cells tagged `solution`
python tests/house/notebooks.py --slides FOLDER NOTEBOOK.py ...    every picture as an SVG file

Beside each file it prints the seconds that it took, and those of all processors together, the kernel's among them.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jupytext
from nbclient import NotebookClient

CELL_SECONDS = 3600
IMAGES = ("image/png", "image/svg+xml")
AS_SVG = "%config InlineBackend.figure_formats = ['svg']"


def execute(notebook: Path, folder: Path) -> Path:
    """Execute `notebook`, give each picture its cell's `alt`, and write it to `folder`."""
    cells = _executed(jupytext.read(notebook), notebook)
    for cell in cells.cells:
        for output in cell.get("outputs", ()):
            for kind in set(IMAGES) & set(output.get("data", ())):
                output.setdefault("metadata", {}).setdefault(kind, {})["alt"] = cell.metadata.get("alt", "")
    return _written(cells, folder, notebook)


def hand_out(notebook: Path, folder: Path) -> Path:
    """Write `notebook` to `folder` as students get it: without solutions."""
    cells = jupytext.read(notebook)
    cells.cells = [cell for cell in cells.cells if "solution" not in cell.metadata.get("tags", ())]
    return _written(cells, folder, notebook)


def slides(notebook: Path, folder: Path) -> Path:
    """Execute `notebook` and write its pictures to `folder`, numbered in their order."""
    cells = jupytext.read(notebook)
    first = next(cell for cell in cells.cells if cell.cell_type == "code")
    first.source = f"{AS_SVG}\n{first.source}"
    outputs = [output for cell in _executed(cells, notebook).cells for output in cell.get("outputs", ())]
    pictures = [output["data"]["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", ())]
    folder.mkdir(parents=True, exist_ok=True)
    for number, picture in enumerate(pictures, start=1):
        (folder / f"{notebook.stem}-{number}.svg").write_text("".join(picture), encoding="utf-8")
    return folder / f"{notebook.stem}-1.svg"


def _executed(cells: Any, notebook: Path) -> Any:
    """Execute beside copies of the notebook's neighbours, so that it finds its data and the tree stays as it was."""
    with tempfile.TemporaryDirectory() as scratch:
        workplace = Path(scratch) / "notebooks"
        shutil.copytree(notebook.parent, workplace, ignore=shutil.ignore_patterns("*.ipynb", ".*", "__pycache__"))
        client = NotebookClient(
            cells,
            timeout=CELL_SECONDS,
            kernel_name="python3",
            coalesce_streams=True,
            # A kernel warns each time that what it says could be overheard.
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": str(workplace)}},
        )
        client.execute()
    return cells


def _written(cells: Any, folder: Path, notebook: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rendered = folder / notebook.with_suffix(".ipynb").name
    jupytext.write(cells, rendered)
    return rendered


HOW: dict[str, Callable[[Path, Path], Path]] = {"--handout": hand_out, "--slides": slides}

if __name__ == "__main__":
    given = sys.argv[1:]
    make = HOW[given.pop(0)] if given[0] in HOW else execute
    for name in given[1:]:
        began = time.monotonic(), os.times()
        made = make(Path(name), Path(given[0]))
        own, before = os.times(), began[1]
        processor = sum(own[:4]) - sum(before[:4])
        print(f"{made}  {time.monotonic() - began[0]:.1f} s, {processor:.1f} s of processor time", flush=True)
