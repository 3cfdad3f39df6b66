"""k-dimensional perfect matching to k-anonymity by columns, binary alphabet (Meyerson and Williams 2004, Theorem 3.2).

Construction: a row for each of the n vertices, a column for each of the m edges; 1 where the vertex is in the edge, 0 elsewhere. Where k
does not divide n, vertices without an edge are added until it does: N in all, each a row of zeros.
Why: if two kept edges meet, the rows of the vertices that they share form a class of fewer than k. So the kept columns are pairwise
disjoint edges; each is a class of k rows, and the uncovered vertices are one class, of size N - k (number kept): 0 or k and more.
Relation: fewest suppressed columns = m - nu = m - n/k + (fewest unmatched vertices) / k; a perfect matching exists exactly if
m - n/k suffice.
Maps: the kept columns are the matching, both ways.
Size: N = k ceil(n / k) rows, m columns. Conditions: no edge twice (two equal columns may both be kept).
What the paper leaves unsaid: that k divides n. Without the added rows, fewest suppressed = m - min(nu, floor(n / k) - 1) where it does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from anoptima.exact import Exact
from anoptima.principles import KAnonymity
from anoptima.problems.attribute_suppression import AttributeSuppression, DroppedColumns
from anoptima.problems.base import Problem
from anoptima.problems.sources.hypergraph_matching import HypergraphMatching
from anoptima.problems.sources.matching import Matching
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction
from anoptima.reductions.hypergraph_matching_to_k_anonymity import padded, why_no_edge
from anoptima.reductions.tables import incidence, table_of


@dataclass(frozen=True, eq=False)
class KeptColumnsAsEdges(Affine[Matching, DroppedColumns]):
    """Column j is edge j, kept if the edge is in the matching."""

    def forward(self, solution: Matching) -> DroppedColumns:
        """Drop the columns of all other edges."""
        assert isinstance(self.source, HypergraphMatching)
        assert isinstance(self.target, AttributeSuppression)
        kept = set(self.source.numbers(solution))
        return self.target.solution_of(j for j in range(len(self.source.choices)) if j not in kept)

    def backward(self, solution: DroppedColumns) -> Matching:
        """Take the edges of the kept columns."""
        assert isinstance(self.source, HypergraphMatching)
        assert isinstance(self.target, AttributeSuppression)
        dropped = self.target.columns_of(solution)
        return self.source.matching(j for j in range(len(self.source.choices)) if j not in dropped)

    @property
    def offset(self) -> Exact:
        """The number of columns that a perfect matching drops: m - n / k."""
        assert isinstance(self.source, HypergraphMatching)
        return len(self.source.choices) - Fraction(len(self.source.named), self.source.k)

    @property
    def factor(self) -> Exact:
        """1 / k: an edge fewer is k unmatched vertices more, and one column."""
        assert isinstance(self.source, HypergraphMatching)
        return Fraction(1, self.source.k)


@reductions.register
class HypergraphMatchingToAttributeSuppression(Reduction[Matching, DroppedColumns]):
    """Matchings in a k-uniform hypergraph as attribute suppression of a 0/1 table: the columns kept are disjoint edges.

    >>> from anoptima.problems.sources.hypergraph_matching import Hypergraph
    >>> edges = [(1, 2, 3), (4, 5, 6), (2, 3, 4)]
    >>> problem = HypergraphMatching(Hypergraph(range(1, 7), edges), 3)
    >>> reduced = HypergraphMatchingToAttributeSuppression().apply(problem)
    >>> sorted(reduced.push(Matching.of(edges[:2])).names), reduced.threshold()
    (['e3'], 1)
    """

    name = "hypergraph-matching-to-attribute-suppression"
    cites = "Meyerson, Williams: On the complexity of optimal k-anonymity (2004), Theorem 3.2"
    problems = (HypergraphMatching,)

    def why_not(self, problem: Any) -> str | None:
        """It is for k-uniform hypergraphs with an edge."""
        return super().why_not(problem) or why_no_edge(problem)

    def target_size(self, problem: Problem[Matching]) -> Mapping[str, int]:
        """A row a vertex, the added ones included, and a column an edge."""
        return {"rows": padded(problem), "columns": problem.size()["edges"]}

    def apply_unchecked(self, problem: Problem[Matching]) -> Reduced[Matching, DroppedColumns]:
        """Fill in the table. O(n m)."""
        assert isinstance(problem, HypergraphMatching)
        cells = incidence(problem.members, padded(problem)).astype(int)
        return KeptColumnsAsEdges(problem, AttributeSuppression(table_of(cells), KAnonymity(problem.k)))
