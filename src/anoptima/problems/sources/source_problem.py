"""The common part of the source problems: their costs are whole numbers, and a solution always exists."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.limits import said
from anoptima.problems.base import Problem, orderly, problem_kinds
from anoptima.problems.sources.formats.graphs import read_graph
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.names import Name

S = TypeVar("S")


@checked
@orderly
@dataclass(frozen=True)
class VertexSet:
    """Some of a graph's vertices.

    >>> import anoptima as ao
    >>> ao.solve(ao.VertexCover(ao.Graph("abc", ["ab", "bc"]))).solution.vertices == {"b"}
    True
    """

    vertices: frozenset[Name]

    @classmethod
    def of(cls, vertices: Iterable[Name]) -> VertexSet:
        """Make one from any listing.

        >>> VertexSet.of("ab") == VertexSet(frozenset({"a", "b"}))
        True
        """
        return cls(frozenset(vertices))


@checked
class SourceProblem(Problem[S]):
    """A question that a theorem turns into one about tables. It always has a solution."""

    def why_infeasible(self) -> str | None:
        """There always is a solution: the trivial one."""
        return None

    @property
    def cost_scale(self) -> int:
        """Costs are whole."""
        return 1


@checked
class ReadableProblem(SourceProblem[S]):
    """A source problem that is read from a file of its own (`formats`) by its name."""

    takes_k: ClassVar[bool] = False
    """Whether a number k may be given beside the file."""

    @classmethod
    @abstractmethod
    def from_file(cls, path: str | os.PathLike[str], k: int | None = None) -> Self:
        """Read one; the file's suffix chooses the format."""


@checked
@dataclass(frozen=True)
class GraphProblem(ReadableProblem[VertexSet]):
    """A question about a graph, answered by some of its vertices."""

    graph: Graph

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int | None = None) -> Self:
        """Read the graph."""
        return cls(read_graph(path))

    def size(self) -> Mapping[str, int]:
        """Return vertices and edges."""
        return {"vertices": len(self.graph.vertices), "edges": len(self.graph.edges)}


def strangers(solution: VertexSet, graph: Graph) -> list[str]:
    """Name the members of a set that are no vertices of `graph`."""
    unknown = sorted((name for name in solution.vertices if name not in graph.position), key=repr)
    return said(map(graph.not_a_vertex, unknown), "are no vertices")


def by_position(solution: VertexSet, graph: Graph) -> list[int]:
    """Return the positions of a set's members, in the graph's order."""
    return sorted(graph.position[name] for name in solution.vertices)


def readable() -> dict[str, type[ReadableProblem[Any]]]:
    """Return every kind of problem that can be read, by name."""
    return {kind.name: kind for kind in problem_kinds.all() if issubclass(kind, ReadableProblem)}


def read_source(name: str, path: str | os.PathLike[str], k: int | None = None) -> ReadableProblem[Any]:
    """Read a source problem; `k` is K for cliques and the size of edges for hypergraphs, which otherwise the first edge decides."""
    kinds = readable()
    if name not in kinds:
        raise BadInput(f"{name!r} is no problem that is read from a file; those are {', '.join(kinds)}")
    if k is not None and not kinds[name].takes_k:
        takers = " and ".join(kind.name for kind in kinds.values() if kind.takes_k)
        raise BadInput(f"{name} has no k; only {takers} take one from a person")
    return kinds[name].from_file(path, k)
