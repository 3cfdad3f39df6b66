"""Matchings in hypergraphs: cost, checker, bound, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import anoptima as ao
from anoptima.instances.matchings import matching_with_a_perfect_one, matching_without_a_perfect_one
from anoptima.testing.families.matchings import all_hypergraphs
from tests.sources import brute_force


@pytest.mark.parametrize(
    ("edges", "k", "sentence"),
    [
        ([(1, 2, 3), (3, 2, 1)], 3, "edges 1 and 2 both are (1, 2, 3); every edge may be there once"),
        ([(1, 2, 3), (1, 2)], 3, "edge 2 is (1, 2) and has 2 vertices; every edge must have k = 3"),
        ([(4,)], 3, "edge 1 is (4,) and has 1 vertex; every edge must have k = 3"),
        ([(1, 2, 2)], 3, "edge 1 is (1, 2, 2); it has vertex 2 twice, and an edge is a set"),
        ([(1, 2, 7)], 3, "edge 1 is (1, 2, 7); 7 is no vertex; the vertices are 1, 2, 3, 4"),
        ([5], 3, "edges[0] is 5; it must be a list"),
        ([], 0, "k is 0; an edge has at least 1 vertex"),
        ([], 2.5, "k is 2.5; it must be a whole number"),
    ],
)
def test_what_is_no_problem_is_refused(edges: Any, k: Any, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.HypergraphMatching(ao.Hypergraph(range(1, 5), edges), k)
    assert sentence in str(caught.value)


def test_a_hypergraph_has_a_vertex() -> None:
    with pytest.raises(ao.BadInput, match="the hypergraph has no vertex; it must have at least one"):
        ao.Hypergraph([], [])


def test_the_examples_of_the_first_reduction() -> None:
    """Perfect matching of two edges; and with 123, 345 only, three vertices stay unmatched."""
    perfect, none = matching_with_a_perfect_one(), matching_without_a_perfect_one()
    assert ao.solve(perfect).solution == ao.Matching.of([(1, 2, 3), (4, 5, 6)])
    answer = ao.solve(none)
    assert (answer.cost, none.lower_bound()) == (3, 3)
    assert str(answer).startswith("OPTIMAL  3 unmatched vertices, bound 3 (problem)")
    assert perfect.size() == {"vertices": 6, "edges": 3, "k": 3}


def test_what_is_wrong_is_said() -> None:
    problem = matching_with_a_perfect_one()
    assert problem.violations(ao.Matching.of([(1, 2, 4)])) == [
        "(1, 2, 4) is no edge; those are (1, 2, 3), (4, 5, 6), (2, 3, 4)"
    ]
    assert problem.violations(ao.Matching.of([(4, 5, 6), (2, 3, 4)])) == ["(4, 5, 6) and (2, 3, 4) share vertex 4"]


@pytest.mark.parametrize(("n", "k", "most"), [(4, 2, None), (5, 3, 4), (4, 1, None), (6, 3, 3)])
def test_bounds_on_all_small_ones(n: int, k: int, most: int | None) -> None:
    for hypergraph in all_hypergraphs(n, k, most):
        problem = ao.HypergraphMatching(hypergraph, k)
        optimum = brute_force.unmatched(n, problem.members)
        assert (
            problem.lower_bound() <= optimum == min(map(problem.cost, filter(problem.is_feasible, problem.solutions())))
        )


def test_the_bound_counts_members_that_hit_every_edge() -> None:
    """All edges go through vertex 0, so one at most is chosen."""
    star = ao.Hypergraph(range(9), [(0, i, i + 1) for i in range(1, 8)])
    assert ao.HypergraphMatching(star, 3).lower_bound() == 6
