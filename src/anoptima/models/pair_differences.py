"""Identifying columns as a hitting set over differences of rows.

Two rows are told apart exactly when a column on which they differ is chosen. So with y_c = 1 if column c is chosen:

    minimise    sum w_c y_c
    (apart)     sum_{c in D} y_c >= 1      for each set D of columns on which two row types differ, and that contains no other such set

Size, for m columns and T row types: m variables, at most min(C(m, m / 2), T (T - 1) / 2) rows of at most m coefficients.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.models import models
from anoptima.models.attributes import differences
from anoptima.models.base import Language, Model, ModelSize
from anoptima.models.built_columns import BuiltColumns
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.problems.base import Problem
from anoptima.problems.columns import minimal
from anoptima.problems.quasi_identifier import IdentifyingColumns, QuasiIdentifier

_BYTES_A_PAIR = 16
_BYTES_A_COEFFICIENT = 150
"""As for the attributes model: measured with `benchmarks/build_time.py`."""
_AT_ONCE = 100_000
"""Differences that are sorted between two looks at the clock."""


@models.register
class PairDifferencesModel(Model[QuasiIdentifier]):
    """Columns that distinguish every pair of row types; for identifying columns."""

    name = "pair-differences"
    language = Language.PYOMO
    problems = (IdentifyingColumns,)

    def estimate(self, problem: Problem[QuasiIdentifier]) -> ModelSize:
        """Count pairs of row types, and bound the minimal differences by them and by the largest antichain (Sperner)."""
        assert isinstance(problem, IdentifyingColumns)
        types, m = len(problem.table.types), len(problem.table.quasi)
        rows = min(widest_antichain(m), types * (types - 1) // 2)
        return ModelSize(
            m, rows, rows * m, types * types * _BYTES_A_PAIR + rows * m * _BYTES_A_COEFFICIENT, {"row types": types}
        )

    def build_unchecked(self, problem: Problem[QuasiIdentifier], size: ModelSize) -> BuiltPairDifferences:
        """Build the program. O(T^2 m) for T row types to find the differences."""
        assert isinstance(problem, IdentifyingColumns)
        return BuiltPairDifferences(problem, size)


class BuiltPairDifferences(BuiltColumns[QuasiIdentifier]):
    """The program; one column a column."""

    language = Language.PYOMO
    problem: IdentifyingColumns

    def __init__(self, problem: IdentifyingColumns, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="identifying columns as a hitting set over differences of rows")
        super().__init__(problem, program, size)
        m = len(problem.table.quasi)
        program.chosen = pyo.Var(range(m), domain=pyo.Binary)
        chosen = list(program.chosen.values())
        writer = PyomoWriter(program)
        for members in minimal(_distinct(differences(problem.table.types))):
            hit = [chosen[c] for c in range(m) if members >> c & 1]
            writer.row("apart", [1] * len(hit), hit, 1, None)
        writer.finish()
        weights = problem.table.scaled_weights.tolist()
        program.weight = pyo.Objective(expr=sum(weights[c] * chosen[c] for c in range(m)))


def _distinct(masks: NDArray[np.int64]) -> list[int]:
    """Return the sets that occur and are not empty, in order: some rows at a time, between two looks at the clock."""
    found = []
    for part in np.array_split(masks, -(-masks.size // _AT_ONCE)):
        check_time()
        found.append(distinct(part))
    sets = distinct(np.concatenate(found))
    return [int(members) for members in sets if members]


def widest_antichain(m: int) -> int:
    """Return how many sets of m columns there can be, none of which contains another.

    >>> widest_antichain(4)
    6
    """
    most = 1
    for i in range(m // 2):
        most = most * (m - i) // (i + 1)
    return most
