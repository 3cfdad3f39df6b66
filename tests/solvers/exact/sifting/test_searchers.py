"""A searcher's turn: what it is lent and told, what becomes of what it hands over, and when nobody waits for it any more."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable

import numpy as np
import pytest

import anoptima as ao
from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting import searchers as module
from anoptima.solvers.exact.sifting.searchers import Outcome, Searcher, Turn, one_turn, searchers
from tests.processes import PATIENCE
from tests.testing.test_searchers import ASKED, BEST, SIX_ROWS, Found, spoils

PROBLEM, GOOD = SIX_ROWS[ASKED[0]], BEST[ASKED[0]]
Do = Callable[[CellSuppression, Partition, Turn], object]


@pytest.fixture(autouse=True)
def _patiently(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine, whoever comes back is waited for."""
    monkeypatch.setattr(module, "GRACE_S", PATIENCE)
    monkeypatch.setattr(module, "SOON_S", PATIENCE)


def turn_of(do: Do, seconds: float = PATIENCE, is_over: Callable[[], bool] = lambda: False) -> Outcome:
    return one_turn(Found("one", do), PROBLEM, PROBLEM.trivial(), seconds, is_over, np.random.default_rng(5))


def test_it_is_told_the_problem_the_partition_and_its_time_and_what_it_finds_is_handed_on() -> None:
    told = []

    def do(problem: CellSuppression, partition: Partition, turn: Turn) -> Partition:
        told.append((problem, partition.labels.tolist(), turn.seconds, turn.is_over(), turn.chance.random()))
        return GOOD

    outcome = turn_of(do)
    assert outcome.partition is GOOD
    assert (outcome.wrong, outcome.is_false, outcome.running) == ("", False, None)
    first = np.random.default_rng(5).random()
    assert told == [(PROBLEM, PROBLEM.trivial().labels.tolist(), PATIENCE, False, first)]


def test_none_is_an_outcome_with_nothing_in_it() -> None:
    assert turn_of(lambda *_: None) == Outcome()


@pytest.mark.parametrize("ends_by", ["its seconds", "the run"])
def test_it_is_told_when_its_turn_is_over_and_what_it_has_then_counts(ends_by: str) -> None:
    def do(problem: CellSuppression, partition: Partition, turn: Turn) -> Partition:
        while not turn.is_over():
            threading.Event().wait(0.001)
        return GOOD

    looks = itertools.count()
    if ends_by == "its seconds":
        assert turn_of(do, seconds=0.01).partition is GOOD
    else:
        assert turn_of(do, is_over=lambda: next(looks) > 0).partition is GOOD


def test_what_looks_at_the_clock_ends_with_the_turn_and_has_done_nothing_wrong() -> None:
    def do(problem: CellSuppression, partition: Partition, turn: Turn) -> None:
        while True:
            check_time()

    assert turn_of(do, seconds=0.01) == Outcome()


@pytest.mark.parametrize("is_over", [False, True])
def test_one_that_does_not_come_back_has_done_wrong_unless_the_run_was_over(
    is_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SOON_S" if is_over else "GRACE_S", 0.01)
    let_go = threading.Event()
    outcome = turn_of(lambda *_: let_go.wait(PATIENCE), PATIENCE if is_over else 0.01, lambda: is_over)
    assert outcome.partition is None
    assert ("had not come back after" in outcome.wrong) is not is_over
    assert outcome.running is not None
    assert not outcome.running.is_set()
    let_go.set()
    assert outcome.running.wait(PATIENCE)


@pytest.mark.parametrize("error", [KeyError("x"), SystemExit(3), KeyboardInterrupt(), MemoryError("much")])
def test_whatever_is_raised_is_said_and_claims_nothing_false(error: BaseException) -> None:
    def do(problem: CellSuppression, partition: Partition, turn: Turn) -> None:
        raise error

    outcome = turn_of(do)
    assert outcome.wrong == f"it raises {type(error).__name__}: {error}"
    assert not outcome.is_false


class Plain(Searcher):
    """What says no more than it must."""

    name = "plain-one"

    def search(self, problem: CellSuppression, partition: Partition, turn: Turn) -> Partition:
        return partition


def test_a_searcher_is_for_every_problem_unless_it_says_so_and_is_known_by_its_name() -> None:
    one = Plain()
    assert one.why_not(PROBLEM) is None
    assert repr(one) == "<searcher plain-one>"
    searchers.add(one)
    try:
        assert searchers.get("plain-one") is one
        with pytest.raises(BadInput, match="there already is a searcher named 'plain-one'"):
            searchers.add(Plain())
    finally:
        searchers.remove("plain-one")
    with pytest.raises(BadInput, match="this is no searcher"):
        searchers.add(ao.KAnonymity(2))  # type: ignore[arg-type]
    assert "plain-one" not in searchers


def test_what_is_changed_is_only_lent() -> None:
    problem, partition = SIX_ROWS[ASKED[0]], BEST[ASKED[0]]
    before = partition.labels.copy()
    assert (
        one_turn(Found("spoils", spoils), problem, partition, 1.0, lambda: False, np.random.default_rng()).wrong == ""
    )
    assert (partition.labels == before).all()
