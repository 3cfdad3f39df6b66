"""Executes notebooks in text form and keeps them with their output; makes handouts without solutions, and figures for slides.

python tests/house/notebooks.py FOLDER NOTEBOOK.py ...             executed
python tests/house/notebooks.py --handout FOLDER NOTEBOOK.py ...   not executed, without the cells tagged `solution`
python tests/house/notebooks.py --slides FOLDER NOTEBOOK.py ...    every picture as an SVG file

Beside each file it prints the seconds that it took, and those of all processors together, the kernel's among them.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import jupytext
from nbclient import NotebookClient
from nbformat import v4

CELL_SECONDS = 3600
PNG, SVG = "image/png", "image/svg+xml"
AS_SVG = "%config InlineBackend.figure_formats = ['svg']"


def execute(notebook: Path, folder: Path) -> Path:
    """Execute `notebook`, give each picture its cell's `alt`, and write it to `folder`."""
    cells = _executed(jupytext.read(notebook), notebook)
    for cell in cells.cells:
        for output in cell.get("outputs", ()):
            if PNG in output.get("data", ()):
                output.setdefault("metadata", {}).setdefault(PNG, {})["alt"] = cell.metadata.get("alt", "")
    return _written(cells, folder, notebook)


def hand_out(notebook: Path, folder: Path) -> Path:
    """Write `notebook` to `folder` as students get it: an empty cell where the solution of an exercise was."""
    cells, empty = jupytext.read(notebook), cast(Any, v4.new_code_cell)
    cells.cells = [
        cell
        for solved, some in groupby(cells.cells, is_solution)
        for cell in ([empty("# Your answer")] if solved else some)
    ]
    return _written(cells, folder, notebook)


def slides(notebook: Path, folder: Path) -> Path:
    """Execute `notebook` and write its pictures to `folder`, numbered in their order, with their texts; those of solutions say so."""
    cells = jupytext.read(notebook)
    first = next(cell for cell in cells.cells if cell.cell_type == "code")
    first.source = f"{AS_SVG}\n{first.source}"
    shown = [(cell, output) for cell in _executed(cells, notebook).cells for output in cell.get("outputs", ())]
    pictures = [(cell, output["data"][SVG]) for cell, output in shown if SVG in output.get("data", {})]
    folder.mkdir(parents=True, exist_ok=True)
    for number, (cell, picture) in enumerate(pictures, start=1):
        name = f"{notebook.stem}-{number}{'-solution' if is_solution(cell) else ''}.svg"
        start = re.search(r"<svg\b[^>]*>", picture)
        assert start is not None
        title = f"<title>{html.escape(cell.metadata['alt'])}</title>"
        (folder / name).write_text(picture[: start.end()] + title + picture[start.end() :], encoding="utf-8")
    return folder / f"{notebook.stem}-*.svg"


def is_solution(cell: Any) -> bool:
    """Return whether a cell is part of a solution."""
    return "solution" in cell.metadata.get("tags", ())


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
    lacking = [name for name in given[1:] if not Path(name).exists()]
    if lacking:
        sys.exit(
            f"there is no notebook {', '.join(lacking)}; NOTEBOOKS is a list of numbers of two digits, such as '06 11'"
        )
    for name in given[1:]:
        began = time.monotonic(), os.times()
        made = make(Path(name), Path(given[0]))
        own, before = os.times(), began[1]
        processor = sum(own[:4]) - sum(before[:4])
        print(f"{made}  {time.monotonic() - began[0]:.1f} s, {processor:.1f} s of processor time", flush=True)
