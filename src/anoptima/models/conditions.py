"""How conditions on a group become rows of a program, once for every model and both modelling languages.

A model describes a group by *terms*: each term is a variable, how many rows one unit of it brings into the group, and their sensitive
values. A `Writer` makes variables and rows in Pyomo or CP-SAT. `write_conditions` states a principle's conditions in that form and
returns what fills in the auxiliary variables once the terms have values, so that a start can be complete.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import distinct
from anoptima.errors import NotApplicable
from anoptima.principles import (
    AtLeastEntropy,
    AtLeastRows,
    AtLeastValues,
    CloseByFlow,
    CloseOnTree,
    Condition,
    LimitedShares,
    NotLinear,
    Outweighed,
    Principle,
)
from anoptima.spaces import transport
from anoptima.table import Counts, Table

STATED = (AtLeastRows, LimitedShares, AtLeastValues, Outweighed, CloseOnTree, CloseByFlow)
"""What programs can state."""

WITHOUT_CONDITIONS = "subset-dp, for few rows, and local-search ask the principle itself, whatever its conditions"
"""What is left where a condition is of a sort that nothing knows."""

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

    def row(
        self, family: str, coefficients: Sequence[int], variables: Sequence[V], least: int | None, most: int | None
    ) -> None:
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
    """Return whether a condition tells an empty group from a non-empty one; the others are homogeneous, and 0 satisfies them."""
    return any(isinstance(condition, AtLeastRows | AtLeastValues | Outweighed) for condition in conditions)


def rows_come_out_whole(conditions: Sequence[Condition]) -> bool:
    """Return whether continuous assignments of rows to groups are whole at some optimum once the 0/1 variables are.

    So it is if only least sizes and least numbers of values of one column are asked: row -> value in group -> group is a network with
    whole limits. Shares and distances tie flows together, and two columns' values are not nested.
    """
    columns = {condition.column for condition in conditions if isinstance(condition, AtLeastValues)}
    return all(isinstance(condition, AtLeastRows | AtLeastValues) for condition in conditions) and len(columns) <= 1


def why_not_stated(principle: Principle, table: Table) -> str | None:
    """Say which of a principle's conditions programs cannot state; None if they state all.

    >>> from anoptima import KAnonymity, ten_rows
    >>> why_not_stated(KAnonymity(2), ten_rows()) is None
    True
    """
    for condition in principle.conditions(table):
        if not isinstance(condition, STATED):
            if isinstance(condition, NotLinear | AtLeastEntropy):
                return f"programs cannot state {principle}: {condition}; {WITHOUT_CONDITIONS}"
            return f"programs cannot state the condition {condition} of {principle}; {WITHOUT_CONDITIONS}"
    return None


def write_conditions(writer: Writer[V], conditions: Sequence[Condition], group: GroupTerms[V]) -> list[Fill]:
    """Write the rows that make `group` satisfy `conditions`, and return what completes a start."""
    totals = _Totals(writer, group)
    for condition in conditions:
        if isinstance(condition, AtLeastRows):
            _at_least_rows(writer, condition, group)
        elif isinstance(condition, LimitedShares):
            _at_most_share(writer, condition, totals)
        elif isinstance(condition, AtLeastValues):
            _at_least_values(writer, condition, totals)
        elif isinstance(condition, Outweighed):
            _outweighed(writer, condition, totals)
        elif isinstance(condition, CloseOnTree):
            _close_on_tree(writer, condition, totals)
        elif isinstance(condition, CloseByFlow):
            _close_by_flow(writer, condition, totals)
        else:
            raise NotApplicable(f"programs cannot state the condition {condition}")
    return totals.fills


class _Totals(Generic[V]):
    """A group's number of rows, in all and by value, as variables made once and when asked for: rows stay short that way."""

    def __init__(self, writer: Writer[V], group: GroupTerms[V]) -> None:
        self.group = group
        self.fills: list[Fill] = []
        self._writer = writer
        self._made: dict[tuple[str, int] | None, V] = {}

    def values(self, column: str) -> list[int]:
        """Return the values of a column that can occur in the group."""
        found: list[int] = distinct(self.group.codes[column]).tolist()
        return found

    def rows(self) -> V:
        """Return the variable that counts the group's rows."""
        return self._total(None, np.arange(len(self.group.rows)))

    def count(self, column: str, value: int) -> V:
        """Return the variable that counts the group's rows with one value."""
        return self._total((column, value), np.flatnonzero(self.group.codes[column] == value))

    def counts(self, brought: Counts, column: str, values: int) -> Counts:
        """Return how many rows of each value the terms bring."""
        return np.rint(np.bincount(self.group.codes[column], weights=brought, minlength=values)).astype(np.int64)

    def _total(self, key: tuple[str, int] | None, terms: NDArray[np.integer[Any]]) -> V:
        if key not in self._made:
            family = "group_rows" if key is None else "group_values"
            total = self._writer.amount(family, self.group.capacity)
            members = [self.group.variables[t] for t in terms]
            self._writer.row(family, [*self.group.rows[terms].tolist(), -1], [*members, total], 0, 0)
            self.fills.append(lambda brought: [(total, int(brought[terms].sum()))])
            self._made[key] = total
        return self._made[key]


def _at_least_rows(writer: Writer[V], condition: AtLeastRows, group: GroupTerms[V]) -> None:
    if group.open is None:
        writer.row("at_least_rows", group.rows.tolist(), group.variables, condition.rows, None)
    else:
        writer.row("at_least_rows", [*group.rows.tolist(), -condition.rows], [*group.variables, group.open], 0, None)


def _at_most_share(writer: Writer[V], condition: LimitedShares, totals: _Totals[V]) -> None:
    share, rows = condition.share, totals.rows()
    values = np.array(totals.values(condition.column), dtype=np.int64)
    limited = condition.limits(int(values.max(initial=-1)) + 1)[values]
    for value in values[limited].tolist():
        count = totals.count(condition.column, value)
        writer.row("at_most_share", [share.denominator, -share.numerator], [count, rows], None, 0)


def _at_least_values(writer: Writer[V], condition: AtLeastValues, totals: _Totals[V]) -> None:
    opened = totals.group.open
    flags = {}
    for value in totals.values(condition.column):
        flags[value] = flag = writer.flag("value_occurs")
        writer.row("value_occurs", [1, -1], [totals.count(condition.column, value), flag], 0, None)
        if opened is not None:
            writer.row("value_needs_group", [1, -1], [opened, flag], 0, None)
    if opened is None:
        writer.row("at_least_values", [1] * len(flags), list(flags.values()), condition.values, None)
    else:
        writer.row("at_least_values", [*([1] * len(flags)), -condition.values], [*flags.values(), opened], 0, None)

    def fill(brought: Counts) -> list[tuple[Any, int]]:
        counts = totals.counts(brought, condition.column, max(flags, default=0) + 1)
        return [(flag, int(counts[value] > 0)) for value, flag in flags.items()]

    totals.fills.append(fill)


def _outweighed(writer: Writer[V], condition: Outweighed, totals: _Totals[V]) -> None:
    """The sum of the h largest counts is the least of h y + sum_v max(0, count_v - y) over all y, at y the largest but h - 1 of them.

    With a / b the factor, and C no less than any count: b C + a (h y + sum_v u_v) <= a rows - 1 of an open group, u_v >= count_v - y.
    """
    a, b, h = condition.factor.numerator, condition.factor.denominator, condition.first - 1
    opened, rows, most = totals.group.open, totals.rows(), totals.group.capacity
    cap, level = writer.amount("largest_count", most), writer.amount("level", most)
    above: dict[int, V] = {}
    for value in totals.values(condition.column):
        count = totals.count(condition.column, value)
        above[value] = over = writer.amount("above_level", most)
        writer.row("largest_count", [1, -1], [cap, count], 0, None)
        writer.row("above_level", [1, 1, -1], [over, level, count], 0, None)
    coefficients, variables = [-b, -a * h, *([-a] * len(above)), a], [cap, level, *above.values(), rows]
    if opened is None:
        writer.row("outweighed", coefficients, variables, 1, None)
    else:
        writer.row("outweighed", [*coefficients, -1], [*variables, opened], 0, None)

    def fill(brought: Counts) -> list[tuple[Any, int]]:
        counts = totals.counts(brought, condition.column, max(above, default=0) + 1)
        falling = np.sort(counts)[::-1]
        its = int(falling[h - 1]) if len(falling) >= h else 0
        over = [(variable, max(0, int(counts[value]) - its)) for value, variable in above.items()]
        return [(cap, int(falling[0])), (level, its), *over]

    totals.fills.append(fill)


def _close_on_tree(writer: Writer[V], condition: CloseOnTree, totals: _Totals[V]) -> None:
    """One-sided surpluses are enough in any tree.

    With D_e the surplus below edge e and u_e = max(D_e, 0), |D_e| = 2 u_e - D_e; and D_e is a sum over the values below e, so

        sum_e length_e |D_e| = 2 sum_e length_e u_e - sum_v depth_v (n count_v - whole_v rows),   depth_v = lengths above v in all.

    The last sum is 0 where all values are at one depth, because surpluses sum to 0: so it is in a star, where u_v >= n count_v -
    whole_v rows is all there is, and in a hierarchy. Any one depth may be taken off all; the most common one is. Where no value that
    can occur in the group lies below e, u_e = 0; where all do, u_e = D_e: no variable is made.
    """
    n, whole = _reduced(condition.whole)
    values, rows = totals.values(condition.column), totals.rows()
    counts = {value: totals.count(condition.column, value) for value in values}
    common = condition.common_depth
    above = [condition.depths[value] - common for value in values]
    of_row = n * (condition.mean_depth - common)
    surpluses: list[tuple[V, NDArray[np.bool_], int]] = []
    costs: list[int] = []
    occurring = condition.sides[:, values]
    for e in np.flatnonzero(occurring.any(axis=1)).tolist():
        length, side, share = (
            condition.lengths[e],
            condition.sides[e],
            sum(itertools.compress(whole, condition.sides[e])),
        )
        if not length or share == n:
            continue
        if occurring[e].all():
            of_row += 2 * length * (n - share)
            continue
        surplus = writer.amount("surplus", (n - share) * totals.group.capacity)
        under = [counts[value] for value in values if side[value]]
        writer.row("surplus", [1, *([-n] * len(under)), share], [surplus, *under, rows], 0, None)
        surpluses.append((surplus, side, share))
        costs.append(2 * length)
    apart = [(counts[value], depth) for value, depth in zip(values, above, strict=True) if depth]
    costs += [-n * depth for _, depth in apart]
    variables = [*(surplus for surplus, _, _ in surpluses), *(count for count, _ in apart)]
    _within(writer, condition.limit, n * condition.scale, costs, variables, rows, int(of_row))

    def fill(brought: Counts) -> list[tuple[Any, int]]:
        held = totals.counts(brought, condition.column, len(whole))
        size = int(held.sum())
        return [(surplus, max(0, n * int(held[side].sum()) - share * size)) for surplus, side, share in surpluses]

    totals.fills.append(fill)


def _close_by_flow(writer: Writer[V], condition: CloseByFlow, totals: _Totals[V]) -> None:
    n, whole = _reduced(condition.whole)
    values, rows = totals.values(condition.column), totals.rows()
    targets = [j for j, count in enumerate(whole) if count]
    flow = {(i, j): writer.amount("flow", n * totals.group.capacity) for i in values for j in targets}
    for i in values:
        out = [flow[i, j] for j in targets]
        writer.row("flow_out", [*([1] * len(out)), -n], [*out, totals.count(condition.column, i)], 0, 0)
    for j in targets:
        into = [flow[i, j] for i in values]
        writer.row("flow_in", [*([1] * len(into)), -whole[j]], [*into, rows], 0, 0)
    costs = [int(condition.distances[i][j]) for i, j in flow]
    _within(writer, condition.limit, n * condition.scale, costs, list(flow.values()), rows)

    def fill(brought: Counts) -> list[tuple[Any, int]]:
        held = totals.counts(brought, condition.column, len(whole))
        size = int(held.sum())
        _, plan = transport([n * c for c in held.tolist()], [c * size for c in whole], condition.distances.tolist())
        return [(variable, plan.get(pair, 0)) for pair, variable in flow.items()]

    totals.fills.append(fill)


def _within(
    writer: Writer[V],
    limit: Fraction,
    unit: int,
    costs: Sequence[int],
    variables: Sequence[V],
    rows: V,
    cost_of_row: int = 0,
) -> None:
    """Cost * variables + cost_of_row * rows of the group <= limit * unit * rows of the group."""
    of_rows = limit.denominator * cost_of_row - limit.numerator * unit
    coefficients = [*(limit.denominator * int(cost) for cost in costs), of_rows]
    common = math.gcd(*coefficients) or 1
    writer.row("within_limit", [c // common for c in coefficients], [*variables, rows], None, 0)


def _reduced(whole: Sequence[int]) -> tuple[int, list[int]]:
    common = math.gcd(*whole)
    return sum(whole) // common, [count // common for count in whole]
