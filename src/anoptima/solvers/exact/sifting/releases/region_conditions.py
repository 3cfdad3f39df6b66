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
from anoptima.solvers.exact.sifting.releases.region_draft import INFINITY, Draft
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
    own = np.flatnonzero(draft.held.size[draft.of_arc] == 0)
    opened = np.flatnonzero(draft.held.size == 0)
    count = len(opened)
    y = draft.y[opened] = draft.add_columns(np.zeros(count), np.ones(count), whole=True)
    place = np.cumsum(draft.held.size == 0) - 1
    x, of_own = draft.x[own], draft.of_arc[own]
    link, ones = np.arange(len(own)), np.ones(len(own))
    draft.add_rows(
        [(link, x, ones), (link, draft.y[of_own], -draft.demand[own])], np.full(len(own), -INFINITY), np.zeros(len(own))
    )
    draft.above([(place[of_own], x, ones), (np.arange(count), y, -least[opened])], np.zeros(count))

    def fill(x: Numbers, values: Numbers) -> None:
        values[y] = np.bincount(draft.of_arc, x, len(draft.y))[opened] > 0

    draft.on_start(fill)


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


def _codes(table: Table, column: str) -> Counts:
    return table.records.sensitive[:, table.sensitive.index(column)].astype(np.int64)


def _cells(draft: Draft, table: Table, column: str) -> tuple[Counts, Counts, Counts]:
    """Return the (pattern, value) pairs that arcs bring, as two arrays, and the pair of each arc."""
    width = len(table.sensitive_column(column).values)
    cell, of_arc = np.unique(draft.of_arc * width + _codes(table, column)[draft.record], return_inverse=True)
    return cell // width, cell % width, of_arc


def _add_share(draft: Draft, condition: LimitedShares, table: Table) -> None:
    pattern, value, of_arc = _cells(draft, table, condition.column)
    codes = _codes(table, condition.column)
    count, width = len(draft.held.size), int(codes.max()) + 1
    limited = condition.limits(width)
    held = draft.held.by_value(codes, width)
    reach = held.copy()
    np.add.at(reach, (pattern, value), np.bincount(of_arc, draft.demand, len(pattern)).astype(np.int64))
    most = largest_cap(reach, condition.share.denominator, condition.share.numerator, limited)
    lower = np.where(limited, held, 0).max(axis=1, initial=0).astype(float)
    cap = draft.add_columns(np.zeros(count), most.astype(float), whole=True, lower=lower)
    # The cells of limited values, and the arcs into them.
    cells, own = np.flatnonzero(limited[value]), np.flatnonzero(limited[value[of_arc]])
    place = np.cumsum(limited[value]) - 1
    draft.above(
        [
            (place[of_arc[own]], draft.x[own], -np.ones(len(own))),
            (np.arange(len(cells)), cap[pattern[cells]], np.ones(len(cells))),
        ],
        held[pattern[cells], value[cells]].astype(float),
    )
    a, b = float(condition.share.denominator), float(condition.share.numerator)
    draft.above(
        [(draft.of_arc, draft.x, np.full(len(draft.x), b)), (np.arange(count), cap, np.full(count, -a))],
        -b * draft.held.size.astype(float),
    )

    def fill(x: Numbers, values: Numbers) -> None:
        have = held.astype(float)
        np.add.at(have, (pattern, value), np.bincount(of_arc, x, len(pattern)))
        values[cap] = np.where(limited, have, 0).max(axis=1, initial=0)

    draft.on_start(fill)


def _add_values(draft: Draft, condition: AtLeastValues, table: Table) -> None:
    pattern, _, of_arc = _cells(draft, table, condition.column)
    opened = np.flatnonzero(draft.y >= 0)
    number = np.cumsum(draft.y[pattern] >= 0) - 1
    own = np.flatnonzero(draft.y[draft.of_arc] >= 0)
    pattern = pattern[draft.y[pattern] >= 0]
    of_own, count = number[of_arc[own]], len(pattern)
    there = draft.add_columns(np.zeros(count), np.ones(count), whole=True)
    cells, ones = np.arange(count), np.ones(count)
    draft.above([(of_own, draft.x[own], np.ones(len(own))), (cells, there, -ones)], np.zeros(count))
    draft.above([(cells, draft.y[pattern], ones), (cells, there, -ones)], np.zeros(count))
    wanted = np.full(len(opened), -float(condition.values))
    place = np.cumsum(draft.y >= 0) - 1
    draft.above(
        [(place[pattern], there, ones), (np.arange(len(opened)), draft.y[opened], wanted)], np.zeros(len(opened))
    )

    def fill(x: Numbers, values: Numbers) -> None:
        values[there] = np.bincount(of_own, x[own], count) > 0

    draft.on_start(fill)


def _add_outweighed(draft: Draft, condition: Outweighed, table: Table, begun: Counts | None = None) -> None:
    """Patterns in which rows have `begun` to be a group that does not satisfy the condition may have it, by a larger factor."""
    pattern, value, of_arc = _cells(draft, table, condition.column)
    codes = _codes(table, condition.column)
    count, width, others = len(draft.held.size), int(codes.max()) + 1, condition.first - 1
    b = float(condition.factor.denominator)
    held = draft.held.by_value(codes, width)
    a = np.full(count, float(condition.factor.numerator))
    if begun is not None:
        had = held.copy()
        np.add.at(had, (draft.of_arc, codes[draft.record]), begun)
        falling = -np.sort(-had, axis=1)
        most, rest = falling[:, 0], falling[:, others:].sum(axis=1)
        a = np.where((rest > 0) & (b * most >= a * rest), b * (most // np.maximum(1, rest) + 1), a)
    # Values that a pattern holds and no arc brings count, too.
    at, its = np.nonzero(held)
    pair, entry = np.unique(np.concatenate([pattern * width + value, at * width + its]), return_inverse=True)
    pattern, value, of_arc = pair // width, pair % width, entry[: len(pattern)][of_arc]
    cells, groups, rows = np.arange(len(pair)), np.arange(count), float(table.rows)
    cap, level = (draft.add_columns(np.zeros(count), np.full(count, rows), whole=False) for _ in range(2))
    above = draft.add_columns(np.zeros(len(pair)), np.full(len(pair), rows), whole=False)
    has, ones = held[pattern, value].astype(float), np.ones(len(pair))
    brought = (of_arc, draft.x, -np.ones(len(draft.x)))
    draft.above([brought, (cells, cap[pattern], ones)], has)
    draft.above([brought, (cells, above, ones), (cells, level[pattern], ones)], has)
    opened = np.flatnonzero(draft.y >= 0)
    draft.above(
        [
            (draft.of_arc, draft.x, a[draft.of_arc]),
            (groups, cap, np.full(count, -b)),
            (groups, level, -a * others),
            (pattern, above, -a[pattern]),
            (opened, draft.y[opened], -np.ones(len(opened))),
        ],
        np.where(draft.y >= 0, 0.0, 1.0) - a * draft.held.size,
    )

    def fill(x: Numbers, values: Numbers) -> None:
        have = held.astype(float)
        np.add.at(have, (pattern, value), np.bincount(of_arc, x, len(pair)))
        falling = -np.sort(-have, axis=1)
        values[cap] = falling[:, 0]
        its = falling[:, others - 1] if others <= width else np.zeros(count)
        values[level] = its
        values[above] = np.maximum(0, have[pattern, value] - its[pattern])

    draft.on_start(fill)


def _add_closeness(draft: Draft, condition: CloseOnTree, table: Table) -> None:
    pattern, value, of_arc = _cells(draft, table, condition.column)
    count, cells = len(draft.held.size), len(pattern)
    width = len(condition.whole)
    held = draft.held.by_value(_codes(table, condition.column), width)
    z = draft.add_columns(np.zeros(cells), np.full(cells, float(table.rows)), whole=True)
    parts = [(of_arc, draft.x, np.ones(len(draft.x))), (np.arange(cells), z, -np.ones(cells))]
    draft.add_rows(parts, np.zeros(cells), np.zeros(cells))
    sides, lengths = condition.sides.astype(float), np.array([float(length) for length in condition.lengths])
    edges = np.flatnonzero(lengths)
    share = sides @ np.array(condition.whole, dtype=float) / table.rows
    below = held @ sides.T - draft.held.size[:, None] * share
    edge, owner = np.tile(edges, count), np.repeat(np.arange(count), len(edges))
    number = np.arange(len(edge))
    number_of = np.full((count, len(lengths)), -1, dtype=np.int64)
    number_of[owner, edge] = number
    surplus = draft.add_columns(np.zeros(len(edge)), np.full(len(edge), INFINITY), whole=False)
    at_cell, at_edge = np.nonzero(condition.sides.T[value][:, edges])
    at_row = number_of[pattern[at_cell], edges[at_edge]]
    all_cell, all_edge = np.repeat(np.arange(cells), len(edges)), np.tile(edges, cells)
    all_row = number_of[pattern[all_cell], all_edge]
    for sign in (1.0, -1.0):
        draft.above(
            [
                (number, surplus, np.ones(len(edge))),
                (at_row, z[at_cell], np.full(len(at_row), -sign)),
                (all_row, z[all_cell], sign * share[all_edge]),
            ],
            sign * below[owner, edge],
        )
    limit = float(condition.limit * condition.scale)
    draft.above(
        [(pattern, z, np.full(cells, limit)), (owner, surplus, -lengths[edge])],
        -limit * draft.held.size.astype(float),
    )

    def fill(x: Numbers, values: Numbers) -> None:
        amounts = np.bincount(of_arc, x, cells)
        values[z] = amounts
        have = np.zeros((count, width))
        np.add.at(have, (pattern, value), amounts)
        found = have @ sides.T - have.sum(axis=1)[:, None] * share + below
        values[surplus] = np.abs(found[owner, edge])

    draft.on_start(fill)


def _add_flow(draft: Draft, condition: CloseByFlow, table: Table) -> None:
    pattern, value, of_arc = _cells(draft, table, condition.column)
    count, width = len(draft.held.size), len(condition.whole)
    held = draft.held.by_value(_codes(table, condition.column), width).astype(float)
    share = np.array(condition.whole, dtype=float) / table.rows
    flow = draft.add_columns(
        np.zeros(count * width * width), np.full(count * width * width, INFINITY), whole=False
    ).reshape(count, width, width)
    line = np.arange(count * width)
    cell_line = pattern * width + value
    from_ = np.repeat(line, width)
    into = np.repeat(np.arange(count), width * width) * width + np.tile(np.arange(width), count * width)
    ones = np.ones(flow.size)
    parts = [(from_, flow.ravel(), ones), (cell_line[of_arc], draft.x, -np.ones(len(draft.x)))]
    draft.add_rows(parts, held.ravel(), held.ravel())
    spread = (draft.of_arc[:, None] * width + np.arange(width)).ravel()
    size = (draft.held.size[:, None] * share).ravel()
    parts = [(into, flow.ravel(), ones), (spread, np.repeat(draft.x, width), -np.tile(share, len(draft.x)))]
    draft.add_rows(parts, size, size)
    limit = float(condition.limit * condition.scale)
    distances = np.tile(condition.distances.astype(float).ravel(), count)
    draft.above(
        [
            (draft.of_arc, draft.x, np.full(len(draft.x), limit)),
            (np.repeat(np.arange(count), width * width), flow.ravel(), -distances),
        ],
        -limit * draft.held.size.astype(float),
    )
