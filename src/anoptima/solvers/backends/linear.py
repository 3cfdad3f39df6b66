"""What backends need to know about a matrix form before they solve it: whether a start fits, what the objective is worth at best."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import StartFate
from anoptima.models.matrix import MatrixForm
from anoptima.solvers.backends.worker import Report

Vector = NDArray[np.float64]

TOLERANCE = 1e-6
"""By how much a row or bound may be violated: what solvers grant themselves. With whole data, sums below 2^53 are exact."""


def has_impossible_row(form: MatrixForm) -> bool:
    """Tell whether a row without columns, which most solvers do not take, asks for something other than nothing."""
    used = np.bincount(form.row_of_entry[form.coefficient != 0], minlength=form.rows) > 0
    return bool((~used & ((form.row_lower > 0) | (form.row_upper < 0))).any())


def why_infeasible(form: MatrixForm, values: Vector) -> str | None:
    """Say which bound, integrality or row `values` violates; None if they are a solution."""
    if values.shape != (form.columns,):
        return f"it has {values.size} values and the model has {form.columns} columns"
    if not np.isfinite(values).all():
        return f"the value of column {int(np.argmin(np.isfinite(values)))} is not a number"
    outside = (values < form.lower - TOLERANCE) | (values > form.upper + TOLERANCE)
    if outside.any():
        return f"the value of column {int(np.argmax(outside))} is outside its bounds"
    broken = form.integer & (np.abs(values - np.rint(values)) > TOLERANCE)
    if broken.any():
        return f"the value of column {int(np.argmax(broken))} is not whole"
    sums = form.activity(values)
    violated = (sums < form.row_lower - TOLERANCE) | (sums > form.row_upper + TOLERANCE)
    return f"row {int(np.argmax(violated))} is violated" if violated.any() else None


def objective_at(form: MatrixForm, values: Vector) -> float:
    """Return the objective at `values`, constant included, with one rounding only."""
    return math.fsum((*(form.objective * values).tolist(), form.constant))


def least_objective(form: MatrixForm) -> float:
    """Return the least value the objective takes within the column bounds alone, minus infinity if there is none.

    A bound that holds before any search has begun, and that tells a slow solver from a hanging one.
    """
    used = form.objective != 0
    cost = form.objective[used]
    best = np.where(cost > 0, form.lower[used], form.upper[used])
    return math.fsum((*(cost * best).tolist(), form.constant)) if np.isfinite(best).all() else -math.inf


def hold_start(form: MatrixForm, start: Vector | None, report: Report) -> tuple[Vector | None, float, tuple[str, ...]]:
    """Check a start, and report it as the first incumbent: then it holds, whatever the solver makes of it.

    Returns the start, None if there is none that is a solution; its objective, infinite if there is none; and notes for the outcome.
    """
    if start is None:
        return None, math.inf, ()
    reason = why_infeasible(form, start)
    if reason is not None:
        report.start(StartFate.REJECTED)
        return None, math.inf, (f"the start was rejected: {reason}",)
    objective = objective_at(form, start)
    report.incumbent(objective, start)
    return start, objective, ()
