"""Matchings as members see them: each names the edge that holds it, and the members of an edge agree.

Variables: g_v in {0, 1, ..., d_v}, the number of v's edge among the edges that have v, 0 if v is left over; b_vj = 1 if g_v = j.

    minimise    sum_v b_v0
    (named)     b_vj => g_v = j,   not b_vj => g_v != j             for each member v and j in {0, ..., d_v}
    (agree)     b_vj => b_wi                                        where edge e is v's jth and its next member w's ith, cyclically

There is no variable for an edge.

Size, for v members and p places in edges: 2 v + p variables, 2 v + 3 p constraints, 2 v + 6 p coefficients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel
from anoptima.problems.sources.hypergraph_matching import HypergraphMatching
from anoptima.problems.sources.matching import Matching, MatchingProblem
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching
from anoptima.problems.sources.three_partition import ThreePartition


class BuiltMatchingMates(BuiltModel[Matching]):
    """The program, and where its variables are."""

    language = Language.CP_SAT
    problem: MatchingProblem

    def __init__(self, problem: MatchingProblem, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "matching by mates"
        super().__init__(problem, program, size)
        self._edges: list[list[int]] = [[-1] for _ in problem.named]
        for number, members in enumerate(problem.members):
            for member in members:
                self._edges[member].append(number)
        self._names = [program.new_int_var(0, len(own) - 1, f"edge_of[{v}]") for v, own in enumerate(self._edges)]
        self._is = {
            (v, number): program.new_bool_var(f"is[{v},{number}]")
            for v, own in enumerate(self._edges)
            for number in own
        }
        for v, own in enumerate(self._edges):
            for j, number in enumerate(own):
                program.add(self._names[v] == j).only_enforce_if(self._is[v, number])
                program.add(self._names[v] != j).only_enforce_if(~self._is[v, number])
        for number, members in enumerate(problem.members):
            for member, mate in zip(members, (*members[1:], members[0]), strict=True):
                program.add_implication(self._is[member, number], self._is[mate, number])
        program.minimize(sum(self._is[v, -1] for v in range(len(self._edges))))

    def encode(self, solution: Matching) -> Values:
        """Give every member its edge."""
        edge = dict.fromkeys(range(len(self._edges)), -1)
        for number in self.problem.numbers(solution):
            edge |= dict.fromkeys(self.problem.members[number], number)
        values = np.zeros(len(self.program.proto.variables))
        for v, number in edge.items():
            values[self._names[v].index] = self._edges[v].index(number)
            values[self._is[v, number].index] = 1
        return values

    def decode(self, values: Values) -> Matching:
        """Read g."""
        named = {own[round(values[name.index])] for own, name in zip(self._edges, self._names, strict=True)}
        return self.problem.matching(named - {-1})


@models.register
class MatchingMatesModel(SourceModel[Matching]):
    """Members that agree on the edge that contains them; for matchings in hypergraphs and among triples, and 3-partition."""

    name = "matching-mates"
    problems = (HypergraphMatching, ThreeDimensionalMatching, ThreePartition)
    built = BuiltMatchingMates

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a member and a place in an edge; two rows and an implication a place."""
        members, places = len(problem.named), len(problem.choices) * problem.edge_size
        return 2 * members + places, 2 * members + 3 * places, 2 * members + 6 * places
