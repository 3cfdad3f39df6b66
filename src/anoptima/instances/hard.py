"""Hard instances whose optimum is known by theorem: sources with a planted or an exhaustively known optimum, through the reductions.

A planted optimum needs a reason why nothing is better; each maker says its own. The optimum of the target then follows from the reduction's
cost functions (`known_optimum`), and no solver has a part in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from anoptima.exact import Exact, simplest
from anoptima.instances.cubic_graphs import COUNTS, cubic_graphs
from anoptima.instances.drawn import shuffled
from anoptima.problems.base import Problem
from anoptima.problems.sources.clique import HalfClique
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.hypergraph_matching import Hypergraph, HypergraphMatching
from anoptima.problems.sources.minimum_bisection import MinimumBisection
from anoptima.problems.sources.minimum_cover import MinimumCover
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching
from anoptima.problems.sources.vertex_cover import VertexCover
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced

Known = tuple[Problem, Exact]  # type: ignore[type-arg]
"""A source and its optimum."""


@dataclass(frozen=True)
class Hard:
    """One source of one reduction, not made yet; `size` is what grows."""

    reduction: str
    size: int
    ending: str
    knob: str
    make: Callable[[], Known]

    def target(self) -> Problem:  # type: ignore[type-arg]
        """Return the target's problem."""
        return self.applied()[0].target

    def applied(self) -> tuple[Reduced, Exact]:  # type: ignore[type-arg]
        """Return the reduction on the source, and the target's optimum."""
        source, least = self.make()
        reduced = reductions.get(self.reduction).apply(source)
        return reduced, known_optimum(reduced, least)


def known_optimum(reduced: Reduced, least: Exact) -> Exact:  # type: ignore[type-arg]
    """Return the optimum of the target of a reduction whose source has the optimum `least`.

    It is at most target_cost(least). Anything less would be pulled below `least`, where source_cost says so; where it does not, as for a
    half-clique without a missing edge, the theorem is that the optimum 0 comes to exactly target_cost(0), and `anoptima reduce
    --selftest` holds every reduction to that.
    """
    most = reduced.target_cost(least)
    less = simplest(Fraction(most) - Fraction(1, reduced.target.cost_scale))
    assert not least or reduced.source_cost(less) < least, "nothing is known but a bound"
    return most


def cubic(order: int, number: int) -> Known:
    """Return a vertex cover problem on a cubic graph of up to ten vertices; all sets of vertices are tried.

    >>> cubic(4, 0)[1]
    3
    """
    graph = cubic_graphs(order)[number]
    ends = [{graph.position[x], graph.position[y]} for x, y in graph.edges]
    sizes = (
        size
        for size in range(order + 1)
        for chosen in itertools.combinations(range(order), size)
        if all(end & set(chosen) for end in ends)
    )
    return VertexCover(graph), next(sizes)


def planted_triples(n: int, seed: int) -> Known:
    """Return triples on three sets of size n: a perfect matching and 2 n others. Nothing is left unmatched, and less is not possible.

    >>> problem, least = planted_triples(3, 0)
    >>> len(problem.triples), least
    (9, 0)
    """
    draw = Random(seed)
    triples: set[tuple[int, ...]] = set(zip(range(n), shuffled(range(n), draw), shuffled(range(n), draw), strict=True))
    others = [triple for triple in itertools.product(range(n), repeat=3) if triple not in triples]
    triples |= set(shuffled(others, draw)[: 2 * n])
    return ThreeDimensionalMatching(range(n), range(n), range(n), sorted(triples)), 0


def planted_edges(groups: int, seed: int) -> Known:
    """Return edges of three on 3 `groups` vertices: a perfect matching, and 2 `groups` other edges. Nothing is left unmatched."""
    draw = Random(seed)
    order = shuffled(range(3 * groups), draw)
    edges = {tuple(sorted(order[i : i + 3])) for i in range(0, len(order), 3)}
    others = [edge for edge in itertools.combinations(range(3 * groups), 3) if edge not in edges]
    edges |= set(shuffled(others, draw)[: 2 * groups])
    return HypergraphMatching(Hypergraph(range(3 * groups), sorted(edges)), 3), 0


def planted_halves(half: int, seed: int) -> Known:
    """Return two complete graphs of `half` >= 3 vertices with `half` edges between them: the least bisection cuts those.

    One that has j vertices of each in the other's half, 0 < j < half, cuts 2 j (half - j) >= 2 (half - 1) >= half edges of the two.

    >>> planted_halves(4, 0)[1]
    4
    """
    draw = Random(seed)
    sides = range(half), range(half, 2 * half)
    between = shuffled(itertools.product(*sides), draw)[:half]
    edges = [*itertools.combinations(sides[0], 2), *itertools.combinations(sides[1], 2), *between]
    names = shuffled(range(2 * half), draw)
    return MinimumBisection(Graph(range(2 * half), [(names[a], names[b]) for a, b in edges])), half


def planted_clique(half: int, seed: int) -> Known:
    """Return a graph on 2 `half` vertices with a clique on half of them, and every other edge with an even chance: no edge is missing."""
    draw = Random(seed)
    clique = set(shuffled(range(2 * half), draw)[:half])
    edges = [pair for pair in itertools.combinations(range(2 * half), 2) if clique >= {*pair} or draw.random() < 0.5]
    return HalfClique(Graph(range(2 * half), edges)), 0


def planted_cover(blocks: int, seed: int) -> Known:
    """Return sets of three: a partition of 3 `blocks` elements, and 3 `blocks` other sets. Fewer than `blocks` sets are too small.

    >>> planted_cover(4, 0)[1]
    4
    """
    draw = Random(seed)
    order = shuffled(range(3 * blocks), draw)
    sets = {tuple(sorted(order[i : i + 3])) for i in range(0, len(order), 3)}
    others = [chosen for chosen in itertools.combinations(range(3 * blocks), 3) if chosen not in sets]
    sets |= set(shuffled(others, draw)[: 3 * blocks])
    universe = [f"e{i}" for i in range(3 * blocks)]
    named = {f"c{number}": [universe[i] for i in chosen] for number, chosen in enumerate(sorted(sets), start=1)}
    return MinimumCover(universe, named), blocks


PLANTED: tuple[tuple[str, Callable[[int, int], Known], str, tuple[int, ...]], ...] = (
    ("hypergraph-matching-to-k-anonymity", planted_edges, "groups", (3, 4, 6, 8, 12)),
    ("hypergraph-matching-to-attribute-suppression", planted_edges, "groups", (3, 4, 6, 8, 12)),
    ("3d-matching-to-t-closeness", planted_triples, "n", (2, 3, 4, 6, 8)),
    ("3d-matching-to-looser-t-closeness", planted_triples, "n", (2, 3, 4, 6, 8)),
    ("minimum-bisection-to-half-anonymity", planted_halves, "half", (3, 4, 6, 8, 12)),
    ("half-clique-to-share-anonymity", planted_clique, "half", (3, 4, 6, 8, 12)),
    ("minimum-cover-to-identifying-columns", planted_cover, "blocks", (3, 4, 6, 8, 12)),
    ("minimum-cover-to-witness-columns", planted_cover, "blocks", (3, 4, 6, 8, 12)),
)
"""For each reduction: its maker, the knob's name and the sizes in the library."""


def hard_instances() -> Iterator[Hard]:
    """Yield them: all cubic graphs up to ten vertices, and planted sources of growing sizes; none of them is made yet.

    >>> sum(1 for _ in hard_instances())
    70
    """
    for order, count in COUNTS.items():
        for number in range(count):
            yield Hard(
                "vertex-cover-to-k-anonymity",
                order,
                f"cubic-{order}-{number}",
                f"vertices={order}, graph {number + 1} of {count}",
                _made(cubic, order, number),
            )
    for reduction, planted, word, sizes in PLANTED:
        for size in sizes:
            ending = f"{reduction}-{size}"
            yield Hard(reduction, size, ending, f"{reduction}, {word}={size}", _made(planted, size, size))


def _made(maker: Callable[[int, int], Known], first: int, second: int) -> Callable[[], Known]:
    return lambda: maker(first, second)
