"""Minimum bisection: split the vertices into halves of equal size so that the fewest edges are cut.

NP-hard (Garey, Johnson and Stockmeyer 1976). Liang and Yuan (2013, Theorem 3) start from it, for n even and at least 4. Parallel edges
are allowed, and each of them is cut.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.problems.base import problem_kinds
from anoptima.problems.sources.graph import Graph, small_graphs
from anoptima.problems.sources.source_problem import GraphProblem, VertexSet, by_position, strangers


@problem_kinds.register
@checked
@dataclass(frozen=True)
class MinimumBisection(GraphProblem):
    """Fewest edges between two halves of the vertices. A solution is one of the halves.

    Examples
    --------
    >>> square = MinimumBisection(Graph(range(1, 5), [(1, 2), (2, 3), (3, 4), (1, 4)]))
    >>> square.cost(VertexSet.of([1, 2])), square.cost(VertexSet.of([1, 3])), square.lower_bound()
    (2, 4, 2)
    >>> square.violations(VertexSet.of([1]))
    ['a half has 2 of the 4 vertices, and this has 1']
    """

    name = "minimum-bisection"
    unit = "cut edges"

    def __post_init__(self) -> None:
        if len(self.graph.vertices) % 2:
            raise BadInput(f"the graph has {len(self.graph.vertices)} vertices; a bisection needs an even number")

    @property
    def half(self) -> int:
        """The number of vertices in a half."""
        return len(self.graph.vertices) // 2

    def violations(self, solution: VertexSet) -> list[str]:
        """Say what is no vertex, or that it is no half."""
        found = strangers(solution, self.graph)
        if not found and len(solution.vertices) != self.half:
            found = [f"a half has {self.half} of the {2 * self.half} vertices, and this has {len(solution.vertices)}"]
        return found

    def cost(self, solution: VertexSet) -> Exact:
        """Count the edges with one end in the half. O(m)."""
        return sum((first in solution.vertices) != (second in solution.vertices) for first, second in self.graph.edges)

    def trivial(self) -> VertexSet:
        """Take the first half of the vertices."""
        return VertexSet(frozenset(self.graph.vertices[: self.half]))

    def lower_bound(self) -> Exact:
        """Count what the vertices cannot keep on their side, which has room for n/2 - 1 neighbours, the heaviest; every edge twice.

        And 1 if that gives 0 but no choice of components makes a half, since 0 needs one. O(n m).
        """
        multiplicities: list[list[int]] = [[] for _ in self.graph.vertices]
        for (first, second), times in self.graph.pairs.items():
            multiplicities[first].append(times)
            multiplicities[second].append(times)
        twice = sum(sum(sorted(times, reverse=True)[self.half - 1 :]) for times in multiplicities)
        return max((twice + 1) // 2, 0 if self._is_free() else 1)

    def _is_free(self) -> bool:
        """Return whether whole components make a half: bit s of `sums` says that some of them have s vertices."""
        sums = 1
        for component in self.graph.components():
            sums |= sums << len(component)
        return bool(sums >> self.half & 1)

    def solutions(self) -> Iterator[VertexSet]:
        """Yield every half with the first vertex in it."""
        first, *others = self.graph.vertices
        for chosen in itertools.combinations(others, self.half - 1):
            yield VertexSet(frozenset((first, *chosen)))

    def side_of_first(self, solution: VertexSet) -> list[int]:
        """Return the places of the half that has the first vertex, whichever half `solution` is."""
        chosen = by_position(solution, self.graph)
        return chosen if 0 in chosen else sorted(set(range(2 * self.half)) - set(chosen))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield small graphs with an even number of vertices, and one with an edge twice."""
        yield from (cls(graph) for graph in small_graphs() if len(graph.vertices) % 2 == 0)
        yield cls(Graph("abcd", ["ab", "ab", "bc", "cd"]))
