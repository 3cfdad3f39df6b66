"""What conditions on groups are in the program of a region: for each, the columns and rows it adds.

    |x_p| >= least_p y_p,  x_pr <= demand_r y_p                 where sizes or numbers of values count
    x_p(v) <= C_p,  |x_p| >= l C_p                              for a share 1/l of limited values, C_p whole, and what fits
    w_pv <= x_p(v),  w_pv <= y_p,  sum_v w_pv >= l y_p          for l values, w binary
    x_p(v) <= C_p,  u_pv >= x_p(v) - h_p,  b C_p + a ((l - 1) h_p + sum_v u_pv) <= a |x_p| - y_p
                                                                where a / b times the values from number l on outweigh the most frequent
    z_pv = x_p(v),  u_pe >= |z_p(below e) - Q_e |x_p||,  sum_e d_e u_pe <= t |x_p|     for closeness on a tree, z whole

Groups that stay may take rows, too: what they have is added to x on the left. They are open anyway, and have no fewer rows or values
with more in them, so the first and the third say nothing of them. A condition of another sort is left out, and what comes back may fail
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from anoptima.principles import (
    AtLeastEntropy,
    AtLeastRows,
    AtLeastValues,
    CloseByFlow,
    CloseOnTree,
    Condition,
    LimitedShares,
    Outweighed,
)
from anoptima.solvers.exact.sifting.releases.region_draft import Draft, Part
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.rules.shares import largest_cap
from anoptima.table import Table

_MOST_OUTWEIGHING = 100
"""The largest factor by which the rarer values of a group are counted where entropy is asked for."""


def outweighed_like(entropy: AtLeastEntropy, *, is_close: bool) -> Outweighed:
    """Return a linear condition that about the same small groups satisfy as an entropy.

    Of groups with no more values than must occur it allows the same if all but one value are there once; if `is_close`, if they are there
    twice: then fewer larger groups satisfy it without having the entropy.

    >>> [str(outweighed_like(AtLeastEntropy("ill", Fraction(l)), is_close=False).factor) for l in ("3/2", 2, "5/2", 3)]
    ['7', '2', '4', '2']
    >>> [str(outweighed_like(AtLeastEntropy("ill", Fraction(l)), is_close=True).factor) for l in ("3/2", 2, "5/2", 3)]
    ['13/2', '3/2', '7/2', '3/2']
    """
    times = 2 if is_close else 1
    others = [times] * (entropy.values - 1)
    counts = (n for n in range(times + 1, _MOST_OUTWEIGHING) if not entropy.holds([n, *others]))
    return Outweighed(entropy.column, Fraction(next(counts, _MOST_OUTWEIGHING), times), entropy.values)


def opens(conditions: Sequence[Condition]) -> bool:
    """Tell whether some condition speaks of open patterns: a share holds of no rows, too."""
    return any(not isinstance(condition, LimitedShares) for condition in conditions)


def needs_whole(conditions: Sequence[Condition]) -> bool:
    """Tell whether x must be declared whole: beside a network of one column's values it comes out so once the rest is fixed."""
    kinds = [condition for condition in conditions if not isinstance(condition, AtLeastRows)]
    if len(kinds) > 1:
        return True
    return any(
        isinstance(condition, CloseByFlow) or (isinstance(condition, LimitedShares) and condition.share.numerator != 1)
        for condition in kinds
    )


def only_grows(conditions: Sequence[Condition]) -> bool:
    """Tell whether a legal group stays legal whatever is added, so that one that stays is in a program as nothing but columns."""
    return all(isinstance(condition, AtLeastRows | AtLeastValues) for condition in conditions)


def add_openings(draft: Draft, least: Numbers) -> None:
    """Add y, and groups of a least size."""
    is_opened = draft.held.size == 0
    own, opened = np.flatnonzero(is_opened[draft.of_arc]), np.flatnonzero(is_opened)
    y = draft.y[opened] = draft.add_columns(len(opened), upper=1.0, whole=True)
    place = np.cumsum(is_opened) - 1
    x, of_own, link = draft.x[own], draft.of_arc[own], np.arange(len(own))
    draft.add_rows(len(own), [(link, x, 1.0), (link, draft.y[of_own], -draft.demand[own])], upper=0.0)
    sizes: list[Part] = [(place[of_own], x, 1.0), (np.arange(len(opened)), y, -least[opened])]
    draft.add_rows(len(opened), sizes, lower=0.0)

    @draft.on_start
    def fill(x: Numbers, values: Numbers) -> None:
        values[y] = np.bincount(draft.of_arc, x, len(draft.y))[opened] > 0


def are_stated(conditions: Sequence[Condition]) -> bool:
    """Tell whether programs state all these; otherwise what comes back may fail one."""
    return not any(isinstance(condition, AtLeastEntropy) for condition in conditions)


def add_condition(
    draft: Draft, condition: Condition, table: Table, begun: Counts | None = None, *, is_close: bool = False
) -> None:
    """Add what a condition on the values of a column asks; a least size is asked by `add_openings`.

    What cannot be stated is replaced by a condition that is near, if `is_close` by one that is seldom less, of groups that could be as they
    have `begun`: that many copies along each arc.
    """
    if isinstance(condition, LimitedShares):
        _add_share(draft, condition, table)
    elif isinstance(condition, AtLeastValues):
        _add_values(draft, condition, table)
    elif isinstance(condition, Outweighed):
        _add_outweighed(draft, condition, table)
    elif isinstance(condition, AtLeastEntropy):
        _add_outweighed(draft, outweighed_like(condition, is_close=is_close), table, begun)
    elif isinstance(condition, CloseOnTree):
        _add_closeness(draft, condition, table)
    elif isinstance(condition, CloseByFlow):
        _add_flow(draft, condition, table)


class _Cells:
    """The (pattern, value) pairs that arcs bring, and the pair of each arc; and how many rows of each value patterns hold already."""

    def __init__(self, draft: Draft, table: Table, column: str) -> None:
        codes = table.records.sensitive[:, table.sensitive.index(column)].astype(np.int64)
        self.width = len(table.sensitive_column(column).values)
        self.held = draft.held.by_value(codes, self.width)
        self._take(*np.unique(draft.of_arc * self.width + codes[draft.record], return_inverse=True))

    def _take(self, pair: Counts, of_arc: Counts) -> None:
        self.pattern, self.value, self.of_arc = pair // self.width, pair % self.width, of_arc

    def __len__(self) -> int:
        return len(self.pattern)

    def add_held(self) -> None:
        """Add the pairs that patterns hold and no arc brings."""
        pairs = [self.pattern * self.width + self.value, np.flatnonzero(self.held)]
        pair, place = np.unique(np.concatenate(pairs), return_inverse=True)
        self._take(pair, place[self.of_arc])

    def brought(self, x: Numbers) -> Numbers:
        """Return how many rows of each pair x brings along the arcs."""
        return np.bincount(self.of_arc, x, len(self))

    def counts(self, x: Numbers) -> Numbers:
        """Return how many rows of each value patterns have with those: patterns x values."""
        found: Numbers = self.held.astype(float)
        found[self.pattern, self.value] += self.brought(x)
        return found


def _add_share(draft: Draft, condition: LimitedShares, table: Table) -> None:
    cells = _Cells(draft, table, condition.column)
    count, pattern = len(draft.held.size), cells.pattern
    limited = condition.limits(cells.width)
    a, b = condition.share.denominator, condition.share.numerator
    most = largest_cap(cells.counts(draft.demand).astype(np.int64), a, b, limited)
    lower = np.where(limited, cells.held, 0).max(axis=1, initial=0)
    cap = draft.add_columns(count, lower=lower.astype(float), upper=most.astype(float), whole=True)
    # The cells of limited values, and the arcs into them.
    is_limited = limited[cells.value]
    some, own = np.flatnonzero(is_limited), np.flatnonzero(is_limited[cells.of_arc])
    place = np.cumsum(is_limited) - 1
    caps: list[Part] = [(place[cells.of_arc[own]], draft.x[own], -1.0), (np.arange(len(some)), cap[pattern[some]], 1.0)]
    draft.add_rows(len(some), caps, lower=cells.held[pattern[some], cells.value[some]].astype(float))
    shares: list[Part] = [(draft.of_arc, draft.x, float(b)), (np.arange(count), cap, -float(a))]
    draft.add_rows(count, shares, lower=-float(b) * draft.held.size)

    @draft.on_start
    def fill(x: Numbers, values: Numbers) -> None:
        values[cap] = np.where(limited, cells.counts(x), 0).max(axis=1, initial=0)


def _add_values(draft: Draft, condition: AtLeastValues, table: Table) -> None:
    cells = _Cells(draft, table, condition.column)
    is_opened = draft.y >= 0
    opened, own = np.flatnonzero(is_opened), np.flatnonzero(is_opened[draft.of_arc])
    number, pattern = np.cumsum(is_opened[cells.pattern]) - 1, cells.pattern[is_opened[cells.pattern]]
    of_own, count = number[cells.of_arc[own]], len(pattern)
    there, each = draft.add_columns(count, upper=1.0, whole=True), np.arange(count)
    draft.add_rows(count, [(of_own, draft.x[own], 1.0), (each, there, -1.0)], lower=0.0)
    draft.add_rows(count, [(each, draft.y[pattern], 1.0), (each, there, -1.0)], lower=0.0)
    place = np.cumsum(is_opened) - 1
    enough: list[Part] = [
        (place[pattern], there, 1.0),
        (np.arange(len(opened)), draft.y[opened], -float(condition.values)),
    ]
    draft.add_rows(len(opened), enough, lower=0.0)

    @draft.on_start
    def fill(x: Numbers, values: Numbers) -> None:
        values[there] = np.bincount(of_own, x[own], count) > 0


def _add_outweighed(draft: Draft, condition: Outweighed, table: Table, begun: Counts | None = None) -> None:
    """Patterns in which rows have `begun` to be a group that does not satisfy the condition may have it, by a larger factor."""
    cells = _Cells(draft, table, condition.column)
    count, others, b = len(draft.held.size), condition.first - 1, float(condition.factor.denominator)
    a = np.full(count, float(condition.factor.numerator))
    if begun is not None:
        falling = -np.sort(-cells.counts(begun), axis=1)
        most, rest = falling[:, 0], falling[:, others:].sum(axis=1)
        a = np.where((rest > 0) & (b * most >= a * rest), b * (most // np.maximum(1, rest) + 1), a)
    cells.add_held()
    pattern, each, groups, rows = cells.pattern, np.arange(len(cells)), np.arange(count), float(table.rows)
    cap, level = draft.add_columns(count, upper=rows), draft.add_columns(count, upper=rows)
    above = draft.add_columns(len(cells), upper=rows)
    has = cells.held[pattern, cells.value].astype(float)
    brought: Part = cells.of_arc, draft.x, -1.0
    draft.add_rows(len(cells), [brought, (each, cap[pattern], 1.0)], lower=has)
    draft.add_rows(len(cells), [brought, (each, above, 1.0), (each, level[pattern], 1.0)], lower=has)
    opened = np.flatnonzero(draft.y >= 0)
    weights: list[Part] = [
        (draft.of_arc, draft.x, a[draft.of_arc]),
        (groups, cap, -b),
        (groups, level, -a * others),
        (pattern, above, -a[pattern]),
        (opened, draft.y[opened], -1.0),
    ]
    draft.add_rows(count, weights, lower=np.where(draft.y >= 0, 0.0, 1.0) - a * draft.held.size)

    @draft.on_start
    def fill(x: Numbers, values: Numbers) -> None:
        have = cells.counts(x)
        falling = -np.sort(-have, axis=1)
        values[cap] = falling[:, 0]
        its = falling[:, others - 1] if others <= cells.width else np.zeros(count)
        values[level] = its
        values[above] = np.maximum(0, have[pattern, cells.value] - its[pattern])


def _add_closeness(draft: Draft, condition: CloseOnTree, table: Table) -> None:
    cells = _Cells(draft, table, condition.column)
    count, each = len(draft.held.size), np.arange(len(cells))
    z = draft.add_columns(len(cells), upper=float(table.rows), whole=True)
    draft.add_rows(len(cells), [(cells.of_arc, draft.x, 1.0), (each, z, -1.0)], lower=0.0, upper=0.0)
    sides, lengths = condition.sides.astype(float), np.array([float(length) for length in condition.lengths])
    edges = np.flatnonzero(lengths)
    share = sides @ np.array(condition.whole, dtype=float) / table.rows
    below = cells.held @ sides.T - draft.held.size[:, None] * share
    edge, owner = np.tile(edges, count), np.repeat(np.arange(count), len(edges))
    number = np.arange(len(edge))
    number_of = np.full((count, len(lengths)), -1, dtype=np.int64)
    number_of[owner, edge] = number
    surplus = draft.add_columns(len(edge))
    at_cell, at_edge = np.nonzero(condition.sides.T[cells.value][:, edges])
    at_row = number_of[cells.pattern[at_cell], edges[at_edge]]
    all_cell, all_edge = np.repeat(each, len(edges)), np.tile(edges, len(cells))
    all_row = number_of[cells.pattern[all_cell], all_edge]
    for sign in (1.0, -1.0):
        parts: list[Part] = [
            (number, surplus, 1.0),
            (at_row, z[at_cell], -sign),
            (all_row, z[all_cell], sign * share[all_edge]),
        ]
        draft.add_rows(len(edge), parts, lower=sign * below[owner, edge])
    limit = float(condition.limit * condition.scale)
    moved: list[Part] = [(cells.pattern, z, limit), (owner, surplus, -lengths[edge])]
    draft.add_rows(count, moved, lower=-limit * draft.held.size)

    @draft.on_start
    def fill(x: Numbers, values: Numbers) -> None:
        values[z] = cells.brought(x)
        have = cells.counts(x) - cells.held
        found = have @ sides.T - have.sum(axis=1)[:, None] * share + below
        values[surplus] = np.abs(found[owner, edge])


def _add_flow(draft: Draft, condition: CloseByFlow, table: Table) -> None:
    cells = _Cells(draft, table, condition.column)
    cells.add_held()
    count, width = len(draft.held.size), cells.width
    share = np.array(condition.whole, dtype=float) / table.rows
    # From each value that a pattern may have into each of all: few of many values are in one pattern.
    flow = draft.add_columns(len(cells) * width)
    from_, pattern = np.repeat(np.arange(len(cells)), width), np.repeat(cells.pattern, width)
    into = pattern * width + np.tile(np.arange(width), len(cells))
    held = cells.held[cells.pattern, cells.value].astype(float)
    parts: list[Part] = [(from_, flow, 1.0), (cells.of_arc, draft.x, -1.0)]
    draft.add_rows(len(cells), parts, lower=held, upper=held)
    spread = (draft.of_arc[:, None] * width + np.arange(width)).ravel()
    size = (draft.held.size[:, None] * share).ravel()
    parts = [(into, flow, 1.0), (spread, np.repeat(draft.x, width), -np.tile(share, len(draft.x)))]
    draft.add_rows(len(size), parts, lower=size, upper=size)
    limit = float(condition.limit * condition.scale)
    distances = condition.distances.astype(float)[cells.value].ravel()
    moved: list[Part] = [(draft.of_arc, draft.x, limit), (pattern, flow, -distances)]
    draft.add_rows(count, moved, lower=-limit * draft.held.size)
