"""Vertex cover: the fewest vertices that between them are in every edge.

NP-hard (Karp 1972), on cubic graphs too, and there hard to approximate within 100/99; Chakaravarthy, Pandit and Sabharwal (2010,
Theorem 3.1) start from cubic graphs (`Graph.why_not_cubic`). Any graph is taken here, parallel edges too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from anoptima.arguments import checked
from anoptima.exact import Exact
from anoptima.limits import said
from anoptima.problems.base import every_subset, problem_kinds
from anoptima.problems.sources.graph import Graph, small_graphs
from anoptima.problems.sources.source_problem import GraphProblem, VertexSet, strangers


@problem_kinds.register
@checked
@dataclass(frozen=True)
class VertexCover(GraphProblem):
    """Fewest vertices that touch every edge.

    Examples
    --------
    >>> problem = VertexCover(Graph("abc", ["ab", "bc"]))
    >>> problem.cost(VertexSet.of("b")), problem.lower_bound()
    (1, 1)
    >>> problem.violations(VertexSet.of("a"))
    ["edge 2 has neither 'b' nor 'c' in the cover"]
    """

    name = "vertex-cover"
    unit = "vertices"

    @property
    def is_cubic(self) -> bool:
        """Whether the graph is simple with three neighbours at every vertex, as the reduction to k-anonymity needs it."""
        return self.graph.why_not_cubic() is None

    def violations(self, solution: VertexSet) -> list[str]:
        """Name what is no vertex, and the edges that are not covered."""
        uncovered = (
            f"edge {number} has neither {first!r} nor {second!r} in the cover"
            for number, (first, second) in enumerate(self.graph.edges, start=1)
            if first not in solution.vertices and second not in solution.vertices
        )
        return strangers(solution, self.graph) or said(uncovered, "edges are not covered")

    def cost(self, solution: VertexSet) -> Exact:
        """Count the vertices of the cover."""
        return len(solution.vertices)

    def trivial(self) -> VertexSet:
        """Take every vertex."""
        return VertexSet(frozenset(self.graph.vertices))

    def lower_bound(self) -> Exact:
        """Count the edges of a greedy matching, which need a vertex each, or the fewest vertices whose degrees add up to all edges.

        O(n log n + m).
        """
        matched: set[int] = set()
        for first, second in self.graph.pairs:
            if first not in matched and second not in matched:
                matched |= {first, second}
        sums = itertools.accumulate(sorted((len(there) for there in self.graph.neighbours), reverse=True), initial=0)
        enough = next(taken for taken, covered in enumerate(sums) if covered >= len(self.graph.pairs))
        return max(len(matched) // 2, enough)

    def solutions(self) -> Iterator[VertexSet]:
        """Yield every set of vertices, the smallest first: 2^n."""
        return (VertexSet(frozenset(chosen)) for chosen in every_subset(self.graph.vertices))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield small graphs, and one with an edge twice."""
        yield from (cls(graph) for graph in small_graphs())
        yield cls(Graph("abc", ["ab", "ba", "bc"]))
