"""Fake boxes: the view from corner space agrees with the points, both ways."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoptima import AddedBoxes, AddedPoints, BadInput, FakeBoxes, FakePoints, solve
from tests.strategies import point_problems

problems = point_problems(3)


@given(problems, st.data())
def test_views_agree(points: FakePoints, data: st.DataObject) -> None:
    boxes = FakeBoxes.of(points)
    assert boxes.as_points() == points
    assert FakeBoxes.of(boxes.as_points()) == boxes
    coordinates = st.builds(Fraction, st.integers(-4, 9), st.sampled_from([1, 2, 3]))
    extra = data.draw(st.lists(st.tuples(*[coordinates] * points.dimensions), max_size=3))
    for fakes in (AddedPoints(extra), AddedPoints([*points.trivial().points, *extra])):
        seen = boxes.from_points(fakes)
        assert boxes.points_of(seen) == fakes
        assert boxes.cost(seen) == points.cost(fakes)
        assert len(boxes.violations(seen)) == len(points.violations(fakes))
    assert boxes.lower_bound() == points.lower_bound()
    assert boxes.cost(boxes.trivial()) == points.cost(points.trivial())
    assert boxes.why_infeasible() is None


@given(problems)
def test_a_depth_is_a_number_of_boxes(points: FakePoints) -> None:
    boxes = FakeBoxes.of(points)
    for corner, held in points.sparse(AddedPoints()):
        assert held == sum(all(q < c <= q + 1 for q, c in zip(box, corner, strict=True)) for box in boxes.corners)


def test_words_are_those_of_boxes() -> None:
    boxes = FakeBoxes([(0,)], 2, [(0, 2)], "dual")
    assert boxes.violations(AddedBoxes()) == ["the place (1) lies in 1 box; it must lie in none or at least 2"]
    assert boxes.violations(AddedBoxes([(1.5,)])) == [
        "the fake box with corner (1.5) leaves the region along axis 1; the coordinate must lie in [0, 1]"
    ]
    assert boxes.violations(AddedBoxes([(1, 1)])) == [
        "the fake box with corner (1, 1) has 2 coordinates, and the data have 1"
    ]
    assert str(solve(boxes)).startswith("OPTIMAL  1 fake box, bound 1 (proof)")
    assert solve(boxes).require_solution() == AddedBoxes([(0,)])


def test_tiny_instances_can_be_searched() -> None:
    boxes = FakeBoxes([(0,), ("1/4",)], 2, [(0, "1/2")])
    costs = [boxes.cost(solution) for solution in boxes.solutions() if boxes.is_feasible(solution)]
    assert min(costs) == solve(boxes).cost == 1
    assert boxes.size() == {"boxes": 2, "locations": 2, "dimensions": 1}


NUMBER = "a finite number, such as 2, 0.2 or '1/5'"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"corners": []}, "there are no boxes; there must be at least one"),
        (
            {"corners": [(float("inf"),)]},
            "coordinate 1 of box 1 is inf; it must be a finite number, such as 2, 0.2 or '1/5'",
        ),
        (
            {"corners": [(3,)], "region": [(0, 2)]},
            "box 1, with corner (3), misses the region along axis 1; the coordinate must lie in [-1, 2)",
        ),
        (
            {"corners": [(-1,)], "region": [(0, 2)], "regime": "dual"},
            "box 1, with corner (-1), leaves the region along axis 1; the coordinate must lie in [0, 1]",
        ),
        (
            {"corners": [(0,)], "region": [(0, 0.5)], "regime": "dual"},
            "side 1 of the region goes from 0 to 0.5; in the dual regime it must be at least 1 wide",
        ),
        (
            {"corners": [(0,)], "region": [(0, -1)]},
            "side 1 of the region goes from 0 to -1; in the primal regime it must be at least 0 wide",
        ),
        (
            {"corners": [(0,)], "region": [0]},
            f"region[0] is 0; it must be a tuple of 2: {NUMBER}, {NUMBER}",
        ),
        ({"corners": [(0,)], "k": 0}, "k is 0; it must be at least 1"),
    ],
)
def test_refusals(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput) as refusal:
        FakeBoxes(**{"k": 2, **arguments})
    assert str(refusal.value) == sentence


@given(problems)
def test_solutions_are_those_of_the_points_and_in_order(points: FakePoints) -> None:
    boxes = FakeBoxes.of(points)
    pairs = list(itertools.islice(zip(points.solutions(), boxes.solutions(), strict=True), 100))
    assert [boxes.from_points(some) for some, _ in pairs] == [seen for _, seen in pairs]
    assert [AddedPoints(some.points) for some, _ in pairs] == [some for some, _ in pairs]
    assert len({some for some, _ in pairs}) == len(pairs)
