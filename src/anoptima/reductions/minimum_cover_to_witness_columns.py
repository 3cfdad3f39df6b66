"""Minimum cover to minimum quasi-identifier, a witness against k-anonymity: Yuan and Wang's Definition 3, with a repaired proof.

Construction: *k copies* of a row for each element, and one row of blanks, a column for each set; entries as for identifying columns.
Why: an element's class on any columns has its k copies, so it is never smaller than k. The blank row's class is itself alone exactly if
no element's row is blank on the chosen columns, that is, if the chosen sets cover every element; otherwise it has k + 1 rows or more.
Relation: the fewest columns are the fewest sets. Maps: column j is set j.
Size: k |S| + 1 rows, a column a set. It needs a table that keeps equal rows.
What is wrong in the paper: its construction has every element once, and then one column in which an element is not blank isolates that
element's row: one column is always enough for k = 2, and nothing is shown to be hard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anoptima.errors import BadInput
from anoptima.exact import as_integer
from anoptima.problems.base import Problem
from anoptima.problems.quasi_identifier import QuasiIdentifier, WitnessColumns
from anoptima.problems.sources.minimum_cover import ChosenSets, MinimumCover
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.minimum_cover_to_identifying_columns import ColumnsAsSets, elements_or_blank
from anoptima.reductions.tables import table_of


@reductions.register
@dataclass(frozen=True)
class MinimumCoverToWitnessColumns(Reduction[ChosenSets, QuasiIdentifier]):
    """Minimum cover as smallest witness against k-anonymity: k rows for each element and a blank one, a column for each set.

    Parameters
    ----------
    k
        The anonymity that is to be refuted; at least 2.

    Examples
    --------
    >>> problem = MinimumCover("ab", {"c1": "a", "c2": "ab"})
    >>> reduced = MinimumCoverToWitnessColumns().apply(problem)
    >>> reduced.target.table.frame.to_numpy().tolist()
    [[1, 1], [1, 1], [0, 2], [0, 2], [0, 0]]
    """

    k: int = 2

    name = "minimum-cover-to-witness-columns"
    cites = "Yuan, Wang: Finding quasi-identifiers against k-anonymity, Definition 3; the construction is repaired here"
    problems = (MinimumCover,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", as_integer(self.k, "k"))
        if self.k < 2:
            raise BadInput(f"k is {self.k}; it must be at least 2: every table is 1-anonymous")

    def target_size(self, problem: Problem[ChosenSets]) -> Mapping[str, int]:
        """As many as k |S| + 1 rows, a column a set."""
        size = problem.size()
        return {"rows": self.k * size["elements"] + 1, "columns": size["sets"]}

    def apply_unchecked(self, problem: Problem[ChosenSets]) -> Reduced[ChosenSets, QuasiIdentifier]:
        """Fill in the table. O(k |S| q)."""
        assert isinstance(problem, MinimumCover)
        return ColumnsAsSets(problem, WitnessColumns(table_of(elements_or_blank(problem, self.k)), self.k))
