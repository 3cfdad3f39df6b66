"""From a backend's outcome to a solution. Outcome and values are checked first; whatever is wrong is the backend's false claim.

Decoding relies on the program's rows. Values may be off by what solvers grant themselves: 1e-6 in each value, and in a row and in the
objective what such values add up to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from numbers import Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Answer, StartFate, Stop
from anoptima.errors import FalseClaim, OutOfTime, SolverFailure
from anoptima.exact import Exact, exact_text, simplest
from anoptima.models.base import BuiltModel, Values
from anoptima.models.cp_sat_reading import ConstraintReading
from anoptima.models.matrix import MatrixForm
from anoptima.models.pyomo_reading import Reading
from anoptima.origins import raised
from anoptima.solvers.backends.base import Outcome
from anoptima.solvers.backends.linear import objective_at
from anoptima.solvers.backends.rounding import tolerance

S = TypeVar("S")

TOLERANCE = 1e-6
"""By how much a value may be off."""
SUMMED = 1e-9
"""The relative error of a sum in floating point, and of an objective that a solver has scaled."""


_PARTS = {
    "stop": Stop,
    "infeasible": bool,
    "start": StartFate,
    "seconds": Real,
    "versions": Mapping,
    "notes": tuple | list,
}
"""What the parts of an outcome are, beside its values, objective and bound."""


def outcome_of(backend: str, said: object) -> Outcome:
    """Return what a backend's `solve` has returned, its numbers exact; `SolverFailure` names the backend unless it is an outcome."""
    if not isinstance(said, Outcome):
        raise SolverFailure(backend, f"its solve returns {said!r:.100}; it must return an Outcome")
    for name, kind in _PARTS.items():
        part = getattr(said, name)
        if not isinstance(part, kind):
            raise SolverFailure(
                backend, f"the {name} of its outcome is {part!r:.100}; it must be of the sort that Outcome says"
            )
    objective, bound = (_exact(backend, name, getattr(said, name)) for name in ("objective", "bound"))
    if said.values is None:
        if said.stop is Stop.PROVED and not said.infeasible:
            raise FalseClaim(backend, "claimed an optimum without a solution")
        return replace(said, objective=objective, bound=bound)
    if said.infeasible:
        raise FalseClaim(backend, "claimed that the model is infeasible beside a solution")
    if objective is None:
        raise SolverFailure(backend, "its outcome has values and no objective")
    return replace(said, values=as_values(backend, said.values), objective=objective, bound=bound)


def _exact(backend: str, name: str, value: Any) -> Exact | None:
    if value is None:
        return None
    try:
        return simplest(Fraction(value))
    except (TypeError, ValueError, OverflowError):
        what = f"the {name} of its outcome is {value!r:.100}; it must be a finite number, or None"
        raise SolverFailure(backend, what) from None


def as_values(backend: str, values: object) -> Values:
    """Return the values of the columns as floats; `FalseClaim` names the backend if they are none."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        what = f"returned {values!r:.100} for the values of the columns; they must be one number for each"
        raise FalseClaim(backend, what) from None


def what_is_wrong(reading: Reading | ConstraintReading, values: Values, objective: Exact | None) -> str | None:
    """Say which row, column or objective of a program is not as `values` claim; None if all are.

    >>> import anoptima as ao
    >>> built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    >>> what_is_wrong(built.as_built, np.zeros(len(built.names)), 0)
    'the row cover[0] is 0, and must be between 1 and 1'
    """
    if values.shape != (reading.columns,):
        return f"there are {values.size} values for {reading.columns} columns"
    if not np.isfinite(values).all():
        return f"{reading.names[int(np.argmin(np.isfinite(values)))]} is not a number"
    if isinstance(reading, ConstraintReading):
        broken = np.abs(values - np.rint(values)) > TOLERANCE
        if broken.any():
            return f"{reading.names[int(np.argmax(broken))]} is not whole"
        wrong = reading.why_not(values)
        found, room = float(reading.objective_at(values)), TOLERANCE
    else:
        wrong = _broken(reading, values)
        found = objective_at(reading.form, values)
        room = TOLERANCE * (1 + float(np.abs(reading.form.objective).sum()))
    if wrong is None and objective is not None and abs(Fraction(found) - objective) > room + SUMMED * abs(found):
        return f"their objective is {found:g}, not {exact_text(objective)}"
    return wrong


def _broken(reading: Reading, values: NDArray[np.float64]) -> str | None:
    form = reading.form
    outside = (values < form.lower - TOLERANCE) | (values > form.upper + TOLERANCE)
    if outside.any():
        j = int(np.argmax(outside))
        return f"{reading.names[j]} is {values[j]:g}, outside its bounds"
    broken = form.integer & (np.abs(values - np.rint(values)) > TOLERANCE)
    if broken.any():
        return f"{reading.names[int(np.argmax(broken))]} is not whole"
    sums, room = form.activity(values), _room(form, values)
    violated = (sums < form.row_lower - room) | (sums > form.row_upper + room)
    if violated.any():
        i = int(np.argmax(violated))
        limits = f"between {form.row_lower[i]:g} and {form.row_upper[i]:g}"
        return f"the row {reading.row_names[i]} is {sums[i]:g}, and must be {limits}"
    return None


def _room(form: MatrixForm, values: NDArray[np.float64]) -> NDArray[np.float64]:
    sizes = np.abs(form.coefficient)
    row = form.row_of_entry
    steps = np.bincount(row, weights=sizes, minlength=form.rows)
    terms = np.bincount(row, weights=sizes * np.abs(values[form.column]), minlength=form.rows)
    room: NDArray[np.float64] = TOLERANCE * (1 + steps) + SUMMED * terms
    return room


def decoded(built: BuiltModel[S], values: Values, backend: str, best: Answer[S] | None) -> S:
    """Return the solution that checked `values` stand for; `FalseClaim` names the backend if they cannot be read, and keeps the best."""
    try:
        return built.decode(values)
    except (OutOfTime, MemoryError):
        raise
    except Exception as error:
        raise FalseClaim(
            backend, f"returned values that are no solution of the model ({raised(error)})", best
        ) from error


def require_cost(built: BuiltModel[S], solution: S, objective: Exact, backend: str, best: Answer[S] | None) -> None:
    """Raise `FalseClaim` if a solution costs more than the objective that was claimed for it, and may be off as a double may."""
    cost = built.problem.cost(solution)
    if cost * built.problem.cost_scale > objective + Fraction(tolerance(float(objective))):
        raise FalseClaim(backend, f"claimed an objective of {objective}, and the solution costs {cost}", best)
