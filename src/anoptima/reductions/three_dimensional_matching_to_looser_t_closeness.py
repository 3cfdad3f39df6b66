"""Three-dimensional matching to t-closeness for 1/3 <= t < 1/2 (Liang and Yuan 2013, Theorem 7).

Construction: the table for t < 1/3, and R new rows, each with a number of its own throughout and the sensitive value N. The distance
between W, X and Y is 1, and 1/2 from each of them to N. Then EMD(P, Q) = (1/2) sum over W, X, Y of |p - q|.
Why: let r = R / (3n + R) be the share of new rows. From the whole table's distribution, a triple is r/2 away, a new row on its own
(1 - r)/2, one old row 1/2 + (1 - r)/6, two old rows of different kinds 1/2 - (1 - r)/6, of one kind as much as one row. So triples and
single new rows are allowed and one or two old rows are not, if

    r/2 <= t,   (1 - r)/2 <= t,   1/2 - (1 - r)/6 > t,      that is   max(6t - 2 (strictly), 1 - 2t) <= r <= 2t,

which for R says  R > n (6t - 2) / (1 - 2t),  R >= 3n (1 - 2t) / (2t),  R <= 6 n t / (1 - 2t): `new_rows`, never empty. A group with a
new row and any other row is starred throughout, and every other group costs what it does for t < 1/3.
Relation: OPT = 3n (m - 1) + (fewest unmatched elements).
Maps: as for t < 1/3, every new row on its own.
Size: 3n + R rows, m columns. What is lost in the paper: its number R; the least of the range is taken here unless another is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, as_integer
from anoptima.principles import TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.matchings import EdgesAsGroups
from anoptima.reductions.tables import table_of
from anoptima.reductions.three_dimensional_matching_to_t_closeness import PARTS, triples_or_own, why_no_triples
from anoptima.spaces import Explicit

NEW = "N"
"""The sensitive value of the new rows."""


def new_rows(n: int, t: Fraction) -> range:
    """Return how many new rows the theorem allows for W, X and Y of size n, and 1/3 <= t < 1/2.

    >>> [(r.start, r.stop - 1) for r in (new_rows(1, Fraction(1, 3)), new_rows(2, Fraction(2, 5)), new_rows(1, Fraction(9, 20)))]
    [(2, 6), (5, 24), (8, 27)]
    """
    above = math.floor(n * (6 * t - 2) / (1 - 2 * t))  # no mutant: tests go along the range's edges
    least = math.ceil(3 * n * (1 - 2 * t) / (2 * t))  # no mutant: as above
    most = math.floor(6 * n * t / (1 - 2 * t))  # no mutant: as above
    return range(max(above + 1, least), most + 1)  # no mutant: as above


def star_space() -> Explicit:
    """Return the distances: 1 between W, X and Y, 1/2 from each of them to N."""
    half = Fraction(1, 2)
    return Explicit([*PARTS, NEW], [[0, 1, 1, half], [1, 0, 1, half], [1, 1, 0, half], [half, half, half, 0]])


@reductions.register
@dataclass(frozen=True)
class ThreeDimensionalMatchingToLooserTCloseness(Reduction[Matching, Partition]):
    """Three-dimensional matching as cell suppression for t-closeness, 1/3 <= t < 1/2: added rows keep pairs of rows from being t-close.

    Parameters
    ----------
    t
        How close; from 1/3 to below 1/2.
    rows
        How many new rows, of the range `new_rows`; its least unless given.

    Examples
    --------
    >>> problem = ThreeDimensionalMatching([1, 2], [1, 2], [1, 2], [(1, 1, 1), (2, 2, 2), (1, 2, 2)])
    >>> reduced = ThreeDimensionalMatchingToLooserTCloseness(t="2/5").apply(problem)
    >>> reduced.target.size()["rows"], reduced.threshold()
    (11, 12)
    """

    t: Fraction
    rows: int | None

    name = "3d-matching-to-looser-t-closeness"
    target_kind = "t-closeness"
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 7"
    problems = (ThreeDimensionalMatching,)

    def __init__(self, t: Number = Fraction(2, 5), rows: int | None = None) -> None:
        object.__setattr__(self, "t", as_fraction(t, "t"))
        object.__setattr__(self, "rows", None if rows is None else as_integer(rows, "the number of new rows"))
        if not Fraction(1, 3) <= self.t < Fraction(1, 2):
            raise BadInput(f"t is {self.t}; it must be at least 1/3 and below 1/2")

    def why_not(self, problem: Any) -> str | None:
        """It is for three-dimensional matchings with a triple, and a number of new rows that the theorem allows."""
        reason = super().why_not(problem) or why_no_triples(problem)
        if reason is not None or self.rows is None:
            return reason
        allowed = new_rows(problem.size()["n"], self.t)
        if self.rows in allowed:
            return None
        return f"{self.rows} new rows are asked for; n = {problem.size()['n']} and t = {self.t} allow {allowed.start} to {allowed[-1]}"

    def new_rows(self, problem: Problem[Matching]) -> int:
        """Return how many rows are added."""
        return new_rows(problem.size()["n"], self.t).start if self.rows is None else self.rows

    def target_size(self, problem: Problem[Matching]) -> Mapping[str, int]:
        """3n + R rows, m columns."""
        size = problem.size()
        return {"rows": 3 * size["n"] + self.new_rows(problem), "columns": size["triples"]}

    def apply_unchecked(self, problem: Problem[Matching]) -> Reduced[Matching, Partition]:
        """Fill in the table. O((n + R) m)."""
        assert isinstance(problem, ThreeDimensionalMatching)
        elements, new, m = len(problem.named), self.new_rows(problem), len(problem.triples)
        own = np.repeat(np.arange(elements + 1, elements + new + 1)[:, None], m, axis=1)
        kinds = [*np.repeat(PARTS, len(problem.w)).tolist(), *[NEW] * new]
        table = table_of(np.vstack([triples_or_own(problem), own]), sensitive=kinds)
        return EdgesAsGroups(problem, CellSuppression(table, TCloseness(self.t, space=star_space())), new)
