"""Cliques of a size, of half the vertices, and the largest: costs, checkers, bounds, padding, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import anoptima as ao
from anoptima.instances.graphs import complete_graph, cycle, petersen, triangle_with_path
from anoptima.testing.families.graphs import all_graphs
from tests.sources import brute_force

DOUBLED = ao.Graph("abcd", ["ab", "cd", "ba"])


@pytest.mark.parametrize(
    ("problem", "graph", "more", "sentence"),
    [
        (ao.CliqueOfSize, complete_graph(3), (0,), "K is 0; it must lie between 1 and 3, the number of vertices"),
        (ao.CliqueOfSize, complete_graph(3), (4,), "K is 4; it must lie between 1 and 3, the number of vertices"),
        (ao.CliqueOfSize, complete_graph(3), ("2",), "k is '2'; it must be a whole number"),
        (ao.HalfClique, complete_graph(3), (), "the graph has 3 vertices; half-clique needs an even number"),
        (
            ao.CliqueOfSize,
            DOUBLED,
            (2,),
            "edges 1 and 3 both join 'a', 'b'; clique takes a graph without parallel edges",
        ),
        (ao.HalfClique, DOUBLED, (), "half-clique takes a graph without parallel edges (Graph.simple drops them)"),
        (ao.MaximumClique, DOUBLED, (), "maximum-clique takes a graph without parallel edges"),
    ],
)
def test_what_is_no_problem_is_refused(problem: Any, graph: ao.Graph, more: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        problem(graph, *more)
    assert sentence in str(caught.value)


def test_named_graphs() -> None:
    """The two examples of LY's Theorem 5: a cycle of six has no half-clique, a triangle with a path attached has one."""
    assert ao.solve(ao.HalfClique(cycle(6))).cost == 1
    assert ao.solve(ao.HalfClique(triangle_with_path())).cost == 0
    assert ao.solve(ao.MaximumClique(petersen())).cost == 8
    assert ao.solve(ao.CliqueOfSize(petersen(), 3)).cost == 1


def test_what_is_wrong_is_said() -> None:
    problem = ao.CliqueOfSize(cycle(4), 2)
    assert problem.violations(ao.VertexSet.of([1])) == ["2 vertices are to be chosen, and these are 1"]
    assert problem.violations(ao.VertexSet.of(["x", 1])) == ["'x' is no vertex; the vertices are 1, 2, 3, 4"]
    assert ao.MaximumClique(cycle(4)).violations(ao.VertexSet.of([1, 3])) == ["no edge joins 1 and 3"]
    assert problem.size() == {"vertices": 4, "edges": 4, "K": 2}


def test_the_cost_of_many_vertices_is_counted_from_the_edges() -> None:
    """Half of 20,000 vertices has 50 million pairs, and the graph one edge."""
    problem = ao.HalfClique(ao.Graph(range(20_000), [(0, 1)]))
    assert problem.cost(problem.trivial()) == 10_000 * 9_999 // 2 - 1 == problem.lower_bound()


def test_bounds_and_the_three_questions_on_all_small_graphs() -> None:
    for graph in all_graphs(5):
        n = len(graph.vertices)
        largest = ao.MaximumClique(graph)
        outside = brute_force.outside(n, list(graph.pairs))
        assert (
            largest.lower_bound() <= outside == min(map(largest.cost, filter(largest.is_feasible, largest.solutions())))
        )
        for order in range(1, n + 1):
            sized = ao.CliqueOfSize(graph, order)
            missing = brute_force.missing(n, list(graph.pairs), order)
            assert sized.lower_bound() <= missing == min(map(sized.cost, sized.solutions()))
            assert (missing == 0) == (order <= n - outside)


def test_padding_carries_a_clique_of_any_size_to_half_of_the_vertices() -> None:
    """The least number of missing edges stays: isolated vertices for K >= n/2, vertices joined to everything for K <= n/2."""
    for graph in all_graphs(4):
        n = len(graph.vertices)
        for order in range(1, n + 1):
            more = [f"new {i}" for i in range(abs(2 * order - n))]
            vertices = [*graph.vertices, *more]
            edges: list[Any] = list(graph.edges)
            if 2 * order < n:
                edges += [(u, v) for i, u in enumerate(vertices) for v in vertices[max(i + 1, n) :]]
            half = ao.HalfClique(ao.Graph(vertices, edges))
            assert min(map(half.cost, half.solutions())) == brute_force.missing(n, list(graph.pairs), order)
