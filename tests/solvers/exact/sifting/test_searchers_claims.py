"""What searchers hand over: which of it is a release, and why the rest is none."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.exact.sifting.searchers import one_turn, why_no_release
from tests.processes import PATIENCE
from tests.testing.test_searchers import ASKED, SIX_ROWS, Found, single_rows

PROBLEM = SIX_ROWS[ASKED[0]]


def test_what_is_no_release_is_a_false_claim() -> None:
    for do in (single_rows, lambda *_: [0, 1]):
        outcome = one_turn(
            Found("wrong", do), PROBLEM, PROBLEM.trivial(), PATIENCE, lambda: False, np.random.default_rng()
        )
        assert outcome.is_false
        assert outcome.partition is None
        assert outcome.wrong.startswith("it hands over a")


def listed() -> Partition:
    """A partition whose labels have been made a list, which no partition begins with."""
    one = Partition(np.zeros(6, dtype=np.int64))
    object.__setattr__(one, "labels", [0] * 6)
    return one


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, "a NoneType, not a Partition"),
        (listed(), "labels that are a list, not an array"),
        (Partition(np.zeros(5, dtype=np.int64)), "a partition that is no release: "),
        (Partition(np.zeros((6, 1), dtype=np.int64)), "a partition that is no release: "),
        (Partition(np.full(6, 0.5)), "a partition that is no release: "),
        (Partition(np.arange(6)), "a partition that is no release: "),
    ],
)
def test_why_something_is_no_release(found: object, words: str) -> None:
    assert why_no_release(PROBLEM, found).startswith(f"it hands over {words}")


def test_of_all_partitions_the_feasible_ones_are_releases() -> None:
    every = list(PROBLEM.solutions())
    assert [why_no_release(PROBLEM, one) == "" for one in every] == [PROBLEM.is_feasible(one) for one in every]
