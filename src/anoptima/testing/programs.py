"""Small programs for backends, as built models that need no problem behind them, in any language that a backend takes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo, weighted_sum

Row = tuple[Sequence[float], float | None, float | None]
"""Coefficients, lower side, upper side."""


@dataclass(frozen=True)
class Statement:
    """A linear program, said apart from any language: what enumeration and checks go by."""

    costs: Sequence[float]
    rows: Sequence[Row]
    lower: Sequence[float | None]
    upper: Sequence[float | None]
    constant: float = 0

    def why_not(self, values: Values, tolerance: float = 0) -> str | None:
        """Say what `values` violate; None if they are a solution.

        With a `tolerance`, values that are as near to whole numbers stand for these, and the rows are held against them. For whole data,
        exactly.
        """
        if len(values) != len(self.costs):
            return f"{len(values)} values for {len(self.costs)} columns"
        whole = np.rint(values) if tolerance else values
        for j, value in enumerate(values.tolist()):
            if not (abs(value - whole[j]) <= tolerance):
                return f"column {j} is {value}, which is not whole"
        for j, (low, value, high) in enumerate(zip(self.lower, whole.tolist(), self.upper, strict=True)):
            if not (low is None or low <= value) or not (high is None or value <= high):
                return f"column {j} is {value:g}"
        for i, (coefficients, low, high) in enumerate(self.rows):
            total = float(np.dot(coefficients, whole)) if len(whole) else 0.0
            if not (low is None or low <= total) or not (high is None or total <= high):
                return f"row {i} is {total:g}"
        return None

    def objective(self, values: Values) -> float:
        """Return the objective at `values`."""
        return float(np.dot(self.costs, values)) + self.constant if len(values) else float(self.constant)


class Program(BuiltModel[Values]):
    """A built model whose solutions are its values."""

    def __init__(self, program: Any, language: Language, statement: Statement | None = None) -> None:
        self.language = language
        self.statement = statement
        super().__init__(None, program, ModelSize(0, 0, 0, 0))  # type: ignore[arg-type]

    def encode(self, solution: Values) -> Values:
        """Return the values."""
        return solution

    def decode(self, values: Values) -> Values:
        """Return the values."""
        return values


def linear(
    costs: Sequence[float],
    rows: Sequence[Row],
    upper: float | Sequence[float | None] | None = 1,
    constant: float = 0,
    domain: Any = None,
    lower: float | Sequence[float | None] | None = 0,
    language: Language = Language.PYOMO,
) -> Program:
    """Minimise `costs` x + `constant` subject to low <= a x <= high for (a, low, high) in `rows`, every x between `lower` and `upper`.

    Every x is in `domain`, one of Pyomo's; by default, it is an integer.
    """
    lowers, uppers = _each(lower, len(costs)), _each(upper, len(costs))
    statement = Statement(costs, rows, lowers, uppers, constant)
    if language is Language.CP_SAT:
        return Program(_cp_sat(statement), language, statement)
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(len(costs)), bounds=lambda _, j: (lowers[j], uppers[j]), domain=domain or pyo.Integers)
    model.rows = pyo.ConstraintList()
    for coefficients, low, high in rows:
        body = weighted_sum(coefficients, model.x.values())
        model.rows.add((low, body, high))
    model.cost = pyo.Objective(expr=pyo.quicksum(c * model.x[j] for j, c in enumerate(costs)) + constant)
    return Program(model, language, statement)


def _each(bound: float | Sequence[float | None] | None, columns: int) -> Sequence[float | None]:
    return bound if isinstance(bound, Sequence) else [bound] * columns


def _cp_sat(statement: Statement) -> Any:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    x = [
        model.new_int_var(int(low or 0), int(high or 0), "")
        for low, high in zip(statement.lower, statement.upper, strict=True)
    ]
    for coefficients, low, high in statement.rows:
        body = cp_model.LinearExpr.weighted_sum(x, [int(a) for a in coefficients])
        least, most = cp_model.INT_MIN if low is None else int(low), cp_model.INT_MAX if high is None else int(high)
        model.add_linear_constraint(body, least, most)
    model.minimize(cp_model.LinearExpr.weighted_sum(x, [int(c) for c in statement.costs]) + int(statement.constant))
    return model


def knapsack(constant: float = 0, language: Language = Language.PYOMO) -> Program:
    """Optimum 8 + constant, at (1, 0, 1, 0)."""
    return linear([5, 4, 3, 7], [([3, 2, 2, 4], 5, None)], constant=constant, language=language)


def infeasible(language: Language = Language.PYOMO) -> Program:
    """Twice a sum of two is never one."""
    return linear([1, 1], [([2, 2], 1, 1)], language=language)


def unbounded() -> Program:
    """As little as you please."""
    return linear([-1, 0], [([1, -1], 0, 0)], upper=None)


def _split(rows: int, columns: int, seed: int) -> tuple[list[list[int]], list[int]]:
    weights = np.random.default_rng(seed).integers(10, 100, (rows, columns))
    return weights.tolist(), (weights.sum(axis=1) // 2).tolist()


def market_split(
    rows: int = 5, columns: int = 40, seed: int = 1, language: Language = Language.PYOMO, constant: int = 0
) -> Program:
    """Split `columns` customers into halves of equal weight by every one of `rows` measures, as nearly as may be.

    Far beyond reach at this size: bounds stay at 0 for hours, and solutions keep getting better for seconds. The all-zero split
    with its surplus is a solution: `market_start`.
    """
    weights, half = _split(rows, columns, seed)
    surplus = [[0] * (2 * i) + [1, -1] + [0] * (2 * (rows - i - 1)) for i in range(rows)]
    return linear(
        [0] * columns + [1] * (2 * rows),
        [(weights[i] + surplus[i], half[i], half[i]) for i in range(rows)],
        upper=[1] * columns + [100 * columns] * (2 * rows),
        constant=constant,
        language=language,
    )


def market_start(rows: int = 5, columns: int = 40, seed: int = 1) -> Values:
    """A poor solution of `market_split`."""
    _, half = _split(rows, columns, seed)
    return np.array([0.0] * columns + [float(x) for h in half for x in (h, 0)])


def market_optimum(rows: int, columns: int, seed: int = 1) -> int:
    """Return the optimum of a small `market_split` by trying every split. O(rows 2^columns)."""
    weights, half = _split(rows, columns, seed)
    sums = np.zeros((1, rows), dtype=np.int64)
    for customer in np.array(weights).T:
        sums = np.concatenate([sums, sums + customer])
    return int(np.abs(sums - np.array(half)).sum(axis=1).min())


def all_different(size: int = 4) -> Program:
    """Minimise the sum of `size` different numbers from 0 on: optimum size (size - 1) / 2. In CP-SAT."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    x = [model.new_int_var(0, 2 * size, "") for _ in range(size)]
    model.add_all_different(x)
    model.minimize(sum(x))
    return Program(model, Language.CP_SAT)


def random_integer_program(seed: int, language: Language = Language.PYOMO) -> Program:
    """Return a program with up to five columns and four rows, feasible or not."""
    source = np.random.default_rng(seed)
    columns = int(source.integers(1, 6))
    lower = int(source.integers(-2, 2))
    rows: list[Row] = []
    for _ in range(int(source.integers(0, 5))):
        low, high = sorted(source.integers(-8, 9, 2).tolist())
        kind = int(source.integers(3))
        coefficients = source.integers(-4, 5, columns).tolist()
        rows.append((coefficients, None if kind == 0 else low, None if kind == 1 else high))
    return linear(
        source.integers(-4, 5, columns).tolist(),
        rows,
        upper=lower + int(source.integers(0, 3)),
        lower=lower,
        constant=int(source.integers(-4, 5)),
        language=language,
    )


def solutions(program: Program) -> Iterator[tuple[float, Values]]:
    """Yield every solution of a bounded integer program with its objective, by enumeration that shares nothing with a solver."""
    statement = program.statement
    if statement is None:
        raise ValueError("a program without a statement cannot be enumerated")
    ranges = [
        range(int(low or 0), int(high or 0) + 1) for low, high in zip(statement.lower, statement.upper, strict=True)
    ]
    for point in itertools.product(*ranges):
        x = np.array(point, dtype=float)
        if statement.why_not(x) is None:
            yield statement.objective(x), x
