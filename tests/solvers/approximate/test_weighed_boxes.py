"""Weighed boxes: bounds below every optimum, rows that every solution keeps, sweeps that find the largest count, and honest answers."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest

import anoptima as ao
from anoptima.solvers.approximate.weighed_boxes import Counts, Row, bounds, rows_of, thinned
from tests.problems.point_sets import draw, fewest_fakes

UNIT = 24
"""Even, and a multiple of what `draw` divides by."""


def drawn(number: int) -> ao.FakePoints:
    source = random.Random(f"weighed {number}")
    return draw(source, (1, 2, 2, 3)[number % 4], source.choice(list(ao.Regime)))


def test_bounds_are_below_the_optimum_and_answers_above() -> None:
    exact = 0
    for number in range(32):
        problem = drawn(number)
        fewest = fewest_fakes(problem)
        assert max(bounds(problem), default=0) <= fewest, problem
        views: list[Any] = [problem, ao.FakeBoxes.of(problem)] if number % 8 == 0 else [problem]
        for view in views:
            answer = ao.solve(view, "weighed-boxes", start=None)
            assert answer.verify()
            assert answer.cost is not None
            assert answer.bound is not None
            assert answer.bound.value <= fewest <= answer.cost
            exact += answer.bound.value == fewest
    assert exact > 24


def test_every_solution_counts_one_in_every_row() -> None:
    for number in range(12):
        problem = drawn(number)
        rows = rows_of(problem, UNIT)
        if not rows:
            continue
        counts = Counts(rows, problem.k, UNIT)
        trivial = problem.trivial()
        # Whatever is left out of topping up and still is a solution, and k more in one place.
        more = (*trivial.points, *[trivial.points[0]] * problem.k) if trivial.points else ()
        for solution in (trivial, thinned(problem, trivial), ao.AddedPoints(more)):
            assert not problem.violations(solution)
            totals = [0] * len(rows)
            for fake in solution.points:
                for row, count in zip(*counts.of(tuple(int(x * UNIT) for x in fake)), strict=True):
                    totals[row] += count
            assert min(totals) >= counts.scale, (problem, solution)


def test_the_sweep_finds_the_largest_count() -> None:
    source = random.Random(9)
    unit = 4
    for dimensions in (1, 2, 2, 2):
        rows = []
        for _ in range(4):
            corner = tuple(source.randint(-6, 6) for _ in range(dimensions))
            bare = tuple(tuple(x + source.randint(-2, 2) for x in corner) for _ in range(source.randint(0, 2)))
            rows.append(Row(corner, source.randint(1, 2), bare))
        counts, weights = Counts(rows, 3, unit), [source.randint(0, 5) for _ in rows]
        places = itertools.product(range(-14, 15), repeat=dimensions)
        brute = max(sum(weights[row] * count for row, count in zip(*counts.of(place), strict=True)) for place in places)
        found = list(counts.largest(weights))
        assert max(count for count, _ in found) == brute
        for count, place in found:
            assert sum(weights[row] * one for row, one in zip(*counts.of(place), strict=True)) == count


def test_bare_ground_makes_the_bound_stronger() -> None:
    problem = ao.instance("points-2d-15-k2").load()
    assert isinstance(problem, ao.FakePoints)
    answer = ao.solve(problem, "weighed-boxes", start=None)
    assert (problem.lower_bound(), answer.cost, answer.bound and answer.bound.value) == (12, 15, 15)
    wide = ao.FakePoints([(5 * x, y / 3) for x, y in problem.points], 2, widths=[5, Fraction(1, 3)])
    assert ao.solve(wide, "weighed-boxes", start=None).cost == 15


def test_thinning_looks_only_around_and_keeps_what_is_needed() -> None:
    problem = ao.FakePoints([(x, y) for x in range(3) for y in range(3) for _ in range(2)], 2)
    assert thinned(problem, problem.trivial()) == ao.AddedPoints()
    wasteful = ao.AddedPoints([(0, 0)] * 2 + [(7, 7)] * 2)
    assert thinned(problem, wasteful) == ao.AddedPoints()
    for number in range(12):
        drawn_one = drawn(number)
        kept = thinned(drawn_one, drawn_one.trivial())
        assert not drawn_one.violations(kept)


def test_a_box_is_not_taken_for_another_one_that_holds_points_further_off() -> None:
    # Without the fakes at 2/3, boxes just below 1/3 hold the datum alone; those at 2/3 and above hold the fakes at 5/3, too.
    problem = ao.FakePoints([("4/3",)], 2)
    kept = thinned(problem, ao.AddedPoints([("2/3",), ("2/3",), ("5/3",), ("5/3",)]))
    assert not problem.violations(kept)


def test_it_is_not_for_tables() -> None:
    with pytest.raises(ao.NotApplicable, match=r"^weighed-boxes is for fake-points and fake-boxes, not for cell-suppr"):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "weighed-boxes")


def test_a_bound_is_left_for_large_k() -> None:
    """Their least common multiple is beyond 64 bits from k = 41 on."""
    source = random.Random(2)
    sites = [(Fraction(source.randrange(60), 10), Fraction(source.randrange(60), 10)) for _ in range(40)]
    problem = ao.FakePoints([site for number, site in enumerate(sites) for _ in range(1 + number % 44)], 45)
    assert max(bounds(problem)) > problem.lower_bound()
