"""Three-dimensional matching: cost, checker, bound, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import anoptima as ao
from anoptima.instances.matchings import two_by_two_triples
from anoptima.testing.families.matchings import all_triples
from tests.sources import brute_force


@pytest.mark.parametrize(
    ("parts", "triples", "sentence"),
    [
        (([1, 2], [1], [1, 2]), [], "W, X and Y have 2, 1 and 2 elements; they must have equally many, at least 1"),
        (([], [], []), [], "W, X and Y have 0, 0 and 0 elements; they must have equally many, at least 1"),
        (([1], [1], [1, 1]), [], "element 1 of Y is named twice, as number 1 and as number 2"),
        (("a", "b", "c"), ["abc", "abc"], "triples 1 and 2 both are ('a', 'b', 'c'); every triple may be there once"),
        (("a", "b", "c"), ["ab"], "triple 1 is ('a', 'b'); it must have one element each of W, X and Y"),
        (("a", "b", "c"), ["acb"], "triple 1 is ('a', 'c', 'b'); 'c' is no element of X, which has 'b'"),
        (("a", "b", "c"), [0], "triples[0] is 0; it must be a list"),
    ],
)
def test_what_is_no_problem_is_refused(parts: Any, triples: Any, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.ThreeDimensionalMatching(parts[0], parts[1], parts[2], triples)
    assert sentence in str(caught.value)


def test_the_example_has_a_perfect_matching() -> None:
    problem = two_by_two_triples()
    assert ao.solve(problem, "triples-all-different/cp-sat").cost == 0
    assert problem.violations(ao.Matching.of([("w1", "x1", "y2")])) == [
        "('w1', 'x1', 'y2') is no triple; those are ('w1', 'x1', 'y1'), ('w2', 'x2', 'y2'), ('w1', 'x2', 'y2')"
    ]
    assert problem.size() == {"n": 2, "triples": 3}


def test_the_same_names_in_every_part_are_different_elements() -> None:
    problem = ao.ThreeDimensionalMatching("ab", "ab", "ab", ["aab", "bba"])
    assert problem.is_feasible(ao.Matching.of(["aab", "bba"]))
    assert problem.members == ((0, 2, 5), (1, 3, 4))


def test_bounds_on_all_sets_of_triples_of_two() -> None:
    for problem in all_triples(2):
        optimum = brute_force.unmatched(6, problem.members)
        assert (
            problem.lower_bound() <= optimum == min(map(problem.cost, filter(problem.is_feasible, problem.solutions())))
        )
