"""Largest matching in a k-uniform hypergraph: disjoint edges that leave the fewest vertices unmatched.

For fixed k >= 3, whether a perfect matching exists (k-dimensional perfect matching) is NP-complete; Meyerson and Williams (2004,
Theorems 3.1 and 3.2) start from it. Stated here as a minimisation: cost = n - k |M|, so a perfect matching costs 0.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from anoptima.arguments import checked
from anoptima.documents.reading import read_utf8
from anoptima.errors import BadInput
from anoptima.exact import as_integer, counted
from anoptima.limits import shown
from anoptima.problems.base import problem_kinds
from anoptima.problems.sources.formats.blame import blamed
from anoptima.problems.sources.formats.json_objects import json_object, list_at, lists_at
from anoptima.problems.sources.matching import Edge, MatchingProblem
from anoptima.problems.sources.names import Name, distinct_names, is_known, listed, members_of, twice


@checked
@dataclass(frozen=True, init=False)
class Hypergraph:
    """Named vertices and *distinct* edges, each a set of vertices, in an order. An edge is kept with its vertices in the graph's order.

    A repeated edge is refused: the reductions' columns would repeat, and a group could keep two of them.

    >>> Hypergraph(range(1, 5), [(3, 1), (2, 4, 1)]).edges
    ((1, 3), (1, 2, 4))
    """

    vertices: tuple[Name, ...]
    edges: tuple[Edge, ...]

    def __init__(self, vertices: Iterable[Any], edges: Iterable[Iterable[Any]]) -> None:
        object.__setattr__(self, "vertices", distinct_names(vertices, "vertex", "the hypergraph"))
        if not self.vertices:
            raise BadInput("the hypergraph has no vertex; it must have at least one")
        found: dict[Edge, int] = {}
        for number, members in enumerate(edges, start=1):
            edge = self._edge(number, members)
            if edge in found:
                raise BadInput(f"edges {found[edge]} and {number} both are {edge!r}; every edge may be there once")
            found[edge] = number
        object.__setattr__(self, "edges", tuple(found))

    def _edge(self, number: int, members: Iterable[Any]) -> Edge:
        edge = members_of(members, f"edge {number}")
        for name in edge:
            if not is_known(name, self.position):
                raise BadInput(
                    f"edge {number} is {shown(edge)}; {shown(name)} is no vertex; the vertices are {listed(self.vertices)}"
                )
        repeated = twice(edge)
        if repeated is not None:
            raise BadInput(f"edge {number} is {shown(edge)}; it has vertex {repeated!r} twice, and an edge is a set")
        return tuple(self.vertices[place] for place in sorted(self.position[name] for name in edge))

    @classmethod
    def from_text(cls, text: str, where: str = "the hypergraph") -> Hypergraph:
        """Read `{"vertices": [...], "edges": [[...], ...]}`."""
        data = json_object(text, where, "vertices", "edges")
        return blamed(where, lambda: cls(list_at(data, "vertices"), lists_at(data, "edges")))

    def as_json(self) -> dict[str, Any]:
        """Return vertices and edges as plain data."""
        return {"vertices": self.vertices, "edges": self.edges}

    @cached_property
    def position(self) -> Mapping[Name, int]:
        """The place of each vertex in the hypergraph's order, from 0."""
        return {name: place for place, name in enumerate(self.vertices)}


@problem_kinds.register
@checked
@dataclass(frozen=True)
class HypergraphMatching(MatchingProblem):
    """Fewest unmatched vertices of a k-uniform hypergraph; cost = n - k |M|.

    Examples
    --------
    >>> from anoptima.problems.sources.matching import Matching
    >>> problem = HypergraphMatching(Hypergraph(range(1, 7), [(1, 2, 3), (4, 5, 6), (2, 3, 4)]), 3)
    >>> problem.cost(Matching.of([(1, 2, 3), (4, 5, 6)])), problem.lower_bound()
    (0, 0)
    >>> problem.violations(Matching.of([(1, 2, 3), (2, 3, 4)]))
    ['(1, 2, 3) and (2, 3, 4) share vertex 2', '(1, 2, 3) and (2, 3, 4) share vertex 3']
    """

    name = "hypergraph-matching"
    takes_k = True
    unit = "unmatched vertices"
    edge_word = "edge"

    hypergraph: Hypergraph
    k: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", as_integer(self.k, "k"))
        if self.k < 1:
            raise BadInput(f"k is {self.k}; an edge has at least 1 vertex")
        for number, edge in enumerate(self.hypergraph.edges, start=1):
            if len(edge) != self.k:
                raise BadInput(
                    f"edge {number} is {shown(edge)} and has {counted(len(edge), 'vertices')}; "
                    f"every edge must have k = {self.k}"
                )

    @property
    def choices(self) -> tuple[Edge, ...]:
        """The edges."""
        return self.hypergraph.edges

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The places of each edge's vertices."""
        position = self.hypergraph.position
        return tuple(tuple(position[name] for name in edge) for edge in self.hypergraph.edges)

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The vertices."""
        return tuple(f"vertex {name!r}" for name in self.hypergraph.vertices)

    @property
    def edge_size(self) -> int:
        """The number k."""
        return self.k

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int | None = None) -> Self:
        """Read the hypergraph; its first edge tells k where nobody says it."""
        hypergraph = Hypergraph.from_text(read_utf8(path), str(path))
        if k is None:
            if not hypergraph.edges:
                raise BadInput(f"{path} has no edge to tell k by; say how many vertices an edge has")
            k = len(hypergraph.edges[0])
        return cls(hypergraph, k)

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield triples with a perfect matching, without one, and pairs."""
        yield cls(Hypergraph(range(1, 7), [(1, 2, 3), (4, 5, 6), (2, 3, 4)]), 3)
        yield cls(Hypergraph(range(1, 7), [(1, 2, 3), (3, 4, 5), (1, 5, 6)]), 3)
        yield cls(Hypergraph("abcd", ["ab", "bc", "cd", "ad"]), 2)

    def size(self) -> Mapping[str, int]:
        """Return vertices, edges and k."""
        return {"vertices": len(self.hypergraph.vertices), "edges": len(self.hypergraph.edges), "k": self.k}
