"""Minimum bisection by the edges that are cut.

For pairs of vertices joined by c_uv >= 1 edges. Variables: x_v = 1 if vertex v is on the other side from vertex 0; y_uv >= 0, which is
1 if the pair is cut. x_0 = 0, so that the two halves cannot change places.

    minimise    sum c_uv y_uv
    (half)      sum_v x_v = n / 2
    (cut)       y_uv >= x_u - x_v,   y_uv >= x_v - x_u          for each pair
    (fixed)     x_0 = 0

y is continuous: it is whole once x is.

Size, for n vertices and p joined pairs: n + p variables, 1 + 2 p rows, n + 6 p coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.minimum_bisection import MinimumBisection
from anoptima.problems.sources.source_problem import VertexSet


class BuiltBisectionCut(BuiltModel[VertexSet]):
    """The program; columns are x, then y."""

    language = Language.PYOMO
    problem: MinimumBisection

    def __init__(self, problem: MinimumBisection, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="minimum bisection by cut edges")
        super().__init__(problem, program, size)
        writer = PyomoWriter(program)
        across = [writer.flag("across") for _ in problem.graph.vertices]
        cut = [writer.amount("cut", 1) for _ in problem.graph.pairs]
        across[0].setub(0)
        writer.row("half", [1] * len(across), across, problem.half, problem.half)
        for (first, second), amount in zip(problem.graph.pairs, cut, strict=True):
            writer.row("cut", [1, -1, 1], [amount, across[first], across[second]], 0, None)
            writer.row("cut", [1, 1, -1], [amount, across[first], across[second]], 0, None)
        writer.finish()
        times = problem.graph.pairs.values()
        program.cost = pyo.Objective(expr=pyo.quicksum(t * amount for t, amount in zip(times, cut, strict=True)))

    def encode(self, solution: VertexSet) -> Values:
        """Set x on the side without vertex 0, and y where an edge crosses."""
        vertices = len(self.problem.graph.vertices)
        there = set(range(vertices)) - set(self.problem.side_of_first(solution))
        cut = [
            vertices + place
            for place, (first, second) in enumerate(self.problem.graph.pairs)
            if (first in there) != (second in there)
        ]
        return ones(vertices + len(self.problem.graph.pairs), [*there, *cut])

    def decode(self, values: Values) -> VertexSet:
        """Read x."""
        names = self.problem.graph.vertices
        return VertexSet(frozenset(names[place] for place in chosen(values[: len(names)])))


@models.register
class BisectionCutModel(SourceModel[VertexSet]):
    """Sides of vertices and cut edges; for minimum bisection."""

    name = "bisection-cut"
    problems = (MinimumBisection,)
    built = BuiltBisectionCut

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a vertex and a pair, two rows a pair."""
        vertices, pairs = len(problem.graph.vertices), len(problem.graph.pairs)
        return vertices + pairs, 1 + 2 * pairs, vertices + 6 * pairs
