"""The common part of programs that choose columns: the first variables say which."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from anoptima.models.base import BuiltModel, Values
from anoptima.problems.column_choice import ColumnChoice

S = TypeVar("S")


class BuiltColumns(BuiltModel[S]):
    """A program with a 0/1 variable for each column, before any others."""

    problem: ColumnChoice[S]

    def encode(self, solution: S) -> Values:
        """Set the variables of the solution's columns."""
        values = np.zeros(len(self.problem.table.quasi))
        values[list(self.problem.columns_of(solution))] = 1
        return values

    def decode(self, values: Values) -> S:
        """Read them."""
        return self.problem.solution_of(np.flatnonzero(values[: len(self.problem.table.quasi)] > 0.5).tolist())
