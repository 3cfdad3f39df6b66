"""Writing conditions in Pyomo: rows gathered by family, then declared at once as indexed constraints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from anoptima.models.languages import pyo, weighted_sum
from anoptima.models.matrix import IMPLIED

Index = tuple[int, ...]
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

    def flags(self, family: str, indices: Iterable[Index]) -> dict[Index, Any]:
        """Make a binary variable for each index, named after it."""
        setattr(self.program, family, pyo.Var(list(indices), domain=pyo.Binary))
        return dict(self.program.component(family).items())

    @property
    def columns(self) -> int:
        """The number of variables, once all are made."""
        return len(self._places)

    def column(self, variable: Any) -> int:
        """Return the place of a variable in the program's order, once all are made."""
        return self._places[id(variable)]

    @cached_property
    def _places(self) -> dict[int, int]:
        return places(self.program)

    def minimise(self, coefficients: Sequence[int], variables: Sequence[Any]) -> None:
        """State the objective."""
        self.program.cost = pyo.Objective(expr=weighted_sum(coefficients, variables))

    def exactly_one(self, family: str, variables: Sequence[Any]) -> None:
        """State that exactly one of some flags is 1."""
        self.row(family, [1] * len(variables), variables, 1, 1)

    def clause(self, family: str, true: Sequence[Any], false: Sequence[Any]) -> None:
        """State that one of the flags `true` is 1 or one of the flags `false` is 0."""
        self.row(family, [1] * len(true) + [-1] * len(false), [*true, *false], 1 - len(false), None)

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
    def rule(program: Any, index: int) -> Any:
        coefficients, variables, least, most = rows[index]
        if not len(variables):
            if (least or 0) <= 0 <= (most or 0):
                return pyo.Constraint.Feasible
            # Pyomo takes no row without a variable; this one nothing satisfies.
            coefficients, variables = [0], [next(program.component_data_objects(pyo.Var))]
        body = weighted_sum(coefficients, variables)
        return (least, body, most)

    return rule


def places(program: Any) -> dict[int, int]:
    """Return the place of each variable in the program's order, by the variable's id."""
    variables = program.component_data_objects(pyo.Var, descend_into=True, sort=False)
    return {id(variable): j for j, variable in enumerate(variables)}
