"""Clique of a given order by the pairs that it misses.

Variables: x_v = 1 if vertex v is chosen; y_uv >= 0 for each pair *without* an edge, 1 if both of it are chosen.

    minimise    sum y_uv
    (order)     sum_v x_v = K
    (missing)   y_uv >= x_u + x_v - 1           for each pair without an edge

y is continuous: it is whole once x is. Small where the graph is dense.

Size, for n vertices and q pairs without an edge: n + q variables, 1 + q rows, n + 3 q coefficients.
"""

from __future__ import annotations

import math
from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.clique import CliqueOfSize, HalfClique, SizedClique
from anoptima.problems.sources.source_problem import VertexSet, by_position


class BuiltCliqueMissing(BuiltModel[VertexSet]):
    """The program; columns are x, then y."""

    language = Language.PYOMO
    problem: SizedClique

    def __init__(self, problem: SizedClique, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="clique by missing edges")
        super().__init__(problem, program, size)
        writer = PyomoWriter(program)
        self._pairs = problem.graph.missing_pairs
        choose = [writer.flag("choose") for _ in problem.graph.vertices]
        missing = [writer.amount("missing", 1) for _ in self._pairs]
        writer.row("order", [1] * len(choose), choose, problem.order, problem.order)
        for (first, second), amount in zip(self._pairs, missing, strict=True):
            writer.row("missing", [1, -1, -1], [amount, choose[first], choose[second]], -1, None)
        writer.finish()
        program.cost = pyo.Objective(expr=pyo.quicksum(missing))

    def encode(self, solution: VertexSet) -> Values:
        """Set x, and y where both of a pair are chosen."""
        vertices = len(self.problem.graph.vertices)
        members = set(by_position(solution, self.problem.graph))
        missing = [vertices + e for e, (u, v) in enumerate(self._pairs) if u in members and v in members]
        return ones(vertices + len(self._pairs), [*members, *missing])

    def decode(self, values: Values) -> VertexSet:
        """Read x."""
        names = self.problem.graph.vertices
        return VertexSet(frozenset(names[place] for place in chosen(values[: len(names)])))


@models.register
class CliqueMissingModel(SourceModel[VertexSet]):
    """Vertices and the edges missing among them; for cliques of a given size and half-cliques."""

    name = "clique-missing"
    problems = (CliqueOfSize, HalfClique)
    built = BuiltCliqueMissing

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a vertex and a missing pair, a row a missing pair."""
        vertices = len(problem.graph.vertices)
        missing = math.comb(vertices, 2) - len(problem.graph.edges)
        return vertices + missing, 1 + missing, vertices + 3 * missing
