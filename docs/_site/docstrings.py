"""Docstrings as Markdown: prose as prose, displayed formulas and programs as blocks that keep their spaces, examples as sessions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import formulas

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
LEFT_OUT = frozenset({"Parameters", "Attributes", "Returns", "Raises"})
"""Sections that the reference has."""


def as_markdown(documented: str | None, *, examples: bool = True, model: bool = False) -> str:
    """Return a docstring as Markdown, without the sections that only callers need; that of a model with its formulas."""
    opening, *rest = SECTION.split(inspect.cleandoc(documented or ""))
    parts = [_prose(opening, model)]
    for name, body in zip(rest[::2], rest[1::2], strict=True):
        if name == "Examples" and examples:
            parts.append(f"```pycon\n{body.strip()}\n```")
        elif name not in LEFT_OUT and name != "Examples":
            parts.append(f"**{name}.** " + _prose(body, model))
    return "\n\n".join(part for part in parts if part.strip())


def _prose(text: str, model: bool) -> str:
    return "\n\n".join(_paragraphs(text.strip("\n"), model))


def _paragraphs(text: str, model: bool) -> Iterator[str]:
    """Yield paragraphs; neighbouring ones that are indented are one block, or a model's program."""
    held: list[str] = []
    for paragraph in [*re.split(r"\n{2,}", text), ""]:
        if paragraph.startswith("    "):
            held.append(paragraph)
            continue
        if held:
            block = inspect.cleandoc("\n" + "\n\n".join(held))
            yield formulas.program(block) if model else f"```text\n{block}\n```"
            held = []
        if paragraph.strip():
            plain = paragraph.strip("\n")
            yield formulas.typeset(plain, _plain) if model else _plain(plain)


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
