"""k-dimensional perfect matching to k-anonymity by cells (Meyerson and Williams 2004, Theorem 3.1): NP-hard for every k >= 3.

Construction: a row for each of the n vertices, a column for each of the m edges. Row i has 0 in column j if vertex i is in edge j, and
its own number i otherwise. Where k does not divide n, vertices without an edge are added until it does: N in all.
Why: a group of k rows or more is constant on column j only if all of it has a 0 there, and only the k vertices of edge j have one. Two
columns cannot be kept, because edges differ. So a group costs k (m - 1) if it is an edge, and everything otherwise.
Relation: OPT = N (m - 1) + (N - n) + (fewest unmatched vertices); for k | n there is a perfect matching exactly if OPT <= n (m - 1).
Maps: the edges of a matching become groups, the unmatched vertices and the added ones one more group, of k or more since k divides N.
Back: the groups that are edges.
Size: N = k ceil(n / k) rows, m columns. Conditions: k >= 2, no edge twice (a group could keep both columns).
What the paper leaves unsaid: that k divides n, and that edges differ; it speaks of an alphabet of |V| symbols and uses |V| + 1. Without
the added vertices, a matching that leaves fewer than k vertices over leaves them no group: for nu the largest matching, OPT would be
n m - k min(nu, floor(n / k) - 1), which does not tell a largest matching from one edge less.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.hypergraph_matching import HypergraphMatching
from anoptima.problems.sources.matching import Matching
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.matchings import EdgesAsGroups
from anoptima.reductions.tables import incidence, table_of


@reductions.register
class HypergraphMatchingToKAnonymity(Reduction[Matching, Partition]):
    """Matchings in a k-uniform hypergraph as cell suppression for k-anonymity: a group keeps a cell only if it is an edge.

    >>> from anoptima.problems.sources.hypergraph_matching import Hypergraph
    >>> edges = [(1, 2, 3), (4, 5, 6), (2, 3, 4)]
    >>> reduced = HypergraphMatchingToKAnonymity().apply(HypergraphMatching(Hypergraph(range(1, 7), edges), 3))
    >>> reduced.target.table.frame.to_numpy().tolist()
    [[0, 1, 1], [0, 2, 0], [0, 3, 0], [4, 0, 0], [5, 0, 5], [6, 0, 6]]
    >>> reduced.threshold()
    12
    """

    name = "hypergraph-matching-to-k-anonymity"
    cites = "Meyerson, Williams: On the complexity of optimal k-anonymity (2004), Theorem 3.1"
    problems = (HypergraphMatching,)

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for k-uniform hypergraphs with an edge, where k is at least 2."""
        if not isinstance(problem, HypergraphMatching):
            return super().why_not(problem)
        if problem.k == 1:
            return "k is 1; in a table every row on its own is a group then, whatever its vertex's edges"
        return why_no_edge(problem)

    def target_size(self, problem: Problem[Matching]) -> Mapping[str, int]:
        """A row a vertex, the added ones included, and a column an edge."""
        return {"rows": padded(problem), "columns": problem.size()["edges"]}

    def apply_unchecked(self, problem: Problem[Matching]) -> Reduced[Matching, Partition]:
        """Fill in the table. O(n m)."""
        assert isinstance(problem, HypergraphMatching)
        rows = padded(problem)
        cells = np.where(incidence(problem.members, rows), 0, np.arange(1, rows + 1)[:, None])
        added = rows - len(problem.hypergraph.vertices)
        return EdgesAsGroups(problem, CellSuppression(table_of(cells), KAnonymity(problem.k)), added=added)


def padded(problem: Problem[Matching]) -> int:
    """Return how many vertices there are once k divides their number: k ceil(n / k).

    >>> from anoptima.problems.sources.hypergraph_matching import Hypergraph
    >>> padded(HypergraphMatching(Hypergraph(range(1, 8), [(1, 2, 3)]), 3))
    9
    """
    assert isinstance(problem, HypergraphMatching)
    vertices = len(problem.hypergraph.vertices)
    return vertices + -vertices % problem.k


def why_no_edge(problem: HypergraphMatching) -> str | None:
    """Say that there is no edge; None if there is one."""
    return (
        None if problem.hypergraph.edges else "the hypergraph has no edge, and the table has a column for each of them"
    )
