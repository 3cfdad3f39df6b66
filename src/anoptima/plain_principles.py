"""What a principle comes to on one table: the same demand on groups, said without what asks nothing or follows from the rest.

`KAnonymity(3) & KAnonymity(2)` is 3-anonymity, `LDiversity(1)` asks nothing, and groups of frequency 3-diversity have three rows anyway.
Solvers choose their methods by what a principle comes to. It is found from the conditions that the principle states
(`Principle.conditions`), so a principle from outside that states a least size is k-anonymity. A part whose conditions are of another sort
stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from anoptima.principles import (
    All,
    AtLeastRows,
    AtLeastValues,
    AtMostShare,
    Condition,
    KAnonymity,
    LDiversity,
    Principle,
    TCloseness,
)
from anoptima.spaces import EqualDistance, TreeMetric
from anoptima.table import Table

_MOST_VALUES = 1_000
"""For a column of more values, closeness below 1 is taken to ask something: to look costs the square of their number."""


def plain_principle(principle: Principle, table: Table) -> Principle:
    """Return the shortest principle known that the same groups of this table's rows satisfy; `principle` itself if nothing is shorter.

    >>> from anoptima import Table, ten_rows
    >>> table = Table.from_frame(ten_rows().frame, ["zip5", "age1"], "education")
    >>> print(plain_principle(KAnonymity(3) & KAnonymity(2) & LDiversity(1), table))
    3-anonymity
    >>> print(plain_principle(KAnonymity(2) & LDiversity(3), table))
    frequency 3-diversity
    >>> print(plain_principle(TCloseness(1), table))
    1-anonymity
    """
    flat = list(_flat(principle))
    close = [(_column_of(part, table), part) for part in flat if isinstance(part, TCloseness)]
    counted: list[tuple[Principle, Condition]] = []
    others: list[Principle] = []
    for part in flat:
        if not isinstance(part, TCloseness):
            conditions = part.conditions(table)
            if all(isinstance(condition, AtLeastRows | AtLeastValues | AtMostShare) for condition in conditions):
                counted += [(part, condition) for condition in conditions]
            else:
                others.append(part)
    rows, diverse = _counted(counted, table)
    # Where all rows have values of their own, the size of a group says how far it is from the table.
    for column, one in close:
        if isinstance(one.space, EqualDistance) and _all_differ(table, column):
            rows = max(rows, math.ceil((1 - one.t) * table.rows))
    parts = [*diverse, *_closest(close, table), *others]
    if not parts or rows > max(part.least_size(table) for part in parts):
        parts.insert(0, KAnonymity(rows))
    if len(parts) == len(flat) and all(part in flat for part in parts):
        return principle
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _flat(principle: Principle) -> Iterator[Principle]:
    """Yield what a principle is the conjunction of, however it is nested."""
    for part in principle.parts:
        if part is principle:
            yield part
        else:
            yield from _flat(part)


def _counted(counted: list[tuple[Principle, Condition]], table: Table) -> tuple[int, list[Principle]]:
    """Return a least size, and what else conditions on sizes, values and shares ask, column by column."""
    rows = 1
    values: dict[str, tuple[int, Principle]] = {}
    shares: dict[str, tuple[Fraction, Principle]] = {}
    for part, condition in counted:
        match condition:
            case AtLeastRows():
                rows = max(rows, condition.rows)
            case AtLeastValues(column, least):
                if _all_differ(table, column):
                    rows = max(rows, least)
                elif least > values.get(column, (1, part))[0]:
                    values[column] = least, part
            case AtMostShare(column, share):
                # A share of 0 is what no group has.
                if share and _all_differ(table, column):
                    rows = max(rows, math.ceil(1 / share))
                elif share < shares.get(column, (Fraction(1), part))[0]:
                    shares[column] = share, part
    parts: list[Principle] = []
    for column, (least, part) in values.items():
        # Values that each have a small share are many.
        share = shares[column][0] if column in shares else Fraction(1)
        if not share or least > math.ceil(1 / share):
            parts.append(part if isinstance(part, LDiversity) else LDiversity(least, column, "distinct"))
    for column, (share, part) in shares.items():
        parts.append(part if isinstance(part, LDiversity) or not share else LDiversity(1 / share, column))
    return rows, parts


def _closest(close: list[tuple[str, TCloseness]], table: Table) -> Iterator[TCloseness]:
    """Yield the closeness that asks something, and follows from no other."""
    for number, (column, one) in enumerate(close):
        if isinstance(one.space, EqualDistance) and _all_differ(table, column):
            continue
        others = [part for place, (name, part) in enumerate(close) if place != number and name == column]
        earlier = [part for name, part in close[:number] if name == column]
        if (
            not _asks_nothing(one, column, table)
            and not any(_implies(other, one) and not _implies(one, other) for other in others)
            and not any(_implies(other, one) for other in earlier)
        ):
            yield one


def _implies(one: TCloseness, other: TCloseness) -> bool:
    """Tell whether one closeness implies another of the same column: at equal distance, values are as far apart as they can be."""
    return one.t <= other.t and (one.space == other.space or isinstance(one.space, EqualDistance))


def _asks_nothing(part: TCloseness, column: str, table: Table) -> bool:
    """Tell whether every single row is close enough by itself; then every group is, for distances to the whole are convex."""
    if part.t >= 1:
        return True
    counts = table.sensitive_column(column).counts
    if len(counts) > _MOST_VALUES:
        return False
    metric = part.space.fit(table.sensitive_column(column).values)
    if not isinstance(metric, TreeMetric):
        farthest = max((metric.distances().astype(object) @ counts.astype(object)).tolist())
    else:
        # From one row to all others, an edge carries the rows on its other side.
        below = (metric.sides @ counts)[:, None]
        carried = np.where(metric.sides, table.rows - below, below).astype(object)
        farthest = max((np.array(metric.scaled_lengths, dtype=object) @ carried).tolist()) if len(carried) else 0
    return bool(farthest <= part.t * table.rows * metric.scale)


def _all_differ(table: Table, column: str) -> bool:
    return len(table.sensitive_column(column).values) == table.rows


def _column_of(part: TCloseness, table: Table) -> str:
    return part.column if part.column is not None else table.sensitive[0]
