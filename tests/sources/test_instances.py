"""The generators that other tests rely on give what they promise."""

from __future__ import annotations

import itertools

import pytest

from anoptima.instances.cubic_graphs import COUNTS, cubic_graphs
from anoptima.testing.families.covers import all_covers
from anoptima.testing.families.formulas import all_formulas
from anoptima.testing.families.graphs import all_cubic_graphs, all_graphs, all_multigraphs
from anoptima.testing.families.matchings import all_hypergraphs, all_triples
from anoptima.testing.families.tables import all_tables
from tests.cases import seeded
from tests.sources import brute_force
from tests.sources.instances import make


def test_counts_of_all_there_are() -> None:
    assert [sum(len(graph.vertices) == n for graph in all_graphs()) for n in range(1, 6)] == [1, 2, 4, 11, 34]
    assert [len(graph.vertices) for graph in all_cubic_graphs()] == [4, 6, 6]
    assert {order: len(cubic_graphs(order)) for order in COUNTS} == COUNTS
    assert all(graph.why_not_cubic() is None for order in COUNTS for graph in cubic_graphs(order))
    assert sum(1 for _ in all_multigraphs()) == 3**6
    assert sum(1 for _ in all_hypergraphs(5, 3)) == 2**10
    assert sum(1 for _ in all_hypergraphs(6, 3, most=2)) == 1 + 20 + 190
    assert sum(1 for _ in all_triples()) == 2**8
    assert sum(1 for _ in all_covers()) == 109
    assert sum(1 for _ in all_formulas()) == 2**8
    assert sum(1 for _ in all_tables(4, 2)) == 35


@pytest.mark.parametrize("name", make)
def test_a_seed_repeats_itself_and_every_problem_is_of_its_name(name: str) -> None:
    cases = [make[name](seeded(seed)) for seed in range(20)]
    assert cases == [make[name](seeded(seed)) for seed in range(20)]
    assert {case.problem.name for case in cases} == {name}
    assert len({repr(case.problem) for case in cases}) > 10, "they are different"


@pytest.mark.parametrize("name", make)
def test_costs_of_zero_and_above_are_both_common(name: str) -> None:
    optima = [make[name](seeded(seed)).optimum for seed in range(200)]
    assert max(optima) >= 2
    if name not in ("vertex-cover", "minimum-cover", "maximum-clique", "patch-cover"):
        assert sum(optimum == 0 for optimum in optima) >= 10, "yes-instances"


def test_brute_force_on_what_can_be_seen() -> None:
    triangle = [(0, 1), (1, 2), (0, 2)]
    square = [(0, 1), (1, 2), (2, 3), (0, 3)]
    assert brute_force.unmatched(6, [(0, 1, 2), (3, 4, 5), (1, 2, 3)]) == 0
    assert brute_force.cut(4, square) == 2
    assert brute_force.cut(4, [*triangle, *triangle]) == 4
    assert brute_force.missing(4, square, 3) == 1
    assert brute_force.outside(4, triangle) == 1
    assert brute_force.cover(list(itertools.combinations(range(5), 2))) == 4
    assert brute_force.unsatisfied(2, [(1, 2), (1, -2), (-1, 2), (-1, -2)]) == 1
    assert brute_force.covering_sets(5, [(0, 1, 2), (1, 3), (2, 3), (3, 4)]) == 2
