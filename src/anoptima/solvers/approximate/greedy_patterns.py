"""Greedy cover by patterns: k-anonymity within a factor of order log k (the idea of Park and Shim 2007; theory and proof repaired)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.exact import Exact, simplest
from anoptima.patterns import Patterns, closed_patterns, why_too_many
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.anonymity import AnonymityApproximation, harmonic, least_size
from anoptima.solvers.approximate.approximation import merge_until_it_holds
from anoptima.solvers.approximate.chop import chop
from anoptima.solvers.approximate.cover_groups import CoverGroups
from anoptima.solvers.approximate.price_queue import PriceQueue


@algorithms.register
class GreedyPatterns(AnonymityApproximation):
    """Weighted set cover over all patterns, then a reduction of the cover to a partition.

    Repeatedly take the pattern with the least price a new row: stars * max(k, u) / u for u unpublished matches; ties to the larger u.
    At least k unpublished matches make a group. Fewer are padded with published ones: from groups that can spare rows, or else by
    joining a group of k that shares a match (`CoverGroups`). Guarantee, with any weights:

        cost <= ((2k - 1) / k) H_{2k-1} OPT < 2 (1 + ln 2k) OPT,        H_x = 1 + 1/2 + ... + 1/x.

    The number of patterns is exponential in the number of columns. Prices only rise; `PriceQueue` finds the least.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "greedy-patterns")
    >>> answer.cost, ao.get_solver("greedy-patterns").ratio(answer.problem)
    (54, Fraction(137, 36))
    """

    name = "greedy-patterns"
    family = "covers"
    quick = 3

    def why_not(self, problem: Any) -> str | None:
        """It is for cell suppression under k-anonymity alone, of tables whose patterns can be listed."""
        return super().why_not(problem) or why_too_many(problem)

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return ((2k - 1) / k) H_{2k-1}."""
        k = least_size(problem)
        return simplest(Fraction(2 * k - 1, k) * harmonic(2 * k - 1))

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Cover, reducing as it goes."""
        return cover_by(problem, closed_patterns(problem), is_over)


def cover_by(problem: CellSuppression, patterns: Patterns, is_over: Callable[[], bool]) -> Partition:
    """Cover the records by some patterns, the cheapest a new row first; what they leave over becomes a group with others."""
    k, records = least_size(problem), problem.table.records
    groups, queue, left = CoverGroups(records.multiplicity, k), PriceQueue(patterns, k), len(records)
    while left and not is_over():
        if (chosen := queue.next(groups.unpublished)) is None:
            break
        members = patterns.member[patterns.start[chosen] : patterns.start[chosen + 1]]
        fresh = groups.unpublished[members]
        at = np.flatnonzero(fresh)
        new = dict(zip(members[at].tolist(), fresh[at].tolist(), strict=True))
        groups.publish(new, members.tolist() if fresh.sum() < k else ())
        left -= len(new)
    labels = groups.labels(records.of_row)
    if left:
        labels[labels < 0] = len(groups.groups)
        return merge_until_it_holds(problem, labels, len(groups.groups))
    return chop(problem, Partition.from_labels(labels), k, is_over)
