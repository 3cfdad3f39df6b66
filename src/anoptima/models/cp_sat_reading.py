"""Reading a CP-SAT program as it is now, and checking values against it.

A clause or a row, each perhaps under literals that enforce it, is a sum of columns between two limits: those are checked here, all at
once. What else CP-SAT knows (tables, circuits, products ...) is left to the problem's own checker.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time

_CLAUSES = {"bool_or": (1, None), "bool_and": (None, None), "exactly_one": (1, 1), "at_most_one": (None, 1)}
"""How many literals of each kind must be true: at least and at most; of `bool_and` all of them."""


@dataclass(frozen=True, eq=False)
class ConstraintReading:
    """A copy of a program, which later changes do not reach."""

    program: Any

    @property
    def maximised(self) -> bool:
        """Whether the program maximises: CP-SAT then keeps the negative of the objective, and a factor of -1."""
        proto = self.program.proto
        return is_of_kind(proto, "objective") and proto.objective.scaling_factor == -1

    def minimised(self) -> ConstraintReading:
        """Return the same where the negative of a maximised objective is minimised."""
        program = self.program.clone()
        program.proto.objective.scaling_factor = 1
        return ConstraintReading(program)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.program.proto.variables)

    @cached_property
    def names(self) -> list[str]:
        """The names of the columns, in order."""
        return [variable.name for variable in self.program.proto.variables]

    @cached_property
    def domains(self) -> list[list[int]]:
        """The ends of the ranges that each column may lie in."""
        return [list(variable.domain) for variable in self.program.proto.variables]

    def why_not(self, values: NDArray[np.float64]) -> str | None:
        """Say which column or row `values` break; None if none that is looked at."""
        whole = np.rint(values).astype(np.int64)
        for j, (value, domain) in enumerate(zip(whole.tolist(), self.domains, strict=True)):
            if not any(low <= value <= high for low, high in zip(domain[::2], domain[1::2], strict=True)):
                return f"{self.names[j] or f'column {j}'} is {value}, outside its domain"
        return self._rows.why_not(whole)

    def objective_at(self, values: NDArray[np.float64]) -> Fraction:
        """Return the objective at whole values."""
        objective = self.program.proto.objective
        terms = zip(objective.coeffs, objective.vars, strict=True)
        return sum((Fraction(c) * round(values[j]) for c, j in terms), Fraction(objective.offset))

    @cached_property
    def _rows(self) -> _Rows:
        return _Rows(self.program.proto)


class _Rows:
    """Clauses and linear constraints as sums of coefficients times columns, with limits, and with what enforces each."""

    def __init__(self, proto: Any) -> None:
        self._row: list[int] = []
        self._column: list[int] = []
        self._coefficient: list[int] = []
        self._enforced_row: list[int] = []
        self._enforced_by: list[int] = []
        self._least: list[int] = []
        self._most: list[int] = []
        self._place: list[int] = []
        for place, constraint in enumerate(proto.constraints):
            if place % 1024 == 0:
                check_time()
            self._write(place, constraint)

    def _write(self, place: int, constraint: Any) -> None:
        row = len(self._least)
        if is_of_kind(constraint, "linear"):
            linear = constraint.linear
            columns, coefficients = list(linear.vars), list(linear.coeffs)
            least, most = linear.domain[0], linear.domain[len(linear.domain) - 1]
        else:
            kind = next((kind for kind in _CLAUSES if is_of_kind(constraint, kind)), None)
            if kind is None:
                return
            literals = list(getattr(constraint, kind).literals)
            columns = [literal if literal >= 0 else -literal - 1 for literal in literals]
            coefficients = [1 if literal >= 0 else -1 for literal in literals]
            negated = sum(literal < 0 for literal in literals)
            low, high = (len(literals), None) if kind == "bool_and" else _CLAUSES[kind]
            least = -len(literals) if low is None else low - negated
            most = len(literals) if high is None else high - negated
        self._row += [row] * len(columns)
        self._column += columns
        self._coefficient += coefficients
        literals = list(constraint.enforcement_literal)
        self._enforced_row += [row] * len(literals)
        self._enforced_by += literals
        self._least.append(least)
        self._most.append(most)
        self._place.append(place)

    def why_not(self, values: NDArray[np.int64]) -> str | None:
        sums = np.zeros(len(self._least), dtype=np.int64)
        np.add.at(sums, self._row, np.array(self._coefficient, dtype=np.int64) * values[self._column])
        literal = np.array(self._enforced_by, dtype=np.int64)
        column = np.where(literal >= 0, literal, -literal - 1)
        is_true = values[column] == (literal >= 0)
        enforced = np.ones(len(self._least), dtype=bool)
        enforced[np.array(self._enforced_row, dtype=np.int64)[~is_true]] = False
        broken = enforced & ((sums < np.array(self._least)) | (sums > np.array(self._most)))
        return f"constraint {self._place[int(np.argmax(broken))]} is violated" if broken.any() else None


def read_constraints(program: Any) -> ConstraintReading:
    """Return a copy of the program as it is now. O(its size)."""
    return ConstraintReading(program.clone())


def is_of_kind(message: Any, kind: str) -> bool:
    """Return whether a constraint is a `linear` one, a `bool_or` ..., or whether a program has an `objective`."""
    if hasattr(message, "HasField"):  # before OR-Tools 9.15, a message of Python's protobuf
        return bool(message.HasField(kind))
    return bool(getattr(message, f"has_{kind}")())
