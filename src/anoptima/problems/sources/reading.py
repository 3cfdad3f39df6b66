"""A source problem by its name from a file: the format is chosen by the file's suffix (`formats`), K by whoever asks."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from anoptima.errors import BadInput
from anoptima.problems.base import Problem
from anoptima.problems.sources.clique import CliqueOfSize, HalfClique, MaximumClique
from anoptima.problems.sources.formats import (
    read_cover,
    read_graph,
    read_hypergraph,
    read_planar_three_sat,
    read_triples,
)
from anoptima.problems.sources.hypergraph_matching import HypergraphMatching
from anoptima.problems.sources.minimum_bisection import MinimumBisection
from anoptima.problems.sources.vertex_cover import VertexCover

FilePath = str | os.PathLike[str]


def _hypergraph(path: FilePath, k: int | None) -> Problem[Any]:
    hypergraph = read_hypergraph(path)
    if k is None:
        if not hypergraph.edges:
            raise BadInput(f"{path} has no edge to tell k by; say how many vertices an edge has")
        k = len(hypergraph.edges[0])
    return HypergraphMatching(hypergraph, k)


def _clique(path: FilePath, k: int | None) -> Problem[Any]:
    if k is None:
        raise BadInput("clique asks for K vertices; say how many")
    return CliqueOfSize(read_graph(path), k)


def _without_k(name: str, read: Callable[[FilePath], Problem[Any]]) -> Callable[[FilePath, int | None], Problem[Any]]:
    def reader(path: FilePath, k: int | None) -> Problem[Any]:
        if k is not None:
            raise BadInput(f"{name} has no k; only clique and hypergraph-matching take one from a person")
        return read(path)

    return reader


_PLAIN: Mapping[str, Callable[[FilePath], Problem[Any]]] = {
    "3d-matching": read_triples,
    "minimum-bisection": lambda path: MinimumBisection(read_graph(path)),
    "half-clique": lambda path: HalfClique(read_graph(path)),
    "maximum-clique": lambda path: MaximumClique(read_graph(path)),
    "vertex-cover": lambda path: VertexCover(read_graph(path)),
    "minimum-cover": read_cover,
    "planar-3-sat": read_planar_three_sat,
}

READERS: Mapping[str, Callable[[FilePath, int | None], Problem[Any]]] = {
    "hypergraph-matching": _hypergraph,
    "clique": _clique,
    **{name: _without_k(name, read) for name, read in _PLAIN.items()},
}
"""How to read each source problem, by its name."""


def read_source(name: str, path: FilePath, k: int | None = None) -> Problem[Any]:
    """Read a source problem; `k` is K for cliques and the size of edges for hypergraphs, where the first edge tells it otherwise."""
    if name not in READERS:
        raise BadInput(f"{name!r} is no problem that is read from a file; those are {', '.join(READERS)}")
    return READERS[name](path, k)
