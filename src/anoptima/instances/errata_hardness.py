"""Errors in the proofs of hardness and in the definitions around them (Meyerson, Williams; Chakaravarthy, Pandit, Sabharwal)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from anoptima.distinct import distinct
from anoptima.instances.errata import Figures, erratum
from anoptima.instances.errata_cells import CPS, MW, table_of
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.hypergraph_matching import Hypergraph, HypergraphMatching
from anoptima.problems.sources.vertex_cover import VertexCover
from anoptima.reductions.hypergraph_matching_to_k_anonymity import HypergraphMatchingToKAnonymity
from anoptima.reductions.tables import incidence
from anoptima.reductions.vertex_cover_to_k_anonymity import VertexCoverToKAnonymity
from anoptima.solvers.solving import solve


@erratum(
    "partition-sizes",
    paper=MW,
    place="section 4.1",
    claim="A k-anonymiser defines a (k, |V| - k)-partition.",
    truth="It defines a (k, |V|)-partition: all rows may be one group, and for |V| < 2k they must be.",
)
def partition_sizes() -> Figures:
    """Rows 000, 001, 011, 111, 110 and k = 3."""
    problem = CellSuppression(table_of(["000", "001", "011", "111", "110"]), KAnonymity(3))
    feasible = [p for p in problem.solutions() if problem.is_feasible(p)]
    return {
        "|V| - k": 5 - 3,
        "feasible partitions": len(feasible),
        "rows in the largest group, at least": min(int(np.bincount(p.labels).max()) for p in feasible),
    }


@erratum(
    "matching-alphabet",
    paper=MW,
    place="Theorem 3.1",
    claim="k-anonymity is NP-hard if |Σ| >= |V| is allowed; the table is over {0, 1, ..., n} for n = |V|.",
    truth="That alphabet has |V| + 1 symbols. Nothing is lost: symbols only have to differ within a column, where the k rows of the edge "
    "share one, so n - k + 1 are enough.",
)
def matching_alphabet() -> Figures:
    """Edges 123, 456, 234 of six vertices, as a table."""
    problem = HypergraphMatching(Hypergraph(range(1, 7), [(1, 2, 3), (4, 5, 6), (2, 3, 4)]), 3)
    cells = HypergraphMatchingToKAnonymity().apply(problem).target.table.frame.to_numpy()  # type: ignore[attr-defined]
    inside = incidence(problem.members, 6)
    fewer = np.where(inside, 0, np.cumsum(~inside, axis=0))
    return {
        "rows": len(cells),
        "symbols": len(distinct(cells)),
        "symbols, numbered anew in each column": len(distinct(fewer)),
        "optimum": solve(CellSuppression(table_of(cells.tolist()), KAnonymity(3))).cost or 0,
        "optimum with fewer symbols": solve(CellSuppression(table_of(fewer.tolist()), KAnonymity(3))).cost or 0,
    }


@erratum(
    "matching-divisibility",
    paper=MW,
    place="Theorems 3.1 and 3.2",
    claim="The table of a k-uniform hypergraph has a solution with at most n (m - 1) stars exactly if there is a perfect matching; "
    "nothing is said of n.",
    truth="k must divide n. Otherwise rows are left over that need a group, and the optimum is n m - k min(M, ⌊n/k⌋ - 1) for a largest "
    "matching of M edges: it no longer tells M edges from M - 1. Vertices added until k divides n mend it.",
)
def matching_divisibility() -> Figures:
    """Seven vertices and k = 3: two disjoint edges, and one of them alone."""
    found: dict[str, int] = {}
    for words, edges in (("two edges", [(1, 2, 3), (4, 5, 6)]), ("two that meet", [(1, 2, 3), (3, 4, 5)])):
        problem = HypergraphMatching(Hypergraph(range(1, 8), edges), 3)
        plain = np.where(incidence(problem.members, 7), 0, np.arange(1, 8)[:, None])
        padded = HypergraphMatchingToKAnonymity().apply(problem).target
        found[f"{words}: largest matching"] = max(_matchings(edges))
        found[f"{words}: optimum of the table as printed"] = int(
            solve(CellSuppression(table_of(plain.tolist()), KAnonymity(3))).cost or 0
        )
        found[f"{words}: optimum with two vertices more"] = int(solve(padded).cost or 0)
    return found


def _matchings(edges: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the sizes of all matchings."""
    chosen = itertools.chain.from_iterable(itertools.combinations(edges, size) for size in range(len(edges) + 1))
    return [len(some) for some in chosen if len(set(itertools.chain.from_iterable(some))) == sum(map(len, some))]


@erratum(
    "special-symbols",
    paper=CPS,
    place="section 3.1",
    claim="If the first two rows added are ⟨?, u, u⟩ and ⟨?, v, ?⟩, the actual rows are ⟨s1, u, u⟩ and ⟨s2, u, s3⟩.",
    truth="The second is ⟨s2, v, s3⟩: only the signs ? are replaced. The block of a vertex has its own name in the second column.",
)
def special_symbols() -> Figures:
    """The complete graph of four vertices, as a table of 106 rows."""
    graph = Graph(range(1, 5), itertools.combinations(range(1, 5), 2))
    cells = VertexCoverToKAnonymity().apply(VertexCover(graph)).target.table.frame.to_numpy()  # type: ignore[attr-defined]
    blocks = [{str(cell) for cell in cells[20 * u + 7 : 20 * u + 14, 1]} for u in range(4)]
    return {
        "names in the second column of a vertex's rows ⟨?, u, ?⟩": max(map(len, blocks)),
        "vertices that share a name there": 4 - len(set.union(*blocks)),
    }


@erratum(
    "patterns-attached",
    paper=CPS,
    place="section 4",
    claim="The number of row patterns attached to an anonymisation pattern is zero or at least k.",
    truth="The number of *rows* is. A row pattern is a distinct row, and all rows of a group may be equal.",
)
def patterns_attached() -> Figures:
    """Rows 00 and 00, k = 2."""
    problem = CellSuppression(table_of(["00", "00"]), KAnonymity(2))
    return {
        "optimum": solve(problem).cost or 0,
        "rows attached to 00": problem.table.rows,
        "row patterns attached to 00": len(problem.table.types),
    }
