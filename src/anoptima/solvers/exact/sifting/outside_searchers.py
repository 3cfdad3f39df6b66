"""The searchers of plug-ins beside the engine's own search: whose turn it is, and who is left out.

The engine's own search has at least half of the time. Each searcher has a small share whatever it gains, and a larger one while it
gains more than the others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np

from anoptima.exact import exact_text
from anoptima.patterns import Patterns
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.registry import is_for, leave_out, with_origin
from anoptima.solvers.exact.sifting.portfolio import Portfolio
from anoptima.solvers.exact.sifting.releases.regions import RegionSearch
from anoptima.solvers.exact.sifting.releases.release import partition_of, release_of
from anoptima.solvers.exact.sifting.searchers import Outcome, Searcher, one_turn

TURN_S = 2.0
"""The longest turn of a searcher."""
LEAST_SHARE, MOST_SHARE, OWN_SHARE = 0.05, 0.4, 0.5
"""The least and the largest share of a searcher, and the least one of the engine's own search; the least ones of all searchers together
are no more than `MOST_SHARE`."""

S = TypeVar("S", bound=RegionSearch)

_running: dict[Searcher, threading.Event] = {}
"""Searchers that did not come back from a turn; they get no other one in this process until they have."""


class OutsideSearchers(Generic[S]):
    """The searchers that are for a problem, in one run; `notes` says of those that were left out why, and what others have found."""

    def __init__(
        self, problem: CellSuppression, patterns: Patterns, searchers: Sequence[Searcher], chance: np.random.Generator
    ) -> None:
        self._problem, self._patterns, self._chance = problem, patterns, chance
        busy = {searcher for searcher in searchers if searcher in _running and not _running[searcher].is_set()}
        self._given = {searcher for searcher in searchers if searcher not in busy and is_for(searcher, problem)}
        self._wrong = dict.fromkeys(busy, "it has not come back from its turn in an earlier run")
        least = min(LEAST_SHARE, MOST_SHARE / max(1, len(self._given)))
        # In the order given: equals take turns in it.
        shares: dict[Searcher | None, tuple[float, float]] = {None: (OWN_SHARE, 1.0)}
        shares |= {searcher: (least, MOST_SHARE) for searcher in searchers if searcher in self._given}
        self._turns: Portfolio[Searcher | None] = Portfolio(shares)
        self._stuck: dict[Searcher, int] = {}
        self._gains: dict[Searcher, int] = {}
        self._lock = threading.Lock()

    def step(self, search: S, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Let the engine's own search take a step, or a searcher a turn from its release on; tell whether that has become better."""
        if not self._given:
            return search.step(seconds, is_over)
        before = search.cost
        with self._lock:
            able = [one for one in self._given if self._stuck.get(one) != before]
            whose = self._turns.next([None, *able])
            chance = self._chance.spawn(1)[0]
        began = time.monotonic()
        if whose is None:
            search.step(seconds, is_over)
        else:
            self._let(whose, search, min(seconds, TURN_S), is_over, chance)
        with self._lock:
            self._turns.note(whose, before - search.cost, time.monotonic() - began)
        return search.cost < before

    @property
    def notes(self) -> list[str]:
        """What is to be known of the run's searchers."""
        left_out = [f"the searcher {with_origin(one)} was left out: {why}" for one, why in self._wrong.items()]
        gains = [
            f"the searcher {with_origin(one)} lowered the cost by {exact_text(self._problem.unscale(gain))}"
            for one, gain in self._gains.items()
        ]
        return left_out + gains

    def _let(
        self, whose: Searcher, search: S, seconds: float, is_over: Callable[[], bool], chance: np.random.Generator
    ) -> None:
        """Give a searcher a turn, and take what it hands over if it is better."""
        partition = partition_of(self._patterns, search.release)
        published = release_of(self._problem, self._patterns, partition)
        if search.programs.cost_of(published) < search.cost:
            # Groups may have more in common than their patterns say, which is nobody's gain.
            search.take(published)
        before = search.cost
        outcome = one_turn(whose, self._problem, partition, seconds, is_over, chance)
        if outcome.wrong or outcome.running is not None:
            self._leave_out(whose, outcome)
        elif outcome.partition is None:
            with self._lock:
                self._stuck[whose] = before
        else:
            found = release_of(self._problem, self._patterns, outcome.partition)
            if search.programs.cost_of(found) < before:
                search.take(found)
                with self._lock:
                    self._gains[whose] = self._gains.get(whose, 0) + before - search.cost

    def _leave_out(self, whose: Searcher, outcome: Outcome) -> None:
        with self._lock:
            self._given.discard(whose)
            if outcome.running is not None:
                _running[whose] = outcome.running
            if outcome.wrong:
                self._wrong[whose] = outcome.wrong
        if outcome.wrong:
            leave_out(f"the searcher {with_origin(whose)}", outcome.wrong)
