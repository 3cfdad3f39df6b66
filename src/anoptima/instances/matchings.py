"""The small examples of the reductions from matchings and covers."""

from __future__ import annotations

from anoptima.problems.sources.hypergraph_matching import Hypergraph, HypergraphMatching
from anoptima.problems.sources.minimum_cover import MinimumCover
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching


def matching_with_a_perfect_one() -> HypergraphMatching:
    """Return the edges 123, 456, 234 on six vertices: the first two are a perfect matching."""
    return HypergraphMatching(Hypergraph(range(1, 7), [(1, 2, 3), (4, 5, 6), (2, 3, 4)]), 3)


def matching_without_a_perfect_one() -> HypergraphMatching:
    """Return the edges 123, 345 on six vertices: they share 3, and vertex 6 is in none."""
    return HypergraphMatching(Hypergraph(range(1, 7), [(1, 2, 3), (3, 4, 5)]), 3)


def two_by_two_triples() -> ThreeDimensionalMatching:
    """Return three triples on W, X and Y of size two: the first two are a perfect matching."""
    return ThreeDimensionalMatching(
        ["w1", "w2"], ["x1", "x2"], ["y1", "y2"], [("w1", "x1", "y1"), ("w2", "x2", "y2"), ("w1", "x2", "y2")]
    )


def cover_of_five() -> MinimumCover:
    """Return the example of Yuan and Wang: abc, bd, cd, de over abcde; c1 and c4 cover it.

    >>> cover_of_five().names
    ('c1', 'c2', 'c3', 'c4')
    """
    return MinimumCover("abcde", {"c1": "abc", "c2": "bd", "c3": "cd", "c4": "de"})
