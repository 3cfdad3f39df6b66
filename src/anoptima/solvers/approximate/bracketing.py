"""Bracketing: a principle that conditions do not state in full, between a weaker one and a stricter one.

`sifting` runs under the weaker principle, which this one implies: its bound and its proof hold here, too, and its releases are mended
(`mending`). It also runs under a stricter principle, which implies this one, if one is known (`Principle.stricter`): its releases hold
here. Then local search improves the best release under the principle itself. For instance, if a plug-in's principle states only a number of
values, and frequency diversity implies it, it lies between distinct and frequency diversity.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from anoptima.answer import Answer, BoundRaised, Event, Incumbent, Log, Origin, Phase, Proof, Stop
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.either_side import stricter_question, weaker_question, why_not_between
from anoptima.solvers.approximate.local_search import LocalSearch
from anoptima.solvers.approximate.mending import mended
from anoptima.solvers.base import Kind
from anoptima.solvers.exact.sifting.algorithm import Sifting
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.starts import quick_start, start_clock

FIRST_TURN_S = 60.0
"""Without a time limit, the seconds that a side has at first; each time they are twice as many."""
STRICTER_SHARE, WEAKER_SHARE = 0.5, 0.6
"""The part of the time that the search under the stricter principle may take, and the part of the rest that the one under the weaker may.
Of 3,000 census rows under recursive (2, 3)-diversity, 3 s, 2,668 stars are left; 2,879 if the first number is 0.35, 2,891 if it is 0.65."""
LEAST_STRICTER_S, RECORDS_A_SECOND, MOST_STRICTER_SHARE = 1.5, 2_000, 0.75
"""But the search under the stricter principle may take so many seconds, or one for so many records if that is less, as long as that is no
larger part of the time: of 3,000 census rows its releases are better than those that local search finds after a second and a half."""
MENDING_SHARE = 0.2
"""The part of the time under the weaker principle that mending its releases may take."""


@algorithms.register
class Bracketing(Algorithm[Partition]):
    """Cell suppression under any merge-closed principle that implies known conditions; its bound has a proof.

    No ratio is promised; the bound that comes with an answer says how good it is.
    """

    name = "bracketing"
    problems = (CellSuppression,)
    joins_groups = True
    family = "sifting"
    kind = Kind.APPROXIMATE
    gives_proofs = True
    uses_start = True

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for principles that have no rule of pricing, and imply one that has."""
        other = super().why_not(problem)
        if other is not None or not isinstance(problem, CellSuppression):
            return other
        return why_not_between(problem, self.name) or Sifting().why_not(weaker_question(problem.plain))

    def search(self, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Ask the stricter and the weaker principle, then search from the best release, in turns that get longer."""
        weaker, stricter = _Side(weaker_question(problem)), stricter_question(problem)
        weaker.go_on_from(ledger.proof)
        sides = [weaker] if stricter is None else [_Side(stricter), weaker]
        if start is None:
            quick_start(problem, ledger.budget, start_clock(ledger.clock, problem), tell=ledger.offer)
        turn = FIRST_TURN_S
        while not ledger.is_over():
            for side in sides:
                hear = _Hears(problem, ledger, is_weaker=side is weaker)
                if not side.is_ended and not ledger.is_over():
                    ledger.log(f"{problem.principle}: asking {side.problem.principle}")
                    seconds = _seconds(len(problem.table.records), ledger.clock.left(), turn, is_weaker=side is weaker)
                    side.take_turn(ledger, seconds, hear)
                    hear.mend()
            if not ledger.is_over():
                LocalSearch().search(problem, ledger, ledger.solution)
            if all(side.is_ended for side in sides):
                return
            turn *= 2


def _seconds(records: int, left: float | None, turn: float, *, is_weaker: bool) -> float:
    """Return how long a side may take of the seconds that are left."""
    if left is None:
        return turn
    if is_weaker:
        return min(turn, WEAKER_SHARE * left)
    least = min(LEAST_STRICTER_S, records / RECORDS_A_SECOND, MOST_STRICTER_SHARE * left)
    return min(turn, max(STRICTER_SHARE * left, least))


@dataclass(eq=False)
class _Side:
    """A question under a principle that can be priced, and the last answer and proof, from which the next turn goes on."""

    problem: CellSuppression
    answer: Answer[Partition] | None = None
    proof: Proof | None = None
    is_hopeless: bool = False

    @property
    def is_ended(self) -> bool:
        """Whether another turn would find nothing."""
        return self.is_hopeless or (self.answer is not None and self.answer.stop in (Stop.PROVED, Stop.COMPLETE))

    def go_on_from(self, proof: Proof | None) -> None:
        """Begin with a proof if it is about this question, as that of an earlier run is."""
        try:
            if proof is not None:
                proof.proved(self.problem)
                self.proof = proof
        except BadInput:
            pass

    def take_turn(self, ledger: Ledger[Partition], seconds: float, hear: _Hears) -> None:
        """Ask for so many seconds."""
        start = None if self.answer is None else self.answer.solution
        budget = replace(ledger.budget, seconds=seconds, gap=Fraction(0))
        self.answer = Sifting().solve(self.problem, budget, start, hear, self.proof)
        self.proof = self.answer.proof or self.proof
        self.is_hopeless = hear.is_hopeless
        if self.answer.stop is Stop.CANCELLED and not ledger.is_over() and not self.is_hopeless:
            ledger.cancelled = True
        ledger.compiled = ledger.compiled or self.answer.run.compiled
        ledger.prepare_seconds += self.answer.run.prepare_seconds


class _Hears:
    """Passes on what a side says: of the weaker one the bound and mended releases, of the stricter one releases."""

    def __init__(self, problem: CellSuppression, ledger: Ledger[Partition], *, is_weaker: bool) -> None:
        self._problem, self._ledger, self._is_weaker = problem, ledger, is_weaker
        self._began, self._mending_s = time.monotonic(), 0.0
        self._waiting: Partition | None = None
        self._bound: Exact = 0
        self._cost: Exact = 0

    def __call__(self, event: Event) -> bool:
        """Take an event in; tell whether the run is over."""
        ledger = self._ledger
        if isinstance(event, Log):
            ledger.log(event.line)
        elif isinstance(event, Phase):
            ledger.phase(event.words)
        elif isinstance(event, Incumbent):
            self._waiting, self._cost = event.solution, event.cost
            passed = time.monotonic() - self._began
            if not self._is_weaker or self._mending_s <= MENDING_SHARE * passed:
                self.mend()
        elif isinstance(event, BoundRaised) and event.origin is not Origin.PROBLEM:
            self._bound = event.bound
            if self._is_weaker:
                ledger.raise_bound(event.bound, event.origin or Origin.BACKEND, proof=event.proof)
        return ledger.is_over() or self.is_hopeless

    @property
    def is_hopeless(self) -> bool:
        """Whether the best release under the stricter principle is hardly better than what is known here.

        It is taken to lie in the middle between its bound and its cost so far.
        """
        best = self._ledger.solution
        if self._is_weaker or not self._bound or best is None:
            return False
        return self._bound + self._cost > 2 * self._problem.cost(best)

    def mend(self) -> None:
        """Offer the last release that was heard of, mended where that is needed."""
        found, self._waiting = self._waiting, None
        if found is None:
            return
        began = time.monotonic()
        self._ledger.offer(mended(self._problem, found, self._ledger.is_over))
        self._mending_s += time.monotonic() - began
