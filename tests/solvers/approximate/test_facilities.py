"""Approximations of facility location with lower bounds, where costs are a metric, against a search through all openings."""

from __future__ import annotations

from fractions import Fraction

import pytest

import anoptima as ao
from anoptima.reductions import reductions
from anoptima.solvers.approximate.facilities import FacilityGather, rows_as_facilities, why_no_metric
from benchmarks.facility_ratios import SOLVERS, instances, optimum


def test_every_promise_holds_and_every_bound_is_one() -> None:
    found = 0
    for seed in range(25):
        for _, problem in instances(seed):
            best = optimum(problem, problem.least)
            assert why_no_metric(problem) is None
            assert problem.lower_bound() <= best
            for name in SOLVERS:
                answer, ratio = ao.solve(problem, name, start=None), ao.get_solver(name).ratio(problem)
                assert answer.verify()
                assert answer.cost is not None
                assert answer.bound is not None
                assert answer.bound.value <= best <= answer.cost
                assert ratio is None or answer.cost <= ratio * best, (problem, name)
                found += answer.cost == best
                if name == "facility-gather" and sum(problem.clients) >= 2 * problem.least:
                    assert answer.cost <= FacilityGather.relaxed_ratio * optimum(problem, 2 * problem.least), problem
    assert found > 60


def test_with_fewer_clients_than_two_facilities_need_the_cheapest_one_is_proved() -> None:
    problem = ao.LowerBoundedFacilities([1, 2], [(0, 0, 1), (0, 1, 5), (1, 0, 4), (1, 1, 2), (2, 0, 0)], 2)
    assert problem.lower_bound() == 8
    line = ao.LowerBoundedFacilities([2, 1], [(0, 0, 1), (0, 1, 5), (1, 0, 4), (1, 1, 2)], 2)
    for name in SOLVERS:
        answer = ao.solve(line, name, start=None)
        assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 7)
        assert answer.bound == ao.Bound(7, ao.Origin.PROBLEM, line.name)


def test_two_clusters_of_the_least_size_are_found_by_stars_and_joined_by_gather() -> None:
    places = [0, 0, 0, 100, 100, 100]
    connections = [(f, c, Fraction(abs(a - b), 2)) for f, a in enumerate((0, 100)) for c, b in enumerate(places)]
    problem = ao.LowerBoundedFacilities([1] * 6, connections, 3)
    assert ao.solve(problem, "facility-stars", start=None).cost == 0
    assert ao.get_solver("facility-stars").ratio(problem) == 12
    assert ao.get_solver("facility-gather").ratio(problem) is None, "the optimum at twice the bound is 150, and not 0"


def test_patterns_are_no_metric_and_rows_are_one_that_bounds_the_stars() -> None:
    cells = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    patterns = reductions.get("cell-suppression-to-facilities").apply(cells).target
    assert isinstance(patterns, ao.LowerBoundedFacilities)
    assert why_no_metric(patterns) == "client 0 cannot be connected to facility 1"
    with pytest.raises(ao.NotApplicable, match="facility-stars is for metric costs, and client"):
        ao.solve(patterns, "facility-stars")
    rows = rows_as_facilities(cells.table, 3)
    assert why_no_metric(rows) is None
    least = optimum(rows, 3)
    assert least <= 54
    answer = ao.solve(rows, "facility-stars")
    assert answer.cost is not None
    labels, dealt = [0] * 10, 0
    for f, c, _ in answer.require_solution().served:
        labels[int((cells.table.type_of_row == c).argmax())] = f
        dealt += 1
    assert dealt == 10, "the rows differ"
    groups = ao.Partition.from_labels(labels)
    assert cells.cost(groups) <= max(map(len, groups.groups())) * answer.cost, (
        "a row differs from the facility in each bad column"
    )


def test_a_way_round_that_is_shorter_is_named() -> None:
    problem = ao.LowerBoundedFacilities([1, 1], [(3, 0, 0), (3, 1, Fraction(9, 2)), (5, 0, 1), (5, 1, 1)], 2)
    assert why_no_metric(problem) == (
        "connecting client 1 to facility 3 costs 9/2, more than the 2 by way of client 0 and facility 5"
    )


def test_costs_of_any_size_are_exact() -> None:
    huge = 10**30
    problem = ao.LowerBoundedFacilities([2, 2], [(0, 0, 1), (0, 1, huge), (1, 0, huge + 1), (1, 1, 0)], 2)
    for name, cost in zip(SOLVERS, (2, 2 * huge + 2), strict=True):
        assert ao.solve(problem, name, start=None).cost == cost


def test_a_metric_of_hundreds_is_recognised() -> None:
    places = [(37 * i * i) % 1000 for i in range(150)]
    connections = [(f, c, abs(there - here)) for f, there in enumerate(places) for c, here in enumerate(places)]
    assert why_no_metric(ao.LowerBoundedFacilities([1] * 150, connections, 5)) is None
