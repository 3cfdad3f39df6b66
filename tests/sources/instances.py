"""Small source problems with their least costs: random ones from any source of choices, and all there are of some size.

Tests and benchmarks share them. A random one is drawn by `make[name](choose)`, where `choose` picks from options that are listed
simplest first, so that Hypothesis shrinks towards them. The `repr` of a problem is Python.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import anoptima as ao
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.sources.formula import RectilinearEmbedding
from tests.cases import Choose, shuffled
from tests.sources import brute_force

T = TypeVar("T")


@dataclass(frozen=True)
class SourceCase:
    """A problem of the package, and the least cost that the brute force finds for the same data."""

    problem: Problem[Any]
    optimum: int

    @cached_property
    def feasible(self) -> list[tuple[Exact, Any]]:
        """Every feasible solution with its cost, by the problem's own search: most of a test's time, so it is searched once."""
        problem = self.problem
        return [(problem.cost(one), one) for one in problem.solutions() if problem.is_feasible(one)]


# ---- random ones --------------------------------------------------------------------------------------------------------------


def _some(choose: Choose, options: Sequence[T], most: int) -> list[T]:
    """Return up to `most` different options, in any order."""
    left, found = list(options), []
    for _ in range(choose(range(min(most, len(left)) + 1))):
        found.append(left.pop(choose(range(len(left)))))
    return found


def _names(choose: Choose, count: int) -> list[Any]:
    """Return names that are not the places."""
    style = choose(("numbers from 1", "letters", "backwards", "mixed"))
    if style == "letters":
        return list("abcdefghijklmnop"[:count])
    if style == "backwards":
        return list(range(count, 0, -1))
    return [str(i) if i % 2 else i for i in range(count)] if style == "mixed" else list(range(1, count + 1))


def _pairs(choose: Choose, vertices: int) -> list[tuple[int, int]]:
    """Return the edges of a simple graph: sparse, dense and in between, with loose vertices now and then."""
    density = choose((1, 2, 3, 4, 5))
    live = choose((vertices, vertices, max(1, vertices - 2)))
    return [pair for pair in itertools.combinations(range(live), 2) if choose(range(6)) < density]


def _graph(names: Sequence[Any], pairs: Sequence[tuple[int, int]]) -> ao.Graph:
    return ao.Graph(names, [(names[u], names[v]) for u, v in pairs])


def hypergraph_matching(choose: Choose) -> SourceCase:
    """k from 1 to 4, up to nine vertices and eight edges."""
    k, n = choose((3, 2, 4, 1)), choose(range(1, 10))
    edges = _some(choose, list(itertools.combinations(range(n), k)), 8)
    names = _names(choose, n)
    graph = ao.Hypergraph(names, [[names[v] for v in reversed(edge)] for edge in edges])
    return SourceCase(ao.HypergraphMatching(graph, k), brute_force.unmatched(n, edges))


def three_dimensional_matching(choose: Choose) -> SourceCase:
    """W, X and Y of size up to four, up to ten triples."""
    n = choose(range(1, 5))
    triples = _some(choose, list(itertools.product(range(n), repeat=3)), 10)
    w, x, y = (_names(choose, n) for _ in "wxy")
    problem = ao.ThreeDimensionalMatching(w, x, y, [(w[a], x[b], y[c]) for a, b, c in triples])
    return SourceCase(problem, brute_force.unmatched(3 * n, [(a, n + b, 2 * n + c) for a, b, c in triples]))


def three_partition(choose: Choose) -> SourceCase:
    """Three to nine numbers, whose sum the last one evens out."""
    m = choose((2, 1, 3))
    numbers = [choose(range(5)) for _ in range(3 * m - 1)]
    numbers.append(choose((0, 1)) * m + -sum(numbers) % m)
    triples = [t for t in itertools.combinations(range(3 * m), 3) if m * sum(numbers[i] for i in t) == sum(numbers)]
    return SourceCase(ao.ThreePartition(numbers), brute_force.unmatched(3 * m, triples))


def minimum_bisection(choose: Choose) -> SourceCase:
    """Two to eight vertices, parallel edges."""
    n = choose((4, 2, 6, 8))
    pairs = [pair for pair in _pairs(choose, n) for _ in range(choose((1, 1, 1, 2, 3)))]
    return SourceCase(ao.MinimumBisection(_graph(_names(choose, n), pairs)), brute_force.cut(n, pairs))


def clique(choose: Choose) -> SourceCase:
    """Up to eight vertices, any order."""
    n = choose(range(1, 9))
    pairs, order = _pairs(choose, n), choose(range(1, n + 1))
    problem = ao.CliqueOfSize(_graph(_names(choose, n), pairs), order)
    return SourceCase(problem, brute_force.missing(n, pairs, order))


def half_clique(choose: Choose) -> SourceCase:
    """Two to eight vertices."""
    n = choose((4, 2, 6, 8))
    pairs = _pairs(choose, n)
    return SourceCase(ao.HalfClique(_graph(_names(choose, n), pairs)), brute_force.missing(n, pairs, n // 2))


def maximum_clique(choose: Choose) -> SourceCase:
    """Up to nine vertices."""
    n = choose(range(1, 10))
    pairs = _pairs(choose, n)
    return SourceCase(ao.MaximumClique(_graph(_names(choose, n), pairs)), brute_force.outside(n, pairs))


def vertex_cover(choose: Choose) -> SourceCase:
    """Up to nine vertices, an edge twice now and then."""
    n = choose(range(1, 10))
    pairs = [pair for pair in _pairs(choose, n) for _ in range(choose((1, 1, 1, 1, 2)))]
    return SourceCase(ao.VertexCover(_graph(_names(choose, n), pairs)), brute_force.cover(pairs))


def minimum_cover(choose: Choose) -> SourceCase:
    """Up to seven elements and seven sets, equal and empty ones too."""
    elements, sets = choose(range(1, 8)), choose(range(1, 8))
    family = [[e for e in range(elements) if choose((0, 0, 1))] for _ in range(sets)]
    for element in range(elements):
        if not any(element in members for members in family):
            choose(family).append(element)
    universe, names = _names(choose, elements), _names(choose, sets)
    named = {name: [universe[e] for e in members] for name, members in zip(names, family, strict=True)}
    return SourceCase(ao.MinimumCover(universe, named), brute_force.covering_sets(elements, family))


def patch_cover(choose: Choose) -> SourceCase:
    """Up to nine patches, close to each other; some with blocks."""
    cells = list(dict.fromkeys((choose(range(12)), choose(range(8))) for _ in range(choose(range(1, 10)))))
    places = range(len(cells))
    blocks = [sorted({choose(places) for _ in range(choose(range(1, 5)))}) for _ in range(choose((0, 1, 2)))]
    windows = sorted({(x - i, y - j) for x, y in cells for i in range(5) for j in range(5)})
    held = [[n for n, (x, y) in enumerate(cells) if 0 <= x - u < 5 and 0 <= y - v < 5] for u, v in windows]
    return SourceCase(ao.PatchCover(cells, blocks), brute_force.covering_sets(len(cells), held))


def simplex_matching(choose: Choose) -> SourceCase:
    """Up to seven vertices with all pairs and some triples, some of those as cheap as the simplex condition allows."""
    count = choose(range(2, 8))
    names = _names(choose, count)
    costs: dict[tuple[int, ...], int] = {pair: choose(range(6)) for pair in itertools.combinations(range(count), 2)}
    triples = list(itertools.combinations(range(count), 3))
    for triple in {*triples[: count % 2], *_some(choose, triples, 6)}:
        tight = -(-sum(costs[pair] for pair in itertools.combinations(triple, 2)) // 2)
        costs[triple] = tight + choose((0, 0, 1, 5))
    named = {tuple(names[v] for v in group): cost for group, cost in sorted(costs.items())}
    pairs, rest = ({group: cost for group, cost in named.items() if len(group) == size} for size in (2, 3))
    return SourceCase(ao.SimplexMatching(names, pairs, rest), brute_force.cheapest_groups(count, costs))


def planar_three_sat(choose: Choose) -> SourceCase:
    """Up to six variables and twelve clauses, equal ones too; half of them with a rectilinear embedding."""
    variables = choose(range(1, 7))
    order = shuffled(choose, range(1, variables + 1))
    embedded = choose((True, False))
    clauses: list[tuple[int, ...]] = []
    above: list[bool] = []
    for _ in range(choose(range(13))):
        scope = shuffled(choose, range(1, variables + 1))[: choose((2, 1, 3))]
        more = [*clauses, tuple(x if choose((True, False)) else -x for x in scope)]
        sides = [*above, choose((True, False))]
        formula = ao.Formula(variables, more)
        fits = RectilinearEmbedding(order, tuple(sides)).why_not(formula) if embedded else formula.why_not_planar()
        if fits is None:
            clauses, above = more, sides
    embedding = RectilinearEmbedding(order, tuple(above)) if embedded else None
    problem = ao.PlanarThreeSat(ao.Formula(variables, clauses), embedding)
    return SourceCase(problem, brute_force.unsatisfied(variables, clauses))


make: Mapping[str, Callable[[Choose], SourceCase]] = {
    "hypergraph-matching": hypergraph_matching,
    "3d-matching": three_dimensional_matching,
    "3-partition": three_partition,
    "minimum-bisection": minimum_bisection,
    "clique": clique,
    "half-clique": half_clique,
    "maximum-clique": maximum_clique,
    "vertex-cover": vertex_cover,
    "minimum-cover": minimum_cover,
    "patch-cover": patch_cover,
    "simplex-matching": simplex_matching,
    "planar-3-sat": planar_three_sat,
}
"""A maker of random cases for each source problem, by the problem's name."""
