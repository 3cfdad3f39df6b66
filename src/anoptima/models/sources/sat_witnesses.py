"""Satisfiability by witnesses: literals that satisfy clauses and do not contradict each other. There are no truth values in it.

Variables: w_cl true if literal l is the witness of clause c, for each literal l of c.

    minimise    C - sum w_cl                          with C clauses
    (one)       at most one w_cl                        for each clause c
    (agree)     not w_cx or not w_{d,-x}               where clause c has x and clause d has -x

This is the independent set by which satisfiability is usually carried to graphs.

Size, for c clauses, l literals and x pairs of literals that contradict each other: l variables, c + x constraints, 2 l + 2 x coefficients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat, TruthAssignment


class BuiltSatWitnesses(BuiltModel[TruthAssignment]):
    """The program, and where its variables are."""

    language = Language.CP_SAT
    problem: PlanarThreeSat

    def __init__(self, problem: PlanarThreeSat, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "satisfiability by witnesses"
        super().__init__(problem, program, size)
        clauses = problem.formula.clauses
        self._witness = {
            (c, literal): program.new_bool_var(f"witness[{c},{literal}]")
            for c, clause in enumerate(clauses)
            for literal in clause
        }
        of_literal: dict[int, list[Any]] = {}
        for (_, literal), witness in self._witness.items():
            of_literal.setdefault(literal, []).append(witness)
        for c, clause in enumerate(clauses):
            program.add_at_most_one(self._witness[c, literal] for literal in clause)
        for literal, witnesses in of_literal.items():
            if literal > 0:
                for witness in witnesses:
                    for other in of_literal.get(-literal, []):
                        program.add_bool_or(~witness, ~other)
        program.minimize(len(clauses) - sum(self._witness.values()))

    def encode(self, solution: TruthAssignment) -> Values:
        """Let the first literal that holds be a clause's witness."""
        values = np.zeros(len(self._witness))
        for c, clause in enumerate(self.problem.formula.clauses):
            holding = [literal for literal in clause if (abs(literal) in solution.true) == (literal > 0)]
            if holding:
                values[self._witness[c, holding[0]].index] = 1
        return values

    def decode(self, values: Values) -> TruthAssignment:
        """Let just those variables be true that a witness needs true: no clause that has a witness then fails."""
        needed = [literal for (_, literal), witness in self._witness.items() if values[witness.index] > 0.5]
        return TruthAssignment(frozenset(literal for literal in needed if literal > 0))


@models.register
class SatWitnessesModel(SourceModel[TruthAssignment]):
    """A witness for each clause, none against another; for planar 3-SAT."""

    name = "sat-witnesses"
    problems = (PlanarThreeSat,)
    built = BuiltSatWitnesses

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a literal, a row a clause and two literals that contradict each other."""
        size = problem.size()
        times: dict[int, int] = {}
        for clause in problem.formula.clauses:
            for literal in clause:
                times[literal] = times.get(literal, 0) + 1
        against = sum(number * times.get(-literal, 0) for literal, number in times.items() if literal > 0)
        return size["literals"], size["clauses"] + against, 2 * size["literals"] + 2 * against
