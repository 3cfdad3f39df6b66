"""Reading a CP-SAT program as it is now, and checking values against it.

A clause or a row, each perhaps under literals that enforce it, is a sum of columns between two limits: those are checked here, all at
once. What else CP-SAT knows (tables, circuits, products ...) is left to the problem's own checker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import methodcaller
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time

_ROWS = ("bool_or", "linear", "bool_and", "exactly_one", "at_most_one")
"""The kinds of constraints that are sums, the most frequent first."""
_IMPOSSIBLE = (1, 0)


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
        return [listed(variable.domain) for variable in self.program.proto.variables]

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
        whole = np.rint(values).astype(np.int64).tolist()
        terms = zip(listed(objective.coeffs), listed(objective.vars), strict=True)
        total: int = sum(c * whole[j] for c, j in terms)
        return Fraction(objective.offset) + total

    @cached_property
    def _rows(self) -> _Rows:
        return _Rows(self.program.proto)


class _Rows:
    """Clauses and linear constraints as sums of coefficients times columns, with limits, and with what enforces each."""

    def __init__(self, proto: Any) -> None:
        place: list[int] = []
        limits: list[tuple[int, int]] = []
        lengths: list[int] = []
        clauses: list[bool] = []
        terms: list[int] = []
        coefficients: list[int] = []
        enforced: list[int] = []
        self._by: list[int] = []
        tests = [(kind, _test(proto, kind)) for kind in _ROWS]
        for number, constraint in enumerate(proto.constraints):
            if number % 1024 == 0:
                check_time()
            kind = _first(tests, constraint)
            if kind is None:
                continue
            said = getattr(constraint, kind)
            found = said.vars if kind == "linear" else said.literals
            members = [found[i] for i in range(len(found))]
            limits.append(_limits(kind, said, len(members)))
            if kind == "linear":
                coefficients += listed(said.coeffs)
            terms += members
            if len(constraint.enforcement_literal):
                enforcing = listed(constraint.enforcement_literal)
                enforced += [len(place)] * len(enforcing)
                self._by += enforcing
            place.append(number)
            lengths.append(len(members))
            clauses.append(kind != "linear")
        self._place, self._row = place, np.repeat(np.arange(len(place)), lengths)
        # A literal that is negated is 1 - x: a coefficient of -1, and limits that are one less.
        literal = np.array(terms, dtype=np.int64)
        in_clause = np.repeat(np.array(clauses, dtype=bool), lengths)
        negated = in_clause & (literal < 0)
        self._column = np.where(negated, -literal - 1, literal)
        self._coefficient = np.where(negated, -1, 1)
        self._coefficient[~in_clause] = coefficients
        less = np.bincount(self._row[negated], minlength=len(place))
        self._least, self._most = np.array(limits, dtype=np.int64).reshape(-1, 2).T - less
        self._enforced = np.array(enforced, dtype=np.int64)

    def why_not(self, values: NDArray[np.int64]) -> str | None:
        sums = np.zeros(len(self._place), dtype=np.int64)
        np.add.at(sums, self._row, self._coefficient * values[self._column])
        literal = np.array(self._by, dtype=np.int64)
        column = np.where(literal >= 0, literal, -literal - 1)
        is_true = values[column] == (literal >= 0)
        enforced = np.ones(len(self._place), dtype=bool)
        enforced[self._enforced[~is_true]] = False
        broken = enforced & ((sums < self._least) | (sums > self._most))
        return f"constraint {self._place[int(np.argmax(broken))]} is violated" if broken.any() else None


def _limits(kind: str, said: Any, literals: int) -> tuple[int, int]:
    """Return the limits of a linear constraint's sum, or of how many literals are true."""
    if kind == "linear":
        return (said.domain[0], said.domain[len(said.domain) - 1]) if len(said.domain) else _IMPOSSIBLE
    if kind == "bool_or":
        return 1, literals
    return {"bool_and": (literals, literals), "exactly_one": (1, 1), "at_most_one": (0, 1)}[kind]


def read_constraints(program: Any) -> ConstraintReading:
    """Return a copy of the program as it is now. O(its size)."""
    return ConstraintReading(program.clone())


def listed(repeated: Any) -> list[int]:
    """Return the numbers of a repeated field; to Python, its end is an exception, which takes longer than all of the numbers.

    >>> from ortools.sat.python import cp_model
    >>> listed(cp_model.CpModel().new_int_var(2, 5, "x").proto.domain)
    [2, 5]
    """
    return [repeated[i] for i in range(len(repeated))]


def is_of_kind(message: Any, kind: str) -> bool:
    """Return whether a constraint is a `linear` one, a `bool_or` ..., or whether a program has an `objective`."""
    return _test(message, kind)(message)


def _first(tests: list[tuple[str, Callable[[Any], bool]]], message: Any) -> str | None:
    """Return the first kind that a message is of; None if it is of none."""
    for kind, is_of in tests:
        if is_of(message):
            return kind
    return None


def _test(example: Any, kind: str) -> Callable[[Any], bool]:
    """Return what tells whether a message is of a kind, for messages such as `example`: made once, it is asked many times."""
    if hasattr(example, f"has_{kind}") or hasattr(example, "has_objective"):
        return methodcaller(f"has_{kind}")
    return methodcaller("HasField", kind)  # before OR-Tools 9.15, a message of Python's protobuf
