"""The rule of each sort of condition: a principle is priced by the conditions that it states, whatever its class.

For a condition of one's own `rule_of.register` says which rule prices it, as for those here; its rule needs no compiled loop. What then
proves the bound is told to the checker in the same way (`proofs.group_pricing.priced_by`).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from anoptima.exact import floor_within
from anoptima.principles import (
    AtLeastEntropy,
    AtLeastRows,
    AtLeastValues,
    AtMostShareOf,
    CloseByFlow,
    CloseOnTree,
    Condition,
    LimitedShares,
    NotLinear,
    Outweighed,
    Principle,
)
from anoptima.solvers.exact.sifting.rules.entropy import Entropy
from anoptima.solvers.exact.sifting.rules.outweighed import OutweighedMost
from anoptima.solvers.exact.sifting.rules.rule import Rule
from anoptima.solvers.exact.sifting.rules.shares import Shares
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Carrying, Tree, edges_in_order
from anoptima.solvers.exact.sifting.rules.values import DifferentValues
from anoptima.table import Table

MOST_PARTS = 12
"""The largest denominator of an l that is priced as it is; for others the next smaller such l is, which allows more."""

SCARCE = 0.8
"""Values are scarce whose share of the table is more than this part of the largest share that a group may have of them. Of the 200,000 rows
of `large-200000x8`, l = 3, three tenths of which have one ill, 20 s leave 540,258 stars so, 715,484 with 0.5, and 841,496 where no value
is scarce."""

MOST_UNITS = 10_000
"""The largest denominator of a t that is priced as it is; for others the next larger such t is, which allows more."""


@singledispatch
def rule_of(condition: Condition, table: Table) -> Rule | None:
    """Return the rule of a condition on groups of a table's rows; None if its least size, which all rules are told, is all it comes to.

    >>> from anoptima import ten_rows
    >>> rule_of(AtLeastValues("disease", 2), ten_rows()).different
    2
    """
    raise NotImplementedError(f"there is no rule for {condition}")


def why_no_rule(principle: Principle, table: Table) -> str | None:
    """Say which of a principle's conditions has no rule; None if all have one."""
    for condition in principle.conditions(table):
        if rule_of.dispatch(type(condition)) is rule_of.dispatch(object):
            if isinstance(condition, NotLinear):
                return f"no rule is known for {principle}: {condition}"
            return f"no rule is known for the condition {condition} of {principle}"
    return None


def value_of_record(table: Table, column: str) -> NDArray[np.int32]:
    """Return the value that each record has in a sensitive column, in one piece, as compiled loops take it."""
    return np.ascontiguousarray(table.records.sensitive[:, table.sensitive.index(column)])


def _on(column: str, table: Table) -> tuple[str, NDArray[np.int32], int]:
    """Return what every rule is told first: its column, the value of each record there, and how many values there are."""
    return column, value_of_record(table, column), len(table.sensitive_column(column).values)


@rule_of.register
def _(condition: AtLeastRows, table: Table) -> Rule | None:
    return None


@rule_of.register
def _(condition: AtLeastValues, table: Table) -> Rule | None:
    return DifferentValues(*_on(condition.column, table), condition.values)


@rule_of.register
def _(condition: LimitedShares, table: Table) -> Rule | None:
    if condition.share >= 1:
        return None
    column, value, values = _on(condition.column, table)
    # For groups of the table's rows, a share with a denominator of at most n says the same.
    share = floor_within(condition.share, table.rows)
    l = floor_within(1 / share, MOST_PARTS)  # noqa: E741
    limited, counts = condition.limits(values), table.sensitive_column(column).counts
    scarce = limited if isinstance(condition, AtMostShareOf) else counts * float(l) > SCARCE * table.rows
    return Shares(column, value, values, share, l.numerator, l.denominator, limited, scarce)


@rule_of.register
def _(condition: Outweighed, table: Table) -> Rule:
    # For groups of the table's rows, the next larger factor with a denominator of at most n says the same.
    factor = min(Fraction(table.rows), -floor_within(-condition.factor, table.rows))
    priced = floor_within(1 / factor, MOST_PARTS)
    a, b = priced.denominator, priced.numerator
    return OutweighedMost(*_on(condition.column, table), factor, a, b, condition.first, condition.values)


@rule_of.register
def _(condition: AtLeastEntropy, table: Table) -> Rule:
    equal, is_alike = float(condition.equal), condition.is_alike_at_least
    return Entropy(*_on(condition.column, table), condition.values, equal, is_alike)


@rule_of.register
def _(condition: CloseByFlow, table: Table) -> Rule:
    # The checker knows no least size where distances are not stated as those of a tree.
    value, whole = value_of_record(table, condition.column), np.array(condition.whole, dtype=np.int64)
    looser, stricter = (replace(_tree(one, value, whole), least_from=int) for one in condition.along_trees)
    if condition.along_trees[0].metric is condition.along_trees[1].metric:
        return looser
    distances = condition.distances.astype(float) / condition.scale
    return replace(looser, carrying=Carrying(distances, looser, stricter))


@rule_of.register
def _(condition: CloseOnTree, table: Table) -> Rule | None:
    column, whole = condition.column, np.array(condition.whole, dtype=np.int64)
    value = value_of_record(table, column)
    if not condition.metric.is_equal:
        return _tree(condition, value, whole)
    if condition.limit >= 1:
        return None
    # Distances are parts of 1 / (n N) for a group of N rows.
    limit = floor_within(condition.limit, table.rows**2)
    if limit.denominator > MOST_UNITS:
        limit = 1 - floor_within(1 - condition.limit, MOST_UNITS)
    return TotalVariation(column, value, len(whole), whole, limit.numerator, limit.denominator)


def _tree(condition: CloseOnTree, value: NDArray[np.int32], whole: NDArray[np.int64]) -> Tree:
    """Return the rule, with the values in an order in which those below each edge are neighbours."""
    lengths = np.array([float(Fraction(length, condition.scale)) for length in condition.lengths])
    order, first, last, edges = edges_in_order(condition.sides, lengths > 0)
    shares = whole / whole.sum()
    limit = float(condition.limit)
    return Tree(
        condition.column, value, len(order), shares, limit, order, first, last, lengths[edges], condition.least_from
    )
