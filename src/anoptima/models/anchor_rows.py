"""Witness columns by an anchor row, in one program for all anchors.

A set of columns is a witness for k exactly when some row, its anchor, has fewer than k rows like it on the chosen columns. An anchor is
a row type of multiplicity s_r < k: with all columns chosen no other type is like it. Type t is like r unless a column on which they
differ is chosen. With y_c = 1 if column c is chosen, a_r = 1 if r is the anchor, u_D = 1 if no column of D is chosen, for each set D of
columns on which an anchor and another type differ, and n rows in all:

    minimise    sum w_c y_c
    (one)       sum_r a_r = 1
    (alike)     u_D >= 1 - sum_{c in D} y_c
    (few)       sum_D count_r(D) u_D <= k - 1 - s_r + (n - k + 1) (1 - a_r)     where count_r(D) = rows that differ from r on exactly D

u is continuous: once y is whole, so are its least values. If n < k the empty set is a witness, and (few) holds for any u.
Anchors with the same counts give the same row; one of them is kept.

Size, for A anchors, T row types, m columns and S <= min(2^m - 1, A (T - 1)) sets D: m + A + S variables, 1 + A + S rows, at most A (min(T,
S) + 2) + S (m + 1) coefficients.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.models import models
from anoptima.models.attributes import differences
from anoptima.models.base import Language, Model, ModelSize, Values
from anoptima.models.built_columns import BuiltColumns
from anoptima.models.languages import pyo
from anoptima.models.matrix import IMPLIED
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.problems.base import Problem
from anoptima.problems.columns import mask_of
from anoptima.problems.quasi_identifier import QuasiIdentifier, WitnessColumns

_BYTES_A_PAIR = 16
_BYTES_A_COEFFICIENT = 150
"""As for the attributes model: measured with `benchmarks/build_time.py`."""


@models.register
class AnchorRowsModel(Model[QuasiIdentifier]):
    """Columns, and one row that equals few rows on them; for witness columns."""

    name = "anchor-rows"
    language = Language.PYOMO
    problems = (WitnessColumns,)

    def estimate(self, problem: Problem[QuasiIdentifier]) -> ModelSize:
        """Count anchors, and the differences from above."""
        assert isinstance(problem, WitnessColumns)
        types, m = len(problem.table.types), len(problem.table.quasi)
        anchors = int((problem.table.multiplicity < problem.k).sum())
        sets = min((1 << m) - 1, anchors * (types - 1))
        coefficients = anchors * (min(types, sets) + 2) + sets * (m + 1)
        return ModelSize(
            m + anchors + sets,
            1 + anchors + sets,
            coefficients,
            types * types * _BYTES_A_PAIR + coefficients * _BYTES_A_COEFFICIENT,
            {"anchors": anchors, "column sets": sets},
        )

    def build_unchecked(self, problem: Problem[QuasiIdentifier], size: ModelSize) -> BuiltAnchorRows:
        """Build the program. O(T^2 m) for T row types to find the differences, then O(coefficients)."""
        assert isinstance(problem, WitnessColumns)
        return BuiltAnchorRows(problem, size)


class BuiltAnchorRows(BuiltColumns[QuasiIdentifier]):
    """The program; columns are y, then a by anchor, then u by column set."""

    language = Language.PYOMO
    problem: WitnessColumns

    def __init__(self, problem: WitnessColumns, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="witness columns by an anchor row")
        super().__init__(problem, program, size)
        table, k = problem.table, problem.k
        m, rows = len(table.quasi), table.rows
        self._anchors, self._counts = _anchors(problem)
        self._sets = np.array(sorted({members for counts in self._counts for members in counts}), dtype=np.int64)
        place = {members: i for i, members in enumerate(self._sets.tolist())}
        program.chosen = pyo.Var(range(m), domain=pyo.Binary)
        program.anchor = pyo.Var(range(len(self._anchors)), domain=pyo.Binary)
        program.alike = pyo.Var(range(len(self._sets)), bounds=(0, 1))
        setattr(program, IMPLIED, pyo.Suffix())
        getattr(program, IMPLIED)[program.alike] = True
        chosen, anchor, alike = (list(family.values()) for family in (program.chosen, program.anchor, program.alike))
        writer = PyomoWriter(program)
        writer.row("one", [1] * len(anchor), anchor, 1, 1)
        for members, variable in zip(self._sets.tolist(), alike, strict=True):
            apart = [chosen[c] for c in range(m) if members >> c & 1]
            writer.row("alike", [1] * (len(apart) + 1), [variable, *apart], 1, None)
        slack = max(0, rows - k + 1)
        for r, variable, counts in zip(self._anchors, anchor, self._counts, strict=True):
            others = [alike[place[members]] for members in counts]
            limit = k - 1 - int(table.multiplicity[r]) + slack
            writer.row("few", [*counts.values(), slack], [*others, variable], None, limit)
        writer.finish()
        weights = table.scaled_weights.tolist()
        program.weight = pyo.Objective(expr=sum(weights[c] * chosen[c] for c in range(m)))

    def encode(self, solution: QuasiIdentifier) -> Values:
        """Set y, u where no column of the set is chosen, and a for the first anchor with few rows like it."""
        mask = mask_of(self.problem.columns_of(solution))
        sizes = self.problem.table.multiplicity[self._anchors].tolist()
        alike = [
            size + sum(count for members, count in counts.items() if not members & mask)
            for size, counts in zip(sizes, self._counts, strict=True)
        ]
        anchor = np.zeros(len(self._anchors))
        anchor[int(np.argmin(alike))] = 1
        return np.concatenate([super().encode(solution), anchor, (self._sets & mask) == 0])


def _anchors(problem: WitnessColumns) -> tuple[NDArray[np.int64], list[dict[int, int]]]:
    """Return the row types that can be anchors, and for each how many rows differ from it on each set of columns."""
    multiplicity = problem.table.multiplicity
    differ = differences(problem.table.types)
    anchors: list[int] = []
    listed: list[dict[int, int]] = []
    seen: set[tuple[int, bytes, bytes]] = set()
    for r in np.flatnonzero(multiplicity < problem.k).tolist():
        check_time()
        sets, inverse = np.unique(differ[r], return_inverse=True)
        rows = np.rint(np.bincount(inverse.reshape(-1), weights=multiplicity)).astype(np.int64)
        signature = (int(multiplicity[r]), sets.tobytes(), rows.tobytes())
        if signature not in seen:
            seen.add(signature)
            anchors.append(r)
            # The first set is empty: the anchor's own type.
            listed.append(dict(zip(sets[1:].tolist(), rows[1:].tolist(), strict=True)))
    return np.array(anchors, dtype=np.int64), listed
