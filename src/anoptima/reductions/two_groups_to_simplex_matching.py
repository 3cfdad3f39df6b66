"""2-anonymity and 2-diversity to simplex matching (Blocki and Williams 2010; Liang and Yuan 2013, section 6): both are polynomial.

Construction: a vertex for each row. Rows that may be together, any under 2-anonymity and those of different sensitive values under
2-diversity, make pairs and triples, at what such a group costs: its size times the weight of the columns on which it is not constant.
Why: a group of 4 or more rows splits into pairs and triples that may be and star no further column; under 2-diversity, sort it by value
and deal it out. The simplex condition holds column by column: where three rows are not all alike, the triple pays 3 and at least one of
the pairs agrees or all three pay 2, so the pairs pay at most 6, twice 3.
Size: n vertices, up to n (n - 1) / 2 pairs and n (n - 1) (n - 2) / 6 triples.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

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


class _ToSimplexMatching(Reduction[Partition, Matching]):
    """What both reductions share."""

    apart: bool
    """Whether rows of one sensitive value may not be together."""

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
        pairs, triples = (dict(_groups(problem, kinds, size)) for size in (2, 3))
        return RowsAsVertices(problem, SimplexMatching(range(problem.table.rows), pairs, triples))


def _groups(problem: CellSuppression, kinds: RowKinds, size: int) -> Iterator[tuple[tuple[int, ...], Exact]]:
    """Yield the groups of a size that may be, with what they cost."""
    rows = np.array(list(itertools.combinations(range(problem.table.rows), size)), dtype=np.int64).reshape(-1, size)
    if kinds.apart:
        # Kinds are sorted by value, and what may follow one is of another value.
        ordered = np.sort(kinds.of_row[rows], axis=1)
        rows = rows[(kinds.after[ordered[:, :-1]] <= ordered[:, 1:]).all(axis=1)]
    weight = np.zeros(len(rows), dtype=np.int64)
    for column, scaled in zip(problem.table.quasi_columns, problem.table.scaled_weights.tolist(), strict=True):
        codes = column.codes[rows]
        weight += scaled * (codes.min(axis=1) != codes.max(axis=1))
    for group, cost in zip(rows.tolist(), (size * weight).tolist(), strict=True):
        yield tuple(group), problem.unscale(cost)


@reductions.register
class TwoAnonymityToSimplexMatching(_ToSimplexMatching):
    """Cell suppression under 2-anonymity as simplex matching: rows are vertices, groups are pairs and triples.

    >>> import anoptima as ao
    >>> reduced = TwoAnonymityToSimplexMatching().apply(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
    >>> reduced.target.size()["triples"], reduced.threshold(46)
    (120, 46)
    """

    name = "2-anonymity-to-simplex-matching"
    apart = False
    cites = "Blocki, Williams: Resolving the complexity of some data privacy problems (2010)"


@reductions.register
class TwoDiversityToSimplexMatching(_ToSimplexMatching):
    """Cell suppression under frequency 2-diversity as simplex matching: rows of one sensitive value are in no common pair.

    >>> import anoptima as ao
    >>> reduced = TwoDiversityToSimplexMatching().apply(ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2)))
    >>> ao.solve(reduced.target, "simplex-matching").cost
    50
    """

    name = "2-diversity-to-simplex-matching"
    apart = True
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), section 6"
