"""Simplex matching by its pairs and triples: a set partition.

Variables: x_e = 1 if the pair or triple e is a group.

    minimise    sum_e c_e x_e
    (once)      sum_{e holds v} x_e = 1       for each vertex v

Size, for n vertices, p pairs and t triples: p + t variables, n rows, 2 p + 3 t coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.simplex_matching import SimplexMatching


class BuiltSimplexGroups(BuiltModel[Matching]):
    """The program; columns are the pairs, then the triples, in the problem's order."""

    language = Language.PYOMO
    problem: SimplexMatching

    def __init__(self, problem: SimplexMatching, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="simplex matching by groups")
        super().__init__(problem, program, size)
        self._edges = [edge for edge, _ in (*problem.pairs, *problem.triples)]
        writer = PyomoWriter(program)
        flags = [writer.flag("group") for _ in self._edges]
        holders: list[list[Any]] = [[] for _ in problem.vertices]
        for flag, edge in zip(flags, self._edges, strict=True):
            for place in problem.places(edge):
                holders[place].append(flag)
        for held in holders:
            writer.row("once", [1] * len(held), held, 1, 1)
        writer.finish()
        scaled = [int(problem.cost_of[edge] * problem.cost_scale) for edge in self._edges]
        program.cost = pyo.Objective(expr=pyo.quicksum(c * flag for c, flag in zip(scaled, flags, strict=True)))

    def encode(self, solution: Matching) -> Values:
        """Choose the groups."""
        number = {edge: place for place, edge in enumerate(self._edges)}
        return ones(len(self._edges), (number[edge] for edge in solution.edges))

    def decode(self, values: Values) -> Matching:
        """Read x."""
        return Matching(frozenset(self._edges[place] for place in chosen(values)))


@models.register
class SimplexGroupsModel(SourceModel[Matching]):
    """Pairs and triples that cover every vertex once; for simplex matching."""

    name = "simplex-groups"
    problems = (SimplexMatching,)
    built = BuiltSimplexGroups

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a pair and a triple, a row a vertex."""
        pairs, triples = len(problem.pairs), len(problem.triples)
        return pairs + triples, len(problem.vertices), 2 * pairs + 3 * triples
