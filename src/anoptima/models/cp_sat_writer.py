"""Writing conditions in CP-SAT: every variable is whole there, and so is every coefficient."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from anoptima.errors import NotApplicable
from anoptima.models.languages import cp_model

Index = tuple[int, ...]


class CpSatWriter:
    """A `Writer` for a `CpModel`. `family` names variables and rows, so an exported proto speaks the model's vocabulary."""

    def __init__(self, program: cp_model.CpModel) -> None:
        self.program = program
        self._count = 0

    def flag(self, family: str) -> Any:
        """Make a Boolean variable."""
        return self.program.new_bool_var(self._name(family))

    def flags(self, family: str, indices: Iterable[Index]) -> dict[Index, Any]:
        """Make a Boolean variable for each index, named after it."""
        return {index: self.program.new_bool_var(f"{family}[{','.join(map(str, index))}]") for index in indices}

    @property
    def columns(self) -> int:
        """The number of variables."""
        return len(self.program.proto.variables)

    def column(self, variable: Any) -> int:
        """Return the place of a variable in the program's order."""
        place: int = variable.index
        return place

    def minimise(self, coefficients: Sequence[int], variables: Sequence[Any]) -> None:
        """State the objective."""
        self.program.minimize(cp_model.LinearExpr.weighted_sum(list(variables), list(coefficients)))

    def finish(self) -> None:
        """Do nothing: rows are added at once."""

    def exactly_one(self, family: str, variables: Sequence[Any]) -> None:
        """State that exactly one of some flags is 1."""
        self.program.add_exactly_one(variables).with_name(family)

    def clause(self, family: str, true: Sequence[Any], false: Sequence[Any]) -> None:
        """State that one of the flags `true` is 1 or one of the flags `false` is 0."""
        # Without the interface around it: models have many clauses.
        clause = self.program.proto.constraints.add()
        clause.name = family
        clause.bool_or.literals.extend([*(flag.index for flag in true), *(-1 - flag.index for flag in false)])

    def amount(self, family: str, most: int) -> Any:
        """Make an integer variable."""
        return self.program.new_int_var(0, most, self._name(family))

    def row(
        self, family: str, coefficients: Sequence[int], variables: Sequence[Any], least: int | None, most: int | None
    ) -> None:
        """Add a linear constraint."""
        large = next((c for c in coefficients if abs(c) > cp_model.INT_MAX), None)
        if large is not None:
            raise NotApplicable(
                f"the row {family} has the coefficient {large:,}, which 64 bits do not hold; "
                "give numbers with fewer digits, or take an algorithm without a model"
            )
        body = cp_model.LinearExpr.weighted_sum(list(variables), [int(c) for c in coefficients])
        lower = cp_model.INT_MIN if least is None else least
        upper = cp_model.INT_MAX if most is None else most
        self.program.add_linear_constraint(body, lower, upper).with_name(family)

    def _name(self, family: str) -> str:
        self._count += 1
        return f"{family}[{self._count - 1}]"
