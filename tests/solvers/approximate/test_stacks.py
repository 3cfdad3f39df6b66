"""Stacks: always feasible, never below the optimum, the cheapest of their kind, and far below topping up where data are dense."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import anoptima as ao
import anoptima.solvers.approximate.stacks.quick as quick
from anoptima.answer import Clock
from anoptima.deadline import within
from anoptima.errors import OutOfTime
from anoptima.solvers.approximate.stacks import quick_covers, stacked
from anoptima.solvers.approximate.weighed_boxes import thinned
from tests.problems.free_search import least_fakes
from tests.problems.point_sets import draw
from tests.sizing import asked


def drawn(number: int) -> ao.FakePoints:
    source = random.Random(f"stacks {number}")
    return draw(source, (1, 2, 2, 3)[number % 4], source.choice(list(ao.Regime)))


def crowd(count: int, dimensions: int, seed: int) -> list[tuple[Fraction, ...]]:
    source = random.Random(seed)
    return [tuple(Fraction(source.randint(0, 400), 100) for _ in range(dimensions)) for _ in range(count)]


def test_it_is_feasible_and_not_below_the_optimum() -> None:
    exact = 0
    for number in range(32):
        problem = drawn(number)
        fewest = least_fakes(problem.points, problem.k, problem.domain, problem.regime.value)
        views: list[Any] = [problem, ao.FakeBoxes.of(problem)] if number % 8 == 0 else [problem]
        for view in views:
            answer = ao.solve(view, "stacks", start=None)
            assert answer.verify()
            assert answer.cost is not None
            assert fewest <= answer.cost
            exact += answer.cost == fewest
    assert exact > 24


def test_it_costs_no_more_than_any_fakes_beside_data_and_one_stack() -> None:
    for seed in range(asked(1, 3)):
        problem = ao.FakePoints(crowd(4, 1, seed), 3)
        least = min(map(len, (found.points for found in stacked(problem, Clock()))), default=0)
        data = sorted(set(problem.points))
        stacks = [(), *([(x,)] * 3 for x in {point[0] + Fraction(step, 5) for point in data for step in range(-5, 6)})]
        for copies in itertools.product(range(3), repeat=len(data)):
            beside = [point for point, count in zip(data, copies, strict=True) for _ in range(count)]
            for stack in stacks:
                if len(beside) + len(stack) < least:
                    assert problem.violations(ao.AddedPoints([*beside, *stack])), (seed, copies, stack)


def test_stacks_over_the_border_save_what_topping_up_pays_for() -> None:
    problem = ao.FakePoints(crowd(250, 2, 4), 4)
    found = [len(fakes.points) for fakes in stacked(problem, Clock())]
    assert 3 * min(found) < 2 * len(thinned(problem, problem.trivial()).points)


def test_every_round_can_be_released() -> None:
    for problem in (ao.FakePoints(crowd(20, 2, 1), 3), ao.FakePoints(crowd(8, 3, 2), 2, [(0, 5)] * 3)):
        rounds = list(stacked(problem, Clock()))
        assert rounds
        for fakes in rounds:
            assert not problem.violations(fakes)
    # What a program in whole numbers has no time for is rounded up and topped up.
    for fakes in itertools.islice(stacked(problem, Clock(0.0)), 1):
        assert not problem.violations(fakes)


def test_a_grid_round_all_data_is_feasible_wherever_it_lies() -> None:
    for number in range(60):
        problem = drawn(number)
        assert not problem.violations(quick.grid_round_data(problem))
    far = ao.FakePoints([tuple(x + 10**20 for x in point) for point in crowd(12, 2, 1)], 3)
    assert not far.violations(quick.grid_round_data(far))
    # With few tiles for many points it comes before anything that lists cells.
    many = ao.FakePoints(crowd(60, 2, 2), 4)
    assert next(quick_covers(many)) == quick.grid_round_data(many)


def test_quick_covers_are_feasible_and_no_bound_is_above_the_optimum() -> None:
    for number in range(asked(20, 40)):
        problem = drawn(number)
        fewest = least_fakes(problem.points, problem.k, problem.domain, problem.regime.value)
        assert problem.lower_bound() <= fewest
        for fakes in quick_covers(problem.as_points()):
            assert not problem.as_points().violations(fakes)
            assert len(fakes.points) >= fewest


def test_quick_covers_of_dense_points_cost_a_part_of_topping_up() -> None:
    line, plane = ao.FakePoints(crowd(300, 1, 5), 3), ao.FakePoints(crowd(400, 2, 6), 12)
    for problem in (line, plane):
        covers = list(quick_covers(problem))
        assert all(not problem.violations(fakes) for fakes in covers)
        assert 10 * min(len(fakes.points) for fakes in covers) < 3 * len(problem.trivial().points)


def test_coordinates_of_any_length_are_exact() -> None:
    # Each axis fits into 64 bits, and both in one unit do not.
    source, far = random.Random(9), 3**22
    points = [
        (Fraction(source.randint(0, 4 << 34), 1 << 34), Fraction(source.randint(0, 4 * far), far)) for _ in range(12)
    ]
    problem = ao.FakePoints(points, 3)
    for fakes in quick_covers(problem):
        assert not problem.violations(fakes)
    costs = [ao.solve(problem, name, start=None).cost for name in ("stacks", "weighed-boxes", "box-cases")]
    assert costs == [24, 24, 24]


def test_stacks_are_replaced_by_single_fakes_where_fewer_do() -> None:
    # A stack of 5 for the tile, where two fakes beside three points are enough.
    (cover, *_) = quick_covers(ao.FakePoints([(0,), (0,), (0,)], 5))
    assert cover == ao.AddedPoints([(0,), (0,)])


def test_with_few_pairs_allowed_stacks_are_tried_at_fewer_corners(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = ao.FakePoints(crowd(60, 2, 7), 4)
    monkeypatch.setattr(quick, "_MOST_PAIRS", 100)
    for fakes in quick_covers(problem):
        assert not problem.violations(fakes)


def test_where_nothing_is_sparse_nothing_is_added() -> None:
    answer = ao.solve(ao.FakePoints([(0,), (0,)], 2), "stacks", start=None)
    assert (answer.cost, answer.claim.name) == (0, "OPTIMAL")


def test_widths_are_kept() -> None:
    points = crowd(14, 2, 3)
    plain = ao.solve(ao.FakePoints(points, 3), "stacks", start=None)
    wide = ao.FakePoints([(5 * x, y / 3) for x, y in points], 3, widths=[5, Fraction(1, 3)])
    assert ao.solve(wide, "stacks", start=None).cost == plain.cost


def test_it_is_not_for_tables() -> None:
    with pytest.raises(ao.NotApplicable, match=r"^stacks is for fake-points and fake-boxes, not for cell-suppression"):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "stacks")


def test_the_clock_is_looked_at_while_a_stack_is_replaced_by_many_fakes() -> None:
    sparse = quick.Sparse(ao.FakePoints([(0, 0), (0.5, 0.5), (2, 3)], 100))
    cover = quick.Cover(sparse)
    with pytest.raises(OutOfTime), within(lambda: True):
        cover._singles_for(np.flatnonzero(cover.over < 0))
