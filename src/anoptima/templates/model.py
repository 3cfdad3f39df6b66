"""Identifying columns as a cover of pairs of rows: of the columns on which two different rows differ, one is chosen.

minimise    sum w_c y_c
(apart)     sum_{c on which i and j differ} y_c >= 1    for each pair i < j of different rows
"""

# Yours: write your program above, in mathematics.

import itertools

import numpy as np

from anoptima.models.base import BuiltModel, Language, Model, ModelSize
from anoptima.models.languages import pyo
from anoptima.problems.quasi_identifier import IdentifyingColumns


class Template(Model):
    """A row for every pair of different rows; for identifying columns."""

    name = "template"
    language = Language.PYOMO  # or Language.CP_SAT: then `program` below is an `ortools.sat.python.cp_model.CpModel`

    def why_not(self, problem):
        """Say which problems it is for."""
        if isinstance(problem, IdentifyingColumns):
            return None
        return f"the {self.name} model is for {IdentifyingColumns.name}, not for {problem.name}"

    def estimate(self, problem):
        """Return how large the program will be at most, without building it: what is too large is refused with these numbers."""
        columns, types = len(problem.table.quasi), len(problem.table.types)
        pairs = types * (types - 1) // 2
        coefficients = pairs * columns
        return ModelSize(
            variables=columns, constraints=pairs, coefficients=coefficients, memory=1000 + 200 * coefficients
        )

    def build_unchecked(self, problem, size):
        """Build the program."""
        return BuiltTemplate(problem, size)


class BuiltTemplate(BuiltModel):
    """The program, with the way in for solutions and the way out."""

    language = Language.PYOMO

    def __init__(self, problem, size):
        program = pyo.ConcreteModel(name="identifying columns as a cover of pairs of rows")
        super().__init__(problem, program, size)
        types, columns = problem.table.types, range(len(problem.table.quasi))
        program.chosen = pyo.Var(columns, domain=pyo.Binary)
        program.apart = pyo.ConstraintList()
        for one, other in itertools.combinations(types, 2):
            program.apart.add(sum(program.chosen[c] for c in np.flatnonzero(one != other).tolist()) >= 1)
        # The objective is `problem.cost_scale` times the cost, so that it is whole.
        weights = problem.table.scaled_weights.tolist()
        program.weight = pyo.Objective(expr=sum(weights[c] * program.chosen[c] for c in columns))

    def encode(self, solution):
        """Return a value for each column of the program, in the order in which they were declared."""
        return np.array([name in solution.names for name in self.problem.table.quasi], dtype=float)

    def decode(self, values):
        """Return the solution that values stand for; it must not cost more than they do."""
        return self.problem.solution_of(np.flatnonzero(values > 0.5).tolist())
