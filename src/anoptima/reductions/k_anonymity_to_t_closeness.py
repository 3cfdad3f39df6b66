"""k-anonymity to t-closeness (Liang and Yuan 2013, Lemma 1): t-closeness is at least as hard.

Construction: give the n rows n different sensitive values, at equal distances, and let t = 1 - k / n.
Why: a group of s rows has s of the n values, 1/s each, against 1/n each; its distance is (n - s) / n = 1 - s / n, which is at most t
exactly when s >= k. So the feasible partitions are the same, and so are their costs; both maps are the identity.
Size: the same rows and columns, and one sensitive column of n values.

*For a given t* (ours): any t with 1 - k/n <= t < 1 - (k - 1)/n serves as it is. For a smaller t above 0 the values are brought nearer to
each other, to a distance s with (n - k) s / n <= t < (n - k + 1) s / n: they are leaves of a hierarchy whose lowest common ancestor is at
height a of h, s = a/h, and one more leaf, a value that no row has, keeps the largest distance at 1. A larger t would allow groups of k - 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, as_fraction, exact_text
from anoptima.packages import pd
from anoptima.principles import KAnonymity, TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction
from anoptima.spaces import EqualDistance, Hierarchical, Space
from anoptima.table import Table

SENSITIVE = "row"
"""The name of the sensitive column in the target."""


class SamePartition(Affine[Partition, Partition]):
    """Source and target have the same partitions at the same costs."""

    def forward(self, solution: Partition) -> Partition:
        """Return the same groups."""
        return solution

    def backward(self, solution: Partition) -> Partition:
        """Return the same groups."""
        return solution

    @property
    def offset(self) -> Exact:
        """0: the costs are the same."""
        return 0


def nearer(rows: int, k: int, t: Fraction) -> Fraction:
    """Return the simplest distance between n values at which groups of k rows are t-close, and groups of k - 1 are not.

    It is the fraction s of the least denominator with t n / (n - k + 1) < s <= t n / (n - k), for 0 < t < 1 - k/n.

    >>> nearer(6, 3, Fraction(1, 3)), nearer(12, 4, Fraction(3, 5))
    (Fraction(2, 3), Fraction(5, 6))
    """
    above, most = t * rows / (rows - k + 1), t * rows / (rows - k)  # no mutant: tests try all k <= n <= 8
    heights = itertools.count(1)  # no mutant: 0 < most < 1, so 2 serves; tests try all k <= n <= 8
    nearest = (Fraction(math.floor(h * most), h) for h in heights)  # no mutant: tests try all k <= n <= 8
    return next(distance for distance in nearest if distance > above)  # no mutant: tests try all k <= n <= 8


def at_distance(rows: int, distance: Fraction) -> Space:
    """Return a hierarchy with the values 0, ..., n - 1 at this distance from each other, below 1, and one value more at distance 1.

    >>> at_distance(3, Fraction(1, 2)).fit([0, 1, 2]).emd([1, 0, 0], [1, 1, 1])
    Fraction(1, 3)
    """
    up, height = distance.numerator, distance.denominator
    together = {f"row {row}": _below(row, up - 1) for row in range(rows)}  # no mutant: tests try all k <= n <= 8
    apart = _below("no row", height - 1)  # no mutant: tests try all k <= n <= 8
    return Hierarchical({"rows": _below(together, height - up - 1), "none": apart})  # no mutant: as above


def _below(leaf: Any, levels: int) -> Any:
    for _ in range(levels):
        leaf = {"only": leaf}
    return leaf


@reductions.register
@dataclass(frozen=True)
class KAnonymityToTCloseness(Reduction[Partition, Partition]):
    """Cell suppression for k-anonymity as cell suppression for t-closeness, with t = 1 - k / n unless another is given.

    Parameters
    ----------
    t
        How close; above 0 and below 1 - (k - 1) / n. Below 1 - k / n the sensitive values have a hierarchy.

    Examples
    --------
    >>> from anoptima import ten_rows
    >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
    >>> str(KAnonymityToTCloseness().apply(problem).target.principle)
    '7/10-closeness'
    >>> KAnonymityToTCloseness("1/10").apply(problem).target.principle.t
    Fraction(1, 10)
    """

    t: Fraction | None

    name = "k-anonymity-to-t-closeness"
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), Lemma 1"

    def __init__(self, t: Number | None = None) -> None:
        object.__setattr__(self, "t", None if t is None else as_fraction(t, "t"))
        if self.t is not None and not 0 < self.t < 1:
            raise BadInput(f"t is {self.t}; it must be above 0 and below 1")

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression under k-anonymity, with k at most the number of rows, and a t that tells k from k - 1."""
        if not isinstance(problem, CellSuppression) or not isinstance(problem.principle, KAnonymity):
            return "it is for cell-suppression under k-anonymity"
        k, rows = problem.principle.k, problem.table.rows
        reason = problem.why_infeasible()
        if reason is None and self.t is not None and self.t >= 1 - Fraction(k - 1, rows):
            below = exact_text(1 - Fraction(k - 1, rows))
            return (
                f"t is {self.t}; with k = {k} and {rows} rows it must be below {below}, or groups of {k - 1} are close"
            )
        return reason

    def target_size(self, problem: Problem[Partition]) -> Mapping[str, int]:
        """The same rows and columns."""
        size = problem.size()
        return {"rows": size["rows"], "columns": size["columns"]}

    def apply_unchecked(self, problem: Problem[Partition]) -> Reduced[Partition, Partition]:
        """Number the rows and let the number be sensitive. O(n m)."""
        assert isinstance(problem, CellSuppression)
        assert isinstance(problem.principle, KAnonymity)
        source = problem.table
        frame = pd.DataFrame({name: source.frame[name].to_numpy() for name in source.quasi}).add_prefix("quasi ")
        frame[SENSITIVE] = range(source.rows)
        quasi = [f"quasi {name}" for name in source.quasi]
        weights = dict(zip(quasi, source.weights, strict=True))
        table = Table.from_frame(frame, quasi, SENSITIVE, weights=weights)
        return SamePartition(problem, CellSuppression(table, self._closeness(source.rows, problem.principle.k)))

    def _closeness(self, rows: int, k: int) -> TCloseness:
        equal = 1 - Fraction(k, rows)
        t = equal if self.t is None else self.t
        space = EqualDistance() if t >= equal else at_distance(rows, nearer(rows, k, t))
        return TCloseness(t, space=space)
