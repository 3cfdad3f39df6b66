"""What pages say that the code knows: commands and their options, public names by room, problems, algorithms and notebooks."""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import algorithm_pages
import notebook_pages
import problem_pages
from docstrings import as_markdown

import anoptima as ao
from anoptima import public
from anoptima.cli import every_command

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))
TEXT = re.compile(r"^```text\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
"""Docstrings as they stand in docs/models.md; on the site their words are set as words and their formulas as formulas."""

SORTABLE = "sortable-records.html"
"""The name of docs/records.html on the site, where the page of records is records.html."""

COLON = "\ue000"
"""Stands for a colon while napoleon reads."""

FILE = re.compile(r"^```csv (\S+)\n", re.MULTILINE)
"""A block that is a file, with its name."""

ROOMS = {
    "table": "Tables",
    "problems": "Problems and their solutions",
    "principles": "Principles",
    "spaces": "Distances between sensitive values",
    "checking": "What a table satisfies already",
    "solvers": "Solving",
    "answer": "Answers and bounds",
    "documents": "Files: proofs, models and solutions",
    "reductions": "Reductions",
    "instances": "Instances and errata",
    "experiments": "Comparisons and studies",
    "plots": "Pictures",
    "errors": "Errors",
}
"""The headings of the reference, by the room that a public name comes from."""


def complete(app: Any, page: str, source: list[str]) -> None:
    """Add to a page what the code knows of it: at its end, and the statement of a problem after its title."""
    source[0] = FILE.sub(r"```{code-block} text\n:caption: \1\n\n", source[0])
    folder, _, name = page.rpartition("/")
    if page == "models":
        source[0] = TEXT.sub(lambda block: as_markdown(block[1], formulas=True), source[0])
        return
    if page == "records":
        source[0] = source[0].replace("[records.html](records.html)", f'<a href="{SORTABLE}">{SORTABLE}</a>')
        return
    if page in WHOLE:
        more = WHOLE[page]()
    elif folder == "problems":
        title, _, rest = source[0].partition("\n")
        source[0] = f"{title}\n\n{problem_pages.statement(name)}\n\n{rest.strip()}\n"
        more = problem_pages.sections(name)
    elif folder == "algorithms":
        more = algorithm_pages.sections(name)
    else:
        return
    source[0] += "\n" + "\n".join(more) + "\n"


def copy_records(app: Any, error: Exception | None) -> None:
    """Put the records that can be sorted beside the page of records, whose name they have in the repository."""
    if error is None and app.builder.name == "html":
        shutil.copyfile(ROOT / "docs" / "records.html", Path(app.outdir) / SORTABLE)


def outdated(app: Any, environment: Any, added: Any, changed: Any, removed: Any) -> list[str]:
    """Return the pages that are read again in every build: what the code says may have changed though the page has not."""
    completed = ("problems/", "algorithms/")
    return [page for page in environment.found_docs if page == "models" or page in WHOLE or page.startswith(completed)]


def commands() -> Iterator[str]:
    """Yield the page of commands: one section each, with its options and examples."""
    for name, (parser, examples) in every_command().items():
        yield f"## anoptima {name}\n"
        yield from _parser(parser)
        yield "```sh\n" + "\n".join(examples) + "\n```\n"


def _parser(parser: argparse.ArgumentParser) -> Iterator[str]:
    if parser.description:
        yield f"{parser.description}\n"
    for group in parser._action_groups:
        actions = [one for one in group._group_actions if one.help != argparse.SUPPRESS and one.dest != "help"]
        rows = [row for action in actions for row in _rows(action)]
        if rows:
            yield "| | |\n|---|---|\n" + "\n".join(rows) + "\n"
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield f"### {parser.prog} {name}\n"
                yield from _parser(below)


def _rows(action: argparse.Action) -> Iterator[str]:
    if isinstance(action, argparse._SubParsersAction):
        return
    formatter = argparse.HelpFormatter("anoptima")
    if action.option_strings:
        value = "" if action.nargs == 0 else " " + formatter._format_args(action, action.dest.upper())
        typed = ", ".join(f"{name}{value}" for name in action.option_strings)
    else:
        typed = formatter._format_args(action, action.metavar or action.dest)
    yield f"| `{typed.replace('|', chr(92) + '|')}` | {_cell(formatter._expand_help(action) if action.help else '')} |"


def _cell(text: str) -> str:
    """Write text into a table's cell: what is between backquotes as code, and any other character that Markdown reads as itself."""
    pieces = text.replace("\n", " ").split("`")
    if len(pieces) % 2 == 0:
        return re.sub(r"([\\`*_<>|\[\]$])", r"\\\1", text)
    for place, piece in enumerate(pieces):
        pieces[place] = piece.replace("|", "\\|") if place % 2 else re.sub(r"([\\*_<>|\[\]$])", r"\\\1", piece)
    return "`".join(pieces)


def reference() -> Iterator[str]:
    """Yield the reference: every public name, by the room that it comes from."""
    names = sorted(public.__all__, key=lambda name: (list(ROOMS).index(_room(name)), name.lower()))
    for room, members in groupby(names, key=_room):
        yield f"## {ROOMS[room]}\n\n```{{eval-rst}}"
        for name in members:
            yield f".. auto{_kind(name)}:: anoptima.{name}"
            yield "   :members:\n" if _kind(name) in ("class", "module") else ""
            used = [f":doc:`{_number(path)} <notebooks/{path.stem}>`" for path in NOTEBOOKS if uses(path, name)]
            yield f"*In notebooks* {', '.join(used)}.\n" if used else ""
        yield "```\n"


def _number(notebook: Path) -> str:
    return notebook.stem.partition("_")[0].lstrip("0")


def uses(notebook: Path, name: str) -> bool:
    """Return whether a notebook uses a public name."""
    return re.search(rf"\bao\.{name}\b", notebook.read_text(encoding="utf-8")) is not None


def _room(name: str) -> str:
    thing = getattr(ao, name)
    return "plots" if name == "plots" else str(thing.__module__).split(".")[1]


def _kind(name: str) -> str:
    thing = getattr(ao, name)
    if name == "plots":
        return "module"
    if not isinstance(thing, type):
        return "function" if callable(thing) else "data"
    return "exception" if issubclass(thing, BaseException) else "class"


def notebooks() -> Iterator[str]:
    """Yield a table of the notebooks, each with a link to its page and its first paragraph, and their place in the navigation."""
    yield "| notebook | begins |\n|---|---|"
    for path in NOTEBOOKS:
        title, words = notebook_pages.opening(path)
        yield f"| [{title}](notebooks/{path.stem}.ipynb) | {' '.join(words.split())} |"
    pages = "\n".join(f"notebooks/{path.stem}" for path in NOTEBOOKS)
    yield f"\n```{{toctree}}\n:hidden:\n\n{pages}\n```"


WHOLE: dict[str, Callable[[], Iterator[str]]] = {
    "commands": commands,
    "reference": reference,
    "notebooks": notebooks,
    "problems/index": problem_pages.index,
    "algorithms/index": algorithm_pages.index,
}
"""Pages that end with what a function here yields."""


def keep_colon(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Hide colons in the first line of a property's docstring from napoleon, which would take what is before one for a type."""
    if what in ("attribute", "data", "property") and lines:
        lines[0] = lines[0].replace(":", COLON)


def as_restructured_text(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Escape in docstrings what reStructuredText would take for markup: bars, stars, and names with a final underscore."""
    in_code = False
    for number, line in enumerate(line.replace(COLON, ":") for line in lines):
        lines[number] = line
        if line.lstrip().startswith((">>>", "...", "..", ":")):
            continue
        parts = line.split("`")
        for place, part in enumerate(parts):
            if not in_code:
                parts[place] = re.sub(r"([|*]|_(?=\W|$))", r"\\\1", part)
            in_code ^= place < len(parts) - 1
        lines[number] = "`".join(parts)
