"""Clique of size K to half-clique, by padding: the problem that Theorem 5 of Liang and Yuan (2013) starts from is NP-complete.

Construction: for 2K >= n add 2K - n vertices without an edge, so that half of the 2K vertices is K. For 2K < n add n - 2K vertices that are
joined to everything, so that half of the 2n - 2K vertices is n - K, the K wanted and all the new ones.
Why: a new vertex without an edge is missing every edge, so any old one in its place is no worse; a new vertex that is joined to everything
misses none, so a half has K old vertices or more, and leaving some of them out misses no more.
Relation: the fewest missing edges are the same number.
Maps: add the new vertices that are joined to everything. Back: leave the new vertices out, then add or leave out old ones until they are K.
Size: 2K vertices and the same edges, or 2n - 2K vertices and (n - 2K) n + C(n - 2K, 2) edges more.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.sources.clique import CliqueOfSize, HalfClique
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.names import Name
from anoptima.problems.sources.source_problem import VertexSet
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction


@dataclass(frozen=True, eq=False)
class PaddedGraph(Affine[VertexSet, VertexSet]):
    """The target's graph has the source's vertices first."""

    joined: tuple[Name, ...]
    """The new vertices that are joined to everything."""

    def forward(self, solution: VertexSet) -> VertexSet:
        """Add the new vertices that are joined to everything."""
        return VertexSet(solution.vertices.union(self.joined))

    def backward(self, solution: VertexSet) -> VertexSet:
        """Take the chosen old vertices first, then others, K in all."""
        assert isinstance(self.source, CliqueOfSize)
        old = self.source.graph.vertices
        chosen = sorted(old, key=lambda name: name not in solution.vertices)
        return VertexSet.of(chosen[: self.source.order])

    @property
    def offset(self) -> Exact:
        """0: the same edges are missing."""
        return 0


@reductions.register
class CliqueToHalfClique(Reduction[VertexSet, VertexSet]):
    """A clique of K vertices as a clique of half of the vertices: isolated vertices are added, or ones joined to everything.

    >>> reduced = CliqueToHalfClique().apply(CliqueOfSize(Graph("abc", ["ab"]), 2))
    >>> reduced.target.graph.vertices, reduced.target.graph.edges
    (('a', 'b', 'c', 'new-1'), (('a', 'b'),))
    >>> reduced = CliqueToHalfClique().apply(CliqueOfSize(Graph("abc", ["ab"]), 1))
    >>> reduced.target.graph.edges
    (('a', 'b'), ('a', 'new-1'), ('b', 'new-1'), ('c', 'new-1'))
    """

    name = "clique-to-half-clique"
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), before Theorem 5; padding"
    problems = (CliqueOfSize,)

    def target_size(self, problem: Problem[VertexSet]) -> Mapping[str, int]:
        """2K vertices, or 2n - 2K and the edges of the new ones."""
        size = problem.size()
        new = size["vertices"] - 2 * size["K"]
        more = new * size["vertices"] + math.comb(new, 2) if new > 0 else 0
        return {"vertices": size["vertices"] + abs(new), "edges": size["edges"] + more}

    def apply_unchecked(self, problem: Problem[VertexSet]) -> Reduced[VertexSet, VertexSet]:
        """Add the vertices, and their edges. O(n^2)."""
        assert isinstance(problem, CliqueOfSize)
        old = problem.graph.vertices
        wanting = len(old) - 2 * problem.k
        new = fresh_names(old, abs(wanting))
        joined = new[: max(0, wanting)]
        edges = [*problem.graph.edges, *itertools.product(old, joined), *itertools.combinations(joined, 2)]
        return PaddedGraph(problem, HalfClique(Graph([*old, *new], edges)), joined)


def fresh_names(taken: tuple[Name, ...], count: int) -> tuple[Name, ...]:
    """Return names that are not taken yet.

    >>> fresh_names(("new-1", "a"), 2)
    ('new-2', 'new-3')
    """
    used = set(taken)
    names = (f"new-{number}" for number in range(1, count + len(taken) + 1))  # no mutant: tests try the names
    return tuple(name for name in names if name not in used)[:count]
