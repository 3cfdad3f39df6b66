"""A Pyomo program as arrays: what travels to a backend that takes a matrix.

    minimise c x + c0   subject to   row_lower <= A x <= row_upper,   lower <= x <= upper,   x_j whole for j in `integer`

`A` is held row by row (CSR) in plain numpy arrays. A column marked `implied` is continuous in the program, and known to take a whole
value in some optimal solution for every choice of the integer columns; a backend that has only integers may treat it as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import NotApplicable
from anoptima.models.languages import expressions, pyo, repn

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


def matrix_form(program: Any) -> MatrixForm:
    """Return the arrays of a linear Pyomo program: active objective (minimised), constraints and all its variables, in order.

    O(coefficients). Raises `NotApplicable` when an expression is not linear or the objective is maximised.

    >>> m = pyo.ConcreteModel()
    >>> m.x = pyo.Var(bounds=(0, 4), domain=pyo.Integers)
    >>> m.c = pyo.Constraint(expr=2 * m.x >= 3)
    >>> m.o = pyo.Objective(expr=m.x + 5)
    >>> form = matrix_form(m)
    >>> form.objective.tolist(), form.constant, form.row_lower.tolist(), form.integer.tolist()
    ([1.0], 5.0, [3.0], [True])
    """
    variables = list(program.component_data_objects(pyo.Var, descend_into=True, sort=False))
    position = {id(variable): j for j, variable in enumerate(variables)}
    implied = _implied(program, variables)

    objectives = list(program.component_data_objects(pyo.Objective, active=True))
    if len(objectives) != 1 or objectives[0].sense != pyo.minimize:
        raise NotApplicable("a model must have one objective, minimised")
    objective = np.zeros(len(variables))
    constant, coefficients, members = _linear(objectives[0].expr, objectives[0])
    for factor, variable in zip(coefficients, members, strict=True):
        objective[position[id(variable)]] += factor

    starts: list[int] = [0]
    columns: list[int] = []
    values: list[float] = []
    lower: list[float] = []
    upper: list[float] = []
    for constraint in program.component_data_objects(pyo.Constraint, active=True, sort=False):
        offset, coefficients, members = _linear(constraint.body, constraint)
        values.extend(coefficients)
        columns.extend([position[id(variable)] for variable in members])
        starts.append(len(columns))
        least, most = pyo.value(constraint.lower), pyo.value(constraint.upper)
        lower.append(-np.inf if least is None else least - offset)
        upper.append(np.inf if most is None else most - offset)

    row_start, column, merged = _merged(
        np.array(starts), np.array(columns, dtype=np.int64), np.array(values, dtype=float)
    )
    return MatrixForm(
        objective=objective,
        constant=float(constant),
        lower=np.array([-np.inf if v.lb is None else v.lb for v in variables], dtype=float),
        upper=np.array([np.inf if v.ub is None else v.ub for v in variables], dtype=float),
        integer=np.array([not v.is_continuous() for v in variables], dtype=bool),
        implied=implied,
        row_start=row_start,
        column=column,
        coefficient=merged,
        row_lower=np.array(lower, dtype=float),
        row_upper=np.array(upper, dtype=float),
    )


def _merged(
    starts: NDArray[np.int64], columns: NDArray[np.int64], values: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Add up what a row says of one column in several places: solvers refuse a column twice."""
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    width = int(columns.max(initial=0)) + 1
    key, place = np.unique(rows * width + columns, return_inverse=True)
    merged = np.zeros(len(key))
    np.add.at(merged, place.reshape(-1), values)
    row_start = np.searchsorted(key // width, np.arange(len(starts)))
    return row_start.astype(np.int32), (key % width).astype(np.int32), merged


def _linear(expression: Any, component: Any) -> tuple[float, Iterable[float], Iterable[Any]]:
    if isinstance(expression, expressions.LinearExpression) and not _repeats(expression.linear_vars):
        return expression.constant, expression.linear_coefs, expression.linear_vars
    form = repn.generate_standard_repn(expression, compute_values=True)
    if not form.is_linear():
        raise NotApplicable(f"{component.name} is not linear; this backend takes linear programs only")
    return form.constant, form.linear_coefs, form.linear_vars


def _repeats(variables: list[Any]) -> bool:
    """Tell whether a variable occurs twice: as a matrix row, that is refused by some backends, and merged by Pyomo's own walk."""
    return len({id(variable) for variable in variables}) < len(variables)


def _implied(program: Any, variables: list[Any]) -> NDArray[np.bool_]:
    suffix = program.component(IMPLIED)
    marked = {id(component) for component in suffix} if suffix is not None else set()
    return np.array([id(v) in marked or id(v.parent_component()) in marked for v in variables], dtype=bool)
