"""Docstrings as Markdown: prose as prose, displayed formulas and programs as blocks that keep their spaces, examples as sessions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
LEFT_OUT = frozenset({"Parameters", "Attributes", "Returns", "Raises"})
"""Sections that the reference has."""


def as_markdown(documented: str | None, *, examples: bool = True) -> str:
    """Return a docstring as Markdown, without the sections that only callers need."""
    opening, *rest = SECTION.split(inspect.cleandoc(documented or ""))
    parts = [_prose(opening)]
    for name, body in zip(rest[::2], rest[1::2], strict=True):
        if name == "Examples" and examples:
            parts.append(f"```pycon\n{body.strip()}\n```")
        elif name not in LEFT_OUT and name != "Examples":
            parts.append(f"**{name}.** " + _prose(body))
    return "\n\n".join(part for part in parts if part.strip())


def _prose(text: str) -> str:
    return "\n\n".join(_paragraphs(text.strip("\n")))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs; neighbouring ones that are indented are one block."""
    held: list[str] = []
    for paragraph in [*re.split(r"\n{2,}", text), ""]:
        if paragraph.startswith("    "):
            held.append(paragraph)
            continue
        if held:
            yield "```text\n" + inspect.cleandoc("\n" + "\n\n".join(held)) + "\n```"
            held = []
        if paragraph.strip():
            yield _plain(paragraph.strip("\n"))


def _plain(paragraph: str) -> str:
    r"""Leave to Markdown only code in backquotes, lists, and words in single stars.

    >>> print(_plain("3 P rows and 2 D\n+ 3 m coefficients"))
    3 P rows and 2 D
    \+ 3 m coefficients
    """
    if not re.match(r"[-*+] ", paragraph):
        paragraph = re.sub(r"(?m)^(?=[-+] )", r"\\", paragraph)
    pieces = paragraph.split("`")
    for place in range(0, len(pieces), 2):
        pieces[place] = re.sub(r"([$<\[\]|])", r"\\\1", pieces[place])
        pieces[place] = re.sub(
            r"(?<![\w*])\*(?=[\s,.)>]|$)|(?<=[\w)])_(?=\W|$)|\b_(?=\{)", lambda mark: "\\" + mark[0], pieces[place]
        )
    return "`".join(pieces)
