"""What a searcher that does wrong is told by its suite, and what the engine does with it: others go on, and so does the run."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.errors import PluginWarning
from anoptima.principles import LDiversity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting import Sifting, searchers
from anoptima.solvers.exact.sifting.searchers import Searcher, Turn
from anoptima.testing import State, check_searcher
from anoptima.testing import searchers as suite

ASKED: tuple[ao.Principle, ...] = (ao.KAnonymity(2), LDiversity(2, version="distinct"))
SIX_ROWS: dict[ao.Principle, CellSuppression] = {
    problem.principle: problem for problem in CellSuppression.examples() if problem.table.rows == 6
}
BEST = {one: min(filter(SIX_ROWS[one].is_feasible, SIX_ROWS[one].solutions()), key=SIX_ROWS[one].cost) for one in ASKED}


class Found(Searcher):
    """What `do` finds, by a name of its own, for six rows and more under two principles."""

    def __init__(self, name: str, do: Callable[[CellSuppression, Partition, Turn], object]) -> None:
        self.name = name
        self._do = do

    def why_not(self, problem: CellSuppression) -> str | None:
        asked = ASKED if problem.table.rows == 6 else (ao.KAnonymity(3),) if problem.table.rows > 6 else ()
        return None if problem.principle in asked else "it is for others"

    def search(self, problem: CellSuppression, partition: Partition, turn: Turn) -> Partition | None:
        return self._do(problem, partition, turn)  # type: ignore[return-value]


def best_of_all(problem: CellSuppression, partition: Partition, turn: Turn) -> Partition:
    """The best partition of six rows; of many, the one that was given."""
    return BEST[problem.principle] if problem.table.rows == 6 else partition


def single_rows(problem: CellSuppression, partition: Partition, turn: Turn) -> Partition:
    return Partition(np.arange(problem.table.rows))


def raises(problem: CellSuppression, partition: Partition, turn: Turn) -> Partition:
    raise ZeroDivisionError("no rows\nleft")


def spoils(problem: CellSuppression, partition: Partition, turn: Turn) -> None:
    partition.labels[:] = 0


LET_GO = threading.Event()


def deaf(problem: CellSuppression, partition: Partition, turn: Turn) -> None:
    LET_GO.wait(60)


WRONG: dict[str, tuple[Callable[[CellSuppression, Partition, Turn], object], State, str, str]] = {
    "single-rows": (single_rows, State.RED, "a false claim", "it hands over a partition that is no release"),
    "listing": (lambda *_: [0, 1], State.RED, "a false claim", "it hands over a list, not a Partition"),
    "raising": (raises, State.RED, "a bug", "it raises ZeroDivisionError: no rows left"),
    "leaving": (lambda *_: exit(), State.RED, "a bug", "it raises SystemExit"),
    "deaf": (deaf, State.RED, "a bug", "had not come back after"),
}


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searchers, "GRACE_S", 0.05)
    monkeypatch.setattr(suite, "TURN_S", 0.05)
    monkeypatch.setattr(suite, "STARTS", 2)


def test_a_good_one_is_green() -> None:
    assert [check() for check in check_searcher(Found("all", best_of_all)) if not check()] == []


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_one_is_red_and_told_why(name: str) -> None:
    do, state, fault, words = WRONG[name]
    check = next(one for one in check_searcher(Found(name, do)) if one.name == "what it hands over is a release")
    LET_GO.clear()
    verdict = check()
    LET_GO.set()
    assert (verdict.state, words in verdict.reason, verdict.reason.startswith(fault)) == (state, True, True), verdict


def test_one_that_is_for_nothing_is_red() -> None:
    one = Found("nothing", best_of_all)
    one.why_not = lambda problem: "it is Sunday"  # type: ignore[method-assign]
    assert [check().state for check in check_searcher(one)][:1] == [State.RED]


def test_a_run_asks_its_searchers_and_says_who_was_left_out() -> None:
    chance = np.random.default_rng(5)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2], (50, 4)), columns=list("abcd"))
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(3))
    with pytest.warns(PluginWarning, match="the searcher whole-run"):
        answer = Sifting(searchers=[Found("whole-run", single_rows)]).solve(problem)
    assert answer.claim is ao.Claim.OPTIMAL
    assert [note for note in answer.run.notes if note.startswith("the searcher whole-run (of tests) was left out")]
