"""Maximum clique by degrees: a chosen vertex is joined to all other chosen ones.

Variables: x_v true if vertex v is chosen; s, how many are.

    minimise    n - s
    (order)     sum_v x_v = s
    (joined)    sum_{u in N(v)} x_u = s - 1     if x_v

One row a vertex and no pairs: small where the graph is sparse.

Size, for n vertices and e edges: n + 1 variables, n + 1 constraints, 3 n + 2 e + 1 coefficients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.clique import MaximumClique
from anoptima.problems.sources.source_problem import VertexSet, by_position


class BuiltMaximumCliqueDegrees(BuiltModel[VertexSet]):
    """The program; variables are x, then s."""

    language = Language.CP_SAT
    problem: MaximumClique

    def __init__(self, problem: MaximumClique, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "maximum clique by degrees"
        super().__init__(problem, program, size)
        graph = problem.graph
        choose = [program.new_bool_var(f"choose[{v}]") for v in range(len(graph.vertices))]
        order = program.new_int_var(0, len(choose), "order")
        program.add(sum(choose) == order)
        for vertex, neighbours in zip(choose, graph.neighbours, strict=True):
            program.add(sum(choose[u] for u in neighbours) == order - 1).only_enforce_if(vertex)
        program.minimize(len(choose) - order)

    def encode(self, solution: VertexSet) -> Values:
        """Set x and s."""
        members = by_position(solution, self.problem.graph)
        return np.append(ones(len(self.problem.graph.vertices), members), float(len(members)))

    def decode(self, values: Values) -> VertexSet:
        """Read x."""
        names = self.problem.graph.vertices
        return VertexSet(frozenset(names[place] for place in chosen(values[: len(names)])))


@models.register
class MaximumCliqueDegreesModel(SourceModel[VertexSet]):
    """Vertices of the clique, by their degrees inside it; for maximum clique."""

    name = "maximum-clique-degrees"
    problems = (MaximumClique,)
    built = BuiltMaximumCliqueDegrees

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable and a row a vertex."""
        vertices, edges = len(problem.graph.vertices), len(problem.graph.edges)
        return vertices + 1, vertices + 1, 3 * vertices + 2 * edges + 1
