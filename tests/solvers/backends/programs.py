"""Small programs for backends, as built models that need no problem behind them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyomo.environ as pyo
from ortools.sat.python import cp_model
from pyomo.core.expr.numeric_expr import LinearExpression

from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.process import POOL


def make_ready(backend: Backend) -> None:
    """Have a worker of `backend` idle, so that a short limit in a test is spent on what it is about."""
    worker = POOL.take((type(backend).__module__, type(backend).__qualname__))
    while not worker.ready:
        worker.receive(1.0)
    POOL.give_back(worker)


class Program(BuiltModel[Values]):
    """A built model whose solutions are its values."""

    def __init__(self, program: Any, language: Language) -> None:
        self.language = language
        super().__init__(None, program, ModelSize(0, 0, 0, 0))  # type: ignore[arg-type]

    def encode(self, solution: Values) -> Values:
        return solution

    def decode(self, values: Values) -> Values:
        return values


def linear(
    costs: Sequence[float],
    rows: Sequence[tuple[Sequence[float], float | None, float | None]],
    upper: float | None = 1,
    constant: float = 0,
    domain: Any = pyo.Integers,
    lower: float | None = 0,
) -> Program:
    """Minimise `costs` x + `constant` subject to low <= a x <= high for (a, low, high) in `rows`."""
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(len(costs)), bounds=(lower, upper), domain=domain)
    model.rows = pyo.ConstraintList()
    for coefficients, low, high in rows:
        body = LinearExpression(constant=0, linear_coefs=list(coefficients), linear_vars=list(model.x.values()))
        model.rows.add((low, body, high))
    model.cost = pyo.Objective(expr=pyo.quicksum(c * model.x[j] for j, c in enumerate(costs)) + constant)
    return Program(model, Language.PYOMO)


def knapsack(constant: float = 0) -> Program:
    """Optimum 8 + constant, at (1, 0, 1, 0)."""
    return linear([5, 4, 3, 7], [([3, 2, 2, 4], 5, None)], constant=constant)


def infeasible() -> Program:
    return linear([1, 1], [([2, 2], 1, 1)])


def unbounded() -> Program:
    return linear([-1, 0], [([1, -1], 0, 0)], upper=None)


def _split(rows: int, columns: int, seed: int) -> tuple[list[list[int]], list[int]]:
    weights = np.random.default_rng(seed).integers(10, 100, (rows, columns))
    return weights.tolist(), (weights.sum(axis=1) // 2).tolist()


def market_split(rows: int = 5, columns: int = 40, seed: int = 1) -> Program:
    """Split `columns` customers into halves of equal weight by every one of `rows` measures, as nearly as may be.

    Far beyond reach at this size: bounds stay at 0 for hours, and solutions keep getting better for seconds. The all-zero split
    with its surplus is a solution: `market_start`.
    """
    weights, half = _split(rows, columns, seed)
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(columns), domain=pyo.Binary)
    model.s = pyo.Var(range(2 * rows), bounds=(0, 100 * columns), domain=pyo.Integers)
    model.rows = pyo.ConstraintList()
    for i in range(rows):
        body = pyo.quicksum(w * model.x[j] for j, w in enumerate(weights[i])) + model.s[2 * i] - model.s[2 * i + 1]
        model.rows.add(body == half[i])
    model.cost = pyo.Objective(expr=pyo.quicksum(model.s.values()))
    return Program(model, Language.PYOMO)


def market_split_cp(rows: int = 5, columns: int = 40, seed: int = 1) -> Program:
    """The same, in CP-SAT."""
    weights, half = _split(rows, columns, seed)
    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(columns)]
    s = [model.new_int_var(0, 100 * columns, "") for _ in range(2 * rows)]
    for i in range(rows):
        model.add(sum(w * x[j] for j, w in enumerate(weights[i])) + s[2 * i] - s[2 * i + 1] == half[i])
    model.minimize(sum(s))
    return Program(model, Language.CP_SAT)


def market_start(rows: int = 5, columns: int = 40, seed: int = 1) -> Values:
    """A poor solution of `market_split`."""
    _, half = _split(rows, columns, seed)
    return np.array([0.0] * columns + [float(x) for h in half for x in (h, 0)])


def all_different(size: int = 4) -> Program:
    """Minimise the sum of `size` different numbers from 0 on: optimum size (size - 1) / 2. In CP-SAT."""
    model = cp_model.CpModel()
    x = [model.new_int_var(0, 2 * size, "") for _ in range(size)]
    model.add_all_different(x)
    model.minimize(sum(x))
    return Program(model, Language.CP_SAT)


def infeasible_cp() -> Program:
    model = cp_model.CpModel()
    x = [model.new_int_var(0, 1, "") for _ in range(3)]
    model.add_all_different(x)
    model.minimize(sum(x))
    return Program(model, Language.CP_SAT)


def solutions(program: Program) -> Iterator[tuple[float, Values]]:
    """Yield every solution of a bounded integer program with its objective, by enumeration that shares nothing with a solver."""
    form = program.matrix
    ranges = [range(int(low), int(high) + 1) for low, high in zip(form.lower, form.upper, strict=True)]
    for point in itertools.product(*ranges):
        x = np.array(point, dtype=float)
        if all(
            form.row_lower[i]
            <= sum(
                form.coefficient[e] * x[form.column[e]]
                for e in range(int(form.row_start[i]), int(form.row_start[i + 1]))
            )
            <= form.row_upper[i]
            for i in range(form.rows)
        ):
            yield float(form.objective @ x) + form.constant, x
