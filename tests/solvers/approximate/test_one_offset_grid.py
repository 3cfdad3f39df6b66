"""The grid of one offset: feasible, within what is proved of it, and no better than that on the points that are all cut alike."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import anoptima as ao
from anoptima.solvers.approximate.one_offset_grid import OneOffsetGrid, cut_alike, one_offset_factor
from anoptima.solvers.approximate.shifted_grid import Cells
from anoptima.solvers.backends.registry import get_backend
from tests.problems.point_sets import draw, fewest_fakes


def sizes(problem: ao.FakePoints, width: int) -> list[int]:
    grids = Cells(problem, get_backend("cp-sat"), ao.Budget(), ao.answer.Clock())
    return [len(grids.union(width, (shift,) * problem.dimensions).points) for shift in range(width)]


def test_the_mean_over_the_shifts_keeps_to_the_factor() -> None:
    source = random.Random(8)
    for number in range(15):
        dimensions = (1, 2, 1, 2, 3)[number % 5]
        problem = draw(source, dimensions, source.choice(list(ao.Regime)))
        width = source.randint(2, 4 if dimensions == 1 else 3 if dimensions == 2 else 2)
        found = sizes(problem, width)
        fewest = fewest_fakes(problem)
        assert Fraction(sum(found), width) <= one_offset_factor(width, problem.k, dimensions) * fewest, problem


def test_the_factor_is_attained_and_the_printed_one_broken() -> None:
    for dimensions, k, epsilon in ((1, 2, 1), (1, 3, "1/2"), (2, 2, 1), (2, 3, 1), (3, 2, 2)):
        solver = OneOffsetGrid(epsilon)
        problem = cut_alike(solver.width(cut_alike(2, k, dimensions)), k, dimensions)
        width = solver.width(problem)
        factor = one_offset_factor(width, k, dimensions)
        assert set(sizes(problem, width)) == {factor * width}
        assert len(ao.solve(problem, "fake-grid/highs").require_solution().points) == width
        answer = ao.solve(problem, solver, start=None)
        assert answer.verify()
        assert answer.cost == width, "topping up is best here, and no answer is worse than that"
        assert solver.ratio(problem) == factor > 1 + Fraction(epsilon)
        assert answer.bound is not None
        assert answer.bound.value == width


def test_answers_are_honest_in_both_views_and_with_widths() -> None:
    source = random.Random(2)
    solver = OneOffsetGrid(2)
    for number in range(5):
        problem = draw(source, 1 + number % 2, source.choice(list(ao.Regime)))
        fewest = fewest_fakes(problem)
        widths = [Fraction(5), Fraction(1, 3)][: problem.dimensions]
        domain = problem.domain and [(a * w, b * w) for (a, b), w in zip(problem.domain, widths, strict=True)]
        points = [[x * w for x, w in zip(point, widths, strict=True)] for point in problem.points]
        wide = ao.FakePoints(points, problem.k, domain, problem.regime, widths)
        for view in (problem, ao.FakeBoxes.of(problem), wide):
            answer = ao.solve(view, solver, start=None)
            assert answer.verify()
            assert answer.cost is not None
            assert answer.bound is not None
            assert answer.bound.value <= fewest <= answer.cost


def test_what_it_refuses() -> None:
    with pytest.raises(ao.BadInput, match=r"^epsilon is -1; it must be above 0$"):
        OneOffsetGrid(-1)
    with pytest.raises(
        ao.NotApplicable, match=r"^one-offset-grid is for fake-points and fake-boxes, not for cell-suppr"
    ):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "one-offset-grid")
    problem = ao.FakePoints([(i, i) for i in range(30)], 2)
    with pytest.raises(ao.NotApplicable, match=r"tries 4,000 grids with up to 30 cells or more each; 100,000 in all"):
        ao.solve(problem, OneOffsetGrid("1/1000"))
