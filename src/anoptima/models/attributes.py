"""Attribute suppression by class sizes, under any principle.

Rows i and i' fall into one class exactly when every column on which they differ is dropped. So with d_c = 1 if column c is dropped and
u_D = 1 if all columns of D are, for each set D of columns on which some two records differ:

    minimise    sum w_c d_c
    (all)       u_D <= d_c                      for each c in D
                u_D >= 1 - sum_{c in D} (1 - d_c)
    (principle) for each record r, the class of r satisfies the principle's conditions; it has sum_D count_r(D, v) u_D rows of value v,
                where count_r(D, v) = rows with sensitive value v that differ from r on exactly D

u is continuous: it is whole once d is. Records with the same counts give the same rows; one of them is kept.

Size, for m columns, T row types and S <= min(2^m, T^2) sets D: m + S variables, S (m + 1) rows, S (3 m + 1) coefficients, and what the
principle's conditions add for each record.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.errors import ModelTooLarge
from anoptima.models import models
from anoptima.models.base import Language, Model, ModelSize, Values
from anoptima.models.built_columns import BuiltColumns
from anoptima.models.conditions import Fill, GroupTerms, why_not_stated, write_conditions
from anoptima.models.languages import pyo
from anoptima.models.matrix import IMPLIED
from anoptima.models.pattern import size_of_condition
from anoptima.models.pyomo_writer import PyomoWriter, places
from anoptima.problems.attribute_suppression import AttributeSuppression, DroppedColumns
from anoptima.problems.base import Problem
from anoptima.problems.columns import mask_of

_MOST_PAIRS = 1 << 31
_BYTES_A_COEFFICIENT = 150
"""Measured with `benchmarks/build_time.py`."""


@models.register
class AttributesModel(Model[DroppedColumns]):
    """Columns to drop, by the sizes of the classes that result; for attribute suppression under any principle."""

    name = "attributes"
    language = Language.PYOMO
    problems = (AttributeSuppression,)

    def why_not(self, problem: Any) -> str | None:
        """It is for principles that programs can state."""
        return super().why_not(problem) or why_not_stated(problem.principle, problem.table)

    def estimate(self, problem: Problem[DroppedColumns]) -> ModelSize:
        """Count the differences between row types, from above."""
        assert isinstance(problem, AttributeSuppression)
        types, m = len(problem.table.types), len(problem.table.quasi)
        sets = min(1 << m, types * types)
        # A type is a group, and an arc of it a set of columns with the sensitive values of some records.
        brought = len(np.unique(problem.table.records.sensitive, axis=0))
        arcs = types * min(len(problem.table.records), sets * brought)
        variables, rows, coefficients = m + sets, sets * (m + 1), sets * (3 * m + 1)
        for condition in problem.principle.conditions(problem.table):
            extra = size_of_condition(condition, types, arcs)
            variables, rows, coefficients = variables + extra[0], rows + extra[1], coefficients + extra[2]
        return ModelSize(variables, rows, coefficients, coefficients * _BYTES_A_COEFFICIENT, {"column sets": sets})

    def build_unchecked(self, problem: Problem[DroppedColumns], size: ModelSize) -> BuiltAttributes:
        """Build the program. O(T^2 m) for T row types to find the differences, then O(coefficients)."""
        assert isinstance(problem, AttributeSuppression)
        return BuiltAttributes(problem, size)


class BuiltAttributes(BuiltColumns[DroppedColumns]):
    """The program; columns are d, then u by column set, then what the conditions need."""

    language = Language.PYOMO
    problem: AttributeSuppression

    def __init__(self, problem: AttributeSuppression, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="attribute suppression by class sizes")
        super().__init__(problem, program, size)
        table = problem.table
        m = len(table.quasi)
        differ = differences(table.types)
        self._sets = distinct(differ)
        program.dropped = pyo.Var(range(m), domain=pyo.Binary)
        program.together = pyo.Var(range(len(self._sets)), bounds=(0, 1))
        setattr(program, IMPLIED, pyo.Suffix())
        getattr(program, IMPLIED)[program.together] = True
        self._dropped = list(program.dropped.values())
        self._together = list(program.together.values())
        writer = PyomoWriter(program)
        for together, members in zip(self._together, self._sets.tolist(), strict=True):
            columns = [self._dropped[c] for c in range(m) if members >> c & 1]
            for dropped in columns:
                writer.row("together_needs", [1, -1], [together, dropped], None, 0)
            writer.row("together", [1, *([-1] * len(columns))], [together, *columns], 1 - len(columns), None)
        self._fills = self._write_principle(writer, np.searchsorted(self._sets, differ))
        writer.finish()
        weights = table.scaled_weights.tolist()
        program.weight = pyo.Objective(expr=sum(weights[c] * self._dropped[c] for c in range(m)))

    def _write_principle(self, writer: PyomoWriter, set_of_pair: NDArray[np.int64]) -> list[tuple[Fill, Terms]]:
        table, records = self.problem.table, self.problem.table.records
        conditions = self.problem.principle.conditions(table)
        _, sensitive = np.unique(records.sensitive, axis=0, return_inverse=True)
        sensitive = sensitive.reshape(-1).astype(np.int64)
        first_of_value = np.unique(sensitive, return_index=True)[1]
        width = int(sensitive.max()) + 1
        seen: set[bytes] = set()
        fills: list[tuple[Fill, Terms]] = []
        for type_sets in set_of_pair:
            key = type_sets[records.type] * width + sensitive
            term, inverse = np.unique(key, return_inverse=True)
            rows = np.rint(np.bincount(inverse.reshape(-1), weights=records.multiplicity)).astype(np.int64)
            signature = term.tobytes() + rows.tobytes()
            if signature in seen:
                continue
            seen.add(signature)
            sets, values = term // width, term % width
            group = GroupTerms(
                variables=[self._together[s] for s in sets],
                rows=rows,
                codes={name: records.sensitive[first_of_value[values], c] for c, name in enumerate(table.sensitive)},
                open=None,
                capacity=table.rows,
            )
            fills += [(fill, (sets, rows)) for fill in write_conditions(writer, conditions, group)]
        return fills

    def encode(self, solution: DroppedColumns) -> Values:
        """Set d, and u where every column of the set is dropped."""
        dropped = super().encode(solution)
        together = (self._sets & ~np.int64(mask_of(self.problem.columns_of(solution)))) == 0
        values = np.zeros(self.columns)
        values[: len(dropped) + len(together)] = np.concatenate([dropped, together])
        place = places(self.program)
        for fill, (sets, rows) in self._fills:
            for variable, value in fill(rows * together[sets]):
                values[place[id(variable)]] = value
        return values


Terms = tuple[NDArray[np.int64], NDArray[np.int64]]


def differences(types: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return, for every two row types, the set of columns on which they differ, as a bit mask. O(T^2 m).

    >>> differences(np.array([[0, 0], [0, 1], [1, 1]])).tolist()
    [[0, 2, 3], [2, 0, 1], [3, 1, 0]]
    """
    count, m = types.shape
    if count * count * m > _MOST_PAIRS or m > 62:
        raise ModelTooLarge(
            f"comparing {count:,} row types on {m} columns takes {count * count * m:,} looks, and {_MOST_PAIRS:,} are allowed; "
            "take fewer rows or columns"
        )
    masks = np.zeros((count, count), dtype=np.int64)
    for c in range(m):
        check_time()
        masks |= (types[:, None, c] != types[None, :, c]).astype(np.int64) << c
    return masks
