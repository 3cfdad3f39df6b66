"""HTML for notebooks: fragments that scroll inside themselves, take their colours from the page, and hold no script."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

MOST_ROWS = 60
"""Rows of a table that a notebook is shown."""

STARRED = '<span style="color:#d9363e;font-weight:700">*</span>'
"""A suppressed cell."""

_CELL = "padding:.15em min(.6em,.7vw);text-align:left;border-bottom:1px solid rgba(128,128,128,.35);max-width:30em"
_QUIET = "opacity:.7"


def text(value: Any) -> str:
    """Return a value as HTML that says just what its text says.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    return escape(str(value))


def first_sentence(thing: object) -> str:
    """Return the first paragraph of what the documentation of a thing's class says, on one line.

    >>> first_sentence(object())
    'The base class of the class hierarchy.'
    """
    return " ".join(inspect.cleandoc(type(thing).__doc__ or "").split("\n\n")[0].split())


def scrolling(inner: str) -> str:
    """Return HTML in a box as wide as there is room, which scrolls sideways where more is needed."""
    return f'<div style="overflow-x:auto;max-width:100%">{inner}</div>'


def lines(title: str, *further: str) -> str:
    """Return a title and what there is to say below it, each a paragraph of HTML that is made already."""
    below = "".join(f'<div style="{_QUIET}">{line}</div>' for line in further if line)
    return f'<div style="overflow-wrap:anywhere"><strong>{title}</strong>{below}</div>'


def cells(frame: Any, starred: Any = None) -> tuple[list[list[str]], str]:
    """Return the first rows of a DataFrame as HTML, suppressed cells marked, and a note where there are more."""
    first = frame.head(MOST_ROWS).astype(object)
    first = first.mask(first.isna(), "")
    rows = [list(map(text, row)) for row in first.to_numpy()]
    if starred is not None:
        for row, marks in zip(rows, starred[:MOST_ROWS], strict=True):
            row[:] = [STARRED if mark else cell for cell, mark in zip(row, marks, strict=True)]
    more = len(frame) - len(rows)
    return rows, f"and {more:,} more rows" if more > 0 else ""


def grid(head: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> str:
    """Return a table; its cells are HTML that is made already.

    >>> grid(["a"], [["1"]]).count("<td")
    1
    """
    above = "".join(f'<th style="{_CELL}">{name}</th>' for name in head)
    body = "".join("<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    below = f'<div style="{_QUIET}">{note}</div>' if note else ""
    return scrolling(
        f'<table style="border-collapse:collapse;margin:.4em 0"><thead><tr>{above}</tr></thead><tbody>{body}</tbody></table>{below}'
    )
