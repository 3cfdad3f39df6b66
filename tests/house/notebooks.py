"""Executes notebooks in text form and keeps them with their output.

python tests/house/notebooks.py FOLDER NOTEBOOK.py ...
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import jupytext
from nbclient import NotebookClient

CELL_SECONDS = 3600


def execute(notebook: Path, folder: Path) -> Path:
    """Execute `notebook` beside copies of its neighbours, so that it finds its data and the tree stays as it was."""
    with tempfile.TemporaryDirectory() as scratch:
        workplace = Path(scratch) / "notebooks"
        shutil.copytree(notebook.parent, workplace, ignore=shutil.ignore_patterns("*.ipynb", ".*", "__pycache__"))
        cells = jupytext.read(notebook)
        client = NotebookClient(
            cells, timeout=CELL_SECONDS, kernel_name="python3", resources={"metadata": {"path": str(workplace)}}
        )
        client.execute()
    folder.mkdir(parents=True, exist_ok=True)
    rendered = folder / notebook.with_suffix(".ipynb").name
    jupytext.write(cells, rendered)
    return rendered


if __name__ == "__main__":
    for given in sys.argv[2:]:
        print(execute(Path(given), Path(sys.argv[1])))
