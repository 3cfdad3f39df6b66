"""Test boxes with a width for each axis: the scaled question with unit boxes, checked against boxes that are counted one by one."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from random import Random

import pandas as pd
import pytest

import anoptima as ao
from anoptima.problems.fake_boxes import FakeBoxes


def emptied(points: list[tuple[Fraction, ...]], widths: tuple[Fraction, ...]) -> list[int]:
    """Count the points in test boxes at corners that stand for all: each count that some box has."""
    steps = [
        sorted({x - shift for x in axis for shift in (0, w)})
        for axis, w in zip(zip(*points, strict=True), widths, strict=True)
    ]
    corners = [sorted({*found, *((a + b) / 2 for a, b in itertools.pairwise(found))}) for found in steps]
    return [
        sum(all(c <= x < c + w for c, x, w in zip(corner, point, widths, strict=True)) for point in points)
        for corner in itertools.product(*corners)
    ]


def test_what_is_feasible_is_what_counting_says() -> None:
    random = Random(3)
    seen = set()
    for _ in range(60):
        widths = tuple(Fraction(random.choice(("1", "2", "5/2", "1/3"))) for _ in range(2))
        points = [tuple(random.randint(0, 6) * w / 2 for w in widths) for _ in range(random.randint(1, 4))]
        fakes = [tuple(random.randint(0, 6) * w / 2 for w in widths) for _ in range(random.randint(0, 1))]
        fakes += random.sample(points, random.randint(0, len(points)))
        problem = ao.FakePoints(points, 2, widths=widths)
        counts = emptied(points + fakes, widths)
        feasible = not problem.violations(ao.AddedPoints(fakes))
        assert feasible == all(count == 0 or count >= 2 for count in counts)
        seen.add(feasible)
    assert seen == {True, False}


def test_every_solver_answers_it_as_the_scaled_question() -> None:
    random = Random(5)
    for _ in range(4):
        widths = (Fraction(5), Fraction(1, 2))
        points = [tuple(random.randint(0, 8) * w / 4 for w in widths) for _ in range(4)]
        for wide, unit in ((None, None), ([(0, 15), (0, 1.5)], [(0, 3), (0, 3)])):
            problem = ao.FakePoints(points, 2, wide, widths=widths)
            narrow = ao.FakePoints([(x / 5, y * 2) for x, y in points], 2, unit)
            assert problem.as_points() == narrow
            assert problem.lower_bound() == narrow.lower_bound()
            assert problem.cost(problem.trivial()) == narrow.cost(narrow.trivial())
            best = ao.solve(narrow).cost
            for solver in ("fake-grid/highs", "fake-grid/cp-sat", "fake-depths/cp-sat", "shifted-grid"):
                answer = ao.solve(problem, solver)
                assert answer.verify()
                if solver != "shifted-grid":
                    assert answer.cost == best
            assert not problem.violations(problem.from_points(ao.solve(narrow).require_solution()))


def test_words_and_places_are_in_the_units_of_the_data() -> None:
    problem = ao.FakePoints([(30, 1000)], 2, [(20, 40), (0, 2000)], widths=[5, 500])
    assert problem.violations(ao.AddedPoints()) == [
        "the test box with corner (30, 1000) holds 1 point; it must hold none or at least 2"
    ]
    assert problem.violations(ao.AddedPoints([(50, 0)]))[0].endswith("the coordinate must lie in [20, 40)")
    assert ao.FakePoints([(30,)], 2, [(27, 33)], "dual", widths=[5]).why_infeasible() is None
    with pytest.raises(ao.BadInput, match=r"has a test box around it .* must lie in \[29.5, 30.5\]"):
        ao.FakePoints([(29,)], 2, [(27, 33)], "dual", widths=[5])
    with pytest.raises(ao.BadInput, match="a test box is 5 wide, so it must be at least 5 wide"):
        ao.FakePoints([(30,)], 2, [(29, 33)], widths=[5])


def test_solutions_and_boxes_are_carried_exactly() -> None:
    problem = ao.FakePoints([(0, 0), (2, "1/3")], 2, widths=[3, "1/7"])
    solution = ao.AddedPoints([(1, "1/3"), (2, "5/21")])
    assert problem.from_points(problem.points_of(solution)) == solution
    assert FakeBoxes.of(problem).as_points() == problem.as_points()
    assert all(not problem.misplaced(found) for found in itertools.islice(problem.solutions(), 20))
    assert ao.FakePoints([(0, 0)], 2).as_points().widths == (Fraction(1),) * 2


def test_widths_that_make_no_sense_are_refused() -> None:
    for widths, complaint in (
        ([1], "there must be one width for each axis; 1 is given, and the points have 2 coordinates"),
        ([1, 0], "the width of axis 2 is 0; it must be above 0"),
        ([1, "wide"], "the width of axis 2 is 'wide'"),
        ("12", "the widths are '12'; they must be one number for each axis"),
        (3, "widths is 3; it must be a list"),
    ):
        with pytest.raises(ao.BadInput, match=complaint):
            ao.FakePoints([(0, 0)], 2, widths=widths)  # type: ignore[arg-type]


def test_messages_name_the_column_that_an_axis_comes_from() -> None:
    frame = pd.DataFrame({"age": [30, 34], "pay": [1000, 1400]})
    for domain, widths, complaint in (
        ([(0, 40), (1, 1200)], None, "point 2, (34, 1400), lies outside the domain along column 'pay'"),
        ([(0, 40), (1, 1.2)], None, "the domain of column 'pay' goes from 1 to 1.2"),
        (None, {"pay": 0}, "the width of column 'pay' is 0"),
    ):
        with pytest.raises(ao.BadInput, match=re.escape(complaint)):
            ao.FakePoints.from_frame(frame, ["age", "pay"], 2, domain, widths=widths)
    problem = ao.FakePoints.from_frame(frame, ["age", "pay"], 2, [(0, 40), (0, 1500)])
    assert problem == ao.FakePoints([(30, 1000), (34, 1400)], 2, [(0, 40), (0, 1500)])
    (said,) = problem.violations(ao.AddedPoints([(50, 1)]))
    assert said.startswith("fake point (50, 1) lies outside the domain along column 'age'")


def test_a_frame_is_referred_to_from_frame() -> None:
    with pytest.raises(ao.BadInput, match=r"points is a DataFrame; .*; FakePoints\.from_frame takes a DataFrame$"):
        ao.FakePoints(pd.DataFrame({"age": [30]}), 2)  # type: ignore[arg-type]
