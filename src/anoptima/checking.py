"""The principles that a table already satisfies, with the largest k and l and the smallest t."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact, counted, exact_plain, exact_text, simplest
from anoptima.principles import Principle
from anoptima.spaces import EqualDistance, Space, fitted
from anoptima.table import Groups, Table


@dataclass(frozen=True)
class ColumnCheck:
    """The limits of one sensitive column: the largest l of both versions, the smallest t in the space that was asked for."""

    column: str
    frequency_l: Exact
    distinct_l: int
    t: Exact
    space: str


@dataclass(frozen=True)
class TableCheck:
    """The result of `check`. The groups are the classes of rows that are equal on all quasi-identifying columns.

    `failures` holds, for each principle asked about, the reason why it does not hold, and None if it does.
    """

    rows: int
    classes: int
    k: int
    columns: tuple[ColumnCheck, ...]
    failures: Mapping[str, str | None] = field(hash=False)

    def holds(self) -> bool:
        """Tell whether every principle asked about holds."""
        return not any(self.failures.values())

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data; exact numbers that are not whole as text."""
        return {
            "rows": self.rows,
            "classes": self.classes,
            "k": self.k,
            "columns": {
                check.column: {
                    "frequency l": exact_plain(check.frequency_l),
                    "distinct l": check.distinct_l,
                    "t": exact_plain(check.t),
                    "space": check.space,
                }
                for check in self.columns
            },
            "principles": {
                name: {"holds": reason is None, "why not": reason} for name, reason in self.failures.items()
            },
        }

    def __str__(self) -> str:
        lines = [f"{self.rows:,} rows in {self.classes:,} classes; the largest k that holds is {self.k}"]
        lines += [
            f"{check.column}: frequency l up to {exact_text(check.frequency_l)}, distinct l up to {check.distinct_l}, "
            f"t from {exact_text(check.t)} ({check.space} distance)"
            for check in self.columns
        ]
        lines += [
            f"{name}: {'holds' if reason is None else 'does not hold: ' + reason}"
            for name, reason in self.failures.items()
        ]
        return "\n".join(lines)


@checked
def check(table: Table, *principles: Principle, spaces: Mapping[str, Space] | None = None) -> TableCheck:
    """Determine which principles a table already satisfies. O(rows log rows) a sensitive column.

    Parameters
    ----------
    table
        The table; its quasi-identifying columns make the classes. A star is a value like any other here.
    principles
        Principles to decide.
    spaces
        The space of each sensitive column, for the smallest t; equal distance unless given.

    Examples
    --------
    >>> import pandas as pd
    >>> from anoptima.principles import KAnonymity, LDiversity
    >>> frame = pd.DataFrame({"zip": [1, 1, 2, 2], "ill": ["a", "b", "a", "a"]})
    >>> print(check(Table.from_frame(frame, ["zip"], "ill"), KAnonymity(2), LDiversity(2)))
    4 rows in 2 classes; the largest k that holds is 2
    ill: frequency l up to 1, distinct l up to 1, t from 1/4 (equal distance)
    2-anonymity: holds
    frequency 2-diversity: does not hold: the class of row 3: l = 2 but the value 'a' of 'ill' is in 2 of 2 rows, more than 1/2 of them
    """
    spaces = spaces or {}
    for name in spaces:
        if name not in table.sensitive:
            raise BadInput(
                f"spaces speak of {name!r}, which is no sensitive column; those are {', '.join(table.sensitive) or 'none'}"
            )
    labels = table.type_of_row
    groups = table.groups(labels)
    columns = tuple(_column_check(groups, name, spaces.get(name, EqualDistance())) for name in table.sensitive)
    failures: dict[str, str | None] = {}
    for principle in principles:
        principle.require_columns(table)
        failing = np.flatnonzero(~principle.holds_each(groups))
        reason = None
        if len(failing):
            row = int((labels == failing[0]).argmax()) + 1
            more = f" (and {counted(len(failing) - 1, 'other classes')})" if len(failing) > 1 else ""
            reason = f"the class of row {row}: {principle.why_not(groups, int(failing[0]))}{more}"
        failures[str(principle)] = reason
    return TableCheck(table.rows, len(groups), int(groups.sizes.min()), columns, failures)


def _column_check(groups: Groups, name: str, space: Space) -> ColumnCheck:
    tally = groups.tally(name)
    starts = np.searchsorted(tally.group, np.arange(len(groups)))
    largest = np.maximum.reduceat(tally.count, starts)
    distinct = int(np.diff(np.append(starts, len(tally.group))).min())
    metric = fitted(space, groups.sensitive[name].values, name)
    n = int(groups.sensitive[name].counts.sum())
    frequency = min(_fractions(groups.sizes, largest))
    farthest = max(_fractions(metric.emd_numerators(groups, name), groups.sizes))
    return ColumnCheck(name, simplest(frequency), distinct, simplest(farthest / (metric.scale * n)), space.kind)


def _fractions(numerators: Any, denominators: Any) -> list[Fraction]:
    pairs = set(zip(numerators.tolist(), denominators.tolist(), strict=True))
    return [Fraction(numerator, denominator) for numerator, denominator in pairs]
