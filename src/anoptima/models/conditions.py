"""How conditions on a group become rows of a program, once for every model and both modelling languages.

A model describes a group by *terms*: each term is a variable, how many rows one unit of it brings into the group, and their sensitive
values. A `Writer` makes variables and rows in Pyomo or CP-SAT. `write_conditions` states a principle's conditions in that form and
returns what fills in the auxiliary variables once the terms have values, so that a start can be complete.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.principles import AtLeastRows, AtLeastValues, AtMostShare, CloseByFlow, CloseOnTree, Condition
from anoptima.spaces import transport
from anoptima.table import Counts

V = TypeVar("V")
"""A variable of whatever language the writer writes."""

Fill = Callable[[Counts], "list[tuple[Any, int]]"]
"""From the number of rows that each term brings, the value of every auxiliary variable."""


class Writer(Protocol[V]):
    """Makes variables and rows."""

    def flag(self, family: str) -> V:
        """Make a 0/1 variable."""

    def amount(self, family: str, most: int) -> V:
        """Make a variable between 0 and `most` that is whole in some optimal solution without being told to."""

    def row(self, family: str, coefficients: Sequence[int], variables: Sequence[V], least: int | None, most: int | None) -> None:
        """State `least <= coefficients * variables <= most`."""


@dataclass(frozen=True, eq=False)
class GroupTerms(Generic[V]):
    """A group as a model sees it.

    Attributes
    ----------
    variables, rows
        Term t is variable t; one unit of it brings `rows[t]` rows.
    codes
        For each sensitive column, the value of each term's rows.
    open
        A 0/1 variable that is 1 if the group is not empty; None if the group is never empty.
    capacity
        A number of rows that the group never exceeds.
    """

    variables: Sequence[V]
    rows: Counts
    codes: Mapping[str, NDArray[np.integer[Any]]]
    open: V | None
    capacity: int


def needs_open(conditions: Sequence[Condition]) -> bool:
    """Tell whether a condition tells an empty group from a non-empty one; the others are homogeneous, and 0 satisfies them."""
    return any(isinstance(condition, AtLeastRows | AtLeastValues) for condition in conditions)


def rows_come_out_whole(conditions: Sequence[Condition]) -> bool:
    """Tell whether continuous assignments of rows to groups are whole at some optimum once the 0/1 variables are.

    So it is if only least sizes and least numbers of values of one column are asked: row -> value in group -> group is a network with
    whole limits. Shares and distances tie flows together, and two columns' values are not nested.
    """
    columns = {condition.column for condition in conditions if isinstance(condition, AtLeastValues)}
    return all(isinstance(condition, AtLeastRows | AtLeastValues) for condition in conditions) and len(columns) <= 1


def write_conditions(writer: Writer[V], conditions: Sequence[Condition], group: GroupTerms[V]) -> list[Fill]:
    """Write the rows that make `group` satisfy `conditions`, and return what completes a start."""
    fills: list[Fill] = []
    for condition in conditions:
        if isinstance(condition, AtLeastRows):
            _least(writer, "at_least_rows", group, np.arange(len(group.rows)), condition.rows)
        elif isinstance(condition, AtMostShare):
            _at_most_share(writer, condition, group)
        elif isinstance(condition, AtLeastValues):
            fills.append(_at_least_values(writer, condition, group))
        elif isinstance(condition, CloseOnTree):
            fills.append(_close_on_tree(writer, condition, group))
        else:
            fills.append(_close_by_flow(writer, condition, group))
    return fills


def _least(writer: Writer[V], family: str, group: GroupTerms[V], terms: NDArray[np.integer[Any]], least: int) -> None:
    coefficients = group.rows[terms].tolist()
    variables = [group.variables[t] for t in terms]
    if group.open is None:
        writer.row(family, coefficients, variables, least, None)
    else:
        writer.row(family, [*coefficients, -least], [*variables, group.open], 0, None)


def _at_most_share(writer: Writer[V], condition: AtMostShare, group: GroupTerms[V]) -> None:
    codes = group.codes[condition.column]
    of_value, of_all = condition.share.denominator, condition.share.numerator
    for value in np.unique(codes):
        # share.denominator * count_v <= share.numerator * rows
        coefficients = group.rows * np.where(codes == value, of_value - of_all, -of_all)
        writer.row("at_most_share", coefficients.tolist(), group.variables, None, 0)


def _at_least_values(writer: Writer[V], condition: AtLeastValues, group: GroupTerms[V]) -> Fill:
    codes = group.codes[condition.column]
    values = np.unique(codes)
    flags = [writer.flag("value_occurs") for _ in values]
    for value, flag in zip(values, flags, strict=True):
        terms = np.flatnonzero(codes == value)
        writer.row("value_occurs", [*group.rows[terms].tolist(), -1], [*(group.variables[t] for t in terms), flag], 0, None)
        if group.open is not None:
            writer.row("value_needs_group", [1, -1], [group.open, flag], 0, None)
    if group.open is None:
        writer.row("at_least_values", [1] * len(flags), flags, condition.values, None)
    else:
        writer.row("at_least_values", [*([1] * len(flags)), -condition.values], [*flags, group.open], 0, None)

    def fill(brought: Counts) -> list[tuple[Any, int]]:
        return [(flag, int(brought[codes == value].sum() > 0)) for value, flag in zip(values, flags, strict=True)]

    return fill


def _close_on_tree(writer: Writer[V], condition: CloseOnTree, group: GroupTerms[V]) -> Fill:
    codes = group.codes[condition.column]
    n, whole = _reduced(condition.whole)
    below = condition.sides.astype(np.int64) @ np.array(whole, dtype=np.int64)
    surpluses, deviations = [], []
    for side, share in zip(condition.sides, below.tolist(), strict=True):
        surplus = group.rows * np.where(side[codes], n - share, -share)
        deviation = writer.amount("deviation", n * group.capacity)
        writer.row("deviation_above", [1, *(-surplus).tolist()], [deviation, *group.variables], 0, None)
        writer.row("deviation_below", [1, *surplus.tolist()], [deviation, *group.variables], 0, None)
        surpluses.append(surplus)
        deviations.append(deviation)
    _within(writer, condition.limit, n * condition.scale, condition.lengths, deviations, group)

    def fill(brought: Counts) -> list[tuple[Any, int]]:
        units = brought // group.rows
        return [(deviation, abs(int(surplus @ units))) for deviation, surplus in zip(deviations, surpluses, strict=True)]

    return fill


def _close_by_flow(writer: Writer[V], condition: CloseByFlow, group: GroupTerms[V]) -> Fill:
    codes = group.codes[condition.column]
    n, whole = _reduced(condition.whole)
    values = np.unique(codes)
    targets = [j for j, count in enumerate(whole) if count]
    flow = {(int(i), j): writer.amount("flow", n * group.capacity) for i in values for j in targets}
    for i in values.tolist():
        terms = np.flatnonzero(codes == i)
        out = [flow[i, j] for j in targets]
        supply = (-n * group.rows[terms]).tolist()
        writer.row("flow_out", [*([1] * len(out)), *supply], [*out, *(group.variables[t] for t in terms)], 0, 0)
    for j in targets:
        into = [flow[i, j] for i in values.tolist()]
        writer.row("flow_in", [*([1] * len(into)), *(-whole[j] * group.rows).tolist()], [*into, *group.variables], 0, 0)
    costs = [int(condition.distances[i][j]) for i, j in flow]
    _within(writer, condition.limit, n * condition.scale, costs, list(flow.values()), group)

    def fill(brought: Counts) -> list[tuple[Any, int]]:
        size = int(brought.sum())
        supply = [n * int(brought[codes == i].sum()) for i in range(len(whole))]
        _, plan = transport(supply, [count * size for count in whole], condition.distances.tolist())
        return [(variable, plan.get(pair, 0)) for pair, variable in flow.items()]

    return fill


def _within(
    writer: Writer[V], limit: Fraction, unit: int, costs: Sequence[int], variables: Sequence[V], group: GroupTerms[V]
) -> None:
    """Cost * variables <= limit * unit * rows of the group."""
    coefficients = [limit.denominator * cost for cost in costs] + (-limit.numerator * unit * group.rows).tolist()
    common = math.gcd(*coefficients) or 1
    writer.row("within_limit", [c // common for c in coefficients], [*variables, *group.variables], None, 0)


def _reduced(whole: Sequence[int]) -> tuple[int, list[int]]:
    common = math.gcd(*whole)
    return sum(whole) // common, [count // common for count in whole]
