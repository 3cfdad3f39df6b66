"""Maximum clique: no two chosen vertices without an edge.

Variables: z_v = 1 if vertex v is left outside.

    minimise    sum_v z_v
    (apart)     z_u + z_v >= 1          for each pair without an edge

Size, for n vertices and q pairs without an edge: n variables, q rows, 2 q coefficients.
"""

from __future__ import annotations

import math
from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.clique import MaximumClique
from anoptima.problems.sources.source_problem import VertexSet


class BuiltMaximumCliquePairs(BuiltModel[VertexSet]):
    """The program; columns are z."""

    language = Language.PYOMO
    problem: MaximumClique

    def __init__(self, problem: MaximumClique, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="maximum clique by missing pairs")
        super().__init__(problem, program, size)
        writer = PyomoWriter(program)
        outside = [writer.flag("outside") for _ in problem.graph.vertices]
        for first, second in problem.graph.missing_pairs:
            writer.row("apart", [1, 1], [outside[first], outside[second]], 1, None)
        writer.finish()
        program.cost = pyo.Objective(expr=pyo.quicksum(outside))

    def encode(self, solution: VertexSet) -> Values:
        """Set z."""
        names = self.problem.graph.vertices
        return ones(len(names), [place for place, name in enumerate(names) if name not in solution.vertices])

    def decode(self, values: Values) -> VertexSet:
        """Take the vertices that are not outside."""
        names = self.problem.graph.vertices
        return VertexSet(frozenset(names) - {names[place] for place in chosen(values)})


@models.register
class MaximumCliquePairsModel(SourceModel[VertexSet]):
    """Vertices outside the clique, by the pairs that no edge joins; for maximum clique."""

    name = "maximum-clique-pairs"
    problems = (MaximumClique,)
    built = BuiltMaximumCliquePairs

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a vertex, a row a missing pair."""
        vertices = len(problem.graph.vertices)
        missing = math.comb(vertices, 2) - len(problem.graph.edges)
        return vertices, missing, 2 * missing
