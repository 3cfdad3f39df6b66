"""Residues: star a few rows entirely, so that the classes of equal rows can stay as they are (after Xiao, Yi and Tao 2010).

A *residue* R is a set of rows that satisfies the principle or is empty, such that each class of equal rows, without R, does too. Publish
the classes without stars and R as one group. With R of least size and m columns,

    |R| <= OPT,    cost <= m |R| <= m OPT,

because the rows with stars of any solution make a residue: they are a union of its groups, and so is what is left of each class. That
takes no more than a principle that survives merging, as all here do. With weights, a star costs at least the least of them and a row
at most their sum: the factor is their sum over the least.

*Phase 1* lowers each class on its own, one row of its most frequent sensitive value at a time, until it satisfies the principle or is
empty. No residue is smaller, since the part of a class that is left is the largest there can be; so if the rows taken satisfy the
principle, they are a least residue. Otherwise, for l-diversity, phases 2 and 3 add rows until they do: for a whole l, less than l times
as many in all as a least residue has (`anoptima.solvers.approximate.residue_phases`). A least one is found by an integer program: the
pattern program (`anoptima.models.pattern`) with the row types and the fully starred row for its patterns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Origin, Stop
from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.errors import ModelTooLarge
from anoptima.exact import Exact, simplest
from anoptima.machine import available_memory
from anoptima.models.conditions import why_not_stated
from anoptima.models.pattern import BuiltPattern, size_of_program
from anoptima.patterns import Patterns
from anoptima.principles import AtLeastRows, AtLeastValues, AtMostShare, Splitting
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.approximation import CellApproximation, merge_until_it_holds
from anoptima.solvers.approximate.chop import chop, never
from anoptima.solvers.approximate.classes import least_residue, weight_ratio
from anoptima.solvers.approximate.residue_phases import ClassCounts, by_phases, phase_1
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts


@dataclass(frozen=True)
class _Residue:
    """Rows taken out of their classes, and how many any residue has at least; `good` if they satisfy the principle or are none."""

    taken: NDArray[np.bool_]
    least: int
    good: bool

    @property
    def rows(self) -> int:
        return int(self.taken.sum())

    @property
    def is_least(self) -> bool:
        return self.good and self.rows == self.least

    @property
    def factor(self) -> Fraction:
        """The most that its number of rows can be, divided by that of a least residue."""
        return Fraction(self.rows, self.least) if self.least else Fraction(1)


@algorithms.register
class Residue(CellApproximation):
    """A residue by three phases: star few rows so that the classes of all others can stay. The residue is then split into groups.

    Where the residue fails the principle, other groups join it.

    For l-diversity of one column, either version, and k-anonymity, and their conjunctions. With m columns of equal weight and a residue
    of f times as many rows as any must have, cost <= f m OPT, and `ratio` says f m. For frequency l-diversity with a whole l, f <= l - 1/l;
    for l = a/b in lowest terms, f <= a (a - 1), which may be more than l. For k-anonymity f = 1; for other principles f = 1 if phase 1
    ends in a residue, and otherwise nothing is promised. O(n (V + C / l)) for n rows, V values and C classes.

    References
    ----------
    X. Xiao, K. Yi and Y. Tao: The hardness and approximation algorithms for l-diversity (EDBT 2010).

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2)), "residue")
    >>> answer.cost, ao.get_solver("residue").ratio(answer.problem)
    (56, 8)
    """

    name = "residue"
    family = "residues"
    quick = 0

    def why_not(self, problem: Any) -> str | None:
        """It is for conditions on the sizes of groups and on the values of one column."""
        reason = super().why_not(problem)
        if reason is None and not _is_counted(problem):
            return f"{self.name} is for l-diversity of one column and k-anonymity, not for {problem.principle}"
        return reason

    def ratio(self, problem: Problem[Any]) -> Exact | None:
        """Return the number of columns, or the sum of the weights over the least, times what the residue has beyond a least one.

        None if the phases do not end in a residue, or there is no solution.
        """
        assert isinstance(problem, CellSuppression)
        if problem.why_infeasible() is not None:
            return None
        found = _found(problem.plain)
        return simplest(found.factor * weight_ratio(problem.table)) if found.good else None

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Take the rows of the phases out of their classes."""
        return _published(problem, _found(problem), is_over)

    def search(self, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Offer the partition, and the bound that each row of any residue has a star."""
        found = _found(problem)
        ledger.offer(_published(problem, found, ledger.is_over))
        ledger.raise_bound(least_cost(problem, found.least), Origin.THEOREM, self.name)


@algorithms.register
class LeastResidue(CellApproximation):
    """A least residue: star the fewest rows such that the classes of all others can stay. By phase 1, or an integer program on HiGHS.

    The program is solved only where the rows that phase 1 takes fail the principle.

    For every principle that a program can state. cost <= m OPT for m columns of equal weight. That the residue is least rests on the
    backend's word where phase 1 does not suffice, and the bound says so. The program has a variable or two for each record type.

    References
    ----------
    X. Xiao, K. Yi and Y. Tao: The hardness and approximation algorithms for l-diversity (EDBT 2010).

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.TCloseness("1/5")), "least-residue")
    >>> answer.cost, ao.get_solver("least-residue").ratio(answer.problem)
    (70, 8)
    """

    name = "least-residue"
    family = "residues"

    # The backend is told the seed; its search does not depend on the limit.
    uses_seed = True

    def why_not(self, problem: Any) -> str | None:
        """It is for what programs can state, as phase 1 may not be enough."""
        return super().why_not(problem) or why_not_stated(problem.plain.principle, problem.table)

    backend = "highs"

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return the number of columns, or the sum of the weights over the least."""
        assert isinstance(problem, CellSuppression)
        return weight_ratio(problem.table)

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Return what the phases end in, or the whole table as one group where there are none."""
        return _published(problem, _found(problem), is_over) if _is_counted(problem) else problem.trivial()

    def search(self, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Try the phases, then the program."""
        if _is_counted(problem):
            found = _found(problem)
            ledger.offer(_published(problem, found, ledger.is_over))
            ledger.raise_bound(least_cost(problem, found.least), Origin.THEOREM, self.name)
            if found.is_least:
                return
        built = _program(problem, available_memory() if ledger.budget.memory is None else ledger.budget.memory)
        check_time()
        outcome = get_backend(self.backend).solve(
            built, replace(ledger.budget, seconds=ledger.clock.left()), None, lambda _: ledger.cancelled
        )
        if outcome.values is not None:
            ledger.offer(split_starred(problem, built.decode(outcome.values), ledger.is_over))
        if outcome.bound is not None:
            row = int(problem.table.scaled_weights.sum())
            rows = math.ceil(Fraction(outcome.bound) / row)
            ledger.raise_bound(least_cost(problem, rows), Origin.BACKEND, self.backend)
        if outcome.stop is not Stop.PROVED:
            ledger.notes.append("the residue is not known to be least: the backend was stopped")


def least_cost(problem: CellSuppression, rows: int) -> Exact:
    """Return the least cost of a star in each of `rows` rows."""
    return simplest(rows * Fraction(min(problem.table.weights)))


def _found(problem: CellSuppression) -> _Residue:
    """Return what the phases end in; where phases 2 and 3 say nothing of the principle, what phase 1 ends in."""
    conditions = problem.principle.conditions(problem.table)
    if len(conditions) == 1 and isinstance(conditions[0], AtLeastRows):
        together = least_residue(problem.table, conditions[0].rows)
        return _Residue(together, int(together.sum()), True)
    names = [name for c in conditions for name in c.columns]
    counts = ClassCounts(problem.table, names[0] if names else None)
    if len(conditions) == 1 and isinstance(conditions[0], AtMostShare):
        phased = by_phases(counts, conditions[0].share)
        if phased is not None:
            return _Residue(counts.taken(phased.left), phased.least, True)
    taken = counts.taken(phase_1(counts, conditions))
    return _Residue(taken, int(taken.sum()), _is_residue(problem, taken))


def _published(problem: CellSuppression, found: _Residue, is_over: Callable[[], bool]) -> Partition:
    """Return the classes without the rows taken and those as one group, split or with other groups in it, as they need."""
    types = problem.table.type_of_row
    labels = np.where(found.taken, types.max() + 1, types)
    if not found.good:
        return merge_until_it_holds(problem, labels, int(types.max()) + 1)
    return split_starred(problem, Partition.from_labels(labels), is_over)


def _is_counted(problem: CellSuppression) -> bool:
    """Tell whether the principle speaks of the sizes of groups and the values of one column, as phase 1 needs it."""
    conditions = problem.plain.principle.conditions(problem.table)
    counted = all(isinstance(c, AtLeastRows | AtLeastValues | AtMostShare) for c in conditions)
    return counted and len({name for c in conditions for name in c.columns}) <= 1


def _is_residue(problem: CellSuppression, taken: NDArray[np.bool_]) -> bool:
    """Tell whether the rows taken satisfy the principle or are none."""
    if not taken.any():
        return True
    groups = problem.table.groups(np.where(taken, 0, 1) if not taken.all() else np.zeros(len(taken), dtype=np.int64))
    return bool(problem.principle.holds_each(groups)[0])


def split_starred(problem: CellSuppression, partition: Partition, is_over: Callable[[], bool] = never) -> Partition:
    """Split the groups with stars, which never costs more, if a simple rule does it: close rows for k-anonymity, values dealt out else.

    A group of s rows that is diverse for a whole l is dealt out, sorted by value, to s // l parts: a value occurs s // l times at most, so
    never twice in a part. For other principles the same is tried, and kept where every part satisfies the principle.
    """
    table, principle = problem.table, problem.principle
    least = principle.least_size(table)
    if principle.splitting is Splitting.ANYWHERE:
        return chop(problem, partition, least, is_over)
    named = {name for condition in principle.conditions(table) for name in condition.columns}
    # What the principle is about comes last: that is dealt first.
    by_principle = sorted(table.sensitive, key=lambda name: name in named)
    labels = partition.labels.copy()
    starred = distinct(labels[problem.stars(partition).any(axis=1)])
    for group in starred.tolist():
        check_time()
        rows = np.flatnonzero(partition.labels == group)
        parts = len(rows) // max(1, least)
        if parts < 2:
            continue
        keys: list[Counts] = [
            table.type_of_row[rows],
            *(table.sensitive_column(name).codes[rows].astype(np.int64) for name in by_principle),
        ]
        dealt = np.empty(len(rows), dtype=np.int64)
        dealt[np.lexsort(np.stack(keys))] = np.arange(len(rows)) % parts
        candidate = labels.copy()
        candidate[rows] = labels.max() + 1 + dealt
        if principle.holds(table.groups(Partition.from_labels(candidate).labels)):
            labels = candidate
    return Partition.from_labels(labels)


def _program(problem: CellSuppression, memory: int) -> BuiltPattern:
    """Build the pattern program with the row types that could be groups, and the fully starred row, for patterns."""
    patterns = class_patterns(problem)
    conditions = problem.principle.conditions(problem.table)
    size = size_of_program(patterns, conditions)
    if size.memory > memory:
        raise ModelTooLarge(f"the residue program has {size}; {memory / 2**20:,.0f} MiB are allowed")
    return BuiltPattern(problem, size, conditions, patterns)


def class_patterns(problem: CellSuppression) -> Patterns:
    """Return the row types that could be groups by themselves, and the pattern of stars alone.

    >>> from anoptima import LDiversity, ten_rows
    >>> patterns = class_patterns(CellSuppression(ten_rows(), LDiversity(2)))
    >>> [patterns.text(p) for p in range(len(patterns))]
    ['* * * * * * * *']
    """
    table = problem.table
    records = table.records
    could = problem.principle.could_hold_each(table.groups_of_records(records.type))
    able = np.flatnonzero(could[records.type]).astype(np.int32)
    sizes = np.bincount(records.type)[could]
    kept = np.ones((len(sizes) + 1, len(table.quasi)), dtype=bool)
    kept[-1] = False
    cost: Counts = np.zeros(len(kept), dtype=np.int64)
    cost[-1] = table.scaled_weights.sum()
    ends = np.concatenate([[0], np.cumsum(sizes), [len(able) + len(records)]]).astype(np.int64)
    return Patterns(table, kept, cost, ends, np.concatenate([able, np.arange(len(records), dtype=np.int32)]))
