"""A reduction as somebody else may write it: its module states source and target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import anoptima as ao
from anoptima.problems.base import Problem
from anoptima.problems.sources.minimum_cover import ChosenSets, MinimumCover
from anoptima.problems.sources.source_problem import VertexSet
from anoptima.reductions.base import Affine, Reduction


@dataclass(frozen=True, eq=False)
class OwnCover(ao.VertexCover):
    """A path of three vertices, to be covered."""

    name = "own-cover"

    @classmethod
    def examples(cls) -> Iterator[Self]:
        yield cls(ao.Graph("abc", ["ab", "bc"]))


class LeastCover(MinimumCover):
    """A cover, with names of quantities that other problems have, too."""

    name = "least-cover"
    least = 0
    graph = "a cover has none"


@dataclass(frozen=True, eq=False)
class SetsOfEdges(Affine[Any, Any]):
    """Vertices are sets."""

    def forward(self, solution: VertexSet) -> ChosenSets:
        return ChosenSets(solution.vertices)

    def backward(self, solution: ChosenSets) -> VertexSet:
        return VertexSet(solution.names)

    @property
    def offset(self) -> int:
        return 0


class OwnCoverToLeastCover(Reduction[Any, Any]):
    """A set of edges for every vertex."""

    name = "own-cover-to-least-cover"
    cites = "nobody"
    problems = (OwnCover,)

    def target_size(self, problem: Problem[Any]) -> Mapping[str, int]:
        return {"elements": problem.size()["edges"]}

    def apply_unchecked(self, problem: Any) -> SetsOfEdges:
        edges = problem.graph.edges
        sets = {vertex: [e for e, ends in enumerate(edges) if vertex in ends] for vertex in problem.graph.vertices}
        return SetsOfEdges(problem, LeastCover(range(len(edges)), sets))
