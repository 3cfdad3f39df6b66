"""The pattern program for cell suppression under any principle (Chakaravarthy, Pandit, Sabharwal 2010, section 4, repaired).

Sets: closed patterns p with their stars' weight c_p; record types r (row type and sensitive values) with multiplicity s_r; r ~ p if p
matches r. Variables: x_pr, how many rows of record r are published as p; z_p = 1 if p is open.

    minimise    sum c_p x_pr
    (cover)     sum_p x_pr = s_r                                   every record is published
    (link)      x_pr <= s_r z_p                                    only open patterns take rows
    (principle) the rows of p satisfy the principle's conditions, such as  sum_r x_pr >= k z_p
    x_pr >= 0,  z_p in {0, 1}

One group per pattern is enough, because principles are merge-closed and two groups published alike merge at no cost. z and the
links are there only where a condition tells an empty group from another (least sizes, least numbers of values); shares and
distances are homogeneous. x is continuous where its integrality is implied (`conditions.rows_come_out_whole`) and whole otherwise.
Without (link), a pattern with z_p = 0 could take rows: the program as printed in the paper allows that, and is wrong.

Size, for P closed patterns, R records and A pairs r ~ p: A + P variables, R + A rows, 3 A coefficients, and what the principle's
conditions add, for k-anonymity P rows with A + P coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model, ModelSize, Values
from anoptima.models.conditions import (
    Fill,
    GroupTerms,
    needs_open,
    rows_come_out_whole,
    why_not_stated,
    write_conditions,
)
from anoptima.models.languages import pyo, weighted_sum
from anoptima.models.links import Links
from anoptima.models.matrix import IMPLIED
from anoptima.models.pyomo_writer import PyomoWriter, places
from anoptima.packages import nx
from anoptima.patterns import Patterns, closed_patterns
from anoptima.principles import (
    AtLeastRows,
    AtLeastValues,
    CloseByFlow,
    CloseOnTree,
    Condition,
    LimitedShares,
    Outweighed,
)
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition

_MOST_NAMED = 8
"""How many values of a record are enough to know it by."""

_BYTES_A_VARIABLE = 700
_BYTES_A_ROW = 900
_BYTES_A_COEFFICIENT = 150
"""Measured with `benchmarks/build_time.py`: Pyomo's objects, the arrays made of them and a backend's copy."""


@models.register
class PatternModel(Model[Partition]):
    """Rows to closed patterns, open or not; for cell suppression under any principle."""

    name = "pattern"
    language = Language.PYOMO
    problems = (CellSuppression,)
    links: ClassVar[Links] = Links.EACH

    def why_not(self, problem: Any) -> str | None:
        """It is for principles that programs can state."""
        reason = super().why_not(problem) or why_not_stated(problem.principle, problem.table)
        if reason is None and self.links is not Links.EACH and not needs_open(self.conditions(problem)):
            return (
                f"the {self.name} model is for least sizes and least numbers of values; "
                f"for {problem.principle} it is the pattern model, which has no links then"
            )
        return reason

    def conditions(self, problem: CellSuppression) -> list[Condition]:
        """Return the conditions on a group that the program states: the principle's own, or others that say the same."""
        return problem.principle.conditions(problem.table)

    def estimate(self, problem: Problem[Partition]) -> ModelSize:
        """Count from the patterns themselves, which take far less room than the program."""
        assert isinstance(problem, CellSuppression)
        return size_of_program(closed_patterns(problem), self.conditions(problem), self.links)

    def build_unchecked(self, problem: Problem[Partition], size: ModelSize) -> BuiltPattern:
        """Build the program. O(coefficients)."""
        assert isinstance(problem, CellSuppression)
        problem.require_feasible()
        return BuiltPattern(problem, size, self.conditions(problem), links=self.links)


def size_of_program(patterns: Patterns, conditions: Sequence[Condition], links: Links = Links.EACH) -> ModelSize:
    """Return how large the program is for these patterns."""
    opened = needs_open(conditions)
    of_links = links.size(patterns.arcs, len(patterns)) if opened else (0, 0)
    variables = patterns.arcs + (len(patterns) if opened else 0)
    rows, coefficients = len(patterns.table.records) + of_links[0], patterns.arcs + of_links[1]
    for condition in conditions:
        extra = size_of_condition(condition, len(patterns), patterns.arcs)
        variables, rows, coefficients = variables + extra[0], rows + extra[1], coefficients + extra[2]
    memory = variables * _BYTES_A_VARIABLE + rows * _BYTES_A_ROW + coefficients * _BYTES_A_COEFFICIENT
    return ModelSize(variables, rows, coefficients, memory, {"patterns": len(patterns), "arcs": patterns.arcs})


def size_of_condition(condition: Condition, patterns: int, arcs: int) -> tuple[int, int, int]:
    """Variables, rows and coefficients that a condition adds, from above: totals of rows and of values, then its own."""
    if isinstance(condition, AtLeastRows):
        return 0, patterns, arcs + patterns
    totals, of_totals = patterns + arcs, patterns + 3 * arcs
    if isinstance(condition, LimitedShares):
        return totals, totals + arcs, of_totals + 2 * arcs
    if isinstance(condition, AtLeastValues):
        return totals + arcs, totals + 2 * arcs + patterns, of_totals + 5 * arcs + patterns
    if isinstance(condition, Outweighed):
        return totals + arcs + 2 * patterns, totals + 2 * arcs + patterns, of_totals + 6 * arcs + 4 * patterns
    if isinstance(condition, CloseByFlow):
        values = len(condition.whole)
        ends = arcs + patterns * (values + 1)
        return totals + arcs * values, totals + ends, of_totals + 3 * arcs * values + ends
    assert isinstance(condition, CloseOnTree)
    # An edge has a surplus only if a value that occurs lies below it, and an arc brings one value, with `height` edges above it.
    height = int(condition.sides.sum(axis=0).max(initial=0))
    surpluses = min(patterns * len(condition.lengths), arcs * height)
    return (
        totals + surpluses,
        totals + surpluses + patterns,
        of_totals + 3 * surpluses + arcs * (height + 1) + patterns,
    )


class BuiltPattern(BuiltModel[Partition]):
    """The program; columns are the arcs in order, then the patterns' z, then what the conditions need."""

    language = Language.PYOMO
    problem: CellSuppression

    def __init__(
        self,
        problem: CellSuppression,
        size: ModelSize,
        conditions: Sequence[Condition],
        patterns: Patterns | None = None,
        links: Links = Links.EACH,
    ) -> None:
        """Write the program for `patterns`, all closed ones unless given."""
        self.patterns = patterns = closed_patterns(problem) if patterns is None else patterns
        self.conditions = conditions
        program = pyo.ConcreteModel(name="cell suppression, pattern program")
        super().__init__(problem, program, size)
        multiplicity = problem.table.records.multiplicity
        whole = not rows_come_out_whole(self.conditions)
        limits = multiplicity[patterns.member].tolist()
        program.x = pyo.Var(range(patterns.arcs), domain=pyo.NonNegativeIntegers if whole else pyo.NonNegativeReals)
        self._x = list(program.x.values())
        for variable, limit in zip(self._x, limits, strict=True):
            variable.setub(limit)
        setattr(program, IMPLIED, pyo.Suffix())
        if not whole:
            getattr(program, IMPLIED)[program.x] = True
        self._z: list[Any] = []
        if needs_open(self.conditions):
            program.z = pyo.Var(range(len(patterns)), domain=pyo.Binary)
            self._z = list(program.z.values())
            place = patterns.pattern_of_arc.tolist()
            links.write(program, self._x, limits, place, self._z, problem.table.rows)
        arcs_of_record = np.split(
            np.argsort(patterns.member, kind="stable"), np.cumsum(np.bincount(patterns.member))[:-1]
        )
        program.cover = pyo.Constraint(
            range(len(multiplicity)),
            rule=lambda _, r: (
                weighted_sum([1] * len(arcs_of_record[r]), [self._x[a] for a in arcs_of_record[r]]),
                int(multiplicity[r]),
            ),
        )
        costs = patterns.cost[patterns.pattern_of_arc].tolist()
        program.stars = pyo.Objective(expr=weighted_sum(costs, self._x))
        self._fills = self._write_principle(program)

    def _write_principle(self, program: Any) -> list[list[Fill]]:
        writer = PyomoWriter(program)
        fills = []
        for p in range(len(self.patterns)):
            check_time()
            arcs = slice(self.patterns.start[p], self.patterns.start[p + 1])
            records = self.patterns.member[arcs]
            sensitive = self.problem.table.records.sensitive[records]
            group = GroupTerms(
                variables=self._x[arcs],
                rows=np.ones(len(records), dtype=np.int64),
                codes={name: sensitive[:, c] for c, name in enumerate(self.problem.table.sensitive)},
                open=self._z[p] if self._z else None,
                capacity=int(self.patterns.support[p]),
            )
            fills.append(write_conditions(writer, self.conditions, group))
        writer.finish()
        return fills

    def encode(self, solution: Partition) -> Values:
        """Publish each group as its common part, which is a closed pattern; merge groups with one pattern."""
        table, patterns = self.problem.table, self.patterns
        stars = self.problem.stars(solution)
        record = table.records.of_row
        brought = np.zeros(patterns.arcs, dtype=np.int64)
        for group in solution.groups():
            p = patterns.find(~stars[group[0]], int(record[group[0]]))
            members = patterns.member[patterns.start[p] : patterns.start[p + 1]]
            # The members of a pattern are in increasing order, so a search finds each row's arc.
            np.add.at(brought, patterns.start[p] + np.searchsorted(members, record[group]), 1)
        values = np.zeros(self.columns)
        values[: patterns.arcs] = brought
        self._fill(values, brought)
        return values

    def _fill(self, values: Values, brought: NDArray[np.int64]) -> None:
        place = places(self.program)
        for p in distinct(self.patterns.pattern_of_arc[brought > 0]):
            if self._z:
                values[self.patterns.arcs + p] = 1
            for fill in self._fills[p]:
                for variable, value in fill(brought[self.patterns.start[p] : self.patterns.start[p + 1]]):
                    values[place[id(variable)]] = value

    def meaning(self, column: int) -> str:
        """Say which record is published as which pattern, or which pattern is open."""
        patterns = self.patterns
        if column < patterns.arcs:
            record, pattern = int(patterns.member[column]), int(patterns.pattern_of_arc[column])
            return f"rows of record {record} ({self._record_text(record)}) published as '{patterns.text(pattern)}'"
        if self._z and column < patterns.arcs + len(patterns):
            return f"1 if rows may be published as '{patterns.text(column - patterns.arcs)}'"
        return super().meaning(column)

    def _record_text(self, record: int) -> str:
        table = self.problem.table
        codes = table.types[table.records.type[record]]
        texts = [str(column.values[code]) for column, code in zip(table.quasi_columns, codes, strict=True)]
        return " ".join(texts[:_MOST_NAMED]) + (" ..." if len(texts) > _MOST_NAMED else "")

    def decode(self, values: Values) -> Partition:
        """Deal the rows of each record out to the patterns as x says."""
        patterns, records = self.patterns, self.problem.table.records
        amounts = values[: patterns.arcs]
        brought = np.rint(amounts).astype(np.int64)
        if not self._is_exact(brought, values):
            brought = self._whole_assignment(values)
        order = np.lexsort((patterns.pattern_of_arc, patterns.member))
        pattern_of_copy = np.repeat(patterns.pattern_of_arc[order], brought[order])
        labels = np.empty(self.problem.table.rows, dtype=np.int64)
        labels[np.argsort(records.of_row, kind="stable")] = pattern_of_copy
        return Partition.from_labels(labels)

    def _is_exact(self, brought: NDArray[np.int64], values: Values) -> bool:
        """Return whether the rounded assignment publishes every row once; a vertex of the program does."""
        if not rows_come_out_whole(self.conditions):
            return True
        covered = np.bincount(self.patterns.member, weights=brought)
        return bool(
            np.abs(brought - values[: self.patterns.arcs]).max() < 1e-4
            and (covered == self.problem.table.records.multiplicity).all()
        )

    def _whole_assignment(self, values: Values) -> NDArray[np.int64]:
        """Assign whole rows at least cost to the patterns that `values` open: a network flow, so no dearer than the fractional one."""
        patterns, records = self.patterns, self.problem.table.records
        least_rows = max([c.rows for c in self.conditions if isinstance(c, AtLeastRows)], default=0)
        distinct = next((c for c in self.conditions if isinstance(c, AtLeastValues)), None)
        column = self.problem.table.sensitive.index(distinct.column) if distinct else 0
        graph: nx.DiGraph[Any] = nx.DiGraph()
        demand: dict[Any, int] = {("record", r): -int(s) for r, s in enumerate(records.multiplicity)}
        demand["end"] = self.problem.table.rows
        for p in np.flatnonzero(values[patterns.arcs : patterns.arcs + len(patterns)] > 0.5).tolist():
            arcs = range(patterns.start[p], patterns.start[p + 1])
            taken: dict[int, float] = {}
            for a in arcs:
                record = int(patterns.member[a])
                value = int(records.sensitive[record, column]) if distinct else 0
                taken[value] = taken.get(value, 0.0) + float(values[a])
                graph.add_edge(("record", record), (p, value), weight=int(patterns.cost[p]), arc=a)
            for value, amount in taken.items():
                # A lower limit of one row of a value of which there is one or more: one unit is sent ahead, by the nodes' demands.
                ahead = 1 if distinct and amount > 1 - 1e-4 else 0
                graph.add_edge((p, value), p)
                demand[(p, value)] = demand.get((p, value), 0) + ahead
                demand[p] = demand.get(p, 0) - ahead
            graph.add_edge(p, "end")
            demand[p] = demand.get(p, 0) + least_rows
            demand["end"] -= least_rows
        nx.set_node_attributes(graph, demand, "demand")
        _, flow = nx.network_simplex(graph)
        brought = np.zeros(patterns.arcs, dtype=np.int64)
        for tail, head, data in graph.edges(data=True):
            if "arc" in data:
                brought[data["arc"]] = flow[tail][head]
        return brought
