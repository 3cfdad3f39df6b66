"""Graphs, and the problems about them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from anoptima.instances.cubic_graphs import cubic_graphs
from anoptima.packages import nx
from anoptima.problems.base import Problem
from anoptima.problems.sources.clique import CliqueOfSize, HalfClique
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.minimum_bisection import MinimumBisection
from anoptima.problems.sources.vertex_cover import VertexCover
from anoptima.testing.families import register


def all_graphs(most: int = 5, least: int = 1) -> Iterator[Graph]:
    """Yield every simple graph on `least` to `most` <= 7 vertices up to isomorphism: 52 on up to five vertices."""
    for graph in nx.graph_atlas_g():
        if least <= graph.number_of_nodes() <= most:
            yield Graph.from_networkx(graph)


def all_cubic_graphs(most: int = 6) -> Iterator[Graph]:
    """Yield every cubic graph on up to `most` <= 10 vertices up to isomorphism: K4, K3,3 and the prism; 30 in all."""
    return itertools.chain.from_iterable(cubic_graphs(order) for order in range(4, most + 1, 2))


def all_multigraphs(vertices: int = 4, most: int = 2) -> Iterator[Graph]:
    """Yield every graph on labelled vertices with up to `most` parallel edges a pair: 3^6 on four."""
    pairs = list(itertools.combinations(range(1, vertices + 1), 2))
    for times in itertools.product(range(most + 1), repeat=len(pairs)):
        yield Graph(range(1, vertices + 1), [p for p, count in zip(pairs, times, strict=True) for _ in range(count)])


@register("minimum-bisection")
def _bisections() -> Iterator[Problem[Any]]:
    return map(MinimumBisection, itertools.chain(all_graphs(4, 4), all_graphs(6, 6), all_multigraphs()))


@register("clique")
def _cliques() -> Iterator[Problem[Any]]:
    return (CliqueOfSize(graph, k) for graph in all_graphs(6) for k in range(1, len(graph.vertices) + 1))


@register("vertex-cover")
def _covers() -> Iterator[Problem[Any]]:
    return map(VertexCover, all_cubic_graphs(10))


@register("half-clique")
def _half_cliques() -> Iterator[Problem[Any]]:
    """Yield those of six vertices, and some of ten, where the threshold lies further from what else can happen."""
    yield from (HalfClique(graph) for graph in all_graphs(6, 6) if len(graph.edges) <= 9)
    with_one = nx.disjoint_union(nx.complete_graph(5), nx.path_graph(5))
    for graph in (with_one, nx.path_graph(10), nx.complete_bipartite_graph(1, 9)):
        yield HalfClique(Graph.from_networkx(graph))
