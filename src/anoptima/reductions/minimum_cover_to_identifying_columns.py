"""Minimum cover to minimum quasi-identifier, complete identification (Yuan and Wang): the fewest columns that tell all rows apart.

Construction: a row for each element and one row of blanks, a column for each set. Row e has e in column j if e is in set j, and a
blank otherwise.
Why: two elements differ wherever one of them is not blank. So rows are told apart exactly if no element's row is blank on the chosen
columns, which is to say that the chosen sets cover every element. If the sets did not cover it, an element's row would equal the blank one
everywhere and need not be told apart; such a universe is refused when the problem is stated.
Relation: the fewest columns are the fewest sets. Maps: column j is set j.
Size: |S| + 1 rows, a column a set.
What the paper leaves unsaid: that the sets must cover S. Its proof is about identifying columns, not about its Definition 3 (a witness
that k-anonymity is violated): under that, a single column with an element isolates a row. See `minimum-cover-to-witness-columns`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.quasi_identifier import IdentifyingColumns, QuasiIdentifier, WitnessColumns
from anoptima.problems.sources.minimum_cover import ChosenSets, MinimumCover
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction
from anoptima.reductions.tables import incidence, table_of


@dataclass(frozen=True, eq=False)
class ColumnsAsSets(Affine[ChosenSets, QuasiIdentifier]):
    """Column j is set j."""

    def forward(self, solution: ChosenSets) -> QuasiIdentifier:
        """Choose the sets' columns."""
        assert isinstance(self.source, MinimumCover)
        assert isinstance(self.target, IdentifyingColumns | WitnessColumns)
        return self.target.solution_of(j for j, name in enumerate(self.source.names) if name in solution.names)

    def backward(self, solution: QuasiIdentifier) -> ChosenSets:
        """Choose the columns' sets."""
        assert isinstance(self.source, MinimumCover)
        assert isinstance(self.target, IdentifyingColumns | WitnessColumns)
        return ChosenSets.of(self.source.names[j] for j in self.target.columns_of(solution))

    @property
    def offset(self) -> Exact:
        """0: a column is a set."""
        return 0


@reductions.register
class MinimumCoverToIdentifyingColumns(Reduction[ChosenSets, QuasiIdentifier]):
    """Minimum cover as smallest key: a row for each element and a blank one, a column for each set.

    >>> problem = MinimumCover("abcde", {"c1": "abc", "c2": "bd", "c3": "cd", "c4": "de"})
    >>> reduced = MinimumCoverToIdentifyingColumns().apply(problem)
    >>> reduced.target.table.frame.to_numpy().tolist()
    [[1, 0, 0, 0], [2, 2, 0, 0], [3, 0, 3, 0], [0, 4, 4, 4], [0, 0, 0, 5], [0, 0, 0, 0]]
    """

    name = "minimum-cover-to-identifying-columns"
    cites = "Yuan, Wang: Finding quasi-identifiers against k-anonymity, the proof of NP-hardness"
    problems = (MinimumCover,)

    def target_size(self, problem: Problem[ChosenSets]) -> Mapping[str, int]:
        """|S| + 1 rows, a column a set."""
        size = problem.size()
        return {"rows": size["elements"] + 1, "columns": size["sets"]}

    def apply_unchecked(self, problem: Problem[ChosenSets]) -> Reduced[ChosenSets, QuasiIdentifier]:
        """Fill in the table. O(|S| q)."""
        assert isinstance(problem, MinimumCover)
        return ColumnsAsSets(problem, IdentifyingColumns(table_of(elements_or_blank(problem, 1))))


def elements_or_blank(problem: MinimumCover, copies: int) -> NDArray[np.int64]:
    """Return `copies` rows an element, with the element's number in the columns of its sets and 0 elsewhere, and a row of 0."""
    elements = len(problem.universe)
    places = [[problem.position[element] for element in members] for members in problem.sets]
    cells = np.where(incidence(places, elements), np.arange(1, elements + 1)[:, None], 0)
    blank = np.zeros((1, len(problem.sets)), dtype=np.int64)
    return np.vstack([cells[np.repeat(np.arange(elements), copies)], blank])
