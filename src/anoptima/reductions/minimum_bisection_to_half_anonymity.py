"""Minimum bisection to (n/2)-anonymity (Liang and Yuan 2013, Theorem 3): k-anonymity is NP-hard for k = n/2.

Construction: a row for each of the n vertices, n even and at least 4, and a column for each of the m edges. Row i has its own number i in
column j if vertex i is an end of edge j, and 0 otherwise; k = n/2.
Why: a partition has one group, or two groups of n/2. A group is not constant on a column exactly if an end of the edge lies in it, so an
edge inside a half costs n/2 stars, and an edge that is cut costs n/2 in both halves.
Relation: OPT = (n/2) (m + fewest cut edges). One group with all rows costs n m, which is what cutting every edge would.
Maps: rows are vertices; one group with all rows is pulled to any bisection.
Size: n rows, m columns. Conditions: n >= 4 (for n = 2, 1-anonymity costs nothing), an edge. Parallel edges are allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.exact import Exact, counted
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.minimum_bisection import MinimumBisection
from anoptima.problems.sources.source_problem import VertexSet
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction
from anoptima.reductions.tables import groups_of, incidence, table_of


@dataclass(frozen=True, eq=False)
class HalvesAsGroups(Affine[VertexSet, Partition]):
    """The two groups are the two halves."""

    def forward(self, solution: VertexSet) -> Partition:
        """Let either half be a group."""
        assert isinstance(self.source, MinimumBisection)
        inside = [name in solution.vertices for name in self.source.graph.vertices]  # no mutant: same groups
        return Partition.from_labels(np.array(inside, dtype=np.int64))

    def backward(self, solution: Partition) -> VertexSet:
        """Take a group of n/2 rows; where there is one group only, any half."""
        assert isinstance(self.source, MinimumBisection)
        names, half = self.source.graph.vertices, self.source.half
        return VertexSet.of(names[row] for row in groups_of(solution.labels)[0].tolist()[:half])

    @property
    def offset(self) -> Exact:
        """(n/2) m."""
        assert isinstance(self.source, MinimumBisection)
        return self.source.half * len(self.source.graph.edges)

    @property
    def factor(self) -> Exact:
        """n/2: a cut edge costs a column of one group more."""
        assert isinstance(self.source, MinimumBisection)
        return self.source.half


@reductions.register
class MinimumBisectionToHalfAnonymity(Reduction[VertexSet, Partition]):
    """Minimum bisection as cell suppression with k = n/2 for n rows: an edge stars its column in one half, a cut edge in both.

    >>> square = Graph(range(1, 5), [(1, 2), (2, 3), (3, 4), (1, 4)])
    >>> reduced = MinimumBisectionToHalfAnonymity().apply(MinimumBisection(square))
    >>> reduced.target.table.frame.to_numpy().tolist()
    [[1, 0, 0, 1], [2, 2, 0, 0], [0, 3, 3, 0], [0, 0, 4, 4]]
    >>> reduced.target_cost(2)
    12
    """

    name = "minimum-bisection-to-half-anonymity"
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 3"
    problems = (MinimumBisection,)

    def why_not(self, problem: Any) -> str | None:
        """It is for graphs with four vertices or more, and an edge."""
        return super().why_not(problem) or why_too_small(problem.graph)

    def target_size(self, problem: Problem[VertexSet]) -> Mapping[str, int]:
        """A row a vertex, a column an edge."""
        size = problem.size()
        return {"rows": size["vertices"], "columns": size["edges"]}

    def apply_unchecked(self, problem: Problem[VertexSet]) -> Reduced[VertexSet, Partition]:
        """Fill in the table. O(n m)."""
        assert isinstance(problem, MinimumBisection)
        return HalvesAsGroups(
            problem, CellSuppression(table_of(ends_by_number(problem.graph)), KAnonymity(problem.half))
        )


def why_too_small(graph: Graph) -> str | None:
    """Say that a graph has fewer than four vertices, or no edge; None if neither is so."""
    if len(graph.vertices) < 4:
        return f"the graph has {counted(len(graph.vertices), 'vertices')}, and four are needed: with two, k is 1"
    return None if graph.edges else "the graph has no edge, and the table has a column for each of them"


def ends_by_number(graph: Graph) -> NDArray[np.int64]:
    """Return, for every vertex and edge, the vertex's number (from 1) if it is an end of the edge, and 0 otherwise. O(n m)."""
    ends = [(graph.position[first], graph.position[second]) for first, second in graph.edges]
    order = len(graph.vertices)
    return np.where(incidence(ends, order), np.arange(1, order + 1)[:, None], 0)
