"""Hypergraphs, sets of triples and numbers, to be matched."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from anoptima.problems.base import Problem
from anoptima.problems.sources.hypergraph_matching import Hypergraph, HypergraphMatching
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching
from anoptima.problems.sources.three_partition import ThreePartition
from anoptima.testing.families import register


def all_hypergraphs(vertices: int, k: int, most: int | None = None) -> Iterator[Hypergraph]:
    """Yield every k-uniform hypergraph on labelled vertices with up to `most` edges: 2^10 on five vertices for k = 3."""
    edges = list(itertools.combinations(range(1, vertices + 1), k))
    for count in range(min(len(edges), len(edges) if most is None else most) + 1):
        for chosen in itertools.combinations(edges, count):
            yield Hypergraph(range(1, vertices + 1), chosen)


def all_triples(n: int = 2, most: int | None = None) -> Iterator[ThreeDimensionalMatching]:
    """Yield every set of up to `most` triples on W, X and Y of size n: 2^8 for n = 2."""
    names = range(1, n + 1)
    triples = list(itertools.product(names, repeat=3))
    for count in range(min(len(triples), len(triples) if most is None else most) + 1):
        for chosen in itertools.combinations(triples, count):
            yield ThreeDimensionalMatching(names, names, names, chosen)


def all_numbers(m: int, most: int) -> Iterator[ThreePartition]:
    """Yield every sorted list of 3m numbers of sum up to `most`, the least of them 0, that m triples can share equally."""
    for others in itertools.combinations_with_replacement(range(most + 1), 3 * m - 1):
        if sum(others) <= most and sum(others) % m == 0:
            yield ThreePartition([0, *others])


@register("3-partition")
def _numbers() -> Iterator[Problem[Any]]:
    return itertools.chain(all_numbers(1, 2), all_numbers(2, 10))


@register("hypergraph-matching")
def _matchings() -> Iterator[Problem[Any]]:
    """Yield them with numbers of vertices that k divides, and that it does not."""
    for vertices, k, most in (
        (4, 2, None),
        (3, 3, None),
        (5, 2, 3),
        (7, 3, 2),
        (6, 3, 2),
        (5, 3, 2),
        (6, 2, 3),
        (6, 3, 3),
    ):
        yield from (HypergraphMatching(graph, k) for graph in all_hypergraphs(vertices, k, most))


@register("3d-matching")
def _triples() -> Iterator[Problem[Any]]:
    return itertools.chain(all_triples(1), all_triples(2))
