"""What a run works on: the table with the columns that the principle speaks of, its rules, and the patterns that can hold a group.

The records are row types with their sensitive values. Closed patterns are told by their quasi-identifying columns alone. A pattern stays
only if a legal group fits inside what it matches, and the least size of such groups is a condition like k.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from anoptima.deadline import check_time
from anoptima.exact import floor_within
from anoptima.patterns import Patterns, closed_patterns
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.rules.rule import Counts, Rule
from anoptima.solvers.exact.sifting.rules.shares import Shares
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.solvers.exact.sifting.rules.values import DifferentValues
from anoptima.spaces import EqualDistance, TreeMetric
from anoptima.table import Table

MOST_PARTS = 12
"""The largest denominator of an l that is priced as it is; for others the next smaller such l is, which allows more."""

MOST_UNITS = 10_000
"""The largest denominator of a t that is priced as it is; for others the next larger such t is, which allows more."""

_CELLS = 1 << 22


@dataclass(frozen=True, eq=False)
class Instance:
    """A problem without the columns that play no part, its rules, and arrays over patterns and records."""

    problem: CellSuppression
    patterns: Patterns
    rules: tuple[Rule, ...]
    arcs: Arcs
    k: int


def why_no_rules(principle: Principle) -> str | None:
    """Say which part of a principle has no rule; None if all have one."""
    for part in principle.parts:
        if not isinstance(part, KAnonymity | LDiversity | TCloseness):
            return f"sifting is for k-anonymity, l-diversity, t-closeness and their combinations, not for {part}"
    return None


def column_of(part: LDiversity | TCloseness, table: Table) -> str:
    """Return the sensitive column that a part of a principle speaks of."""
    return part.column if part.column is not None else table.sensitive[0]


def instance_of(problem: CellSuppression) -> Instance:
    """Return what a run on a problem works on. O(2^m R (m + log R)) for R records, as for all patterns."""
    plain = _without_others(problem)
    patterns = closed_patterns(plain)
    rules = tuple(rules_of(plain))
    k = max([part.k for part in plain.principle.parts if isinstance(part, KAnonymity)], default=1)
    least = np.full(len(patterns), k, dtype=np.int64)
    for _ in range(min(2, len(rules))):
        for rule in rules:
            for block, counts in counts_of(patterns, rule):
                check_time()
                wanted = least[block]
                found = rule.smallest(counts, np.maximum(1, wanted))
                least[block] = np.where(wanted > 0, found, 0)
    kept = least > 0
    lengths = np.diff(patterns.start)
    patterns = Patterns(
        plain.table,
        patterns.kept[kept],
        patterns.cost[kept],
        np.concatenate([[0], np.cumsum(lengths[kept])]).astype(np.int64),
        patterns.member[np.repeat(kept, lengths)],
    )
    copies = plain.table.records.multiplicity.astype(np.int64)
    return Instance(
        plain, patterns, rules, Arcs(patterns.start, patterns.member, patterns.cost, copies, least[kept]), k
    )


def rules_of(problem: CellSuppression) -> Iterator[Rule]:
    """Yield a rule for each diversity and closeness that the principle is made of; one that asks for nothing if there are none.

    >>> import anoptima as ao
    >>> table = ao.ten_rows()
    >>> [type(rule).__name__ for rule in rules_of(ao.CellSuppression(table, ao.KAnonymity(2) & ao.LDiversity(2)))]
    ['Frequency']
    """
    table, found = problem.table, False
    for number, part in enumerate(problem.principle.parts):
        if isinstance(part, LDiversity | TCloseness):
            name = column_of(part, table)
            # Loops are compiled for arrays in one piece.
            value = np.ascontiguousarray(table.records.sensitive[:, table.sensitive.index(name)])
            rule = _rule(part, number, name, value, table)
            if rule is not None:
                found = True
                yield rule
    if not found:
        yield DifferentValues("", np.zeros(len(table.records), dtype=np.int32), 1, 1)


def _rule(part: LDiversity | TCloseness, number: int, name: str, value: np.ndarray, table: Table) -> Rule | None:
    column = table.sensitive_column(name)
    values = len(column.values)
    if isinstance(part, LDiversity):
        if part.version == "distinct":
            return DifferentValues(name, value, values, int(part.l))
        # For groups of the table's rows, a share with a denominator of at most n says the same.
        share = floor_within(1 / part.l, table.rows)
        l = floor_within(1 / share, MOST_PARTS)  # noqa: E741
        return Shares(name, value, values, l.numerator, l.denominator)
    metric = part.space.fit(column.values)
    if not isinstance(part.space, EqualDistance):
        return _tree(part, number, name, value, metric, column.counts) if isinstance(metric, TreeMetric) else None
    if part.t >= 1:
        return None
    # Distances are parts of 1 / (n N) for a group of N rows.
    limit = floor_within(part.t, table.rows**2)
    if limit.denominator > MOST_UNITS:
        limit = 1 - floor_within(1 - part.t, MOST_UNITS)
    return TotalVariation(name, value, values, column.counts, limit.numerator, limit.denominator)


def _tree(part: TCloseness, number: int, name: str, value: np.ndarray, metric: TreeMetric, counts: Counts) -> Tree:
    """Return the rule, with the values in an order in which those below each edge are neighbours."""
    sides, lengths = metric.sides, np.array([float(length) for length in metric.lengths])
    useful = (lengths > 0) & sides.any(axis=1)
    sides, lengths = sides[useful], lengths[useful]
    # By the largest sets first, so that those below an edge share all that is decided before.
    by_size = sides[np.argsort(sides.sum(axis=1), kind="stable")]
    order = (np.lexsort(by_size) if len(sides) else np.arange(len(counts))).astype(np.int64)
    place = np.argsort(order)
    first = np.array([place[side].min() for side in sides], dtype=np.int64)
    last = np.array([place[side].max() + 1 for side in sides], dtype=np.int64)
    by_end = np.lexsort((-first, last))
    shares = counts / counts.sum()
    first, last, lengths = first[by_end], last[by_end], lengths[by_end]
    return Tree(name, value, len(order), shares, float(part.t), order, first, last, lengths, number)


def counts_of(patterns: Patterns, rule: Rule) -> Iterator[tuple[slice, Counts]]:
    """Yield how many rows of each value every pattern matches, a block of patterns at a time."""
    copies = patterns.table.records.multiplicity
    step = max(1, _CELLS // rule.values)
    for first in range(0, len(patterns), step):
        last = min(len(patterns), first + step)
        arcs = slice(int(patterns.start[first]), int(patterns.start[last]))
        member = patterns.member[arcs]
        place = (patterns.pattern_of_arc[arcs] - first) * rule.values + rule.value[member]
        counted = np.bincount(place, copies[member], (last - first) * rule.values)
        yield slice(first, last), np.rint(counted).astype(np.int64).reshape(-1, rule.values)


def _without_others(problem: CellSuppression) -> CellSuppression:
    """Return the same question without the sensitive columns that the principle does not speak of."""
    table = problem.table
    named = {column_of(part, table) for part in problem.principle.parts if isinstance(part, LDiversity | TCloseness)}
    if named == set(table.sensitive):
        return problem
    sensitive = [name for name in table.sensitive if name in named]
    weights = dict(zip(table.quasi, table.weights, strict=True))
    frame = table.frame[[*table.quasi, *sensitive]]
    return CellSuppression(Table.from_frame(frame, table.quasi, sensitive, weights=weights), problem.principle)
