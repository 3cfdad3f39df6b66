"""Half-clique to (cN)-anonymity for a share 1/3 < c < 1/2 of the rows (Liang and Yuan 2013, Theorem 5).

Construction: a row for each of the n vertices, n even and at least 4, a column for each of the m edges, filled in as for minimum
bisection: the vertex's number at its edges, 0 elsewhere. Then R new rows, 1 <= R < n/2, all with one fresh symbol throughout. In all
N = n + R = floor(n / (2c)) rows, and k = ceil(cN) = n/2.
Why: there are at most two groups, since 3k > N. The new rows are too few for a group, so some group is mixed and starred throughout. If
the other one is pure, with s rows, n/2 <= s <= N - n/2, it keeps the columns of the edges between the n - s other vertices, V_2, and
saves s e(V_2) <= s C(n - s, 2) stars. That bound falls strictly as s grows beyond n/2; so (n/2) C(n/2, 2) stars can be saved only with
s = n/2 and a clique V_2.
Relation: a half-clique exists exactly if OPT <= N m - (n/2) C(n/2, 2). A half that misses c edges is pushed to that and (n/2) c more; in
general OPT = N m - max s e(V_2), so OPT does not always decide whether some other number of edges must be missing.
Maps: one group is the vertices outside the half, the other the half and all new rows. Back: the vertices *in the mixed group*, and others
until they are n/2.
Size: floor(n / (2c)) rows, m columns. Conditions: 1 <= R < n/2, for which n >= 2c / (1 - 2c) is enough; an edge.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, as_fraction
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.clique import HalfClique
from anoptima.problems.sources.source_problem import VertexSet
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.minimum_bisection_to_half_anonymity import ends_by_number, why_too_small
from anoptima.reductions.tables import table_of


@dataclass(frozen=True, eq=False)
class CliqueInMixedGroup(Reduced[VertexSet, Partition]):
    """Old rows are vertices; the new rows after them are where the clique is."""

    def forward(self, solution: VertexSet) -> Partition:
        """Put the half and the new rows into one group, all other vertices into another."""
        assert isinstance(self.source, HalfClique)
        labels = np.ones(self._rows, dtype=np.int64)
        labels[: self._vertices] = [name in solution.vertices for name in self.source.graph.vertices]
        return Partition.from_labels(labels)

    def backward(self, solution: Partition) -> VertexSet:
        """Take the vertices that are with new rows, then others, half of all; any half where no group is pure."""
        assert isinstance(self.source, HalfClique)
        mixed = np.isin(solution.labels[: self._vertices], solution.labels[self._vertices :])
        order = np.argsort(~mixed, kind="stable")[: self.source.order]
        return VertexSet.of(self.source.graph.vertices[row] for row in order.tolist())

    def target_cost(self, source_cost: Exact) -> Exact:
        """Return N m - (n/2) (C(n/2, 2) - missing edges)."""
        half = self._vertices // 2
        return self._everything - half * (math.comb(half, 2) - source_cost)

    def source_cost(self, target_cost: Exact) -> Exact:
        """Return C(n/2, 2) less the fewest edges among the clique's vertices that stars can have been saved by.

        `saved` stars are s e(V_2) for an s with n/2 <= s <= N - n/2 and e(V_2) <= C(n - s, 2).
        """
        n, half = self._vertices, self._vertices // 2
        saved = self._everything - target_cost
        sizes = range(half, self._rows - half + 1)  # no mutant: tests try all sizes
        able = [s for s in sizes if s == half or saved <= s * math.comb(n - s, 2)]  # no mutant: as above
        edges = [math.ceil(Fraction(saved, s)) for s in able]
        return max(0, math.comb(half, 2) - min(edges))

    @property
    def _vertices(self) -> int:
        return self.source.size()["vertices"]

    @property
    def _rows(self) -> int:
        return self.target.size()["rows"]

    @property
    def _everything(self) -> int:
        return self._rows * self.source.size()["edges"]


@reductions.register
@dataclass(frozen=True)
class HalfCliqueToShareAnonymity(Reduction[VertexSet, Partition]):
    """A clique of half of the vertices as cell suppression with k a share c of the rows, between a third and a half.

    Parameters
    ----------
    c
        The share; above 1/3, below 1/2.

    Examples
    --------
    >>> from anoptima.problems.sources.graph import Graph
    >>> problem = HalfClique(Graph(range(1, 7), [(1, 2), (2, 3), (1, 3), (3, 4), (4, 5), (5, 6)]))
    >>> reduced = HalfCliqueToShareAnonymity("3/7").apply(problem)
    >>> reduced.target.table.rows, reduced.target.principle, reduced.threshold()
    (7, KAnonymity(k=3), 33)
    >>> from anoptima.instances.graphs import cycle
    >>> larger = HalfCliqueToShareAnonymity("5/14").apply(HalfClique(cycle(10)))
    >>> [missing for missing in range(11) if not larger.decides(missing)]
    [3, 4, 6]
    """

    c: Fraction

    name = "half-clique-to-share-anonymity"
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 5"
    problems = (HalfClique,)

    def __init__(self, c: Number = Fraction(3, 8)) -> None:
        object.__setattr__(self, "c", as_fraction(c, "c"))
        if not Fraction(1, 3) < self.c < Fraction(1, 2):
            raise BadInput(f"c is {self.c}; it must be above 1/3 and below 1/2 (up to 1/3, half-anonymity serves)")

    def rows(self, vertices: int) -> int:
        """N = floor(n / (2c))."""
        return math.floor(vertices / (2 * self.c))

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for graphs with an edge and enough vertices for the share c to leave room for a new row."""
        if not isinstance(problem, HalfClique):
            return super().why_not(problem)
        n = len(problem.graph.vertices)
        if self.rows(n) == n:
            enough = math.ceil(2 * self.c / (1 - 2 * self.c))
            return f"{n} vertices leave no room for a new row at c = {self.c}; {enough + enough % 2} do, or a smaller c"
        return why_too_small(problem.graph)

    def target_size(self, problem: Problem[VertexSet]) -> Mapping[str, int]:
        """floor(n / (2c)) rows, m columns."""
        size = problem.size()
        return {"rows": self.rows(size["vertices"]), "columns": size["edges"]}

    def apply_unchecked(self, problem: Problem[VertexSet]) -> Reduced[VertexSet, Partition]:
        """Fill in the table. O(N m)."""
        assert isinstance(problem, HalfClique)
        n, rows = len(problem.graph.vertices), self.rows(len(problem.graph.vertices))
        fresh = n + 1  # no mutant: tests try that it is no vertex's number
        cells = np.vstack([ends_by_number(problem.graph), np.full((rows - n, len(problem.graph.edges)), fresh)])
        return CliqueInMixedGroup(problem, CellSuppression(table_of(cells), KAnonymity(math.ceil(self.c * rows))))
