"""A matrix form in whole numbers: what a solver that knows only integers takes.

Every column becomes an integer variable, so all columns must be integer or `implied`; a row with whole coefficients then has whole
sums, so its bounds may be rounded inwards; and every column needs finite bounds, which are derived from the rows where they are missing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import NotApplicable
from anoptima.models.matrix import MatrixForm

Whole = NDArray[np.int64]

LARGEST = 2**53 - 1
"""A whole double up to here is the number that was meant; the next one may have been rounded."""

NO_LIMIT = 2**63 - 1
"""Stands for infinity as a bound of a row."""

NOISE = 1e-9
"""By how much a bound may have left a whole number when a constant was subtracted in floating point."""

PASSES = 20
"""How often bounds are derived from one another, at most."""


@dataclass(frozen=True, eq=False)
class WholeProgram:
    """minimise objective x + constant subject to row_lower <= A x <= row_upper, lower <= x <= upper, all of it whole."""

    objective: Whole
    constant: int
    lower: Whole
    upper: Whole
    row_start: Whole
    column: Whole
    coefficient: Whole
    row_lower: Whole
    row_upper: Whole

    def has_empty_range(self) -> bool:
        """Tell whether some column or row has no whole number between its bounds."""
        return bool((self.lower > self.upper).any() or (self.row_lower > self.row_upper).any())

    def least_objective(self) -> int:
        """Return the least value that the objective takes within the column bounds alone."""
        return self.objective_at(np.where(self.objective > 0, self.lower, self.upper).tolist())

    def objective_at(self, values: list[int]) -> int:
        """Return the objective at `values`, exactly: Python's integers do not overflow."""
        costs: list[int] = self.objective.tolist()
        return self.constant + sum(cost * value for cost, value in zip(costs, values, strict=True) if cost)

    def admits(self, values: list[int]) -> bool:
        """Tell whether `values` are a solution, exactly. O(coefficients)."""
        if len(values) != len(self.objective):
            return False
        if any(
            not low <= x <= high for low, x, high in zip(self.lower.tolist(), values, self.upper.tolist(), strict=True)
        ):
            return False
        # Python's integers where a sum of products might not fit into 64 bits.
        most = int(np.abs(self.coefficient).max(initial=0)) * max(map(abs, values), default=0) * len(self.coefficient)
        kind: Any = np.int64 if most < NO_LIMIT else object
        products = self.coefficient.astype(kind) * np.array(values, dtype=kind)[self.column]
        running = np.concatenate([np.zeros(1, dtype=kind), np.cumsum(products)])
        sums = running[self.row_start[1:]] - running[self.row_start[:-1]]
        return bool((self.row_lower <= sums).all() and (sums <= self.row_upper).all())


def whole_program(form: MatrixForm) -> WholeProgram:
    """Return `form` in whole numbers, or raise `NotApplicable` with the reason why it cannot be.

    Columns that are not integer must be marked `implied`, since others lose solutions when made whole.
    """
    free = ~(form.integer | form.implied)
    if free.any():
        raise NotApplicable(
            f"column {int(np.argmax(free))} of the model is continuous and not marked as implied integer; "
            "this backend takes programs in whole numbers only"
        )
    lower, upper = finite_bounds(form)
    return WholeProgram(
        objective=_whole(form.objective, "the objective has a coefficient"),
        constant=int(_whole(np.array([form.constant]), "the objective has a constant")[0]),
        lower=_whole(np.ceil(lower - NOISE), "a column has a lower bound"),
        upper=_whole(np.floor(upper + NOISE), "a column has an upper bound"),
        row_start=form.row_start.astype(np.int64),
        column=form.column.astype(np.int64),
        coefficient=_whole(form.coefficient, "a row has a coefficient"),
        row_lower=_whole(np.ceil(form.row_lower - NOISE), "a row has a bound", -NO_LIMIT - 1),
        row_upper=_whole(np.floor(form.row_upper + NOISE), "a row has a bound", NO_LIMIT),
    )


def finite_bounds(form: MatrixForm) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return column bounds that are all finite, the missing ones derived from the rows.

    In a row sum_i a_i x_i <= b with a_j > 0, x_j <= (b - sum_{i != j} min a_i x_i) / a_j where that sum is finite; the other three
    cases mirror it. Repeated while it yields something. Raises `NotApplicable` if a column stays unbounded.
    """
    lower, upper = form.lower.copy(), form.upper.copy()
    for _ in range(PASSES):
        if not (np.isinf(lower).any() or np.isinf(upper).any()):
            break
        before = np.isinf(lower).sum() + np.isinf(upper).sum()
        _tighten(form, lower, upper, form.coefficient, form.row_upper)
        _tighten(form, lower, upper, -form.coefficient, -form.row_lower)
        if np.isinf(lower).sum() + np.isinf(upper).sum() == before:
            break
    unbounded = np.isinf(lower) | np.isinf(upper)
    if unbounded.any():
        raise NotApplicable(
            f"column {int(np.argmax(unbounded))} of the model has no finite bounds, and none follow from the rows; "
            "this backend takes bounded programs only"
        )
    return lower, upper


def _tighten(
    form: MatrixForm,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    coefficient: NDArray[np.float64],
    most: NDArray[np.float64],
) -> None:
    """Fill in missing bounds that rows `coefficient x <= most` imply."""
    row, column = form.row_of_entry, form.column
    extreme = np.where(coefficient > 0, lower[column], upper[column])
    least = coefficient * np.where(coefficient == 0, 0.0, extreme)
    unknown = np.isinf(least)
    known = np.where(unknown, 0.0, least)
    sums = np.bincount(row, weights=known, minlength=form.rows)
    unknowns = np.bincount(row, weights=unknown, minlength=form.rows)
    others_known = unknowns[row] - unknown == 0
    useful = others_known & np.isfinite(most[row]) & (coefficient != 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        implied = (most[row] - (sums[row] - known)) / coefficient
    above = useful & (coefficient > 0) & np.isinf(upper[column])
    below = useful & (coefficient < 0) & np.isinf(lower[column])
    np.minimum.at(upper, column[above], np.floor(implied[above] + NOISE))
    np.maximum.at(lower, column[below], np.ceil(implied[below] - NOISE))


def _whole(values: NDArray[np.float64], what: str, infinite: int | None = None) -> Whole:
    is_infinite = np.isinf(values) if infinite is not None else np.zeros(len(values), dtype=bool)
    finite = np.where(is_infinite, 0.0, values)
    wrong = (finite != np.rint(finite)) | ~(np.abs(finite) <= LARGEST)
    if wrong.any():
        value = float(finite[int(np.argmax(wrong))])
        reason = "is not whole" if math.isfinite(value) and abs(value) <= LARGEST else "is too large"
        raise NotApplicable(f"{what}, {value!r}, that {reason}; this backend takes whole numbers below 2^53 only")
    whole = finite.astype(np.int64)
    whole[is_infinite] = infinite if infinite is not None else 0
    return whole
