"""The linear relaxation of a program: its bound, proved by exact arithmetic from what a solver found, and its values, prices and costs.

For any prices y of the rows, with reduced costs d = c - A'y,

    sum_i (y_i L_i where y_i > 0, y_i U_i where y_i < 0)  +  sum_j (d_j l_j where d_j > 0, d_j u_j where d_j < 0)  +  c0

is at most the objective of every solution, whole or not, since L <= A x <= U limits y'Ax and l <= x <= u limits d'x. A solver's prices are
floats; they are rounded to fractions with several denominators, the sum is taken exactly, and the best one is the bound.
"""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import checked
from anoptima.deadline import check_time
from anoptima.errors import SolverFailure
from anoptima.exact import Exact, exact_text, simplest
from anoptima.html import cells, grid, lines, text
from anoptima.machine import is_installed
from anoptima.models.matrix import MatrixForm
from anoptima.packages import pd
from anoptima.registry import Registry

DENOMINATORS = (1, 12, 2520, 360360, 2**30)
"""What prices are rounded to multiples of: vertices of small programs have prices with small denominators."""

_ENDLESS = 1e280
"""A price from here on, as one that is no number, counts as 0."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """A solver's solution of a linear program, in its own floats."""

    value: float
    values: NDArray[np.float64]
    prices: NDArray[np.float64]


class LinearSolver(ABC):
    """Solves linear programs, and returns the prices of their rows.

    Attributes
    ----------
    gives_vertices
        Whether its optimum is a vertex, and its prices with it: then their rounding proves the optimum, not a little less.
    requires
        The packages that `optimum` imports, each with the distribution that it is installed from.
    """

    name: str
    gives_vertices: bool = True
    requires: ClassVar[Mapping[str, str]] = {}

    def why_not_here(self) -> str | None:
        """Say what must be installed; None if it can be used here."""
        missing = [self.requires[package] for package in self.requires if not is_installed(package)]
        return f"{', '.join(missing)} is not installed (pip install {' '.join(missing)})" if missing else None

    def versions(self) -> dict[str, str]:
        """Return the versions of the distributions that do the solving."""
        return {name: version(name) for name in self.requires.values()}

    @abstractmethod
    def optimum(self, form: MatrixForm, seconds: float | None) -> Optimum | None:
        """Return an optimum of `form` without its integrality, None if nothing satisfies its rows.

        Raises `NotApplicable` if the objective has no least value, and `OutOfTime` after `seconds`.
        """


@checked
def optimum_of(solver: LinearSolver, form: MatrixForm, seconds: float | None) -> Optimum | None:
    """Return a solver's optimum of `form`, None if nothing satisfies its rows; `SolverFailure` names the solver if it is neither.

    The solver has arrays of its own: some scale programs where they lie, and what is proved must be about the program as it was.
    """
    found: object = solver.optimum(copy.deepcopy(form), seconds)
    if found is None:
        return None
    if not isinstance(found, Optimum):
        raise SolverFailure(solver.name, f"its optimum is {found!r:.100}; it must be an Optimum, or None")
    try:
        value, values, prices = float(found.value), np.asarray(found.values, float), np.asarray(found.prices, float)
    except (TypeError, ValueError) as error:
        raise SolverFailure(solver.name, f"its optimum does not consist of numbers ({error})") from error
    if math.isnan(value) or values.shape != (form.columns,) or prices.shape != (form.rows,):
        what = f"its optimum is {value} at {values.size} values and {prices.size} prices"
        raise SolverFailure(solver.name, f"{what}, for {form.columns} columns and {form.rows} rows")
    return Optimum(value, values, prices)


linear_solvers: Registry[LinearSolver] = Registry(
    "solver of linear programs", LinearSolver, "anoptima.linear_solvers", "anoptima.solvers.linear_programs"
)
"""All of them by name."""


@dataclass(frozen=True, eq=False)
class Relaxation:
    """The linear relaxation of a program as it is.

    Attributes
    ----------
    solver
        What solved it.
    value
        The optimum as the solver's float; None if nothing satisfies the rows, says the solver.
    bound
        Proved: no solution of the program is below it, or above it where the objective is maximised. None where no exact bound came out
        of the solver's prices.
    cost_bound
        What that proves for the problem: no solution costs less. None if the program was changed since it was built.
    columns
        A row for each column of the program: meaning, value, reduced cost, bounds, and whether it must be whole in the program.
    rows
        A row for each row of the program: meaning, activity, limits, and price (the dual value).
    maximised
        Whether the program maximises its objective. Reduced costs and prices say in either case by how much the objective would rise.
    """

    solver: str
    value: float | None
    bound: Fraction | None
    cost_bound: Exact | None
    columns: pd.DataFrame
    rows: pd.DataFrame
    maximised: bool = False

    def _words(self) -> list[str]:
        if self.value is None:
            return [f"nothing satisfies the rows of the relaxation, claims {self.solver}"]
        proved = "no bound was proved" if self.bound is None else f"{exact_text(simplest(self.bound))} proved"
        sense = ", maximised" if self.maximised else ""
        said = [f"relaxation {self.value:.10g} ({self.solver}{sense}), {proved}"]
        if self.cost_bound is None:
            said.append("the program was changed: the bound is none for the problem")
        else:
            said.append(f"no solution of the problem costs less than {exact_text(self.cost_bound)}")
        return said

    def __str__(self) -> str:
        return "; ".join(self._words())

    def __repr__(self) -> str:
        return f"<Relaxation: {self}>"

    def _repr_html_(self) -> str:
        head, *further = self._words()
        used = self.columns[self.columns["value"] != 0].reset_index()
        return lines(text(head), *map(text, further)) + grid([text(name) for name in used.columns], *cells(used))


def proved_bound(form: MatrixForm, prices: NDArray[np.float64]) -> Fraction | None:
    """Return the best bound that a solver's prices prove; None where none of their roundings proves any.

    >>> rows = dict(row_start=np.array([0, 2]), column=np.array([0, 1]), coefficient=np.array([1.0, 2.0]))
    >>> kinds = dict(integer=np.zeros(2, dtype=bool), implied=np.zeros(2, dtype=bool))
    >>> most = np.array([9.0, 9.0])
    >>> form = MatrixForm(np.ones(2), 0.0, np.zeros(2), most, **kinds, **rows, row_lower=np.array([3.0]), row_upper=np.array([np.inf]))
    >>> proved_bound(form, np.array([0.4999999]))
    Fraction(3, 2)
    """
    exact = _Exact(form)
    found = [exact.bound(prices, denominator) for denominator in DENOMINATORS]
    return max((bound for bound in found if bound is not None), default=None)


class _Exact:
    """A linear program in whole numbers and fractions."""

    def __init__(self, form: MatrixForm) -> None:
        self.objective = _numbers(form.objective)
        self.constant = Fraction(form.constant)
        self.lower, self.upper = _numbers(form.lower), _numbers(form.upper)
        self.row_lower, self.row_upper = _numbers(form.row_lower), _numbers(form.row_upper)
        self.column = form.column
        self.row = np.repeat(np.arange(form.rows), np.diff(form.row_start))
        self.coefficient = _numbers(form.coefficient)

    def bound(self, prices: NDArray[np.float64], denominator: int) -> Fraction | None:
        """Return what `prices`, rounded to multiples of 1 / `denominator`, prove; None if that is nothing."""
        check_time()
        whole = [round(price * denominator) for price in np.where(np.abs(prices) < _ENDLESS, prices, 0.0).tolist()]
        ends = [low if y > 0 else high for y, low, high in zip(whole, self.row_lower, self.row_upper, strict=True)]
        y = np.array([0 if isinstance(end, float) else y for y, end in zip(whole, ends, strict=True)], dtype=object)
        total: Any = sum(y_i * end for y_i, end in zip(y, ends, strict=True) if y_i)
        reduced = self.objective * denominator
        if len(y):
            np.subtract.at(reduced, self.column, self.coefficient * y[self.row])
        for d, low, high in zip(reduced, self.lower, self.upper, strict=True):
            end = low if d > 0 else high
            if d and isinstance(end, float):
                return None
            total += d * end if d else 0
        return Fraction(total) / denominator + self.constant


def _numbers(values: NDArray[np.float64]) -> NDArray[np.object_]:
    """Return floats as the numbers that they are; what is infinite stays a float."""
    exact = [v if math.isinf(v) else int(v) if v.is_integer() else Fraction(v) for v in values.tolist()]
    found = np.empty(len(exact), dtype=object)
    found[:] = exact
    return found
