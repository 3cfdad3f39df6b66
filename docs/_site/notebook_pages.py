"""Notebooks as pages of the site: the text of `notebooks/`, with the output that `make notebooks` has kept of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jupytext
import nbformat

NOT_EXECUTED = "*This page shows the notebook without its output: run `make notebooks`, then `make docs` again.*"


def write(texts: list[Path], executed: Path, folder: Path) -> None:
    """Write a notebook for myst-nb to `folder` for each text; one that stays the same keeps its time, so that its page is kept, too."""
    folder.mkdir(exist_ok=True)
    pages = {folder / f"{text.stem}.ipynb": nbformat.writes(_page(text, executed)) for text in texts}
    for old in set(folder.glob("*.ipynb")) - set(pages):
        old.unlink()
    for path, page in pages.items():
        if not path.exists() or path.read_text(encoding="utf-8") != page:
            unfinished = path.with_name(f".{path.name}.{id(page)}")
            unfinished.write_text(page, encoding="utf-8")
            unfinished.replace(path)


def opening(text: Path) -> tuple[str, str]:
    """Return a notebook's title and the paragraph after it."""
    title, _, words = jupytext.read(text).cells[0].source.partition("\n")
    return title.removeprefix("# "), words.strip().partition("\n\n")[0]


def _page(text: Path, executed: Path) -> Any:
    """Return a notebook as its page shows it: with its output if it was kept of these very cells."""
    notebook = jupytext.read(text)
    kept = executed / f"{text.stem}.ipynb"
    shown = nbformat.read(kept, as_version=4) if kept.exists() else None
    if shown is not None and _sources(shown) == _sources(notebook):
        notebook = shown
    else:
        title, _, rest = notebook.cells[0].source.partition("\n")
        notebook.cells[0].source = f"{title}\n\n{NOT_EXECUTED}\n{rest}"
    for number, cell in enumerate(notebook.cells):
        cell.id = str(number)  # new ones are drawn at random
        if cell.cell_type == "code":
            _show(cell)
    return notebook


def _sources(notebook: Any) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in notebook.cells]


def _show(cell: Any) -> None:
    """Tell myst-nb to fold a solution, and which text a picture has."""
    shown: dict[str, Any] = {"image": {"alt": cell.metadata.get("alt", "")}}
    if "solution" in cell.metadata.get("tags", ()):
        cell.metadata["tags"] = [*cell.metadata["tags"], "hide-cell"]
        shown |= {"code_prompt_show": "Solution", "code_prompt_hide": "Solution"}
    cell.metadata["mystnb"] = shown
