"""Minimum bisection: cost, checker, bound, and what is refused."""

from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.instances.graphs import complete_graph, cycle, triangle_with_path
from anoptima.testing.families.graphs import all_graphs, all_multigraphs
from tests.sources import brute_force


def test_an_odd_number_of_vertices_is_refused() -> None:
    with pytest.raises(ao.BadInput, match="the graph has 3 vertices; a bisection needs an even number"):
        ao.MinimumBisection(complete_graph(3))


def test_named_graphs() -> None:
    widths = [
        ao.solve(ao.MinimumBisection(graph)).cost
        for graph in (cycle(4), cycle(6), complete_graph(4), triangle_with_path())
    ]
    assert widths == [2, 2, 4, 1]


def test_either_half_is_the_solution_and_costs_the_same() -> None:
    problem = ao.MinimumBisection(ao.Graph("abcd", ["ab", "ab", "bc", "cd"]))
    left, right = ao.VertexSet.of("ad"), ao.VertexSet.of("bc")
    assert problem.cost(left) == problem.cost(right) == 3
    assert problem.side_of_first(left) == problem.side_of_first(right) == [0, 3]


def test_what_is_wrong_is_said() -> None:
    problem = ao.MinimumBisection(cycle(4))
    assert problem.violations(ao.VertexSet.of([1, 9])) == ["9 is no vertex; the vertices are 1, 2, 3, 4"]
    assert problem.violations(ao.VertexSet.of([1, 2, 3])) == ["a half has 2 of the 4 vertices, and this has 3"]


def test_bounds_on_all_small_ones() -> None:
    graphs = [*all_multigraphs(), *(graph for graph in all_graphs(6) if len(graph.vertices) % 2 == 0)]
    reached = 0
    for graph in graphs:
        problem = ao.MinimumBisection(graph)
        pairs = [(graph.position[u], graph.position[v]) for u, v in graph.edges]
        optimum = brute_force.cut(len(graph.vertices), pairs)
        assert problem.lower_bound() <= optimum == min(map(problem.cost, problem.solutions()))
        assert (problem.lower_bound() == 0) == (optimum == 0)
        reached += problem.lower_bound() == optimum
    assert reached > len(graphs) / 2, "the bound is of some use"
