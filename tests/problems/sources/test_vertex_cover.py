"""Vertex cover: named cubic graphs, cost, checker, bound."""

from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.instances.graphs import complete_graph, cube, cycle, k33, petersen, prism
from anoptima.testing.families.graphs import all_graphs
from tests.sources import brute_force

CUBIC = {"K4": (complete_graph(4), 3), "K3,3": (k33(), 3), "prism": (prism(), 4), "cube": (cube(), 4)}
CUBIC["Petersen"] = petersen(), 6


@pytest.mark.parametrize("name", CUBIC)
@pytest.mark.parametrize(
    "solver", ["vertex-cover-edges/highs", "vertex-cover-edges/cp-sat", "vertex-cover-cliques/cp-sat"]
)
def test_cubic_graphs_of_the_reduction(name: str, solver: str) -> None:
    graph, tau = CUBIC[name]
    problem = ao.VertexCover(graph)
    assert problem.is_cubic
    assert ao.solve(problem, solver).cost == tau
    assert brute_force.cover(list(graph.pairs)) == tau


def test_any_graph_is_taken_and_cubic_is_said() -> None:
    problem = ao.VertexCover(ao.Graph("abc", ["ab", "ba"]))
    assert not problem.is_cubic
    assert ao.solve(problem).cost == 1
    assert problem.size() == {"vertices": 3, "edges": 2}


def test_what_is_wrong_is_said() -> None:
    problem = ao.VertexCover(cycle(4))
    assert problem.violations(ao.VertexSet.of([1])) == [
        "edge 2 has neither 2 nor 3 in the cover",
        "edge 3 has neither 3 nor 4 in the cover",
    ]
    assert problem.violations(ao.VertexSet.of([0])) == ["0 is no vertex; the vertices are 1, 2, 3, 4"]


def test_bounds_on_all_small_graphs() -> None:
    for graph in all_graphs(6):
        problem = ao.VertexCover(graph)
        optimum = brute_force.cover(list(graph.pairs))
        assert problem.lower_bound() <= optimum <= 2 * problem.lower_bound(), "a greedy matching is half a cover"
        if len(graph.vertices) <= 5:
            assert optimum == min(map(problem.cost, filter(problem.is_feasible, problem.solutions())))


def test_thousands_of_faults_are_counted_and_not_listed() -> None:
    faults = ao.VertexCover(complete_graph(60)).violations(ao.VertexSet.of([]))
    assert len(faults) == 101
    assert faults[-1] == "1,670 more edges are not covered"
