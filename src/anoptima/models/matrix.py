"""A Pyomo program as arrays: what travels to a backend that takes a matrix.

    minimise c x + c0   subject to   row_lower <= A x <= row_upper,   lower <= x <= upper,   x_j whole for j in `integer`

`A` is held row by row (CSR) in plain numpy arrays. A column marked `implied` is continuous in the program, and known to take a whole
value in some optimal solution for every choice of the integer columns; a backend that has only integers may treat it as one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IMPLIED = "implied_integer"
"""Name of the Pyomo `Suffix` by which a model marks continuous variables whose integrality is implied."""


@dataclass(frozen=True, eq=False)
class MatrixForm:
    """A mixed-integer linear program in arrays."""

    objective: NDArray[np.float64]
    constant: float
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    integer: NDArray[np.bool_]
    implied: NDArray[np.bool_]
    row_start: NDArray[np.int32]
    column: NDArray[np.int32]
    coefficient: NDArray[np.float64]
    row_lower: NDArray[np.float64]
    row_upper: NDArray[np.float64]

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.objective)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.row_lower)

    @property
    def whole(self) -> NDArray[np.bool_]:
        """The columns that a search takes for integers: with some integer columns, those of implied integrality as well."""
        return self.integer | self.implied if self.integer.any() else self.integer

    @property
    def row_of_entry(self) -> NDArray[np.intp]:
        """The row of every entry of the matrix."""
        return np.repeat(np.arange(self.rows), np.diff(self.row_start))

    def activity(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return A x. O(coefficients)."""
        weights = self.coefficient * values[self.column]
        return np.bincount(self.row_of_entry, weights=weights, minlength=self.rows).astype(np.float64)

    def reduced_costs(self, prices: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return c - A'y. O(coefficients)."""
        weights = self.coefficient * prices[self.row_of_entry]
        return self.objective - np.bincount(self.column, weights=weights, minlength=self.columns)

    @property
    def whole_objective(self) -> bool:
        """Whether the objective is whole wherever all integer columns are: its coefficients are, and no other column has one."""
        fixed = self.lower == self.upper
        constants = [self.constant, *(self.objective * np.where(fixed, self.lower, 0.0))[fixed].tolist()]
        free = (self.objective != 0) & ~fixed
        coefficients = self.objective[free]
        return bool(
            self.integer[free].all()
            and (coefficients == np.rint(coefficients)).all()
            and all(constant == round(constant) for constant in constants)
        )


def merged_rows(
    starts: NDArray[np.int64], columns: NDArray[np.int64], values: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Return the arrays of rows, with what a row says of one column in several places added up: solvers refuse a column twice."""
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    width = int(columns.max(initial=0)) + 1
    key, place = np.unique(rows * width + columns, return_inverse=True)
    merged = np.zeros(len(key))
    np.add.at(merged, place.reshape(-1), values)
    row_start = np.searchsorted(key // width, np.arange(len(starts)))
    return row_start.astype(np.int32), (key % width).astype(np.int32), merged
