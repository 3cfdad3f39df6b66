"""k-anonymity to t-closeness (Liang and Yuan 2013, Lemma 1): t-closeness is at least as hard.

Construction: give the n rows n different sensitive values, at equal distances, and let t = 1 - k / n.
Why: a group of s rows has s of the n values, 1/s each, against 1/n each; its distance is (n - s) / n = 1 - s / n, which is at most t
exactly when s >= k. So the feasible partitions are the same, and so are their costs; both maps are the identity.
Size: the same rows and columns, and one sensitive column of n values.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from anoptima.exact import Exact
from anoptima.packages import pd
from anoptima.principles import KAnonymity, TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction
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


@reductions.register
class KAnonymityToTCloseness(Reduction[Partition, Partition]):
    """Cell suppression for k-anonymity as cell suppression for t-closeness with t = 1 - k / n.

    >>> from anoptima import ten_rows
    >>> reduced = KAnonymityToTCloseness().apply(CellSuppression(ten_rows(), KAnonymity(3)))
    >>> str(reduced.target.principle)
    '7/10-closeness'
    """

    name = "k-anonymity-to-t-closeness"
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), Lemma 1"

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression under k-anonymity, with k at most the number of rows."""
        if not isinstance(problem, CellSuppression) or not isinstance(problem.principle, KAnonymity):
            return "it is for cell-suppression under k-anonymity"
        return problem.why_infeasible()

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
        t = 1 - Fraction(problem.principle.k, source.rows)
        return SamePartition(problem, CellSuppression(table, TCloseness(t)))
