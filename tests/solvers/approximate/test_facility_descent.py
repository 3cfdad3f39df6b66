from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.problems.lower_bounds import serve_cheapest
from tests.grouping import Instance, facilities


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    return facilities(lambda options: draw(st.sampled_from(options)))


def drawn(sorts: int, places: int, least: int) -> ao.LowerBoundedFacilities:
    chance = np.random.default_rng(sorts)
    given = [
        (f, c, int(chance.integers(0, 50)))
        for c in range(sorts)
        for f in range(places)
        if chance.random() < 0.3 or f == c % places
    ]
    return ao.LowerBoundedFacilities(chance.integers(1, 5, sorts).tolist(), given, least)


@given(instances())
def test_what_it_finds_is_feasible_and_no_better_than_the_optimum(instance: Instance) -> None:
    if instance.optimum is None:
        return
    answer = ao.solve(instance.problem, "facility-descent", start=None)
    assert answer.verify()
    assert answer.cost is not None
    assert answer.cost >= instance.optimum, instance.told


def test_stars_and_steps_are_far_better_than_everybody_at_one_place() -> None:
    problem = drawn(200, 100, 10)
    answer = ao.solve(problem, "facility-descent", start=None)
    assert answer.cost is not None
    assert answer.cost * 10 < problem.cost(problem.trivial())
    assert answer.solution is not None
    opened = {f for f, _, _ in answer.solution.served}
    arcs = [(f, c, int(cost)) for f, c, cost in problem.connections if f in opened]
    cheapest = ao.Connections.of(serve_cheapest(problem.clients, arcs, opened, problem.least))
    assert answer.cost == problem.cost(cheapest), "at its facilities, nothing is cheaper"


def test_those_who_can_go_to_no_open_facility_have_one_opened() -> None:
    # The cheapest star leaves client 2 alone; its only facility takes a client from there.
    problem = ao.LowerBoundedFacilities([2, 2, 1], [(0, 0, 0), (0, 1, 0), (1, 1, 9), (1, 2, 9)], 2)
    answer = ao.solve(problem, "facility-descent", start=None)
    assert answer.verify()
    assert answer.cost == 18, "one client of sort 1 goes with the one of sort 2"


def test_those_with_no_connection_yet_fill_no_facility_up() -> None:
    """Clients that cannot be served where they are wait there, and let nobody else go."""
    sorts_of = {
        0: {0: 2, 1: 0, 6: 5},
        1: {0: 3, 1: 1, 2: 2, 5: 5},
        2: {1: 1, 2: 4, 4: 3, 5: 0},
        3: {0: 2, 2: 3, 3: 4, 5: 0},
    }
    problem = ao.LowerBoundedFacilities(
        [1] * 7, [(f, c, cost) for f, its in sorts_of.items() for c, cost in its.items()], 2
    )
    answer = ao.solve(problem, "facility-descent", start=None)
    assert answer.verify()
    assert answer.cost == 17


def test_costs_that_do_not_fit_into_64_bits_are_refused_by_it_and_solved_by_others() -> None:
    large = 10**30
    problem = ao.LowerBoundedFacilities([2, 1], [(0, 0, 0), (1, 0, large), (1, 1, Fraction(large, 3))], 2)
    with pytest.raises(ao.NotApplicable, match="64-bit"):
        ao.solve(problem, "facility-descent")
    assert serve_cheapest([2, 1], [(0, 0, 5 * large), (1, 0, large), (1, 1, 0)], [0, 1], 1) == {
        (0, 0): 1,
        (1, 0): 1,
        (1, 1): 1,
    }


@given(instances())
def test_the_nearest_facilities_with_enough_clients_are_feasible(instance: Instance) -> None:
    problem = instance.problem
    assert isinstance(problem, ao.LowerBoundedFacilities)
    if {c for _, c, _ in problem.connections} < set(range(len(problem.clients))):
        return
    assert problem.nearest is None or problem.is_feasible(problem.nearest)


def test_large_problems_have_a_good_solution_at_once() -> None:
    """To find that there is one took minutes for thousands of clients, each facility opened by a search through all."""
    problem = drawn(1_500, 150, 5)
    assert problem.why_infeasible() is None
    assert problem.nearest is not None
    assert problem.cost(problem.nearest) < 2 * problem.lower_bound()
    tight = drawn(1_500, 150, 30)
    assert tight.is_feasible(tight.trivial())
