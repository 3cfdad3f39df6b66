"""The row-to-group assignment program for cell suppression under any principle, in CP-SAT and, as `assignment-mip`, in Pyomo.

A group is named by its first row, its *leader*; that choice leaves no two labellings of one partition. Variables: a_ir = 1 if row i is
in the group that row r <= i leads; b_rc = 1 if column c is bad in r's group; e_ic = 1 if cell (i, c) is starred.

    minimise    sum w_c e_ic
    (one)       sum_{r <= i} a_ir = 1
    (led)       a_ir <= a_rr
    (bad)       b_rc >= a_ir                 where rows i and r differ in column c
    (star)      e_ic >= a_ir + b_rc - 1
    (size)      sum_i a_ir <= (2 l - 1) a_rr    where groups split anywhere into parts of the least size l
    (principle) the rows of each group satisfy the principle's conditions

n (n + 1) / 2 assignments and about n^2 m / 2 clauses: for tables of some dozens of rows, and as a witness that shares nothing with
the pattern program but the principle's conditions.

Size, for n rows, m columns and P = n (n + 1) / 2: P + 2 n m variables, about n + P + 2 P m rows and 2 P + 5 P m coefficients, and what the
principle's conditions add.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model, ModelSize, Values
from anoptima.models.conditions import Fill, GroupTerms, why_not_stated, write_conditions
from anoptima.models.cp_sat_writer import CpSatWriter
from anoptima.models.languages import cp_model
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.principles import Splitting
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition

NAME = "cell suppression, row-to-group assignment"

_BYTES_A_CLAUSE = 220
"""Measured with `benchmarks/build_time.py`: a clause or a short row in Python, in the proto and in the solver's process."""


@models.register
class AssignmentModel(Model[Partition]):
    """Rows to groups led by their first rows; for cell suppression of small tables under any principle."""

    name = "assignment"
    language = Language.CP_SAT
    problems = (CellSuppression,)
    twin: str | None = "assignment-mip"

    def why_not(self, problem: Any) -> str | None:
        """It is for principles that programs can state."""
        return super().why_not(problem) or why_not_stated(problem.principle, problem.table)

    def estimate(self, problem: Problem[Partition]) -> ModelSize:
        """Count from rows and columns."""
        assert isinstance(problem, CellSuppression)
        n, m = problem.table.rows, len(problem.table.quasi)
        conditions = problem.principle.conditions(problem.table)
        values = max((len(problem.table.sensitive_column(name).values) for name in problem.table.sensitive), default=1)
        pairs = n * (n + 1) // 2
        variables = pairs + 2 * n * m + n * len(conditions) * values * values
        rows = n + pairs + 2 * pairs * m + n * len(conditions) * (values + 1)
        coefficients = 2 * pairs + 5 * pairs * m + len(conditions) * pairs * (values + 1)
        return ModelSize(
            variables, rows, coefficients, (variables + rows + coefficients) * _BYTES_A_CLAUSE, {"pairs": pairs}
        )

    def build_unchecked(self, problem: Problem[Partition], size: ModelSize) -> BuiltAssignment:
        """Build the program. O(n^2 m)."""
        assert isinstance(problem, CellSuppression)
        return BuiltAssignment(problem, size)


class BuiltAssignment(BuiltModel[Partition]):
    """The program, and where its variables are."""

    language = Language.CP_SAT
    problem: CellSuppression

    def __init__(self, problem: CellSuppression, size: ModelSize) -> None:
        self._writer = writer = self.new_writer()
        super().__init__(problem, writer.program, size)
        table = problem.table
        n, m = table.rows, len(table.quasi)
        self._codes = np.column_stack([column.codes for column in table.quasi_columns])
        self._joins = writer.flags("joins", ((i, r) for i in range(n) for r in range(i + 1)))
        self._bad = writer.flags("bad", ((r, c) for r in range(n) for c in range(m)))
        self._star = writer.flags("star", ((i, c) for i in range(n) for c in range(m)))
        for i in range(n):
            check_time()
            writer.exactly_one("one", [self._joins[i, r] for r in range(i + 1)])
            for r in range(i):
                writer.clause("led", [self._joins[r, r]], [self._joins[i, r]])
                for c in np.flatnonzero(self._codes[i] != self._codes[r]).tolist():
                    writer.clause("differs", [self._bad[r, c]], [self._joins[i, r]])
            for r in range(i + 1):
                for c in range(m):
                    writer.clause("starred", [self._star[i, c]], [self._joins[i, r], self._bad[r, c]])
        self._most = self._largest_group()
        self._fills = self._write_principle()
        writer.minimise(table.scaled_weights.tolist() * n, list(self._star.values()))
        writer.finish()

    def new_writer(self) -> CpSatWriter | PyomoWriter:
        """Return a writer of an empty program."""
        program = cp_model.CpModel()
        program.name = NAME
        return CpSatWriter(program)

    def _largest_group(self) -> int | None:
        """The size that no group of some optimum exceeds, where groups split anywhere."""
        principle = self.problem.principle
        if principle.splitting is not Splitting.ANYWHERE:
            return None
        return 2 * principle.least_size(self.problem.table) - 1

    def _write_principle(self) -> list[list[Fill]]:
        table, writer = self.problem.table, self._writer
        conditions = self.problem.principle.conditions(table)
        fills = []
        for r in range(table.rows):
            members = list(range(r, table.rows))
            joins = [self._joins[i, r] for i in members]
            group = GroupTerms(
                variables=joins,
                rows=np.ones(len(members), dtype=np.int64),
                codes={name: table.sensitive_column(name).codes[r:] for name in table.sensitive},
                open=self._joins[r, r],
                capacity=len(members),
            )
            fills.append(write_conditions(writer, conditions, group))
            if self._most is not None:
                writer.row("at_most_rows", [*([1] * len(joins)), -self._most], [*joins, self._joins[r, r]], None, 0)
        return fills

    def encode(self, solution: Partition) -> Values:
        """Let first rows lead; groups above the largest size are cut, which never costs more."""
        values, column = np.zeros(self._writer.columns), self._writer.column
        for group in solution.groups():
            for part in self._cut(group):
                leader = part[0]
                bad = np.flatnonzero((self._codes[part] != self._codes[leader]).any(axis=0)).tolist()
                for i in part:
                    values[column(self._joins[i, leader])] = 1
                    for c in bad:
                        values[column(self._star[i, c])] = 1
                for c in bad:
                    values[column(self._bad[leader, c])] = 1
                brought = np.zeros(self.problem.table.rows - leader, dtype=np.int64)
                brought[np.array(part) - leader] = 1
                for fill in self._fills[leader]:
                    for variable, value in fill(brought):
                        values[column(variable)] = value
        return values

    def _cut(self, group: list[int]) -> list[list[int]]:
        if self._most is None or len(group) <= self._most:
            return [group]
        least = (self._most + 1) // 2
        pieces = len(group) // least
        return [sorted(piece.tolist()) for piece in np.array_split(np.array(group), pieces)]

    def meaning(self, column: int) -> str:
        """Say which row, group and column of the table it is about; rows and groups are counted from 0, as the release has them."""
        family, _, index = self.names[column].partition("[")
        if family not in ("joins", "bad", "star"):
            return super().meaning(column)
        first, second = map(int, index.rstrip("]").split(","))
        if family == "joins":
            return f"1 if row {first} is in the group that row {second} leads"
        name = self.problem.table.quasi[second]
        if family == "bad":
            return f"1 if the group that row {first} leads differs in column {name!r}"
        return f"1 if the cell of row {first} in column {name!r} is starred"

    def decode(self, values: Values) -> Partition:
        """Read each row's leader."""
        labels = np.zeros(self.problem.table.rows, dtype=np.int64)
        for (i, r), join in self._joins.items():
            if values[self._writer.column(join)] > 0.5:
                labels[i] = r
        return Partition.from_labels(labels)
