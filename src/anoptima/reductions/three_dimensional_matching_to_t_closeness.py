"""Three-dimensional matching to t-closeness for 0 <= t < 1/3 (Liang and Yuan 2013, Theorem 6).

Construction: a row for each of the 3n elements of W, X and Y, a column for each of the m triples: 0 where the element is in the triple, the
row's own number otherwise. The sensitive value says whether the element is of W, X or Y; equal distance.
Why: the whole table's distribution is (1/3, 1/3, 1/3). A group of one row is 2/3 away from it, one of two rows 1/3 or more. So groups have
three rows or more, and a group keeps a column only if it is that triple, whose distribution is the table's.
Relation: OPT = 3n (m - 1) + (fewest unmatched elements), whatever t in the range; a perfect matching exists exactly if OPT <= 3n (m - 1).
Maps: the triples become groups, the unmatched elements, equally many of W, X and Y, one more. Back: the groups that are triples.
Size: 3n rows, m columns. Conditions: a triple, none twice. At t = 1/3 groups of two are close, and it fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction
from anoptima.principles import TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.matchings import EdgesAsGroups
from anoptima.reductions.tables import incidence, table_of

PARTS = ("W", "X", "Y")
"""The sensitive values."""


@reductions.register
@dataclass(frozen=True)
class ThreeDimensionalMatchingToTCloseness(Reduction[Matching, Partition]):
    """Three-dimensional matching as cell suppression for t-closeness, t below 1/3: every group has all of W, X and Y.

    Parameters
    ----------
    t
        How close; from 0 to below 1/3.

    Examples
    --------
    >>> problem = ThreeDimensionalMatching([1, 2], [1, 2], [1, 2], [(1, 1, 1), (2, 2, 2), (1, 2, 2)])
    >>> reduced = ThreeDimensionalMatchingToTCloseness().apply(problem)
    >>> reduced.target.size()["rows"], reduced.threshold()
    (6, 12)
    """

    t: Fraction

    name = "3d-matching-to-t-closeness"
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 6"
    problems = (ThreeDimensionalMatching,)

    def __init__(self, t: Number = Fraction(1, 6)) -> None:
        object.__setattr__(self, "t", as_fraction(t, "t"))
        if not 0 <= self.t < Fraction(1, 3):
            raise BadInput(
                f"t is {self.t}; it must be at least 0 and below 1/3 (from 1/3 to 1/2, the looser one serves)"
            )

    def why_not(self, problem: Any) -> str | None:
        """It is for three-dimensional matchings with a triple."""
        return super().why_not(problem) or why_no_triples(problem)

    def target_size(self, problem: Problem[Matching]) -> Mapping[str, int]:
        """3n rows, m columns."""
        size = problem.size()
        return {"rows": 3 * size["n"], "columns": size["triples"]}

    def apply_unchecked(self, problem: Problem[Matching]) -> Reduced[Matching, Partition]:
        """Fill in the table. O(n m)."""
        assert isinstance(problem, ThreeDimensionalMatching)
        kinds = np.repeat(PARTS, len(problem.w))
        table = table_of(triples_or_own(problem), sensitive=kinds.tolist())
        return EdgesAsGroups(problem, CellSuppression(table, TCloseness(self.t)))


def why_no_triples(problem: ThreeDimensionalMatching) -> str | None:
    """Say that a problem has no triple; None if it has one."""
    return None if problem.triples else "there is no triple, and the table has a column for each of them"


def triples_or_own(problem: ThreeDimensionalMatching) -> NDArray[np.int64]:
    """Return, for every element and triple, 0 if the element is in the triple and the element's own number otherwise. O(n m)."""
    elements = len(problem.named)
    return np.where(incidence(problem.members, elements), 0, np.arange(1, elements + 1)[:, None])
