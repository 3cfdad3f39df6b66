"""Matchings by their edges: a packing program.

Variables: x_e = 1 if edge e is chosen; u_v = 1 if member v is left over.

    minimise    sum_v u_v
    (once)      u_v + sum_{e holds v} x_e = 1       for each member v

u is continuous: it is whole once x is.

Size, for v members and e edges of d members each: e + v variables, v rows, v + d e coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.hypergraph_matching import HypergraphMatching
from anoptima.problems.sources.matching import Matching, MatchingProblem
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching
from anoptima.problems.sources.three_partition import ThreePartition


class BuiltMatchingEdges(BuiltModel[Matching]):
    """The program; columns are u, then x."""

    language = Language.PYOMO
    problem: MatchingProblem

    def __init__(self, problem: MatchingProblem, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="matching by edges")
        super().__init__(problem, program, size)
        writer = PyomoWriter(program)
        left = [writer.amount("left_over", 1) for _ in problem.named]
        choose = [writer.flag("choose") for _ in problem.choices]
        holders: list[list[Any]] = [[] for _ in problem.named]
        for flag, members in zip(choose, problem.members, strict=True):
            for member in members:
                holders[member].append(flag)
        for amount, flags in zip(left, holders, strict=True):
            writer.row("once", [1] * (len(flags) + 1), [amount, *flags], 1, 1)
        writer.finish()
        program.cost = pyo.Objective(expr=pyo.quicksum(left))

    def encode(self, solution: Matching) -> Values:
        """Set x, and u where no chosen edge is."""
        numbers = self.problem.numbers(solution)
        held = {member for number in numbers for member in self.problem.members[number]}
        members = len(self.problem.named)
        left = set(range(members)) - held
        return ones(members + len(self.problem.choices), [*left, *(members + number for number in numbers)])

    def decode(self, values: Values) -> Matching:
        """Read x."""
        return self.problem.matching(chosen(values[len(self.problem.named) :]))


@models.register
class MatchingEdgesModel(SourceModel[Matching]):
    """Edges that share no member; for matchings in hypergraphs and among triples, and 3-partition."""

    name = "matching-edges"
    problems = (HypergraphMatching, ThreeDimensionalMatching, ThreePartition)
    built = BuiltMatchingEdges

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable an edge and a member, a row a member."""
        edges, members = len(problem.choices), len(problem.named)
        return edges + members, members, members + edges * problem.edge_size
