"""Whose turn it is, of the searchers beside the engine's own search: shares of the time, on a clock that goes by turns."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting import outside_searchers
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.outside_searchers import (
    LEAST_SHARE,
    MOST_SHARE,
    OWN_SHARE,
    TURN_S,
    OutsideSearchers,
)
from anoptima.solvers.exact.sifting.releases.release import Release, release_of
from anoptima.solvers.exact.sifting.searchers import Turn
from tests.testing.test_searchers import ASKED, SIX_ROWS, Found

PROBLEM = SIX_ROWS[ASKED[0]]


class Counted:
    """The engine's own search, on a clock on which every turn takes a second; what a searcher hands over gains 1 if it `gains`."""

    def __init__(self, instance: Instance, problem: CellSuppression) -> None:
        self.release = release_of(instance.problem, instance.patterns, problem.trivial())
        self.programs, self.cost, self.gains, self.now = self, 1_000, False, 0.0
        self.asked: list[tuple[str, float]] = []
        self.drawn: list[float] = []

    def cost_of(self, release: Release) -> int:
        return self.cost - self.gains

    def take(self, release: Release) -> None:
        self.cost, self.gains = self.cost - 1, False

    def step(self, seconds: float, is_over: object) -> bool:
        self.note("own", seconds)
        return False

    def note(self, name: str, seconds: float) -> None:
        self.asked.append((name, seconds))
        self.now += 1.0

    def turns_of(self, name: str) -> int:
        return sum(asked == name for asked, _ in self.asked)


def counted(monkeypatch: pytest.MonkeyPatch, given: dict[str, bool | None], steps: int) -> Counted:
    """Let searchers take turns that gain or do not; None where one wants to be left in peace."""
    instance = instance_of(PROBLEM)
    own = Counted(instance, PROBLEM)
    monkeypatch.setattr(outside_searchers, "time", SimpleNamespace(monotonic=lambda: own.now))

    def doing(name: str) -> Any:
        def do(problem: CellSuppression, partition: Partition, turn: Turn) -> Partition | None:
            own.note(name, turn.seconds)
            own.drawn.append(turn.chance.random())
            own.gains = bool(given[name])
            return None if given[name] is None else partition

        return do

    many = [Found(name, doing(name)) for name in given]
    outside: OutsideSearchers[Any] = OutsideSearchers(PROBLEM, instance.patterns, many, np.random.default_rng(0))
    for _ in range(steps):
        outside.step(own, 3.0, lambda: False)
    return own


@pytest.mark.parametrize("count", [1, 3, 16])
def test_the_engines_own_search_has_half_of_the_time_and_each_searcher_its_share(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"idle-{number}" for number in range(count)]
    own = counted(monkeypatch, dict.fromkeys(names, False), 200)
    assert own.turns_of("own") >= OWN_SHARE * 200
    for name in names:
        assert min(LEAST_SHARE, MOST_SHARE / count) * 200 - 1 <= own.turns_of(name) <= MOST_SHARE * 200 + 1
    assert set(own.asked) == {("own", 3.0), *((name, TURN_S) for name in names)}


def test_one_that_gains_has_more_of_it_than_one_that_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    own = counted(monkeypatch, {"idle": False, "gaining": True}, 200)
    assert own.turns_of("gaining") == pytest.approx(MOST_SHARE * 200, abs=2)
    assert LEAST_SHARE * 200 - 1 <= own.turns_of("idle") <= own.turns_of("gaining") / 2
    assert own.cost == 1_000 - own.turns_of("gaining")


def test_one_that_wants_to_be_left_in_peace_is_asked_again_after_others_have_gained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert counted(monkeypatch, {"content": None, "idle": False}, 60).turns_of("content") == 1
    own = counted(monkeypatch, {"content": None, "gaining": True}, 60)
    assert 1 < own.turns_of("content") <= 1 + own.turns_of("gaining")


def test_random_numbers_follow_from_the_seed_and_are_others_in_every_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (counted(monkeypatch, {"idle": False, "gaining": True}, 50).drawn for _ in range(2))
    assert one == other
    assert len(set(one)) == len(one) > 1
