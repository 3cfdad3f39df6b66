"""Vertex cover, edge by edge.

Variables: x_v = 1 if vertex v is in the cover.

    minimise    sum_v x_v
    (covered)   x_u + x_v >= 1          for each edge between u and v

Size, for n vertices and p joined pairs: n variables, p rows, 2 p coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.source_problem import VertexSet, by_position
from anoptima.problems.sources.vertex_cover import VertexCover


class BuiltVertexCoverEdges(BuiltModel[VertexSet]):
    """The program; columns are x."""

    language = Language.PYOMO
    problem: VertexCover

    def __init__(self, problem: VertexCover, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="vertex cover by edges")
        super().__init__(problem, program, size)
        writer = PyomoWriter(program)
        cover = [writer.flag("cover") for _ in problem.graph.vertices]
        for first, second in problem.graph.pairs:
            writer.row("covered", [1, 1], [cover[first], cover[second]], 1, None)
        writer.finish()
        program.cost = pyo.Objective(expr=pyo.quicksum(cover))

    def encode(self, solution: VertexSet) -> Values:
        """Set x."""
        return ones(len(self.problem.graph.vertices), by_position(solution, self.problem.graph))

    def decode(self, values: Values) -> VertexSet:
        """Read x."""
        names = self.problem.graph.vertices
        return VertexSet(frozenset(names[place] for place in chosen(values)))


@models.register
class VertexCoverEdgesModel(SourceModel[VertexSet]):
    """At least one vertex of every edge; for vertex cover."""

    name = "vertex-cover-edges"
    problems = (VertexCover,)
    built = BuiltVertexCoverEdges

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a vertex, a row a pair that is joined."""
        pairs = len(problem.graph.pairs)
        return len(problem.graph.vertices), pairs, 2 * pairs
