"""Words that the principles share, and the column that they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import counted
from anoptima.table import Groups


def column_of(wanted: str | None, sensitive: Mapping[str, Any] | Sequence[str], who: str) -> str:
    """Return the sensitive column that a principle is about: the one it names, or the only one; `who` is the principle."""
    names = list(sensitive)
    if wanted is None:
        if len(names) == 1:
            return names[0]
        if not names:
            raise BadInput(f"{who} needs a sensitive column, and the table has none")
        raise BadInput(f"{who} must name its column: the table has the sensitive columns {', '.join(names)}")
    if wanted not in names:
        raise BadInput(
            f"{who} speaks of {wanted!r}, which is no sensitive column; those are {', '.join(names) or 'none'}"
        )
    return wanted


def counts_of_each(groups: Groups, column: str) -> Iterator[list[int]]:
    """Yield, for each group, the counts of the values of a column that occur in it."""
    tally = groups.tally(column)
    ends = np.searchsorted(tally.group, np.arange(1, len(groups)))
    return (part.tolist() for part in np.split(tally.count, ends))


def of_column(column: str | None) -> str:
    """Say of which column, where one is named."""
    return f" of {column}" if column else ""


def has_only(size: int) -> str:
    """Say that a group has few rows."""
    return f"there {'is' if size == 1 else 'are'} only {counted(size, 'rows')}"
