"""Searchers beside the engine's own search: what is taken of theirs, and who is left out."""

from __future__ import annotations

import time
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.errors import PluginWarning
from anoptima.exact import exact_text
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting import searchers
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.outside_searchers import (
    OutsideSearchers,
)
from anoptima.solvers.exact.sifting.releases.regions import Guide, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import gathered, partition_of, release_of
from anoptima.solvers.exact.sifting.searchers import Searcher, Turn, one_turn
from tests.testing.test_searchers import ASKED, BEST, LET_GO, SIX_ROWS, WRONG, Found, best_of_all, deaf

PROBLEM = SIX_ROWS[ASKED[0]]


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searchers, "GRACE_S", 0.05)


def test_without_any_the_engines_own_search_takes_every_step() -> None:
    other, asked = Found("for-others", best_of_all), list[tuple[float, object]]()
    outside: OutsideSearchers[Any] = OutsideSearchers(
        ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)),
        instance_of(PROBLEM).patterns,
        [other],
        np.random.default_rng(),
    )

    def step(seconds: float, is_over: object) -> bool:
        asked.append((seconds, is_over))
        return len(asked) == 1

    own: Any = SimpleNamespace(step=step)
    assert [outside.step(own, 7.0, bool), outside.step(own, 5.0, bool)] == [True, False]
    assert asked == [(7.0, bool), (5.0, bool)]
    assert outside.notes == []


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


def test_a_worse_release_is_not_taken_and_what_is_gained_is_told_in_the_costs_of_the_problem() -> None:
    table = PROBLEM.table
    weights = dict.fromkeys(table.quasi, "3/7")
    problem = CellSuppression(ao.Table.from_frame(table.frame, table.quasi, table.sensitive, weights=weights), ASKED[0])
    gained = problem.cost(problem.trivial()) - problem.cost(BEST[ASKED[0]])
    first = Found("first", best_of_all)
    worse = Found("worse", lambda problem, *_: problem.trivial())
    _, come_to, notes = in_turns(problem, first, worse, steps=30)
    assert problem.cost(come_to) == problem.cost(BEST[ASKED[0]])
    assert notes == [f"the searcher first (of tests) lowered the cost by {exact_text(gained)}"]


def test_what_groups_have_in_common_beyond_their_patterns_is_no_gain_of_a_searcher() -> None:
    instance, asked = instance_of(PROBLEM), list[object]()
    best = release_of(instance.problem, instance.patterns, BEST[ASKED[0]])
    pattern, record = instance.arcs.pattern_of[best.arc], instance.arcs.member[best.arc].astype(np.int64)
    stars = int(np.argmax(instance.arcs.cost))
    loose = gathered(instance.patterns, np.where(pattern == pattern[0], stars, pattern), record, best.count)
    guide, chance = Guide(np.zeros(len(instance.arcs.member))), np.random.default_rng(3)
    search = RegionSearch(instance.programs, loose, guide, chance)
    assert search.cost > instance.programs.cost_of(best)
    search.step = lambda seconds, is_over: False  # type: ignore[method-assign]

    def same(problem: CellSuppression, partition: Partition, turn: Turn) -> Partition:
        asked.append(partition)
        return partition

    outside: OutsideSearchers[RegionSearch] = OutsideSearchers(
        PROBLEM, instance.patterns, [Found("same", same)], chance
    )
    while not asked:
        outside.step(search, 1.0, lambda: False)
    assert search.cost == instance.programs.cost_of(best)
    assert outside.notes == []
