"""Quasi-identifiers as a hitting set over the complements of maximal insufficient sets, in CP-SAT; for both notions.

Sets of columns that suffice stay sufficient when columns are added. So a set suffices exactly when it lies in no *maximal insufficient*
set. With y_c true if column c is chosen:

    minimise    sum w_c y_c
    (outside)   some column outside B is chosen      for each maximal insufficient set B of columns

The sets are found level by level by grouping rows alone, and a set is looked at only if all its subsets one column smaller are
insufficient. An insufficient set is maximal if each set one column larger suffices. No two rows are compared, so this shares nothing
with the programs over pairs and anchor rows.

Size, for m columns: m variables, at most C(m, m / 2) rows (Sperner) of at most m coefficients.
"""

from __future__ import annotations

from anoptima.deadline import check_time
from anoptima.errors import ModelTooLarge
from anoptima.models import models
from anoptima.models.base import Language, Model, ModelSize
from anoptima.models.built_columns import BuiltColumns
from anoptima.models.languages import cp_model
from anoptima.models.pair_differences import widest_antichain
from anoptima.problems.base import Problem
from anoptima.problems.quasi_identifier import IdentifyingColumns, QuasiIdentifier, WitnessColumns

_MOST_LOOKS = 2_000_000_000
"""How many cells the search may group by: about ten minutes."""


@models.register
class MaximalGapsModel(Model[QuasiIdentifier]):
    """Columns that leave every maximal insufficient set of columns; for identifying and witness columns of tables with few columns."""

    name = "maximal-gaps"
    language = Language.CP_SAT
    problems = (IdentifyingColumns, WitnessColumns)

    def estimate(self, problem: Problem[QuasiIdentifier]) -> ModelSize:
        """Bound the number of maximal insufficient sets by the largest antichain of column sets (Sperner)."""
        assert isinstance(problem, IdentifyingColumns | WitnessColumns)
        m = len(problem.table.quasi)
        rows = widest_antichain(m)
        return ModelSize(m, rows, rows * m, rows * m * 100 + 2_000_000, {"column sets": 1 << m})

    def build_unchecked(self, problem: Problem[QuasiIdentifier], size: ModelSize) -> BuiltMaximalGaps:
        """Find the maximal insufficient sets and build the program. One grouping of the row types for each set looked at."""
        assert isinstance(problem, IdentifyingColumns | WitnessColumns)
        return BuiltMaximalGaps(problem, size)


class BuiltMaximalGaps(BuiltColumns[QuasiIdentifier]):
    """The program; one Boolean a column."""

    language = Language.CP_SAT
    problem: IdentifyingColumns | WitnessColumns

    def __init__(self, problem: IdentifyingColumns | WitnessColumns, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "quasi-identifiers as a hitting set over what maximal insufficient sets leave out"
        super().__init__(problem, program, size)
        names = problem.table.quasi
        chosen = [program.new_bool_var(f"chosen[{name}]") for name in names]
        for inside in maximal_insufficient_sets(problem):
            program.add_at_least_one(chosen[c] for c in range(len(names)) if c not in inside).with_name(
                f"outside[{','.join(names[c] for c in sorted(inside))}]"
            )
        weights = problem.table.scaled_weights.tolist()
        program.minimize(sum(weight * variable for weight, variable in zip(weights, chosen, strict=True)))


def maximal_insufficient_sets(problem: IdentifyingColumns | WitnessColumns) -> list[frozenset[int]]:
    """Return the sets of columns that do not suffice while each larger one by a column does; level by level.

    >>> import pandas as pd
    >>> from anoptima.table import Table
    >>> frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    >>> [sorted(found) for found in maximal_insufficient_sets(IdentifyingColumns(Table.from_frame(frame, quasi=["a", "b"])))]
    [[0], [1]]
    """
    m, types = len(problem.table.quasi), len(problem.table.types)
    if problem.suffices([]):
        return []
    found: list[frozenset[int]] = []
    level, looks = {frozenset[int]()}, 0
    while level:
        larger = {inside | {c} for inside in level for c in range(m) if c not in inside}
        insufficient = set()
        for columns in sorted(larger, key=sorted):
            check_time()
            if any(columns - {c} not in level for c in columns):
                continue
            looks += types * len(columns)
            if looks > _MOST_LOOKS:
                raise ModelTooLarge(
                    f"the maximal-gaps model has grouped {looks:,} cells and found {len(found):,} maximal insufficient sets without "
                    "an end; take fewer columns or another solver"
                )
            if not problem.suffices(columns):
                insufficient.add(columns)
        found += sorted((inside for inside in level if not any(inside < other for other in insufficient)), key=sorted)
        level = insufficient
    return found
