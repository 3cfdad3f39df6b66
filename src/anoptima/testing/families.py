"""All small sources of the reductions: every graph, hypergraph, set of triples, family of sets, formula or table of a size."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from anoptima.packages import nx, pd
from anoptima.principles import KAnonymity, LDiversity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.sources.clique import CliqueOfSize, HalfClique
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.hypergraph_matching import Hypergraph, HypergraphMatching
from anoptima.problems.sources.minimum_bisection import MinimumBisection
from anoptima.problems.sources.minimum_cover import MinimumCover
from anoptima.problems.sources.patch_cover import PatchCover
from anoptima.problems.sources.planar_three_sat import Formula, PlanarThreeSat, RectilinearEmbedding
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching
from anoptima.problems.sources.vertex_cover import VertexCover
from anoptima.table import Table


def all_graphs(most: int = 5, least: int = 1) -> Iterator[Graph]:
    """Yield every simple graph on `least` to `most` <= 7 vertices up to isomorphism: 52 on up to five vertices."""
    for graph in nx.graph_atlas_g():
        if least <= graph.number_of_nodes() <= most:
            yield Graph.from_networkx(graph)


def all_cubic_graphs(most: int = 6) -> Iterator[Graph]:
    """Yield every cubic graph on up to `most` <= 6 vertices up to isomorphism: K4, K3,3 and the prism."""
    return (graph for graph in all_graphs(most, 4) if graph.why_not_cubic() is None)


def all_multigraphs(vertices: int = 4, most: int = 2) -> Iterator[Graph]:
    """Yield every graph on labelled vertices with up to `most` parallel edges a pair: 3^6 on four."""
    pairs = list(itertools.combinations(range(1, vertices + 1), 2))
    for times in itertools.product(range(most + 1), repeat=len(pairs)):
        yield Graph(range(1, vertices + 1), [p for p, count in zip(pairs, times, strict=True) for _ in range(count)])


def all_hypergraphs(vertices: int, k: int, most: int | None = None) -> Iterator[Hypergraph]:
    """Yield every k-uniform hypergraph on labelled vertices with up to `most` edges: 2^10 on five vertices for k = 3."""
    edges = list(itertools.combinations(range(1, vertices + 1), k))
    for count in range(min(len(edges), len(edges) if most is None else most) + 1):
        for chosen in itertools.combinations(edges, count):
            yield Hypergraph(range(1, vertices + 1), chosen)


def all_triples(n: int = 2, most: int | None = None) -> Iterator[ThreeDimensionalMatching]:
    """Yield every set of up to `most` triples on W, X and Y of size n: 2^8 for n = 2."""
    names = range(1, n + 1)
    triples = list(itertools.product(names, repeat=3))
    for count in range(min(len(triples), len(triples) if most is None else most) + 1):
        for chosen in itertools.combinations(triples, count):
            yield ThreeDimensionalMatching(names, names, names, chosen)


def all_covers(elements: int = 3) -> Iterator[MinimumCover]:
    """Yield every family of different non-empty sets that covers the universe: 109 for three elements."""
    universe = "abcdefgh"[:elements]
    sets = [s for count in range(1, elements + 1) for s in itertools.combinations(universe, count)]
    for count in range(1, len(sets) + 1):
        for family in itertools.combinations(sets, count):
            if set(itertools.chain.from_iterable(family)) == set(universe):
                yield MinimumCover(universe, {f"c{j}": members for j, members in enumerate(family, start=1)})


def all_formulas(variables: int = 2) -> Iterator[PlanarThreeSat]:
    """Yield every set of different clauses of up to two literals: 2^8 on two variables, each embedded with all clauses above."""
    literals = [x for variable in range(1, variables + 1) for x in (variable, -variable)]
    clauses = [
        clause
        for count in (1, 2)
        for clause in itertools.combinations(literals, count)
        if len({abs(x) for x in clause}) == count
    ]
    for count in range(len(clauses) + 1):
        for chosen in itertools.combinations(clauses, count):
            formula = Formula(variables, chosen)
            embedding = RectilinearEmbedding(tuple(range(1, variables + 1)), (True,) * count)
            yield PlanarThreeSat(formula, embedding if embedding.why_not(formula) is None else None)


def all_tables(rows: int, columns: int, symbols: int = 2) -> Iterator[Table]:
    """Yield every table with `rows` rows, up to their order, over an alphabet: 35 tables with four rows of two binary columns."""
    records = list(itertools.product(range(symbols), repeat=columns))
    names = [f"q{j + 1}" for j in range(columns)]
    for chosen in itertools.combinations_with_replacement(records, rows):
        yield Table.from_frame(pd.DataFrame(np.array(chosen), columns=names), names)


def _matchings() -> Iterator[Problem[Any]]:
    for vertices, k, most in ((4, 2, None), (3, 3, None), (6, 3, 2), (6, 2, 3), (6, 3, 3)):
        yield from (HypergraphMatching(graph, k) for graph in all_hypergraphs(vertices, k, most))


def _tables() -> Iterator[Problem[Any]]:
    for rows, columns, symbols in ((4, 2, 2), (4, 2, 3), (4, 3, 2), (6, 2, 2)):
        for table in all_tables(rows, columns, symbols):
            yield CellSuppression(table, KAnonymity(rows // 2))


def _pairable() -> Iterator[Problem[Any]]:
    for rows, columns, symbols in ((2, 2, 2), (3, 2, 2), (4, 2, 3), (5, 2, 2), (6, 2, 2)):
        for table in all_tables(rows, columns, symbols):
            yield CellSuppression(table, KAnonymity(2))


def _diverse() -> Iterator[Problem[Any]]:
    for rows, columns, values in ((2, 1, "ab"), (4, 2, "abab"), (5, 2, "aabbc"), (6, 2, "aaabbc")):
        for table in all_tables(rows, columns):
            frame = table.frame.assign(ill=list(values))
            yield CellSuppression(Table.from_frame(frame, table.quasi, "ill"), LDiversity(2))


def _half_cliques() -> Iterator[Problem[Any]]:
    """Yield those of six vertices, and some of ten, where the threshold lies further from what else can happen."""
    yield from (HalfClique(graph) for graph in all_graphs(6, 6) if len(graph.edges) <= 9)
    with_one = nx.disjoint_union(nx.complete_graph(5), nx.path_graph(5))
    for graph in (with_one, nx.path_graph(10), nx.complete_bipartite_graph(1, 9)):
        yield HalfClique(Graph.from_networkx(graph))


def _on_a_line() -> Iterator[Problem[Any]]:
    """Yield small formulas with embeddings, and every set of three clauses or more of two literals on two variables, two above."""
    line = RectilinearEmbedding((1,), (True, True, False))
    for units in ([(-1,), (-1,), (1,)], [(1,), (1,), (1,)]):
        yield PlanarThreeSat(Formula(1, units), line)
    yield from (problem for problem in all_formulas(1) if problem.embedding is not None)
    few = (problem for problem in all_formulas(2) if len(problem.formula.clauses) <= 3)
    yield from (problem for problem in few if problem.embedding is not None)
    pairs = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    for clauses in (pairs, *itertools.combinations(pairs, 3)):
        above = tuple(number < 2 for number in range(len(clauses)))
        yield PlanarThreeSat(Formula(2, clauses), RectilinearEmbedding((1, 2), above))


def on_no_line() -> PlanarThreeSat:
    """Return the edges of the Goldner-Harary graph as clauses: a triangulation without a Hamiltonian cycle, so that copies are needed."""
    faces = [(apex, *pair) for apex in (1, 2) for pair in ((3, 4), (4, 5), (3, 5))]
    edges = [*itertools.product((1, 2), (3, 4, 5)), (3, 4), (4, 5), (3, 5)]
    edges += [(corner, middle) for middle, face in enumerate(faces, start=6) for corner in face]
    return PlanarThreeSat(Formula(11, [(-x, -y) if x % 2 else (x, -y) for x, y in edges]))


def _planar() -> Iterator[Problem[Any]]:
    yield on_no_line()
    yield from all_formulas(2)
    yield from (PlanarThreeSat(problem.formula) for problem in all_formulas(2))


def _patches() -> Iterator[Problem[Any]]:
    """Yield patches alone, patches that one window holds, and wires."""
    for cells in (
        [(0, 0)],
        [(0, 0), (1, 1)],
        [(0, 0), (4, 1)],
        [(0, 0), (9, 9)],
        [(0, 0), (3, 1), (6, 0)],
        [(0, 0), (4, -1), (8, 0)],
    ):
        yield PatchCover(cells)


FAMILIES: Mapping[str, Callable[[], Iterator[Problem[Any]]]] = {
    "hypergraph-matching": _matchings,
    "3d-matching": lambda: itertools.chain(all_triples(1), all_triples(2)),
    "minimum-bisection": lambda: map(
        MinimumBisection, itertools.chain(all_graphs(4, 4), all_graphs(6, 6), all_multigraphs())
    ),
    "clique": lambda: (CliqueOfSize(graph, k) for graph in all_graphs(6) for k in range(1, len(graph.vertices) + 1)),
    "half-clique": _half_cliques,
    "vertex-cover": lambda: map(VertexCover, all_cubic_graphs()),
    "minimum-cover": lambda: itertools.chain(all_covers(1), all_covers(2), all_covers(3)),
    "planar-3-sat": _planar,
    "rectilinear-3-sat": _on_a_line,
    "patch-cover": _patches,
    "half-anonymity": _tables,
    "k-anonymity": _tables,
    "2-anonymity": _pairable,
    "2-diversity": _diverse,
}
"""All small problems of a kind that reductions start from, by its name."""


def spread(things: Sequence[Any], most: int) -> list[Any]:
    """Return at most `most` of some things, evenly spread from the first to the last.

    >>> spread(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(things) <= most:
        return list(things)
    return [things[round(place * (len(things) - 1) / max(1, most - 1))] for place in range(most)]
