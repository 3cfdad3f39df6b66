"""Simplex matching by the group of each vertex: every vertex says which of its pairs and triples it is in, and its mates agree.

Variables: m_ve for each vertex v and each pair or triple e that holds it.

    minimise    sum_e c_e m_fe                    over each e and its first vertex f
    (one)       exactly one of m_ve               for each vertex v
    (agreed)    m_fe = m_ve                       for each e, its first vertex f and each other vertex v of e

Size, for n vertices, p pairs, t triples and h = 2 p + 3 t: h variables, n + p + 2 t constraints, 2 h coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.simplex_matching import SimplexMatching


class BuiltSimplexMates(BuiltModel[Matching]):
    """The program; columns are the vertices of one group after the other, groups in the problem's order."""

    language = Language.CP_SAT
    problem: SimplexMatching

    def __init__(self, problem: SimplexMatching, size: ModelSize) -> None:
        program = cp_model.CpModel()
        super().__init__(problem, program, size)
        self._edges = [edge for edge, _ in (*problem.pairs, *problem.triples)]
        self._first: list[int] = []
        of_vertex: list[list[Any]] = [[] for _ in problem.vertices]
        leaders: list[Any] = []
        columns = 0
        for edge in self._edges:
            self._first.append(columns)
            flags = [program.new_bool_var(f"in[{vertex},{len(leaders)}]") for vertex in problem.places(edge)]
            for place, flag in zip(problem.places(edge), flags, strict=True):
                of_vertex[place].append(flag)
            for flag in flags[1:]:
                program.add(flag == flags[0])
            leaders.append(flags[0])
            columns += len(flags)
        for flags in of_vertex:
            program.add_exactly_one(flags)
        scaled = [int(problem.cost_of[edge] * problem.cost_scale) for edge in self._edges]
        program.minimize(sum(cost * flag for cost, flag in zip(scaled, leaders, strict=True)))

    def encode(self, solution: Matching) -> Values:
        """Set every vertex of each group."""
        places = [
            first + offset
            for first, edge in zip(self._first, self._edges, strict=True)
            if edge in solution.edges
            for offset in range(len(edge))
        ]
        return ones(sum(map(len, self._edges)), places)

    def decode(self, values: Values) -> Matching:
        """Read what the first vertex of each group says."""
        held = set(chosen(values))
        edges = zip(self._first, self._edges, strict=True)
        return Matching(frozenset(edge for first, edge in edges if first in held))


@models.register
class SimplexMatesModel(SourceModel[Matching]):
    """Vertices that agree on the pair or triple they are in; for simplex matching."""

    name = "simplex-mates"
    problems = (SimplexMatching,)
    built = BuiltSimplexMates

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a vertex and group that holds it, a row a vertex and for all but one vertex of each group."""
        pairs, triples = len(problem.pairs), len(problem.triples)
        held = 2 * pairs + 3 * triples
        return held, len(problem.vertices) + pairs + 2 * triples, 2 * held
