"""Clique of a given order by the edges that it has: the densest subgraph on K vertices.

Variables: x_v true if vertex v is chosen; w_uv for each edge, true only if both its ends are.

    minimise    K (K - 1) / 2 - sum w_uv
    (order)     sum_v x_v = K
    (present)   w_uv => x_u,   w_uv => x_v              for each edge
    (star)      sum_{u in N(v)} w_uv <= (K - 1) x_v     for each vertex v

(star) follows from the others, and is what keeps the relaxation from taking a little of every edge. Small where the graph is sparse.

Size, for n vertices and e edges: n + e variables, 1 + n + 2 e constraints, 2 n + 6 e coefficients.
"""

from __future__ import annotations

import math
from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.clique import CliqueOfSize, HalfClique, SizedClique
from anoptima.problems.sources.source_problem import VertexSet, by_position


class BuiltCliquePresent(BuiltModel[VertexSet]):
    """The program; variables are x, then w."""

    language = Language.CP_SAT
    problem: SizedClique

    def __init__(self, problem: SizedClique, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "clique by present edges"
        super().__init__(problem, program, size)
        graph = problem.graph
        choose = [program.new_bool_var(f"choose[{v}]") for v in range(len(graph.vertices))]
        present = [program.new_bool_var(f"present[{u},{v}]") for u, v in graph.pairs]
        star: list[list[Any]] = [[] for _ in graph.vertices]
        program.add(sum(choose) == problem.order)
        for pair, there in zip(graph.pairs, present, strict=True):
            for end in pair:
                program.add_implication(there, choose[end])
                star[end].append(there)
        for vertex, edges in zip(choose, star, strict=True):
            if edges:
                program.add(sum(edges) <= (problem.order - 1) * vertex)
        program.minimize(math.comb(problem.order, 2) - sum(present))

    def encode(self, solution: VertexSet) -> Values:
        """Set x, and w where both ends of an edge are chosen."""
        graph = self.problem.graph
        members = set(by_position(solution, graph))
        present = [len(graph.vertices) + e for e, (u, v) in enumerate(graph.pairs) if u in members and v in members]
        return ones(len(graph.vertices) + len(graph.pairs), [*members, *present])

    def decode(self, values: Values) -> VertexSet:
        """Read x."""
        names = self.problem.graph.vertices
        return VertexSet(frozenset(names[place] for place in chosen(values[: len(names)])))


@models.register
class CliquePresentModel(SourceModel[VertexSet]):
    """Vertices and the edges among them; for cliques of a given size and half-cliques."""

    name = "clique-present"
    problems = (CliqueOfSize, HalfClique)
    built = BuiltCliquePresent

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a vertex and an edge, two implications an edge, a row a vertex."""
        vertices, edges = len(problem.graph.vertices), len(problem.graph.edges)
        return vertices + edges, 1 + vertices + 2 * edges, 2 * vertices + 6 * edges
