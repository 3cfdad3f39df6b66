"""2-anonymity to simplex matching (Blocki and Williams 2010), which makes it polynomial.

Construction: a vertex for each row; every pair and every triple of rows, at what such a group costs: its size times the weight of the
columns on which it is not constant.
Why: a group of 4 or more rows splits into pairs and triples that star no further column. The simplex condition holds column by column:
where three rows are not all alike, the triple pays 3 and its pairs 2 each at most, so 6 or less, twice 3.
Size: n vertices, up to n (n - 1) / 2 pairs and n (n - 1) (n - 2) / 6 triples.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.exact import Exact
from anoptima.models.group_lists import RowKinds, kinds_of
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.simplex_matching import SimplexMatching
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction

_MOST_ROWS = 100
"""A triple is an object of its own: 161,700 of them."""


class RowsAsVertices(Affine[Partition, Matching]):
    """Rows are vertices, named by their numbers from 0; groups are edges."""

    def forward(self, solution: Partition) -> Matching:
        """Cut groups of 4 rows or more into pairs and triples, which never costs more."""
        assert isinstance(self.source, CellSuppression)
        kinds = kinds_of(self.source)
        assert kinds is not None
        return Matching.of(part for group in solution.groups() for part in map(sorted, kinds.cut(group)))

    def backward(self, solution: Matching) -> Partition:
        """Take the edges for groups."""
        assert isinstance(self.source, CellSuppression)
        return Partition.from_groups([[int(row) for row in edge] for edge in solution.edges], self.source.table.rows)

    @property
    def offset(self) -> Exact:
        """0: an edge costs what its group does."""
        return 0


class ToSimplexMatching(Reduction[Partition, Matching]):
    """The common part of the reductions of 2-anonymity and 2-diversity."""

    apart: bool
    """Whether some rows may not be together."""

    def together(self, kinds: RowKinds, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of the groups of rows, one a line, that may be."""
        return rows

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression in groups of two and three, of few rows."""
        kinds = kinds_of(problem) if isinstance(problem, CellSuppression) else None
        if not isinstance(problem, CellSuppression) or kinds is None or kinds.least != 2 or kinds.apart != self.apart:
            return f"it is for cell-suppression under {self.source_kind}"
        rows = problem.table.rows
        if rows > _MOST_ROWS:
            return f"{rows:,} rows would make up to {rows * (rows - 1) * (rows - 2) // 6:,} triples; {_MOST_ROWS} rows are the most"
        return problem.why_infeasible()

    def target_size(self, problem: Problem[Partition]) -> Mapping[str, int]:
        """A vertex a row."""
        return {"vertices": problem.size()["rows"]}

    def apply_unchecked(self, problem: Problem[Partition]) -> Reduced[Partition, Matching]:
        """List the pairs and the triples. O(n^3 m)."""
        assert isinstance(problem, CellSuppression)
        kinds = kinds_of(problem)
        assert kinds is not None
        pairs, triples = (dict(self._groups(problem, kinds, size)) for size in (2, 3))
        return RowsAsVertices(problem, SimplexMatching(range(problem.table.rows), pairs, triples))

    def _groups(self, problem: CellSuppression, kinds: RowKinds, size: int) -> Iterator[tuple[tuple[int, ...], Exact]]:
        """Yield the groups of a size that may be, with what they cost."""
        groups = [*itertools.combinations(range(problem.table.rows), size)]
        rows = self.together(kinds, np.array(groups, dtype=np.int64).reshape(len(groups), size))
        weight = np.zeros(len(rows), dtype=np.int64)
        for column, scaled in zip(problem.table.quasi_columns, problem.table.scaled_weights.tolist(), strict=True):
            codes = column.codes[rows]
            weight += scaled * (codes.min(axis=1) != codes.max(axis=1))
        for group, cost in zip(rows.tolist(), (size * weight).tolist(), strict=True):
            yield tuple(group), problem.unscale(cost)


@reductions.register
class TwoAnonymityToSimplexMatching(ToSimplexMatching):
    """Cell suppression under 2-anonymity as simplex matching: rows are vertices, groups are pairs and triples.

    >>> import anoptima as ao
    >>> reduced = TwoAnonymityToSimplexMatching().apply(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
    >>> reduced.target.size()["triples"], reduced.threshold(46)
    (120, 46)
    """

    name = "2-anonymity-to-simplex-matching"
    apart = False
    cites = "Blocki, Williams: Resolving the complexity of some data privacy problems (2010)"
