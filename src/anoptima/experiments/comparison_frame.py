"""The table that `compare` returns: a DataFrame that shows what differs."""

from __future__ import annotations

from typing import Any

import pandas as pd

from anoptima.exact import short_text
from anoptima.html import grid, text

_ABOUT = ("problem", "table", "rows", "columns", "k", "l", "t", "space", "seed")
"""Columns that are left out where all rows have the same in them."""


class Comparison(pd.DataFrame):
    """Runs of solvers on problems. All columns are there; printed and in notebooks, those that say nothing are left out."""

    def telling(self) -> pd.DataFrame:
        """Return the columns in which something is to be read: without empty ones, and without a question's parts that are all alike.

        >>> import anoptima as ao
        >>> list(ao.compare("ten-rows-k3", "peel").telling())[:4]
        ['solver', 'claim', 'stop', 'cost']
        """
        plain = pd.DataFrame(self)
        kept = []
        for name in plain.columns:
            column = plain[name]
            empty = column.isna().all() or (column == "").all()
            alike = name in _ABOUT and len(column.drop_duplicates()) <= 1
            # A question is told by its parts.
            if not (empty or alike or name in ("question", "asks")):
                kept.append(name)
        return plain[kept]

    def __repr__(self) -> str:
        return self.telling().map(_said).to_string(index=False)

    def _repr_html_(self) -> str:
        shown = self.telling().map(_said)
        return grid([text(name) for name in shown.columns], [[text(cell) for cell in row] for row in shown.to_numpy()])


def _said(value: Any) -> str:
    if pd.isna(value):
        return ""
    return short_text(value) if isinstance(value, float) else str(value)
