"""HTML for notebooks: fragments that scroll inside themselves, take their colours from the page, and hold no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

MOST_ROWS = 60
"""Rows of a table that a notebook is shown."""

STARRED = '<span style="color:#d9363e;font-weight:700">*</span>'
"""A suppressed cell."""

_CELL = "padding:.15em .6em;text-align:left;border-bottom:1px solid rgba(128,128,128,.35);white-space:nowrap"
_QUIET = "opacity:.7"


def text(value: Any) -> str:
    """Return a value as HTML that says just what its text says.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    return escape(str(value))


def scrolling(inner: str) -> str:
    """Return HTML in a box as wide as there is room, which scrolls sideways where more is needed."""
    return f'<div style="overflow-x:auto;max-width:100%">{inner}</div>'


def lines(title: str, *further: str) -> str:
    """Return a title and what there is to say below it, each a paragraph of HTML that is made already."""
    below = "".join(f'<div style="{_QUIET}">{line}</div>' for line in further if line)
    return f'<div style="overflow-wrap:anywhere"><strong>{title}</strong>{below}</div>'


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
