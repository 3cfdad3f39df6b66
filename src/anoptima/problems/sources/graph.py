"""Graphs as exact data: named vertices, and edges in an order, parallel ones told apart by their place in it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from anoptima.arguments import checked, require
from anoptima.errors import BadInput
from anoptima.exact import counted
from anoptima.limits import shown
from anoptima.packages import nx
from anoptima.problems.sources.names import Name, distinct_names, is_known, listed, members_of


@checked
@dataclass(frozen=True, init=False)
class Graph:
    """An undirected graph without loops; parallel edges are kept.

    Parameters
    ----------
    vertices
        Names, each once; their order is the graph's.
    edges
        Pairs of vertices, in the order that numbers the columns of the reductions. Kept with the earlier vertex first.

    Examples
    --------
    >>> square = Graph("abcd", ["ab", "bc", "cd", "da"])
    >>> square.edges
    (('a', 'b'), ('b', 'c'), ('c', 'd'), ('a', 'd'))
    >>> square.degrees, square.is_simple
    ([2, 2, 2, 2], True)
    """

    vertices: tuple[Name, ...]
    edges: tuple[tuple[Name, Name], ...]

    def __init__(self, vertices: Iterable[Any], edges: Iterable[Any]) -> None:
        object.__setattr__(self, "vertices", distinct_names(vertices, "vertex", "the graph"))
        if not self.vertices:
            raise BadInput("the graph has no vertex; it must have at least one")
        object.__setattr__(self, "edges", tuple(self._edge(number, edge) for number, edge in enumerate(edges, start=1)))

    @classmethod
    def from_networkx(cls, graph: Any) -> Graph:
        """Take over an undirected graph or multigraph of networkx, without its attributes.

        >>> import networkx as nx
        >>> Graph.from_networkx(nx.path_graph(3)).edges
        ((0, 1), (1, 2))
        """
        require(graph, nx.Graph, "graph")
        if graph.is_directed():
            raise BadInput("the graph is directed; it must be undirected")
        return cls(graph.nodes, graph.edges())

    def _edge(self, number: int, edge: Any) -> tuple[Name, Name]:
        ends = members_of(edge, f"edge {number}")
        if len(ends) != 2:
            raise BadInput(f"edge {number} is {shown(edge)}; an edge joins two vertices")
        for name in ends:
            if not is_known(name, self.position):
                raise BadInput(f"edge {number} is {shown(edge)}; {self.not_a_vertex(name)}")
        if ends[0] == ends[1]:
            raise BadInput(f"edge {number} joins vertex {ends[0]!r} to itself; an edge joins two different vertices")
        first, second = sorted(self.position[name] for name in ends)
        return self.vertices[first], self.vertices[second]

    @cached_property
    def position(self) -> Mapping[Name, int]:
        """The place of each vertex in the graph's order, from 0."""
        return {name: place for place, name in enumerate(self.vertices)}

    @cached_property
    def pairs(self) -> Mapping[tuple[int, int], int]:
        """The number of edges between two vertices, by their places, the lower first; pairs without an edge are left out."""
        return Counter((self.position[first], self.position[second]) for first, second in self.edges)

    @cached_property
    def missing_pairs(self) -> list[tuple[int, int]]:
        """The places of vertices that no edge joins, the lower first."""
        return [pair for pair in itertools.combinations(range(len(self.vertices)), 2) if pair not in self.pairs]

    @cached_property
    def neighbours(self) -> list[set[int]]:
        """The places of each vertex's neighbours."""
        found: list[set[int]] = [set() for _ in self.vertices]
        for first, second in self.pairs:
            found[first].add(second)
            found[second].add(first)
        return found

    @cached_property
    def degrees(self) -> list[int]:
        """The number of edges at each vertex, in the graph's order."""
        found = [0] * len(self.vertices)
        for (first, second), times in self.pairs.items():
            found[first] += times
            found[second] += times
        return found

    @property
    def is_simple(self) -> bool:
        """Whether no two edges join the same vertices."""
        return len(self.pairs) == len(self.edges)

    def as_json(self) -> dict[str, Any]:
        """Return vertices and edges as plain data."""
        return {"vertices": self.vertices, "edges": self.edges}

    def simple(self) -> Graph:
        """Return the graph with every edge once.

        >>> Graph("ab", ["ab", "ba"]).simple().edges
        (('a', 'b'),)
        """
        return Graph(self.vertices, dict.fromkeys(self.edges))

    def components(self) -> list[list[int]]:
        """Return the connected components as lists of places. O(n + m)."""
        seen: set[int] = set()
        found = []
        for root in range(len(self.vertices)):
            if root in seen:
                continue
            seen.add(root)
            component = [root]
            for place in component:
                fresh = self.neighbours[place] - seen
                seen |= fresh
                component.extend(sorted(fresh))
            found.append(sorted(component))
        return found

    def why_not_simple(self) -> str | None:
        """Name two edges that join the same vertices; None if there are none."""
        first: dict[tuple[Name, Name], int] = {}
        for number, edge in enumerate(self.edges, start=1):
            if edge in first:
                return f"edges {first[edge]} and {number} both join {listed(edge)}"
            first[edge] = number
        return None

    def why_not_cubic(self) -> str | None:
        """Say what keeps the graph from being simple with three neighbours at every vertex; None if nothing does.

        >>> Graph("abc", ["ab", "bc"]).why_not_cubic()
        "vertex 'a' is in 1 edge, and every vertex of a cubic graph is in 3"
        """
        for name, degree in zip(self.vertices, self.degrees, strict=True):
            if degree != 3:
                return f"vertex {name!r} is in {counted(degree, 'edges')}, and every vertex of a cubic graph is in 3"
        return self.why_not_simple()

    def not_a_vertex(self, name: Any) -> str:
        """Say that `name` is no vertex of this graph."""
        return f"{shown(name)} is no vertex; the vertices are {listed(self.vertices)}"


def require_simple(graph: Graph, what: str) -> None:
    """Raise `BadInput` if `graph` has parallel edges."""
    reason = graph.why_not_simple()
    if reason is not None:
        raise BadInput(f"{reason}; {what} takes a graph without parallel edges (Graph.simple drops them)")


def small_graphs() -> Iterator[Graph]:
    """Yield simple graphs to try things on: with a triangle and a loose vertex, a square with a diagonal, without edges, complete."""
    yield Graph("abcde", ["ab", "bc", "ca", "cd"])
    yield Graph(range(1, 5), [(1, 2), (2, 3), (3, 4), (4, 1), (1, 3)])
    yield Graph("abcdef", ["ab", "bc", "ca", "de", "ef", "fd", "cd"])
    yield Graph("ab", [])
    yield Graph("abcd", ["ab", "ac", "ad", "bc", "bd", "cd"])
