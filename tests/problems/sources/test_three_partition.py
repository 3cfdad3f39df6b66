"""3-partition: what is refused, and cost and bound on all small lists."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import anoptima as ao
from anoptima.testing.families.matchings import all_numbers
from benchmarks.hidden_triples import has_partition


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ([], "there are 0 numbers, and triples need a multiple of three, at least 3"),
        ([1, 2, 3, 4], "there are 4 numbers, and triples need a multiple of three, at least 3"),
        ([0, 0, 0, 0, 0, 1], "the numbers add up to 1, which 2 triples cannot share equally"),
        ([0, -1, 1], "number 2 is -1; it must be a whole number, 0 or more"),
        ([0, 0.5, 1], "number 2 is 0.5; it must be a whole number, 0 or more"),
        ([0, True, 1], "number 2 is True; it must be a whole number, 0 or more"),
    ],
)
def test_what_is_no_problem_is_refused(numbers: Any, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.ThreePartition(numbers)
    assert str(caught.value) == sentence


def test_nothing_is_left_over_exactly_if_there_is_a_partition() -> None:
    for problem in all_numbers(2, 6):
        optimum = min(map(problem.cost, filter(problem.is_feasible, problem.solutions())))
        assert problem.lower_bound() <= optimum
        assert (optimum == 0) == has_partition(problem.addends)


def test_one_number_is_in_one_triple() -> None:
    problem = ao.ThreePartition([0, 0, 1, 1, 2, 2])
    assert problem.violations(ao.Matching.of([(1, 3, 5), (1, 4, 6)])) == ["(1, 3, 5) and (1, 4, 6) share number 1 (0)"]
    assert (problem.triples, problem.bound, problem.sum_of((2, 3, 5))) == (2, 3, 3)


def test_triples_are_found_by_pairs_as_by_trying_all() -> None:
    for problem in all_numbers(2, 10):
        tried = itertools.combinations(problem.places, 3)
        assert list(problem.choices) == [triple for triple in tried if problem.sum_of(triple) == problem.bound]
