"""The fewest fakes on a line: against every solution of small questions, and against a model of larger ones."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.errors import OutOfTime
from anoptima.solvers.exact import box_cases
from anoptima.solvers.exact.line_layers import fewest_on_a_line


@st.composite
def lines(draw: st.DrawFn, most: int = 5) -> ao.FakePoints:
    """Return points on a line in one of the regimes, mostly few units apart."""
    parts = draw(st.sampled_from([1, 2, 3, 10]))
    places = [Fraction(x, parts) for x in draw(st.lists(st.integers(0, 4 * parts), min_size=1, max_size=most))]
    k, regime = draw(st.integers(1, 4)), draw(st.sampled_from(ao.Regime))
    before, after = (Fraction(draw(st.integers(0, 2 * parts)), parts) for _ in range(2))
    low = min(places) - before
    domain = {
        ao.Regime.UNRESTRICTED: None,
        ao.Regime.PRIMAL: [(low, max(max(places) + Fraction(1, parts) + after, low + 1))],
        ao.Regime.DUAL: [(low - Fraction(1, 2), max(places) + Fraction(1, 2) + after)],
    }[regime]
    return ao.FakePoints([(x,) for x in places], k, domain, regime)


@given(lines(most=3))
def test_no_solution_of_all_is_smaller(problem: ao.FakePoints) -> None:
    found = fewest_on_a_line(problem)
    assert not problem.violations(found)
    assert problem.lower_bound() <= len(found.points)
    assume(len(found.points) <= 3 and math.prod(map(len, problem.aligned())) <= 12)
    smaller = itertools.takewhile(lambda solution: len(solution.points) < len(found.points), problem.solutions())
    assert all(problem.violations(solution) for solution in smaller)


@given(lines(most=9))
def test_a_model_finds_as_many(problem: ao.FakePoints) -> None:
    answer = ao.solve(problem, "fake-depths/cp-sat")
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, len(fewest_on_a_line(problem).points))


def test_a_gap_is_bridged_where_that_costs_less_than_two_borders() -> None:
    left, right = ["0", "1/10"], ["3/2", "9/5"]
    fewest = [
        len(fewest_on_a_line(ao.FakePoints([(x,) for x in places], 3)).points) for places in (left, right, left + right)
    ]
    assert fewest == [4, 4, 7]


def test_the_first_fake_in_a_domain_lies_just_below_1_above_its_end() -> None:
    problem = ao.FakePoints([(Fraction(1, 2),), (Fraction(5, 4),)], 2, [(0, 3)])
    assert len(fewest_on_a_line(problem).points) == ao.solve(problem, "fake-grid/cp-sat").cost
    assert not problem.violations(fewest_on_a_line(problem))


def test_numbers_of_any_length_are_exact() -> None:
    far = Fraction(10**30, 7)
    problem = ao.FakePoints([(far,), (far + 1 - Fraction(1, 10**30),), (far + 2,)], 2)
    found = fewest_on_a_line(problem)
    assert not problem.violations(found)
    assert len(found.points) == 3


def test_as_many_points_as_people_have_are_quick_enough() -> None:
    """Ten thousand points a third of a unit apart need two fakes at each end, which is all that k = 3 asks."""
    problem = ao.FakePoints([(Fraction(i, 3),) for i in range(10_000)], 3)
    answer = ao.solve(problem)
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 4)
    assert answer.reason.startswith("auto chose line-layers")


def test_in_the_plane_it_is_not_for_the_points() -> None:
    with pytest.raises(ao.NotApplicable, match="on a line, and these have 2 coordinates"):
        ao.solve(ao.FakePoints([(0, 0)], 2), "line-layers")


def test_boxes_on_a_line_are_points() -> None:
    answer = ao.solve(ao.FakeBoxes([(0,), ("1/2",), (3,)], 2), "line-layers")
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 3)


def test_where_all_have_enough_company_nothing_is_added() -> None:
    assert fewest_on_a_line(ao.FakePoints([(0,), (0,)], 2)) == ao.AddedPoints()


def test_what_box_cases_has_no_time_to_prove_a_theorem_says(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(search: object, path: object) -> None:
        raise OutOfTime

    monkeypatch.setattr(box_cases.Search, "_tree", too_late)
    problem = ao.FakePoints([(Fraction(i * i % 97, 7),) for i in range(40)], 3)
    answer = ao.solve(problem, "box-cases")
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, len(fewest_on_a_line(problem).points))
    assert answer.bound is not None
    assert answer.bound.origin is ao.Origin.THEOREM
