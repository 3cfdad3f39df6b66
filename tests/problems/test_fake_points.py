"""Fake points: the dossier's examples, the three regimes, and refusals."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoptima import AddedPoints, BadInput, FakePoints, Regime, solve
from anoptima.problems.added_points import of_counts
from tests.problems.point_sets import fewest_fakes
from tests.strategies import point_problems

problems = point_problems(2)


@pytest.mark.parametrize(
    ("problem", "least"),
    [
        (FakePoints([(1, 1)], 5), 4),
        (FakePoints([(2.0,), (2.4,)], 2), 2),
        (FakePoints([(2.0,), (2.4,)], 3), 4),
        (FakePoints([(2.0,), (2.4,), (2.8,)], 2), 2),
        (FakePoints([(1, 1), (1.4, 1.2), (1.2, 1.6)], 2, [(0, 3), (0, 3)]), 3),
        (FakePoints([(0.5,), (0.7,)], 2, [(0, 1.2)]), 0),
        (FakePoints([(0.5,), (0.7,)], 2), 2),
        (FakePoints([(0.5,), (0.7,)], 2, [(0, 1.2)], "dual"), 2),
        (FakePoints([(0, 0, 0), (1, 1, 1)], 1), 0),
    ],
    ids=["one point", "a pair", "a pair, k = 3", "a row of three", "plane", "P", "U", "D", "k = 1"],
)
def test_examples(problem: FakePoints, least: int) -> None:
    assert fewest_fakes(problem) == least
    answer = solve(problem)
    assert answer.cost == least
    assert answer.verify()


def test_one_point_is_copied() -> None:
    assert solve(FakePoints([(1, 1)], 3)).require_solution() == AddedPoints([(1, 1), (1, 1)])


def test_outer_points_of_a_row_are_copied() -> None:
    problem = FakePoints([(2.0,), (2.4,), (2.8,)], 2)
    assert solve(problem).require_solution() == AddedPoints([(2.0,), (2.8,)])


Held = Callable[[Fraction, Fraction], bool]
CONVENTIONS: dict[str, Held] = {
    "half-open": lambda c, x: c <= x < c + 1,
    "closed": lambda c, x: c <= x <= c + 1,
    "open": lambda c, x: c < x < c + 1,
}


def is_anonymous(points: list[Fraction], k: int, held: Held) -> bool:
    """Whether every unit interval of a kind holds none or k, on the line; corners on and between all places where it changes."""
    changes = sorted({p - shift for p in points for shift in (0, 1)})
    corners = [*changes, *((a + b) / 2 for a, b in itertools.pairwise(changes))]
    counts = [sum(held(c, p) for p in points) for c in corners]
    return all(count == 0 or count >= k for count in counts)


def test_open_boxes_are_another_question() -> None:
    points = [Fraction(0)] * 2 + [Fraction(1)] * 2 + [Fraction(1, 2)]
    verdicts = {name: is_anonymous(points, 2, held) for name, held in CONVENTIONS.items()}
    assert verdicts == {"half-open": True, "closed": True, "open": False}
    assert FakePoints([(x,) for x in points], 2).violations(AddedPoints()) == []


@given(st.lists(st.builds(Fraction, st.integers(0, 8), st.just(4)), min_size=1, max_size=7), st.integers(2, 3))
def test_half_open_is_closed_without_a_border(points: list[Fraction], k: int) -> None:
    verdicts = {name: is_anonymous(points, k, held) for name, held in CONVENTIONS.items()}
    assert verdicts["half-open"] == verdicts["closed"]
    assert FakePoints([(x,) for x in points], k).is_feasible(AddedPoints()) == verdicts["half-open"]


def test_adding_and_removing_a_fake_may_both_break_it() -> None:
    problem = FakePoints([(0,), (0,)], 2)
    assert problem.is_feasible(AddedPoints())
    assert not problem.is_feasible(AddedPoints([(0.5,)]))
    assert problem.is_feasible(AddedPoints([(0.5,), (0.5,)]))


def test_company_between_two_points_does_not_help_their_outer_sides() -> None:
    problem = FakePoints([(0,), (0.4,)], 2)
    assert problem.violations(AddedPoints([(0.2,), (0.2,)])) == [
        "the test box with corner (-0.8) holds 1 point; it must hold none or at least 2",
        "the test box with corner (0.4) holds 1 point; it must hold none or at least 2",
    ]


@given(problems)
def test_bounds_enclose_the_optimum(problem: FakePoints) -> None:
    trivial = problem.trivial()
    assert problem.violations(trivial) == []
    assert problem.lower_bound() <= fewest_fakes(problem) <= problem.cost(trivial)


@given(problems)
def test_the_box_of_the_data_is_enough(problem: FakePoints) -> None:
    """In the dual regime no optimum needs what the unrestricted one has more: fakes clamp to the data."""
    if problem.regime is Regime.DUAL:
        assert fewest_fakes(problem) == fewest_fakes(FakePoints(problem.points, problem.k))


@given(problems, st.data())
def test_clamping_keeps_solutions(problem: FakePoints, data: st.DataObject) -> None:
    """Feasible fakes outside the bounding box of the data stay feasible when each coordinate moves to the nearest in it."""
    ends = [(min(axis), max(axis)) for axis in zip(*problem.points, strict=True)]
    offset = tuple(Fraction(data.draw(st.integers(-5, 5)), 3) for _ in ends)
    far = [tuple(x + o for x, o in zip(point, offset, strict=True)) for point in problem.points]
    unrestricted = FakePoints(problem.points, problem.k)
    fakes = AddedPoints([*unrestricted.trivial().points, *(point for point in far for _ in range(problem.k))])
    assert unrestricted.violations(fakes) == []
    clamped = AddedPoints(
        tuple(min(max(x, a), b) for x, (a, b) in zip(point, ends, strict=True)) for point in fakes.points
    )
    assert unrestricted.violations(clamped) == []


def test_solutions_hold_an_optimum() -> None:
    problem = FakePoints([("1/4",), ("3/4",)], 2, [(0, "7/4")])
    costs = [problem.cost(solution) for solution in problem.solutions() if problem.is_feasible(solution)]
    assert min(costs) == fewest_fakes(problem) == 1


def test_the_grid_is_taken_where_it_is_cheaper() -> None:
    points = [(Fraction(i, 10), Fraction(j, 10)) for i in range(1, 10) for j in range(1, 10)]
    problem = FakePoints(points, 3, [(0, 1), (0, 1)])
    assert problem.trivial() == AddedPoints([(0, 0)] * 3)
    assert FakePoints([(0, 0), *points], 3, [(0, 1), (0, 1)]).trivial() == AddedPoints([(0, 0)] * 2)
    assert len(FakePoints(points, 3).trivial().points) == 162


def test_published_points_are_sorted_and_complete() -> None:
    problem = FakePoints([(2,), (1,)], 2)
    assert [str(x) for (x,) in problem.published(AddedPoints([(1.5,)]))] == ["1", "3/2", "2"]


NUMBER = "a finite number, such as 2, 0.2 or '1/5'"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"points": []}, "there are no points; there must be at least one"),
        ({"points": [()]}, "point 1 has no coordinates; it must have at least one"),
        ({"points": [(1, 2), (1,)]}, "point 2 has 1 coordinate, and point 1 has 2"),
        (
            {"points": [(1,), 2]},
            "points[1] is 2; it must be a list of finite numbers",
        ),
        (
            {"points": [(1, 2), (1, float("nan"))]},
            "coordinate 2 of point 2 is nan; it must be a finite number, such as 2, 0.2 or '1/5'",
        ),
        ({"points": [(1,)], "k": 0}, "k is 0; it must be at least 1"),
        ({"points": [(1,)], "k": 2.5}, "k is 2.5; it must be a whole number"),
        (
            {"points": [(0.1,)], "domain": [(0, 0.5)]},
            "side 1 of the domain goes from 0 to 0.5; a test box is 1 wide, so it must be at least 1 wide",
        ),
        (
            {"points": [(1,)], "domain": [3]},
            f"domain[0] is 3; it must be a tuple of 2: {NUMBER}, {NUMBER}",
        ),
        ({"points": [(1,)], "domain": [(0, 3)] * 2}, "the domain has 2 sides, and the points have 1 coordinate"),
        (
            {"points": [(0,), (2,)], "domain": [(0, 2)]},
            "point 2, (2), lies outside the domain along axis 1; the coordinate must lie in [0, 2)",
        ),
        (
            {"points": [(0.2,)], "domain": [(0, 2)], "regime": "dual"},
            "point 1, (0.2), has a test box around it that leaves the domain along axis 1; the coordinate must lie in [0.5, 1.5]",
        ),
        (
            {"points": [(0,)], "regime": "dual"},
            "the dual regime needs a domain: one pair (lo, hi) for each axis",
        ),
        (
            {"points": [(0,)], "domain": [(0, 1)], "regime": "unrestricted"},
            "the unrestricted regime has no domain; leave out one of the two",
        ),
        (
            {"points": [(0,)], "regime": "both"},
            "the regime is 'both'; it must be one of 'primal', 'unrestricted', 'dual'",
        ),
    ],
)
def test_refusals(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput) as refusal:
        FakePoints(**{"k": 2, **arguments})
    assert str(refusal.value) == sentence


def test_fakes_have_to_lie_where_they_may() -> None:
    problem = FakePoints([(0.5,)], 1, [(0, 2)])
    assert problem.violations(AddedPoints([(2,)])) == [
        "fake point (2) lies outside the domain along axis 1; the coordinate must lie in [0, 2)"
    ]
    assert problem.violations(AddedPoints([(1, 1)])) == ["fake point (1, 1) has 2 coordinates, and the data have 1"]
    with pytest.raises(BadInput, match="coordinate 1 of fake point 1 is nan; it must be a finite number"):
        AddedPoints([(float("nan"),)])


def test_copies_of_a_fake_are_looked_at_once() -> None:
    looks = 0

    class Watched(Fraction):
        def as_integer_ratio(self) -> tuple[int, int]:
            nonlocal looks
            looks += 1
            return super().as_integer_ratio()

    problem = FakePoints([(0,), (5,)], 3000, [(0, 9)])
    fakes: dict[tuple[Fraction, ...], int] = {(Watched(0),): 2999, (Watched(5),): 2999}
    said = problem.violations(of_counts({**fakes, (Watched(9),): 3}))
    assert said == ["fake point (9) lies outside the domain along axis 1; the coordinate must lie in [0, 9)"] * 3
    solution = of_counts(fakes)
    looks = 0
    assert not problem.violations(solution)
    assert looks < 100


def test_a_hundred_boxes_are_named() -> None:
    violations = FakePoints([(3 * i,) for i in range(102)], 2).violations(AddedPoints())
    assert len(violations) == 101
    assert violations[-1] == "2 more test boxes hold too few points"


def test_points_from_files(tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text("name,x,y\nAda,0.1,1/3\nBen,2,3e-1\n", encoding="utf-8")
    expected = FakePoints([("1/10", "1/3"), (2, "3/10")], 2, [(0, 3), (0, 3)])
    assert FakePoints.read_csv(path, ["x", "y"], 2, [(0, 3), (0, 3)]) == expected
    frame = pd.read_csv(path)
    with pytest.raises(BadInput, match="there is no column 'z'; there are 'name', 'x', 'y'"):
        FakePoints.from_frame(frame, ["z"], 2)
    with pytest.raises(BadInput, match="no columns are named; there must be at least one, an axis each"):
        FakePoints.from_frame(frame, [], 2)
    path.write_text("x\n1\nNA\n", encoding="utf-8")
    with pytest.raises(BadInput) as refusal:
        FakePoints.read_csv(path, ["x"], 2)
    assert str(refusal.value) == (
        f"{path}: row 2, column 'x', is 'NA'; it must be a finite number, such as 2, 0.2 or '1/5'"
    )
