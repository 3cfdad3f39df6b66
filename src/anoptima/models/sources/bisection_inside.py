"""Minimum bisection by the edges that stay inside a half: what is not inside is cut.

For pairs of vertices joined by c_uv >= 1 edges. Variables: x_v true if vertex v is on the side of vertex 0; i_uv if the pair lies inside
that half, o_uv if inside the other.

    minimise    sum c_uv (1 - i_uv - o_uv)
    (half)      sum_v x_v = n / 2
    (inside)    i_uv => x_u,   i_uv => x_v,   o_uv => not x_u,   o_uv => not x_v        for each pair
    (fixed)     x_0

Size, for n vertices and p joined pairs: n + 2 p variables, 2 + 4 p constraints, n + 8 p coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.minimum_bisection import MinimumBisection
from anoptima.problems.sources.source_problem import VertexSet


class BuiltBisectionInside(BuiltModel[VertexSet]):
    """The program; variables are x, then i, then o."""

    language = Language.CP_SAT
    problem: MinimumBisection

    def __init__(self, problem: MinimumBisection, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "minimum bisection by edges inside"
        super().__init__(problem, program, size)
        graph = problem.graph
        here = [program.new_bool_var(f"here[{v}]") for v in range(len(graph.vertices))]
        inside = [program.new_bool_var(f"inside[{u},{v}]") for u, v in graph.pairs]
        beyond = [program.new_bool_var(f"beyond[{u},{v}]") for u, v in graph.pairs]
        program.add(sum(here) == problem.half)
        program.add_bool_and(here[0])
        for pair, within, without in zip(graph.pairs, inside, beyond, strict=True):
            for end in pair:
                program.add_implication(within, here[end])
                program.add_implication(without, ~here[end])
        kept = zip(graph.pairs.values(), inside, beyond, strict=True)
        program.minimize(sum(times * (1 - within - without) for times, within, without in kept))

    def encode(self, solution: VertexSet) -> Values:
        """Set x on the side of vertex 0, and i and o where both ends are on one side."""
        graph = self.problem.graph
        here = set(self.problem.side_of_first(solution))
        vertices, pairs = len(graph.vertices), len(graph.pairs)
        inside = [vertices + e for e, (u, v) in enumerate(graph.pairs) if u in here and v in here]
        beyond = [vertices + pairs + e for e, (u, v) in enumerate(graph.pairs) if u not in here and v not in here]
        return ones(vertices + 2 * pairs, [*here, *inside, *beyond])

    def decode(self, values: Values) -> VertexSet:
        """Read x."""
        names = self.problem.graph.vertices
        return VertexSet(frozenset(names[place] for place in chosen(values[: len(names)])))


@models.register
class BisectionInsideModel(SourceModel[VertexSet]):
    """Sides of vertices and edges inside them; for minimum bisection."""

    name = "bisection-inside"
    problems = (MinimumBisection,)
    built = BuiltBisectionInside

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a vertex and two a pair, four implications a pair."""
        vertices, pairs = len(problem.graph.vertices), len(problem.graph.pairs)
        return vertices + 2 * pairs, 2 + 4 * pairs, vertices + 8 * pairs
