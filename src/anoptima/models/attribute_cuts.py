"""Attribute suppression as a hitting set, under any merge-closed principle, in CP-SAT.

Validity of a kept set is downward closed, so a kept set is invalid exactly when it contains a *minimal invalid* one. With d_c true if
column c is dropped:

    minimise    sum w_c d_c
    (hit)       some column of J is dropped                      for each minimal invalid set J of columns

The minimal invalid sets are found level by level: a set is looked at only if all its subsets one column smaller are valid.

Size, for m columns: m variables, at most C(m, m / 2) rows (Sperner) of at most m coefficients.
"""

from __future__ import annotations

import itertools

from anoptima.errors import ModelTooLarge
from anoptima.models import models
from anoptima.models.base import Language, Model, ModelSize
from anoptima.models.built_columns import BuiltColumns
from anoptima.models.languages import cp_model
from anoptima.models.pair_differences import widest_antichain
from anoptima.problems.attribute_suppression import AttributeSuppression, DroppedColumns
from anoptima.problems.base import Problem

_MOST_LOOKS = 2_000_000_000
"""How many cells the search for minimal invalid sets may group by: about ten minutes."""


@models.register
class AttributeCutsModel(Model[DroppedColumns]):
    """Columns to drop, by the minimal sets that cannot be kept whole; for attribute suppression under merge-closed principles."""

    name = "attribute-cuts"
    language = Language.CP_SAT
    problems = (AttributeSuppression,)

    def why_not(self, problem: Problem[DroppedColumns]) -> str | None:
        """It takes what holds of the classes on some columns to hold on fewer."""
        other = super().why_not(problem)
        if other is not None or not isinstance(problem, AttributeSuppression):
            return other
        why = problem.why_not_monotone()
        return None if why is None else f"the {self.name} model joins classes, and {why}"

    def estimate(self, problem: Problem[DroppedColumns]) -> ModelSize:
        """Bound the number of minimal invalid sets by the largest antichain of column sets (Sperner)."""
        m = len(problem.table.quasi) if isinstance(problem, AttributeSuppression) else 0
        widest = widest_antichain(m)
        return ModelSize(m, widest, widest * m, widest * m * 100 + 2_000_000, {"column sets": 1 << m})

    def build_unchecked(self, problem: Problem[DroppedColumns], size: ModelSize) -> BuiltAttributeCuts:
        """Find the minimal invalid sets and build the program. One grouping of the rows a valid or minimal invalid set."""
        assert isinstance(problem, AttributeSuppression)
        return BuiltAttributeCuts(problem, size)


class BuiltAttributeCuts(BuiltColumns[DroppedColumns]):
    """The program; one Boolean a column."""

    language = Language.CP_SAT
    problem: AttributeSuppression

    def __init__(self, problem: AttributeSuppression, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "attribute suppression as a hitting set"
        super().__init__(problem, program, size)
        names = problem.table.quasi
        dropped = [program.new_bool_var(f"dropped[{name}]") for name in names]
        for members in minimal_invalid_sets(problem):
            program.add_at_least_one(dropped[c] for c in members).with_name(
                f"hit[{','.join(names[c] for c in members)}]"
            )
        weights = problem.table.scaled_weights.tolist()
        program.minimize(sum(weight * variable for weight, variable in zip(weights, dropped, strict=True)))


def minimal_invalid_sets(problem: AttributeSuppression) -> list[tuple[int, ...]]:
    """Return the sets of columns that cannot all be kept while every smaller part of them can; level by level.

    >>> from anoptima import KAnonymity, ten_rows
    >>> minimal_invalid_sets(AttributeSuppression(ten_rows(), KAnonymity(5)))
    [(1,), (2,), (3,), (4,), (5,), (6,), (7,)]
    """
    names, rows = problem.table.quasi, problem.table.rows
    found: list[tuple[int, ...]] = []
    valid: set[tuple[int, ...]] = {()}
    looks = 0
    for size in range(1, len(names) + 1):
        larger: set[tuple[int, ...]] = set()
        for members in sorted({(*part, c) for part in valid for c in range(part[-1] + 1 if part else 0, len(names))}):
            if any(part not in valid for part in itertools.combinations(members, size - 1)):
                continue
            looks += rows * size
            if looks > _MOST_LOOKS:
                raise ModelTooLarge(
                    f"the attribute-cuts model has grouped {looks:,} cells and found {len(found):,} minimal invalid sets without an end; "
                    "take fewer columns or another solver"
                )
            if problem.is_valid([names[c] for c in members]):
                larger.add(members)
            else:
                found.append(members)
        valid = larger
    return found
