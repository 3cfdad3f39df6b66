"""Reading a Pyomo program as it is now: every active part enters the arrays, or is refused by name.

Pyomo itself rewrites disjunctions, logical constraints and complementarities with big-M, on a copy: the program stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import NotApplicable
from anoptima.models.languages import expressions, pyo, repn
from anoptima.models.matrix import IMPLIED, MatrixForm, merged_rows

_SAID = {"Block", "Constraint", "Objective", "Var"}
"""The sorts of components that the arrays hold."""
_SILENT = {
    "BooleanVar",
    "BuildAction",
    "BuildCheck",
    "Expression",
    "ExternalFunction",
    "Param",
    "RangeSet",
    "Set",
    "SetOf",
    "Suffix",
}
"""The sorts that ask for nothing by themselves."""
_REWRITTEN = {
    "Complementarity": "mpec.simple_disjunction",
    "Disjunct": "gdp.bigm",
    "Disjunction": "gdp.bigm",
    "LogicalConstraint": "gdp.bigm",
}
"""The sorts that Pyomo turns into rows and binary columns, and by which transformation, in the order in which they run."""
WHOLE = 2.0**53
"""Up to here every whole number is a double."""
_NO_VALUE = (ArithmeticError, TypeError, ValueError)
"""What Pyomo raises about a part that it cannot evaluate: a parameter without a value, a division by zero, a bound that varies."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A program as arrays, and the Pyomo objects that its columns and rows are.

    `variables` are the program's own, also where a copy was rewritten; those that the rewriting added, and the rows, are the copy's, which
    `program` is then. Where the objective is `maximised`, the arrays hold its negative. `components` hold the columns and rows: parts of a
    program that are deleted later would have no names without them.
    """

    program: Any
    form: MatrixForm
    variables: list[Any]
    constraints: list[Any]
    components: list[Any]
    maximised: bool = False

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.form.columns

    @cached_property
    def names(self) -> list[str]:
        """The names of the columns, in order."""
        return _names(self.variables)

    @cached_property
    def row_names(self) -> list[str]:
        """The names of the rows, in order."""
        return _names(self.constraints)


def _names(parts: list[Any]) -> list[str]:
    """Return names; a number for a part that was deleted from its component."""
    return [f"no. {i}" if part.parent_component() is None else part.name for i, part in enumerate(parts)]


def read_program(program: Any, *, either_sense: bool = False) -> Reading:
    """Return the active objective and constraints over all variables of a linear Pyomo program. O(coefficients).

    A fixed variable is a column between bounds that are its value. Raises `NotApplicable`, naming the part, for whatever is not linear,
    not minimised unless `either_sense` is asked for, or of a sort that the arrays have no place for.

    >>> m = pyo.ConcreteModel()
    >>> m.x = pyo.Var([1, 2], domain=pyo.Binary)
    >>> m.cost = pyo.Objective(expr=m.x[1] + m.x[2])
    >>> m.one = pyo.SOSConstraint(var=m.x, sos=1)
    >>> read_program(m)
    Traceback (most recent call last):
    anoptima.errors.NotApplicable: a matrix cannot say the active SOSConstraint one; deactivate it, or write it in rows
    """
    own: Mapping[int, Any] = {}
    wanted = _active_transformations(program)
    if wanted:
        program, own = _rewritten(program, [*wanted])
        for transformation, (sort, name) in _active_transformations(program).items():
            raise NotApplicable(
                f"Pyomo's {transformation} leaves the active {sort} {name} as it is; deactivate it, or write it in rows"
            )
    variables = _variables(program)
    position = {id(variable): j for j, variable in enumerate(variables)}
    objective, constant, maximised = _objective(program, position, either_sense)
    constraints, rows = _rows(program, position)
    lower, upper, integer, fixed = _columns(variables)
    form = MatrixForm(objective, constant, lower, upper, integer, _implied(program, variables) & ~fixed, *rows)
    columns = [own.get(id(variable), variable) for variable in variables]
    components = list(program.component_objects((pyo.Var, pyo.Constraint)))
    return Reading(program, form, columns, constraints, components, maximised)


def _variables(program: Any) -> list[Any]:
    return list(program.component_data_objects(pyo.Var, descend_into=True, sort=False))


def _active_transformations(program: Any) -> dict[str, tuple[str, str]]:
    """Return the transformations that make rows of what is active, in order, with the sort and name of a part; refuse what none does."""
    wanted: dict[str, tuple[str, str]] = {}
    for sort in program.collect_ctypes():
        name = sort.__name__
        if name in _SAID | _SILENT:
            continue
        found = next(iter(program.component_data_objects(sort, active=True)), None)
        if found is None:
            continue
        if name not in _REWRITTEN:
            raise NotApplicable(
                f"a matrix cannot say the active {name} {found.name}; deactivate it, or write it in rows"
            )
        wanted[_REWRITTEN[name]] = name, found.name
        if name == "Complementarity":
            wanted["gdp.bigm"] = name, found.name
    return {name: wanted[name] for name in dict.fromkeys(_REWRITTEN.values()) if name in wanted}


def _rewritten(program: Any, transformations: list[str]) -> tuple[Any, Mapping[int, Any]]:
    """Return a copy without disjunctions, and the program's own variable for each of the copy's, by identity."""
    originals = _variables(program)
    copy = program.clone()
    own = {id(copied): variable for copied, variable in zip(_variables(copy), originals, strict=True)}
    for transformation in transformations:
        try:
            pyo.TransformationFactory(transformation).apply_to(copy)
        except Exception as error:
            reason = " ".join(str(error).split())
            raise NotApplicable(f"Pyomo's {transformation} cannot rewrite the program in rows: {reason}") from error
    return copy, own


def _objective(
    program: Any, position: Mapping[int, int], either_sense: bool
) -> tuple[NDArray[np.float64], float, bool]:
    """Return the coefficients and the constant of what is minimised, and whether that is the negative of the objective."""
    objectives = list(program.component_data_objects(pyo.Objective, active=True))
    if len(objectives) != 1:
        names = ", ".join(objective.name for objective in objectives)
        there = f"{len(objectives)} active objectives: {names}" if objectives else "no active objective"
        raise NotApplicable(f"a model must have one objective, minimised, and the program has {there}")
    maximised = objectives[0].sense != pyo.minimize
    if maximised and not either_sense:
        raise NotApplicable(
            f"a model must have one objective, minimised, and {objectives[0].name} is maximised; "
            "minimise its negative, or call solve_model"
        )
    try:
        constant, coefficients, columns = _linear(objectives[0].expr, objectives[0], position)
    except _NO_VALUE as error:
        raise _refusal(objectives[0], error) from error
    objective = np.zeros(len(position))
    np.add.at(objective, columns, coefficients)
    if not (math.isfinite(constant) and np.isfinite(objective).all()):
        raise NotApplicable(f"{objectives[0].name} has a coefficient that is not a finite number")
    return (-objective, -constant, True) if maximised else (objective, constant, False)


def _rows(program: Any, position: Mapping[int, int]) -> tuple[list[Any], Any]:
    """Return the active constraints, and the last five arrays of a matrix form."""
    constraints, starts, lower, upper = [], [0], [], []
    columns: list[int] = []
    values: list[float] = []
    for constraint in program.component_data_objects(pyo.Constraint, active=True, sort=False):
        try:
            offset, coefficients, members = _linear(constraint.body, constraint, position)
            least, most = pyo.value(constraint.lower), pyo.value(constraint.upper)
        except _NO_VALUE as error:
            raise _refusal(constraint, error) from error
        values.extend(coefficients)
        columns.extend(members)
        constraints.append(constraint)
        starts.append(len(columns))
        lower.append(-math.inf if least is None else least - offset)
        upper.append(math.inf if most is None else most - offset)
    row_start, column, coefficient = merged_rows(
        np.array(starts), np.array(columns, dtype=np.int64), np.array(values, dtype=float)
    )
    row_lower, row_upper = np.array(lower, dtype=float), np.array(upper, dtype=float)
    infinite = np.flatnonzero(np.isnan(row_lower) | np.isnan(row_upper))
    entries = np.flatnonzero(~np.isfinite(coefficient))
    if len(infinite) or len(entries):
        row = int(infinite[0]) if len(infinite) else int(np.searchsorted(row_start, entries[0], side="right")) - 1
        raise NotApplicable(f"{constraints[row].name} has a coefficient or a bound that is not a number")
    if (np.abs(coefficient) > WHOLE).any():
        for constraint in constraints:
            refuse_rounded(constraint, constraint.body)
    return constraints, (row_start, column, coefficient, row_lower, row_upper)


def refuse_rounded(component: Any, expression: Any) -> None:
    """Refuse whole coefficients that no double is: a program with others in their place is another program."""
    if not isinstance(expression, expressions.LinearExpression):
        expression = repn.generate_standard_repn(expression, compute_values=True)
    for coefficient in expression.linear_coefs:
        if isinstance(coefficient, Integral) and int(float(coefficient)) != coefficient:
            raise NotApplicable(
                f"{component.name} has the coefficient {coefficient:,}, which no double is; "
                "give numbers with fewer digits, or take an algorithm without a model"
            )


def _refusal(component: Any, error: Exception) -> NotApplicable:
    reason = " ".join(str(error).split()).rstrip(".")
    return NotApplicable(f"{component.name} cannot be evaluated ({reason}); change it, or deactivate it")


def _linear(expression: Any, component: Any, position: Mapping[int, int]) -> tuple[float, list[float], list[int]]:
    """Return constant, coefficients and columns of a linear expression, with its parameters as they are now."""
    found = _as_written(expression)
    if found is None:
        form = repn.generate_standard_repn(expression, compute_values=True)
        if not form.is_linear():
            raise NotApplicable(
                f"{component.name} is not linear, and a matrix cannot say it; deactivate it, or write it in rows"
            )
        found = float(form.constant), [float(c) for c in form.linear_coefs], form.linear_vars
    constant, coefficients, variables = found
    try:
        return constant, coefficients, [position[id(variable)] for variable in variables]
    except KeyError:
        stranger = next(variable for variable in variables if id(variable) not in position)
        raise NotApplicable(
            f"{component.name} has the variable {stranger.name}, which is no part of the program; add it to the program first"
        ) from None


def _as_written(expression: Any) -> tuple[float, list[float], Iterable[Any]] | None:
    """Return the lists of a linear expression, as most rows are written; None where Pyomo has to walk it."""
    if not isinstance(expression, expressions.LinearExpression):
        return None
    constant, coefficients, variables = expression.constant, expression.linear_coefs, expression.linear_vars
    try:
        return float(constant), list(map(float, coefficients)), variables
    except TypeError:  # a parameter that can change
        return None


def _columns(
    variables: list[Any],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return bounds, which columns are whole, and which are fixed."""
    lower, upper = np.full(len(variables), -np.inf), np.full(len(variables), np.inf)
    integer, fixed = np.zeros(len(variables), dtype=bool), np.zeros(len(variables), dtype=bool)
    for j, variable in enumerate(variables):
        if variable.fixed:
            value = _value(variable)
            lower[j] = upper[j] = value
            fixed[j], integer[j] = True, value == round(value)
            continue
        integer[j] = not variable.is_continuous()
        try:
            low, high = variable.bounds
        except _NO_VALUE as error:
            raise _refusal(variable, error) from error
        lower[j] = -np.inf if low is None else low
        upper[j] = np.inf if high is None else high
    for variable in _irregular(variables):
        raise NotApplicable(
            f"{variable.name} is in {variable.domain}, and a matrix knows ranges of whole or of real numbers only"
        )
    return lower, upper, integer, fixed


def _value(variable: Any) -> float:
    value = variable.value
    if value is None or not math.isfinite(value):
        raise NotApplicable(f"{variable.name} is fixed, and its value is {value}; fix it at a number")
    return float(value)


def _irregular(variables: list[Any]) -> Iterator[Any]:
    """Yield the variables whose domain is neither a range of reals nor one of consecutive whole numbers."""
    regular: dict[int, bool] = {}
    for variable in variables:
        domain = variable.domain
        if id(domain) not in regular:
            low, _, step = domain.get_interval()
            regular[id(domain)] = step == 0 or (step == 1 and (low is None or low == round(low)))
        if not (regular[id(domain)] or variable.fixed):
            yield variable


def _implied(program: Any, variables: list[Any]) -> NDArray[np.bool_]:
    suffix = program.component(IMPLIED)
    marked = {id(component) for component in suffix} if suffix is not None else set()
    return np.array([id(v) in marked or id(v.parent_component()) in marked for v in variables], dtype=bool)
