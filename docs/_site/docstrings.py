"""Docstrings as Markdown: prose as prose, displayed formulas and programs as blocks that keep their spaces, examples as sessions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from formulas import displayed, typeset

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
LEFT_OUT = frozenset({"Parameters", "Attributes", "Returns", "Raises"})
"""Sections that the reference has."""


def as_markdown(documented: str | None, *, examples: bool = True, formulas: bool = False) -> str:
    """Return a docstring as Markdown, without the sections that only callers need, and on demand with its formulas."""
    opening, *rest = SECTION.split(inspect.cleandoc(documented or ""))
    parts = [_prose(opening, formulas)]
    for name, body in zip(rest[::2], rest[1::2], strict=True):
        if name == "Examples" and examples:
            parts.append(f"```pycon\n{body.strip()}\n```")
        elif name not in LEFT_OUT and name != "Examples":
            parts.append(f"**{name}.** " + _prose(body, formulas and name != "References"))
    return "\n\n".join(part for part in parts if part.strip())


def _prose(text: str, formulas: bool) -> str:
    return "\n\n".join(_paragraphs(text.strip("\n"), formulas))


def _paragraphs(text: str, formulas: bool) -> Iterator[str]:
    """Yield paragraphs; neighbouring ones that are indented are one block, which may be a formula."""
    held: list[str] = []
    for paragraph in [*re.split(r"\n{2,}", text), ""]:
        if paragraph.startswith("    "):
            held.append(paragraph)
            continue
        if held:
            block = inspect.cleandoc("\n" + "\n\n".join(held))
            yield (displayed(block) if formulas else None) or f"```text\n{block}\n```"
            held = []
        if paragraph.strip():
            yield _plain(paragraph.strip("\n"), formulas)


def _plain(paragraph: str, formulas: bool = False) -> str:
    r"""Leave to Markdown only code in backquotes, lists, words in single stars, and formulas.

    >>> print(_plain("3 P rows and 2 D\n+ 3 m coefficients"))
    3 P rows and 2 D
    \+ 3 m coefficients
    >>> print(_plain("3 P rows and 2 D\n+ 3 m coefficients", formulas=True))
    $3 P$ rows and $2 D + 3 m$ coefficients
    >>> print(_plain("*Proof.* A star * b and D * come out as they are."))
    *Proof.* A star \* b and D \* come out as they are.
    """
    written = typeset(paragraph, _escaped) if formulas else _escaped(paragraph)
    return written if re.match(r"[-*+] ", paragraph) else re.sub(r"(?m)^(?=[-+] )", r"\\", written)


def _escaped(words: str) -> str:
    pieces = words.split("`")
    for place in range(0, len(pieces), 2):
        pieces[place] = re.sub(r"([$<\[\]|])", r"\\\1", pieces[place])
        pieces[place] = re.sub(
            r"(?<![\w*.])\*(?=[\s,.)>]|$)|(?<=[\w)])_(?=\W|$)|\b_(?=\{)", lambda mark: "\\" + mark[0], pieces[place]
        )
    return "`".join(pieces)
