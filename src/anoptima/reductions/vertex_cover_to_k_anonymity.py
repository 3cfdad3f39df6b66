"""Vertex cover on cubic graphs to k-anonymity with three columns and k = 7 (Chakaravarthy, Pandit, Sabharwal 2010, Theorem 3.1).

Construction: G simple, 3-regular, with r vertices. Write ? for a symbol that is used once in the whole table, Z and 0 for two more.

    for each vertex u:    six <0, u, u> (1a), one <?, u, u> (1b, critical), seven <?, u, ?> (1c), three <0, u, Z> (1d), three <0, Z, u> (1e)
    for each edge xy:     <0, x, y> and <0, y, x>
    once:                 seven <0, ?, Z> (3a), seven <0, Z, ?> (3b)

Why: no row is in seven equal ones, so every row has a star, rows of sort 1c two. Call that the *base*, in all 27 r + 2 |E| + 14, which
is 30 r + 14, and what a row has more its *extra*. A vertex can serve edges, by groups <0, u, *> and <0, *, u> of 1a, 1d or 1e and the
edges' rows, or keep its critical row without extra, in <*, u, u> with all six of 1a; not both.
Relation: OPT = 30 r + 14 + (least vertex cover).
Maps: every edge goes to one of its ends in the cover, and the vertices that got an edge pay one star each. Back: the vertices with an
extra among their 20 rows, and one end of each edge whose ends have none (its own rows have an extra then).
Why that is enough: a critical row without extra is in <*, u, u>, which takes all six of 1a. Without extra, then, an edge's row finds too
few others in <0, u, *>, three of 1d and two of edges, and likewise in <0, *, u>. So the edge has an extra of its own as soon as the
critical rows of both ends have none. Extras of 1c are nowhere needed: whether or not they count, the cover is as cheap as promised.
Size: 23 r + 14 rows, three columns.
L-reduction: alpha = OPT(target) / OPT(source) <= (61 tau + 14) / tau for r <= 2 tau, so 63 from tau = 7 on, and beta = 1: `alpha`, `gap`.
Vertex cover on cubic graphs is hard to approximate within 100/99, so this is within 1 + 1/(99 * 63) = 6238/6237.
What the paper misprints: in its illustration <s2, u, s3> should read <s2, v, s3>.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.exact import Exact
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.source_problem import VertexSet
from anoptima.problems.sources.vertex_cover import VertexCover
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction
from anoptima.reductions.tables import table_of

K = 7
BLOCK = 20
"""Rows of a vertex: 1a to 1e in this order, in the slices below."""
_1A, _1B, _1C, _1D, _1E = slice(0, 6), 6, slice(7, 14), slice(14, 17), slice(17, 20)
_COLUMNS = ("mark", "first", "second")


@dataclass(frozen=True, eq=False)
class CoverAsCriticalRows(Affine[VertexSet, Partition]):
    """Blocks of 20 rows a vertex, then two rows an edge, then seven and seven."""

    def forward(self, solution: VertexSet) -> Partition:
        """Give every edge to an end in the cover; what no edge was given to stays out."""
        graph = self._graph
        labels = np.full(_rows(graph), -1, dtype=np.int64)
        blocks = labels[: BLOCK * len(graph.vertices)].reshape(len(graph.vertices), BLOCK)
        vertex = np.arange(len(graph.vertices))
        # Labels 4u to 4u + 3 are for the groups of vertex u, -2 and -1 for the two of all others.
        blocks[:, _1A], blocks[:, _1B] = (4 * vertex)[:, None], 4 * vertex
        blocks[:, _1C] = (4 * vertex + 1)[:, None]
        blocks[:, _1D], blocks[:, _1E] = -2, -1
        for number, (x, y) in enumerate(_ends(graph)):
            u = x if graph.vertices[x] in solution.vertices else y
            serving, mirrored = 4 * u + 2, 4 * u + 3
            blocks[u, _1A], blocks[u, _1B] = [serving] * 3 + [mirrored] * 3, 4 * u + 1
            blocks[u, _1D], blocks[u, _1E] = serving, mirrored
            row = len(blocks) * BLOCK + 2 * number
            labels[row : row + 2] = (serving, mirrored) if u == x else (mirrored, serving)
        labels[-2 * K : -K] = -2
        return Partition.from_labels(labels)

    def backward(self, solution: Partition) -> VertexSet:
        """Take the vertices with an extra star in their block, and an end of each edge between two without."""
        assert isinstance(self.target, CellSuppression)
        graph = self._graph
        stars = self.target.stars(solution).sum(axis=1)[: BLOCK * len(graph.vertices)]
        base = np.ones(BLOCK, dtype=np.int64)
        base[_1C] = 2  # no mutant: whether 1c counts does not matter (see above)
        chosen = (stars.reshape(len(graph.vertices), BLOCK) > base).any(axis=1)
        for x, y in _ends(graph):
            chosen[x] |= not chosen[y]
        return VertexSet.of(graph.vertices[u] for u in np.flatnonzero(chosen).tolist())

    @property
    def offset(self) -> Exact:
        """30 r + 14, the base of all rows."""
        return 30 * len(self._graph.vertices) + 2 * K

    @property
    def _graph(self) -> Graph:
        assert isinstance(self.source, VertexCover)
        return self.source.graph


@reductions.register
class VertexCoverToKAnonymity(Reduction[VertexSet, Partition]):
    """Vertex cover on cubic graphs as cell suppression for 7-anonymity of three columns; it keeps approximations (an L-reduction).

    >>> import itertools
    >>> graph = Graph(range(1, 5), itertools.combinations(range(1, 5), 2))
    >>> reduced = VertexCoverToKAnonymity().apply(VertexCover(graph))
    >>> reduced.target.size()["rows"], reduced.target_cost(3)
    (106, 137)
    """

    name = "vertex-cover-to-k-anonymity"
    cites = "Chakaravarthy, Pandit, Sabharwal: On the complexity of the k-anonymization problem (2010), Theorem 3.1"
    problems = (VertexCover,)

    def why_not(self, problem: Any) -> str | None:
        """It is for cubic graphs without parallel edges."""
        return super().why_not(problem) or problem.graph.why_not_cubic()

    def target_size(self, problem: Problem[VertexSet]) -> Mapping[str, int]:
        """23 r + 14 rows, three columns."""
        return {"rows": 23 * problem.size()["vertices"] + 14, "columns": 3}

    def alpha(self, cover: int) -> Fraction:
        """Return what OPT(target) / OPT(source) is at most where the least cover has this many vertices, at least r/2.

        >>> VertexCoverToKAnonymity().alpha(7)
        Fraction(63, 1)
        """
        return Fraction(61 * cover + 14, cover)  # no mutant: tests try its values

    def gap(self, source_gap: Fraction, cover: int) -> Fraction:
        """Return the ratio within which k-anonymity is hard to approximate, if covers of at least `cover` vertices are within `source_gap`.

        A partition within 1 + e of its optimum is pulled to a cover within 1 + e * alpha of the least one, since beta is 1.

        >>> VertexCoverToKAnonymity().gap(Fraction(100, 99), 7)
        Fraction(6238, 6237)
        """
        return 1 + (source_gap - 1) / self.alpha(cover)  # no mutant: tests try its values

    def apply_unchecked(self, problem: Problem[VertexSet]) -> Reduced[VertexSet, Partition]:
        """Fill in the table. O(r)."""
        assert isinstance(problem, VertexCover)
        table = table_of(_cells(problem.graph), _COLUMNS)
        return CoverAsCriticalRows(problem, CellSuppression(table, KAnonymity(K)))


def _rows(graph: Graph) -> int:
    return BLOCK * len(graph.vertices) + 2 * len(graph.edges) + 2 * K


def _ends(graph: Graph) -> list[tuple[int, int]]:
    return [(graph.position[x], graph.position[y]) for x, y in graph.edges]


def _cells(graph: Graph) -> NDArray[np.int64]:
    """Return the table: 0 is 0, vertices are 1 to r, Z is r + 1, and what is used once comes above."""
    r = len(graph.vertices)
    once, z = -1, r + 1  # no mutant: tests compare the table with the construction
    cells = np.zeros((_rows(graph), len(_COLUMNS)), dtype=np.int64)
    blocks = cells[: BLOCK * r].reshape(r, BLOCK, len(_COLUMNS))
    blocks[:, :, 1:] = np.arange(1, r + 1)[:, None, None]
    blocks[:, _1B, 0] = once
    blocks[:, _1C, 0] = once
    blocks[:, _1C, 2] = once  # no mutant: as above
    blocks[:, _1D, 2] = blocks[:, _1E, 1] = z
    ends = np.array(_ends(graph)) + 1
    edges = cells[BLOCK * r : -2 * K].reshape(len(graph.edges), 2, len(_COLUMNS))
    edges[:, 0, 1:], edges[:, 1, 1:] = ends, ends[:, ::-1]
    cells[-2 * K : -K, 1], cells[-2 * K : -K, 2] = once, z
    cells[-K:, 1], cells[-K:, 2] = z, once
    single = cells == once
    cells[single] = z + 1 + np.arange(np.count_nonzero(single))  # no mutant: as above
    return cells
