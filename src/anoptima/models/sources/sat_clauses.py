"""Satisfiability by truth values.

Variables: t_x = 1 if variable x is true; u_c = 1 if clause c is left unsatisfied.

    minimise    sum_c u_c
    (holds)     sum_{x in c} t_x + sum_{-x in c} (1 - t_x) + u_c >= 1           for each clause c

u is continuous: it is whole once t is.

Size, for v variables, c clauses and l literals: v + c variables, c rows, l + c coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat, TruthAssignment


class BuiltSatClauses(BuiltModel[TruthAssignment]):
    """The program; columns are t, then u."""

    language = Language.PYOMO
    problem: PlanarThreeSat

    def __init__(self, problem: PlanarThreeSat, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="satisfiability by truth values")
        super().__init__(problem, program, size)
        writer = PyomoWriter(program)
        clauses = problem.formula.clauses
        true = [writer.flag("true") for _ in range(problem.formula.variables)]
        fails = [writer.amount("fails", 1) for _ in clauses]
        for clause, amount in zip(clauses, fails, strict=True):
            signs = [1 if literal > 0 else -1 for literal in clause]
            variables = [true[abs(literal) - 1] for literal in clause]
            writer.row("holds", [*signs, 1], [*variables, amount], 1 - signs.count(-1), None)
        writer.finish()
        program.cost = pyo.Objective(expr=pyo.quicksum(fails))

    def encode(self, solution: TruthAssignment) -> Values:
        """Set t, and u where a clause fails."""
        formula = self.problem.formula
        fails = [formula.variables + number for number in formula.unsatisfied(solution.true)]
        return ones(formula.variables + len(formula.clauses), [*(x - 1 for x in solution.true), *fails])

    def decode(self, values: Values) -> TruthAssignment:
        """Read t."""
        return TruthAssignment(frozenset(x + 1 for x in chosen(values[: self.problem.formula.variables])))


@models.register
class SatClausesModel(SourceModel[TruthAssignment]):
    """Truth values and unsatisfied clauses; for planar 3-SAT."""

    name = "sat-clauses"
    problems = (PlanarThreeSat,)
    built = BuiltSatClauses

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a variable and a clause, a row a clause."""
        size = problem.size()
        return size["variables"] + size["clauses"], size["clauses"], size["literals"] + size["clauses"]
