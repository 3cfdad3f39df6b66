"""The row-to-group assignment program for the k-minimum diameter sum, in CP-SAT.

A group is named by its first row, its *leader*. Variables: a_ir = 1 if row i is in the group that row r <= i leads; w_rd = 1 if r's
group is at least d wide, for each distance d > 0 that two rows of the table have; d' is the next smaller such distance, or 0.

    minimise    sum_r sum_d (d - d') w_rd
    (one)       sum_{r <= i} a_ir = 1
    (led)       a_ir <= a_rr
    (least)     sum_i a_ir >= k a_rr
    (most)      sum_i a_ir <= (2k - 1) a_rr
    (wide)      w_rd >= a_ir + a_jr - 1          where rows i and j are d apart
    (nested)    w_rd' >= w_rd

n (n + 1) / 2 assignments and about n^3 / 6 clauses: for tables of some dozens of rows, and as a witness that shares nothing with the
set partition program.

Size, for n rows, P = n (n + 1) / 2 and d distances: P + n d variables, 3 n + P + (n + 1) n (n - 1) / 6 + n d rows, three coefficients in
most.
"""

from __future__ import annotations

import numpy as np

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import Partition
from anoptima.problems.diameter_sum import DiameterSum, scaled_distances

_BYTES_A_CLAUSE = 220
"""As in the assignment model of cell suppression."""


@models.register
class DiameterAssignmentModel(Model[Partition]):
    """Rows to groups led by their first rows, and the groups' diameters; for the diameter sum of small tables."""

    name = "diameter-assignment"
    language = Language.CP_SAT
    problems = (DiameterSum,)

    def estimate(self, problem: Problem[Partition]) -> ModelSize:
        """Count from rows, from above: distances are sums of weights, and differ between row types only."""
        assert isinstance(problem, DiameterSum)
        n, types = problem.table.rows, len(problem.table.types)
        pairs, triples = n * (n + 1) // 2, n * (n + 1) * (n - 1) // 6
        widths = min(types * (types - 1) // 2, 1 << len(problem.table.quasi), int(problem.table.scaled_weights.sum()))
        variables = pairs + n * widths
        rows = 3 * n + pairs + triples + n * widths
        coefficients = 5 * pairs + 3 * triples + 3 * n * widths
        memory = (variables + rows + coefficients) * _BYTES_A_CLAUSE
        return ModelSize(variables, rows, coefficients, memory, {"pairs": pairs, "triples": triples})

    def build_unchecked(self, problem: Problem[Partition], size: ModelSize) -> BuiltDiameterAssignment:
        """Build the program. O(n^3)."""
        assert isinstance(problem, DiameterSum)
        return BuiltDiameterAssignment(problem, size)


class BuiltDiameterAssignment(BuiltModel[Partition]):
    """The program, and where its variables are."""

    language = Language.CP_SAT
    problem: DiameterSum

    def __init__(self, problem: DiameterSum, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "diameter sum, row-to-group assignment"
        super().__init__(problem, program, size)
        table, n = problem.table, problem.table.rows
        between = scaled_distances(table, np.arange(len(table.types)))
        self._distances = between[table.type_of_row][:, table.type_of_row]
        self._widths = [width for width in distinct(between).tolist() if width]
        self._joins = {(i, r): program.new_bool_var(f"joins[{i},{r}]") for i in range(n) for r in range(i + 1)}
        self._wide = {(r, d): program.new_bool_var(f"wide[{r},{d}]") for r in range(n) for d in self._widths}
        for i in range(n):
            check_time()
            program.add_exactly_one(self._joins[i, r] for r in range(i + 1)).with_name("one")
            for r in range(i):
                program.add_implication(self._joins[i, r], self._joins[r, r])
        for r in range(n):
            members = sum(self._joins[i, r] for i in range(r, n))
            program.add(members >= problem.k * self._joins[r, r]).with_name("least")
            program.add(members <= problem.largest * self._joins[r, r]).with_name("most")
            self._write_widths(program, r)
        steps = np.diff([0, *self._widths]).tolist()
        program.minimize(
            sum(step * self._wide[r, d] for r in range(n) for step, d in zip(steps, self._widths, strict=True))
        )

    def _write_widths(self, program: cp_model.CpModel, r: int) -> None:
        n = self.problem.table.rows
        for smaller, larger in zip(self._widths, self._widths[1:], strict=False):
            program.add_implication(self._wide[r, larger], self._wide[r, smaller])
        distances = self._distances.tolist()
        for i in range(r, n):
            for j in range(i + 1, n):
                if distances[i][j]:
                    both = [~self._joins[i, r], ~self._joins[j, r]] if i > r else [~self._joins[j, r]]
                    program.add_bool_or(*both, self._wide[r, distances[i][j]])

    def encode(self, solution: Partition) -> Values:
        """Let first rows lead, and set every width up to the diameter."""
        values = np.zeros(len(self.program.proto.variables))
        for group in solution.groups():
            leader = min(group)
            diameter = int(self._distances[np.ix_(group, group)].max())
            for i in group:
                values[self._joins[i, leader].index] = 1
            for width in self._widths:
                values[self._wide[leader, width].index] = width <= diameter
        return values

    def decode(self, values: Values) -> Partition:
        """Read each row's leader."""
        labels = np.zeros(self.problem.table.rows, dtype=np.int64)
        for (i, r), join in self._joins.items():
            if values[join.index] > 0.5:
                labels[i] = r
        return Partition.from_labels(labels)
