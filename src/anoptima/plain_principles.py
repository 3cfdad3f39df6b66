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
    Close,
    CloseOnTree,
    Condition,
    KAnonymity,
    LDiversity,
    Principle,
)
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
    >>> from anoptima import TCloseness
    >>> print(plain_principle(TCloseness(1), table))
    1-anonymity
    """
    flat = list(_flat(principle))
    close: list[tuple[Principle, Close]] = []
    counted: list[tuple[Principle, Condition]] = []
    others: list[Principle] = []
    for part in flat:
        conditions = part.conditions(table)
        if all(isinstance(condition, AtLeastRows | AtLeastValues | AtMostShare) for condition in conditions):
            counted += [(part, condition) for condition in conditions]
        elif len(conditions) == 1 and isinstance(conditions[0], Close):
            close.append((part, conditions[0]))
        else:
            others.append(part)
    rows, diverse = _counted(counted, table)
    # Where all rows have values of their own, the size of a group says how far it is from the table.
    for _, one in close:
        if one.metric.is_equal and _all_differ(table, one.column):
            rows = max(rows, math.ceil((1 - one.limit) * table.rows))
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


def _closest(close: list[tuple[Principle, Close]], table: Table) -> Iterator[Principle]:
    """Yield the principles whose closeness asks something, and follows from no other."""
    for number, (part, one) in enumerate(close):
        if one.metric.is_equal and _all_differ(table, one.column):
            continue
        others = [other for place, (_, other) in enumerate(close) if place != number and other.column == one.column]
        earlier = [other for _, other in close[:number] if other.column == one.column]
        if (
            not _asks_nothing(one, table)
            and not any(is_closer(other, one) and not is_closer(one, other) for other in others)
            and not any(is_closer(other, one) for other in earlier)
        ):
            yield part


def is_closer(one: Close, other: Close) -> bool:
    """Tell whether one closeness implies another of the same column: at equal distance, values are as far apart as they can be."""
    return one.limit <= other.limit and (one.metric.is_equal or one.metric.is_same(other.metric))


def _asks_nothing(close: Close, table: Table) -> bool:
    """Tell whether every single row is close enough by itself; then every group is, for distances to the whole are convex."""
    if close.limit >= 1:
        return True
    counts = table.sensitive_column(close.column).counts
    if len(counts) > _MOST_VALUES:
        return False
    if not isinstance(close, CloseOnTree):
        farthest = max((close.metric.distances().astype(object) @ counts.astype(object)).tolist())
    else:
        # From one row to all others, an edge carries the rows on its other side.
        below = (close.sides @ counts)[:, None]
        carried = np.where(close.sides, table.rows - below, below).astype(object)
        farthest = max((np.array(close.lengths, dtype=object) @ carried).tolist()) if len(carried) else 0
    return bool(farthest <= close.limit * table.rows * close.scale)


def _all_differ(table: Table, column: str) -> bool:
    return len(table.sensitive_column(column).values) == table.rows
