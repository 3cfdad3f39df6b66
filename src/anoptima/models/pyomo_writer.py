"""Writing conditions in Pyomo: rows gathered by family, then declared at once as indexed constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anoptima.models.languages import pyo, weighted_sum
from anoptima.models.matrix import IMPLIED

Row = tuple[Sequence[int], Sequence[Any], int | None, int | None]


class PyomoWriter:
    """A `Writer` for a `ConcreteModel`. Call `finish` once everything is written.

    Families become component names, so an exported file speaks the model's vocabulary: `at_least_rows[3]`, `deviation[17]`.
    """

    def __init__(self, program: Any) -> None:
        self.program = program
        self._rows: dict[str, list[Row]] = {}
        if not hasattr(program, IMPLIED):
            setattr(program, IMPLIED, pyo.Suffix())

    def flag(self, family: str) -> Any:
        """Make a binary variable of a family."""
        return self._family(family, pyo.Binary).add()

    def amount(self, family: str, most: int) -> Any:
        """Make a continuous variable whose integrality is implied."""
        variable = self._family(family, pyo.NonNegativeReals).add()
        variable.setub(most)
        getattr(self.program, IMPLIED)[variable] = True
        return variable

    def row(
        self, family: str, coefficients: Sequence[int], variables: Sequence[Any], least: int | None, most: int | None
    ) -> None:
        """Keep a row until `finish`."""
        self._rows.setdefault(family, []).append((coefficients, variables, least, most))

    def finish(self) -> None:
        """Declare the rows."""
        for family, rows in self._rows.items():
            name = family if self.program.component(family) is None else f"{family}_row"
            setattr(self.program, name, pyo.Constraint(range(len(rows)), rule=_rule(rows)))
        self._rows = {}

    def _family(self, family: str, domain: Any) -> Any:
        if self.program.component(family) is None:
            setattr(self.program, family, pyo.VarList(domain=domain))
        return self.program.component(family)


def _rule(rows: list[Row]) -> Any:
    def rule(_: Any, index: int) -> Any:
        coefficients, variables, least, most = rows[index]
        if not len(variables):
            return pyo.Constraint.Feasible
        body = weighted_sum(coefficients, variables)
        return (least, body, most)

    return rule
