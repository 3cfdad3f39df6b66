from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from anoptima.problems.lower_bounds import serve_all, serve_cheapest
from tests.grouping import Instance, facilities
from tests.trial import judge_ways


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    return facilities(lambda options: draw(st.sampled_from(options)))


@given(instances())
def test_the_problem_itself_knows_optimum_bound_and_feasibility(instance: Instance) -> None:
    problem = instance.problem
    assert (problem.why_infeasible() is None) == (instance.optimum is not None), instance.told
    feasible = [problem.cost(s) for s in problem.solutions() if problem.is_feasible(s)]
    assert (min(feasible) if feasible else None) == instance.optimum
    if instance.optimum is None:
        with pytest.raises(ao.InfeasibleProblem):
            problem.trivial()
        return
    assert problem.is_feasible(problem.trivial())
    assert problem.lower_bound() <= instance.optimum <= problem.cost(problem.trivial())
    built = models.get("facilities").build(problem)
    wrong = list(judge_ways(built, [problem.trivial()]))
    assert not wrong, wrong
    form, size = built.matrix, built.size
    assert (size.variables, size.constraints) == (form.columns, form.rows)
    assert size.coefficients == len(form.column)


def test_exact_cover_by_triples_is_decided() -> None:
    """Where no facility serves everybody, feasibility is a search: triples of six clients, lower bound 3."""
    cover = [(0, 1, 2), (2, 3, 4), (1, 3, 5), (3, 4, 5)]
    connections = [(f, c, 0) for f, triple in enumerate(cover) for c in triple]
    problem = ao.LowerBoundedFacilities([1] * 6, connections, 3)
    assert problem.trivial().served == tuple(sorted((f, c, 1) for f in (0, 3) for c in cover[f]))
    without = [(f, c, cost) for f, c, cost in connections if f != 3]
    assert ao.LowerBoundedFacilities([1] * 6, without, 3).why_infeasible() == (
        "no choice of facilities connects every client and gives each open facility 3 clients"
    )
    answer = ao.solve(ao.LowerBoundedFacilities([1] * 6, without, 3))
    assert answer.claim is ao.Claim.INFEASIBLE


@given(st.lists(st.sets(st.integers(0, 5), min_size=1), min_size=1, max_size=5), st.integers(1, 4))
def test_feasibility_is_decided_as_by_trying_all(reach: list[set[int]], least: int) -> None:
    problem = ao.LowerBoundedFacilities([1] * 6, [(f, c, 0) for f, cs in enumerate(reach) for c in cs], least)
    able = [[f for f, cs in enumerate(reach) if c in cs] for c in range(6)]
    possible = any(all(count >= least for count in Counter(chosen).values()) for chosen in itertools.product(*able))
    assert (problem.why_infeasible() is None) == possible


@given(instances(), st.sets(st.integers(0, 3), min_size=1))
def test_flows_serve_all_at_the_least_cost_or_name_a_shortage(instance: Instance, wanted: set[int]) -> None:
    problem = instance.problem
    assert isinstance(problem, ao.LowerBoundedFacilities)
    opened = sorted(wanted & set(problem.facilities))
    arcs = [(f, c) for f, c in problem.costs if f in opened]
    if {c for _, c in arcs} != set(range(len(problem.clients))):
        return
    served, short = serve_all(problem.clients, problem.costs, opened, problem.least)
    exactly = [
        s for s in problem.solutions() if not problem.violations(s) and {f for f, _, _ in s.served} == set(opened)
    ]
    if short:
        assert not exactly
        between = sum(problem.clients[c] for c in {c for f, c in arcs if f in short})
        assert between < len(short) * problem.least
        return
    assert problem.is_feasible(ao.Connections.of(served))
    costs = [(f, c, int(cost * problem.cost_scale)) for (f, c), cost in problem.costs.items()]
    cheapest = ao.Connections.of(serve_cheapest(problem.clients, costs, opened, problem.least))
    assert problem.is_feasible(cheapest)
    assert problem.cost(cheapest) == min(problem.cost(s) for s in exactly)


def test_a_point_that_is_no_vertex_is_made_whole_at_no_higher_cost() -> None:
    problem = ao.LowerBoundedFacilities([2, 2], [(0, 0, 1), (0, 1, 1), (3, 0, 1), (3, 1, 1)], 2)
    built = models.get("facilities").build(problem)
    whole = built.decode(np.array([1.5, 0.5, 0.5, 1.5, 1.0, 1.0]))
    assert problem.is_feasible(whole)
    assert problem.cost(whole) == 4


def test_what_is_wrong_is_said() -> None:
    problem = ao.LowerBoundedFacilities([2, 1], [(0, 0, 0), (1, 0, 1), (1, 1, Fraction(1, 2))], 2)
    assert problem.violations(ao.Connections(((0, 0, 2), (1, 1, 1)))) == [
        "facility 1 serves 1 clients; the lower bound is 2"
    ]
    assert problem.violations(ao.Connections(((1, 0, 1), (1, 1, 1)))) == [
        "client 0 is served 1 times and is there 2 times"
    ]
    assert problem.violations(ao.Connections(((0, 1, 1), (1, 0, 0)))) == [
        "client 1 cannot be connected to facility 0",
        "facility 1 serves 0 of client 0; a number above 0 is meant",
    ]
    assert problem.describe_cost(problem.cost(problem.trivial())) == "connection cost 5/2"
    assert dict(problem.size()) == {"facilities": 2, "sorts of clients": 2, "clients": 3, "connections": 3}


@pytest.mark.parametrize(
    ("clients", "connections", "least", "reason"),
    [
        ([1, 1], [(0, 0, 0)], 1, "client 1 can be connected to no facility"),
        ([1], [(0, 0, 0)], 2, "the lower bound is 2 but there is only 1 client"),
        ([1, 1], [(0, 0, 0), (0, 1, 0)], 3, "the lower bound is 3 but there are only 2 clients"),
        (
            [1, 1],
            [(0, 0, 0), (1, 1, 0)],
            2,
            "no choice of facilities connects every client and gives each open facility 2 clients",
        ),
    ],
)
def test_the_impossible_is_explained(
    clients: list[int], connections: list[tuple[int, int, int]], least: int, reason: str
) -> None:
    assert ao.LowerBoundedFacilities(clients, connections, least).why_infeasible() == reason


@pytest.mark.parametrize(
    ("clients", "connections", "least", "sentence"),
    [
        ([1], [(0, 0, 0)], 0, "the lower bound is 0; it must be at least 1"),
        ([0], [(0, 0, 0)], 1, "there are 0 clients of sort 0; there must be at least 1"),
        ([], [], 1, "there are no clients; there must be at least one sort of them"),
        ([1], [(-1, 0, 0)], 1, "a connection names facility -1; facilities are numbered from 0"),
        ([1], [(0, 1, 0)], 1, "a connection names client 1; clients are numbered from 0 to 0"),
        (
            [1],
            [(0, 0, 0), (0, 0, 1)],
            1,
            "the connection of facility 0 and client 0 is given twice; each may be given once",
        ),
        ([1], [(0, 0, -1)], 1, "the cost of connecting client 0 to facility 0 is -1; it must be at least 0"),
        (
            [1],
            [(0, 0, float("nan"))],
            1,
            "is nan; it must be an exact number, an int or a Fraction",
        ),
    ],
)
def test_bad_input_is_refused_in_words(
    clients: list[int], connections: list[tuple[int, int, int]], least: int, sentence: str
) -> None:
    with pytest.raises(ao.BadInput, match=sentence):
        ao.LowerBoundedFacilities(clients, connections, least)


def test_the_model_is_for_facilities() -> None:
    with pytest.raises(
        ao.NotApplicable, match="the facilities model is for lower-bounded-facilities, not for cell-supp"
    ):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "facilities/highs")


def test_costs_that_add_up_to_a_number_too_long_are_refused_at_the_door() -> None:
    for dear in (10**400 - 1, 10**400):
        with pytest.raises(ao.BadInput, match="a number may have 400 digits"):
            ao.LowerBoundedFacilities([2, 1], [(0, 0, 0), (1, 0, dear), (1, 1, 1)], 2)
    assert ao.LowerBoundedFacilities([2, 1], [(0, 0, 0), (1, 0, 10**399), (1, 1, 1)], 2).lower_bound() > 10**399
