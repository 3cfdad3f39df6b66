"""What a searcher that does wrong is told by its suite, and what the engine does with it: others go on, and so does the run."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.errors import PluginWarning
from anoptima.principles import LDiversity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting import Sifting, searchers
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.outside_searchers import OutsideSearchers
from anoptima.solvers.exact.sifting.releases.regions import Guide, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import partition_of, release_of
from anoptima.solvers.exact.sifting.searchers import Searcher, Turn, one_turn
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


def in_turns(
    problem: CellSuppression, *given: Searcher, steps: int = 12
) -> tuple[CellSuppression, Partition, list[str]]:
    """Let searchers and the engine's own search take turns from the trivial release on."""
    instance, chance = instance_of(problem), np.random.default_rng(3)
    outside: OutsideSearchers[RegionSearch] = OutsideSearchers(problem, instance.patterns, given, chance)
    release = release_of(instance.problem, instance.patterns, problem.trivial())
    search = RegionSearch(instance.programs, release, Guide(np.zeros(len(instance.arcs.member))), chance)
    search.step = lambda seconds, is_over: False  # type: ignore[method-assign]
    for _ in range(steps):
        before = search.cost
        assert outside.step(search, 1.0, lambda: False) == (search.cost < before)
        assert search.cost <= before
    return problem, partition_of(instance.patterns, search.release), outside.notes


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("principle", ASKED, ids=str)
def test_the_engine_leaves_it_out_by_name_and_goes_on_with_the_other(name: str, principle: ao.Principle) -> None:
    do, _, _, words = WRONG[name]
    LET_GO.clear()
    with pytest.warns(PluginWarning, match=f"the searcher {name}-{principle.sort} "):
        problem, come_to, notes = in_turns(
            SIX_ROWS[principle], Found(f"{name}-{principle.sort}", do), Found("all", best_of_all)
        )
    LET_GO.set()
    assert problem.cost(come_to) == problem.cost(BEST[principle])
    assert [note for note in notes if "was left out" in note and words in " ".join(note.split())], notes
    assert [note for note in notes if note.startswith("the searcher all") and "lowered the cost by" in note], notes


def test_what_is_changed_is_only_lent() -> None:
    problem, partition = SIX_ROWS[ASKED[0]], BEST[ASKED[0]]
    before = partition.labels.copy()
    assert (
        one_turn(Found("spoils", spoils), problem, partition, 1.0, lambda: False, np.random.default_rng()).wrong == ""
    )
    assert (partition.labels == before).all()


def test_a_deaf_one_holds_nobody_up_and_gets_no_other_turn_before_it_is_back() -> None:
    problem, one = SIX_ROWS[ASKED[0]], Found("deaf-once", deaf)
    LET_GO.clear()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        outcome = one_turn(one, problem, problem.trivial(), 60.0, lambda: True, np.random.default_rng())
        assert outcome.running is not None
        assert not outcome.wrong
        _, _, notes = in_turns(problem, one, steps=3)
        assert len(notes) == 1
        assert "had not come back after" in notes[0]
        _, _, notes = in_turns(problem, one, steps=3)
        assert notes == [
            "the searcher deaf-once (of tests) was left out: it has not come back from its turn in an earlier run"
        ]
        assert len(said) == 1
    LET_GO.set()
    ends = time.monotonic() + 60
    while in_turns(problem, one, steps=3)[2] and time.monotonic() < ends:
        time.sleep(0.01)
    assert time.monotonic() < ends


def test_none_leaves_it_in_peace_until_the_release_is_another_one() -> None:
    asked = []

    def once(problem: CellSuppression, partition: Partition, turn: Turn) -> None:
        asked.append(problem.cost(partition))

    in_turns(SIX_ROWS[ASKED[0]], Found("content", once))
    assert len(asked) == 1


def test_a_run_asks_its_searchers_and_says_who_was_left_out() -> None:
    chance = np.random.default_rng(5)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2], (50, 4)), columns=list("abcd"))
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(3))
    with pytest.warns(PluginWarning, match="the searcher whole-run"):
        answer = Sifting(searchers=[Found("whole-run", single_rows)]).solve(problem)
    assert answer.claim is ao.Claim.OPTIMAL
    assert [note for note in answer.run.notes if note.startswith("the searcher whole-run (of tests) was left out")]
