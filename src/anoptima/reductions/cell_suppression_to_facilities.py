"""Cell suppression under k-anonymity to facility location with lower bounds (Chakaravarthy, Pandit, Sabharwal 2010, section 4).

Construction: a facility for each closed pattern that matches k rows or more; a sort of client for each record type, with a client for
each of its rows; a connection wherever the pattern matches, at the weight of the pattern's stars; lower bound k. Opening costs nothing. The
distances are no metric: a row that a pattern does not match is infinitely far from it, whatever lies between.
Why: the rows published as one pattern are k or more, so an open facility serves k or more; and a group's pattern, the common part of
its rows, is closed. Groups with one pattern merge at no cost, so connections and partitions cost the same.
Size: at most R 2^m facilities for R record types and m columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from anoptima.exact import Exact
from anoptima.patterns import Patterns, closed_patterns
from anoptima.principles import AtLeastRows
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.lower_bounded_facilities import Connections, LowerBoundedFacilities
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction


@dataclass(frozen=True, eq=False)
class PatternsAsFacilities(Affine[Partition, Connections]):
    """The patterns, numbered as the facilities are."""

    patterns: Patterns

    def forward(self, solution: Partition) -> Connections:
        """Serve the rows of each group at the facility of its common part."""
        assert isinstance(self.source, CellSuppression)
        stars = self.source.stars(solution)
        record = self.source.table.records.of_row
        served: dict[tuple[int, int], int] = {}
        for group in solution.groups():
            one = min(group)
            p = self.patterns.find(~stars[one], int(record[one]))
            for r in record[group].tolist():
                served[p, r] = served.get((p, r), 0) + 1
        return Connections.of(served)

    def backward(self, solution: Connections) -> Partition:
        """Group the rows that one facility serves; a group whose pattern has more stars than it needs comes out cheaper."""
        served = sorted((r, p, count) for p, r, count in solution.served)
        labels = np.empty(self.patterns.table.rows, dtype=np.int64)
        labels[np.argsort(self.patterns.table.records.of_row, kind="stable")] = np.repeat(
            [p for _, p, _ in served], [count for _, _, count in served]
        )
        return Partition.from_labels(labels)

    @property
    def offset(self) -> Exact:
        """0: the costs are the same."""
        return 0


@reductions.register
class CellSuppressionToFacilities(Reduction[Partition, Connections]):
    """Cell suppression for k-anonymity as facility location with lower bounds: patterns are facilities, rows are clients.

    >>> from anoptima import KAnonymity, ten_rows
    >>> reduced = CellSuppressionToFacilities().apply(CellSuppression(ten_rows(), KAnonymity(3)))
    >>> reduced.target.size()
    {'facilities': 11, 'sorts of clients': 10, 'clients': 10, 'connections': 46}
    """

    name = "cell-suppression-to-facilities"
    source_kind = "k-anonymity"
    target_kind = "lower-bounded-facilities"
    cites = "Chakaravarthy, Pandit, Sabharwal: On the complexity of the k-anonymization problem (2010), section 4"

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression where a group needs a least number of rows, which the table has, and nothing else."""
        if not isinstance(problem, CellSuppression) or not all(
            isinstance(condition, AtLeastRows) for condition in problem.principle.conditions(problem.table)
        ):
            return "it is for cell-suppression under k-anonymity"
        return problem.why_infeasible()

    def target_size(self, problem: Problem[Partition]) -> Mapping[str, int]:
        """A sort of client a record type, a client a row; how many patterns match k rows is known once they are enumerated."""
        size = problem.size()
        return {"sorts of clients": size["records"], "clients": size["rows"]}

    def apply_unchecked(self, problem: Problem[Partition]) -> Reduced[Partition, Connections]:
        """Enumerate the closed patterns. O(2^m R (m + log R)) for R record types."""
        assert isinstance(problem, CellSuppression)
        patterns = closed_patterns(problem)
        prices = [problem.unscale(cost) for cost in patterns.cost.tolist()]
        connections = [
            (p, r, prices[p]) for p, r in zip(patterns.pattern_of_arc.tolist(), patterns.member.tolist(), strict=True)
        ]
        least = problem.principle.least_size(problem.table)
        clients = problem.table.records.multiplicity.tolist()
        return PatternsAsFacilities(problem, LowerBoundedFacilities(clients, connections, least), patterns)
