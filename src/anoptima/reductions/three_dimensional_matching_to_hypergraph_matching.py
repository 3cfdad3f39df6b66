"""Three-dimensional matching to matching in a 3-uniform hypergraph: the first is a special case of the second.

Construction: the 3n elements of W, X and Y are vertices, told apart by their set; the triples are edges, each with a vertex of every set.
Why: two triples are disjoint exactly if their edges are.
Relation: OPT is unchanged. Maps: the same triples, both ways.
Size: 3n vertices, m edges of three. It leads on to Theorems 3.1 and 3.2 of Meyerson and Williams (2004), which are about k-dimensional
matching: the hypergraph may be k-partite there, and need not be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.sources.hypergraph_matching import Hypergraph, HypergraphMatching
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction


@dataclass(frozen=True, eq=False)
class TriplesAsEdges(Affine[Matching, Matching]):
    """Triple j is edge j."""

    def forward(self, solution: Matching) -> Matching:
        """Take the edges of the triples."""
        assert isinstance(self.source, ThreeDimensionalMatching)
        assert isinstance(self.target, HypergraphMatching)
        return self.target.matching(self.source.numbers(solution))

    def backward(self, solution: Matching) -> Matching:
        """Take the triples of the edges."""
        assert isinstance(self.source, ThreeDimensionalMatching)
        assert isinstance(self.target, HypergraphMatching)
        return self.source.matching(self.target.numbers(solution))

    @property
    def offset(self) -> Exact:
        """0: a vertex is unmatched if its element is."""
        return 0


@reductions.register
class ThreeDimensionalMatchingToHypergraphMatching(Reduction[Matching, Matching]):
    """Three-dimensional matching as matching in a 3-uniform hypergraph: element i of W is vertex W-i.

    >>> problem = ThreeDimensionalMatching([1, 2], [1, 2], [1, 2], [(1, 1, 1), (1, 2, 2)])
    >>> reduced = ThreeDimensionalMatchingToHypergraphMatching().apply(problem)
    >>> reduced.target.hypergraph.edges
    (('W-1', 'X-1', 'Y-1'), ('W-1', 'X-2', 'Y-2'))
    """

    name = "3d-matching-to-hypergraph-matching"
    cites = (
        "Meyerson, Williams: On the complexity of optimal k-anonymity (2004), before Theorem 3.1; a triple is an edge"
    )
    problems = (ThreeDimensionalMatching,)

    def target_size(self, problem: Problem[Matching]) -> Mapping[str, int]:
        """3n vertices, an edge a triple."""
        size = problem.size()
        return {"vertices": 3 * size["n"], "edges": size["triples"]}

    def apply_unchecked(self, problem: Problem[Matching]) -> Reduced[Matching, Matching]:
        """Name the vertices W-1, ..., Y-n by their places. O(n + m)."""
        assert isinstance(problem, ThreeDimensionalMatching)
        vertices = [f"{part}-{place}" for part in "WXY" for place in range(1, len(problem.w) + 1)]
        edges = ([vertices[member] for member in members] for members in problem.members)
        return TriplesAsEdges(problem, HypergraphMatching(Hypergraph(vertices, edges), len("WXY")))
