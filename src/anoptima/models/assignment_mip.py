"""The row-to-group assignment program for cell suppression under any principle, in Pyomo: the twin of `assignment`.

The same variables and the same rows, word for word, with clauses as linear rows; it runs on MIP backends and has a relaxation. That shows
what the formulation lacks: if a row belongs to two groups by half each, then a_ir + b_rc - 1 <= 0, and no star is needed. The bound is
near 0. CP-SAT learns from conflicts and suffers less from this; a MIP backend is better served by `pattern` or `groups`.

Size, for n rows, m columns, P = n (n + 1) / 2 and D cells in which two rows differ: P + 2 n m variables, P + D + P m rows, 3 P - 2 n + 2 D
+ 3 P m coefficients, and what the principle's conditions add.
"""

from __future__ import annotations

import numpy as np

from anoptima.models import models
from anoptima.models.assignment import NAME, AssignmentModel, BuiltAssignment
from anoptima.models.base import Language, ModelSize
from anoptima.models.languages import pyo
from anoptima.models.pattern import size_of_condition
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.principles import AtLeastRows, Splitting
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.table import Table

_BYTES_A_VARIABLE = 700
_BYTES_A_ROW = 900
_BYTES_A_COEFFICIENT = 150
"""As in the pattern model."""


@models.register
class AssignmentMipModel(AssignmentModel):
    """Rows to groups led by their first rows, in Pyomo; for cell suppression of tiny tables under any principle."""

    name = "assignment-mip"
    language = Language.PYOMO
    for_study = True
    twin = None

    def estimate(self, problem: Problem[Partition]) -> ModelSize:
        """Count the pairs of rows, and their differences; conditions other than a least size from above."""
        assert isinstance(problem, CellSuppression)
        table, n, m = problem.table, problem.table.rows, len(problem.table.quasi)
        pairs, differing = n * (n + 1) // 2, differences(table)
        variables, rows = pairs + 2 * n * m, pairs + differing + pairs * m
        coefficients = pairs + 2 * (pairs - n) + 2 * differing + 3 * pairs * m
        if problem.principle.splitting is Splitting.ANYWHERE:
            rows, coefficients = rows + n, coefficients + pairs
        for condition in problem.principle.conditions(table):
            extra = size_of_condition(condition, n, pairs)
            # A leader stands for its group, and so a least size has one coefficient for both.
            shared = n if isinstance(condition, AtLeastRows) else 0
            variables, rows, coefficients = variables + extra[0], rows + extra[1], coefficients + extra[2] - shared
        memory = variables * _BYTES_A_VARIABLE + rows * _BYTES_A_ROW + coefficients * _BYTES_A_COEFFICIENT
        return ModelSize(variables, rows, coefficients, memory, {"pairs": pairs})

    def build_unchecked(self, problem: Problem[Partition], size: ModelSize) -> BuiltAssignment:
        """Build the program. O(n^2 m)."""
        assert isinstance(problem, CellSuppression)
        return BuiltAssignmentMip(problem, size)


class BuiltAssignmentMip(BuiltAssignment):
    """The program, and where its variables are."""

    language = Language.PYOMO

    def new_writer(self) -> PyomoWriter:
        """Return a writer of an empty program."""
        return PyomoWriter(pyo.ConcreteModel(name=NAME))


def differences(table: Table) -> int:
    """Return how often two rows differ in a column, over all pairs of rows and all columns. O(n m).

    >>> from anoptima import Table
    >>> from anoptima.packages import pd
    >>> differences(Table.from_frame(pd.DataFrame({"a": [0, 0, 1], "b": [5, 6, 7]}), ["a", "b"]))
    5
    """
    n = table.rows
    alike = sum(
        int((counts * (counts - 1) // 2).sum()) for counts in (np.bincount(c.codes) for c in table.quasi_columns)
    )
    return len(table.quasi) * n * (n - 1) // 2 - alike
