"""Principles on either side of one that its conditions do not say in full: what it implies, and what implies it.

Every release under a principle is one under what it implies, so a bound there holds here; and a release under what implies it is a release
here. A conjunction is taken part by part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from anoptima.exact import floor_within
from anoptima.plain_principles import is_closer, plain_principle
from anoptima.principles import (
    All,
    AtLeastRows,
    AtLeastValues,
    AtMostShare,
    Close,
    Condition,
    KAnonymity,
    LDiversity,
    Principle,
)
from anoptima.table import Table


def weaker_principle(principle: Principle, table: Table, is_known: Callable[[Principle], bool]) -> Principle:
    """Return what a principle implies on a table: its parts that are known, and sizes, values and shares that the others state.

    >>> from anoptima import EntropyDiversity, ten_rows
    >>> print(weaker_principle(EntropyDiversity(2) & KAnonymity(3), ten_rows(), lambda part: isinstance(part, KAnonymity)))
    3-anonymity and distinct 2-diversity of disease
    """
    parts = [
        implied
        for part in principle.parts
        for implied in ([part] if is_known(part) else _counted(part.conditions(table)))
    ]
    return plain_principle(All((KAnonymity(max(1, principle.least_size(table))), *parts)), table)


def _counted(conditions: list[Condition]) -> Iterator[Principle]:
    """Yield a principle for each condition of values and of shares; sizes are said for all parts at once."""
    for condition in conditions:
        match condition:
            case AtLeastValues(column, values):
                yield LDiversity(values, column, "distinct")
            case AtMostShare(column, share) if share > 0:
                yield LDiversity(1 / share, column)


def stricter_principle(principle: Principle, table: Table, is_known: Callable[[Principle], bool]) -> Principle | None:
    """Return what implies a principle on a table: its parts that are known, and what the others say is stricter; None if one knows nothing.

    >>> from anoptima import EntropyDiversity, ten_rows
    >>> print(stricter_principle(EntropyDiversity(2) & KAnonymity(3), ten_rows(), lambda part: isinstance(part, KAnonymity)))
    frequency 2-diversity and 3-anonymity
    """
    parts = [part if is_known(part) else part.stricter(table) for part in principle.parts]
    known = [part for part in parts if part is not None]
    return plain_principle(All(tuple(known)), table) if len(known) == len(parts) else None


def implies(principle: Principle, weaker: Principle, table: Table) -> bool:
    """Tell whether every group of a table's rows that satisfies a principle satisfies another one, as far as their conditions show.

    >>> from anoptima import EntropyDiversity, ten_rows
    >>> implies(EntropyDiversity(2), LDiversity(2, version="distinct"), ten_rows())
    True
    >>> implies(KAnonymity(3) & LDiversity(2), KAnonymity(2), ten_rows()), implies(KAnonymity(2), KAnonymity(3), ten_rows())
    (True, False)
    """
    stated, size = principle.conditions(table), principle.least_size(table)
    return all(
        (isinstance(asked, AtLeastRows) and asked.rows <= size) or any(_implies(one, asked, table) for one in stated)
        for asked in weaker.conditions(table)
    )


def _implies(one: Condition, other: Condition, table: Table) -> bool:
    if type(one) is not type(other) or one.columns != other.columns:
        return False
    match one, other:
        case AtLeastRows(), AtLeastRows():
            return one.rows >= other.rows
        case AtLeastValues(), AtLeastValues():
            return one.values >= other.values
        case AtMostShare(), AtMostShare():
            # Groups of at most n rows have shares with denominators of at most n.
            return floor_within(one.share, table.rows) <= other.share
        case Close(), Close():
            return is_closer(one, other)
        case _:
            return one == other
