"""The records of a table under a principle: row types with the values of the sensitive columns that the principle speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from anoptima.errors import BadInput
from anoptima.principles import least_rows
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.table_problem import TableProblem
from anoptima.proofs.group_pricing import Asked, Part, Potentials, distinct, enough_values, priced_by
from anoptima.proofs.refinement import Classes, walk
from anoptima.proofs.statements import under
from anoptima.proofs.views import View, Whole, whole_numbers


def named_columns(problem: TableProblem[Any]) -> set[str]:
    """Return the sensitive columns that some condition of the principle is about."""
    return {name for condition in problem.principle.conditions(problem.table) for name in condition.columns}


def record_of_row(problem: CellSuppression) -> Whole:
    """Return the record of each row: row types with the values of the sensitive columns that the principle speaks of, numbered in order.

    By row type first, then by the values in the order in which they first occur, column after column.

    >>> from anoptima import LDiversity, ten_rows
    >>> int(record_of_row(CellSuppression(ten_rows(), LDiversity(2))).max())
    9
    """
    table = problem.table
    label = np.asarray(table.type_of_row, dtype=np.int64)
    named = named_columns(problem)
    for name in table.sensitive:
        if name in named:
            codes = table.sensitive_column(name).codes
            label = np.unique(label * (int(codes.max()) + 1) + codes, return_inverse=True)[1].reshape(-1)
    return label.astype(np.int64)


def asked_about(problem: Problem[Any], digest: str, principle: Mapping[str, Any], denominator: int) -> CellSuppression:
    """Return the problem that a proof is about: as it is, as it comes to, or under what its principle implies. Refuse another one."""
    if not isinstance(problem, CellSuppression):
        raise BadInput(f"the proof is about cell-suppression, and this is {problem.name}")
    if problem.table.digest != digest:
        raise BadInput(f"the proof is about another table, with digest {digest[:12]}...")
    if denominator < 1:
        raise BadInput(f"the denominator is {denominator}; it must be at least 1")
    return under(problem, principle)


class Ground:
    """The records of a table, their patterns, and how each condition of the principle prices groups of them."""

    def __init__(self, problem: CellSuppression, potentials: Sequence[Potentials] = ()) -> None:
        table, of_row, self.columns = problem.table, record_of_row(problem), named_columns(problem)
        first = np.unique(of_row, return_index=True)[1]
        self.copies: Whole = np.bincount(of_row).astype(np.int64)
        self.codes: Whole = np.asarray(table.types)[table.type_of_row[first]].astype(np.int64)
        self.weights = [int(weight) for weight in table.scaled_weights]
        conditions = problem.principle.conditions(table)
        self.k = min(max(1, least_rows(conditions), problem.principle.least_size(table)), table.rows + 1)
        asked = (Asked(table, first, tuple(potentials), number) for number in range(len(conditions)))
        priced = map(priced_by, conditions, asked)
        of_values = [part for part in priced if part is not None]
        self.parts = of_values or [Part(np.zeros(len(self.copies), dtype=np.int64), distinct(1), enough_values(1), 1)]
        self._together = 1 if of_values else self.k
        """So many of the best rows gain something together, where a group does: k if that is all that groups are asked for."""

    def patterns(self, top: Whole | None = None, d: int = 0) -> Iterator[Classes]:
        """Yield the closed patterns with rows enough for a group; with `top`, those where rows have more than d times the stars."""
        return walk(self.codes, self.copies, self.k, top, [d * weight for weight in self.weights], self._together)

    def view(self, part: Part, owner: Whole, member: Whole, gain: Whole, patterns: int) -> View:
        """Return the records of some patterns, which gain so much, as a condition sees them."""
        order = np.lexsort((-gain, owner))
        record = member[order]
        return View(owner[order], gain[order], self.copies[record], part.value[record], patterns)

    def least_rows(self, owner: Whole, member: Whole, patterns: int) -> Whole:
        """Return a size that no group of each pattern, as the conditions see them, is below; 0 where there is none."""
        nothing, least = np.zeros(len(owner), dtype=np.int64), np.full(patterns, self.k, dtype=np.int64)
        for part in self.parts * min(2, len(self.parts)):
            # 0 where no group is legal, from then on.
            view = self.view(part, owner, member, nothing, patterns)
            found = whole_numbers(part.smallest(view, np.maximum(1, least)), patterns)
            least = np.where(least > 0, found, 0)
        return least
