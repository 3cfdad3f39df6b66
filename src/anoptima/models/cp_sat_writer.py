"""Writing conditions in CP-SAT: every variable is whole there, and so is every coefficient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anoptima.models.languages import cp_model


class CpSatWriter:
    """A `Writer` for a `CpModel`. `family` names variables and rows, so an exported proto speaks the model's vocabulary."""

    def __init__(self, program: cp_model.CpModel) -> None:
        self.program = program
        self._count = 0

    def flag(self, family: str) -> Any:
        """Make a Boolean variable."""
        return self.program.new_bool_var(self._name(family))

    def amount(self, family: str, most: int) -> Any:
        """Make an integer variable."""
        return self.program.new_int_var(0, most, self._name(family))

    def row(
        self, family: str, coefficients: Sequence[int], variables: Sequence[Any], least: int | None, most: int | None
    ) -> None:
        """Add a linear constraint."""
        body = cp_model.LinearExpr.weighted_sum(list(variables), [int(c) for c in coefficients])
        lower = cp_model.INT_MIN if least is None else least
        upper = cp_model.INT_MAX if most is None else most
        self.program.add_linear_constraint(body, lower, upper).with_name(family)

    def _name(self, family: str) -> str:
        self._count += 1
        return f"{family}[{self._count - 1}]"
