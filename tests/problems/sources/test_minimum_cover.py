"""Minimum cover: the example of the quasi-identifiers, cost, checker, bound, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import anoptima as ao
from anoptima.instances.matchings import cover_of_five
from anoptima.testing.families.covers import all_covers
from tests.sources import brute_force


@pytest.mark.parametrize(
    ("universe", "sets", "sentence"),
    [
        ("abc", {"c1": "ab"}, "element 'c' is in no set; every element of the universe must be in one"),
        ("ab", {}, "element 'a' is in no set; every element of the universe must be in one"),
        ("", {"c1": ""}, "the universe has no element; it must have at least one"),
        ("ab", {"c1": "abz"}, "set 'c1' has 'z', which is no element of the universe: 'a', 'b'"),
        ("ab", {"c1": "aba"}, "set 'c1' has element 'a' twice; a set has its elements once"),
        ("ab", {1.5: "ab"}, "set 1 of the cover is 1.5; it must be a whole number or a text"),
        ("aa", {"c1": "a"}, "element 'a' of the universe is named twice, as number 1 and as number 2"),
        ("ab", {"c1": 3}, "sets['c1'] is 3; it must be a list"),
    ],
)
def test_what_is_no_problem_is_refused(universe: Any, sets: Any, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.MinimumCover(universe, sets)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("solver", ["cover-sets/highs", "cover-sets/cp-sat", "cover-elements/cp-sat"])
def test_the_example_of_yuan_and_wang(solver: str) -> None:
    problem = cover_of_five()
    answer = ao.solve(problem, solver)
    assert answer.solution == ao.ChosenSets.of(["c1", "c4"])
    assert problem.violations(ao.ChosenSets.of(["c1", "c2", "c3"])) == [
        "element 'e' is in no chosen set; it is in 'c4'"
    ], "rows e and blank coincide"
    assert problem.violations(ao.ChosenSets.of(["c9"])) == ["'c9' is no set; the sets are 'c1', 'c2', 'c3', 'c4'"]
    assert problem.size() == {"elements": 5, "sets": 4}


def test_it_can_be_written_and_compared() -> None:
    problem = cover_of_five()
    assert eval(repr(problem), {"MinimumCover": ao.MinimumCover}) == problem
    assert hash(problem) == hash(cover_of_five())


def test_bounds_on_all_covers_of_three() -> None:
    for problem in all_covers(3):
        sets = [[problem.position[element] for element in members] for members in problem.sets]
        optimum = brute_force.covering_sets(3, sets)
        assert (
            problem.lower_bound() <= optimum == min(map(problem.cost, filter(problem.is_feasible, problem.solutions())))
        )
