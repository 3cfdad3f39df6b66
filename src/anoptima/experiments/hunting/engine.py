"""The hunt: first every small table, then changes to the worst so far; finally the champions are made as small as possible."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.experiments.hunting.archive import Champion, HuntArchive
from anoptima.experiments.hunting.grids import below
from anoptima.experiments.hunting.ground import Ground, PointSets, Subject, Tables
from anoptima.experiments.hunting.quarry import Quarry
from anoptima.experiments.hunting.score import Score
from anoptima.experiments.hunting.sizes import HuntSizes
from anoptima.problems.base import Problem

MINIMISED = 5
"""How many of the worst champions are made smaller in the end."""

INTERRUPTED = "interrupted"
"""The phase of a hunt that Ctrl-C has ended."""

MOST_KNOWN = 100_000
"""How many optima are remembered."""


@checked
@dataclass(frozen=True)
class HuntLimits:
    """How long a hunt may take: steps, seconds, or until it is interrupted; the seed; and in how many orders each table is tried.

    >>> import anoptima as ao
    >>> found = ao.hunt("clustering", sizes=ao.HuntSizes(rows=4, columns=1), limits=ao.HuntLimits(steps=0))
    >>> found.steps, found.worst
    (0, None)
    """

    steps: int | None = None
    seconds: float | None = None
    seed: int = 0
    orders: int = 1

    def __post_init__(self) -> None:
        if self.orders < 1:
            raise BadInput(f"orders is {self.orders}; it must be at least 1")
        if self.steps is not None and self.steps < 0:
            raise BadInput(f"steps is {self.steps}; it must be at least 0")


@dataclass(frozen=True)
class Standing:
    """How far a hunt is."""

    steps: int
    seconds: float
    worst: Score | None
    kinds: int
    phase: str

    def __str__(self) -> str:
        worst = "nothing yet" if self.worst is None else f"worst {self.worst}"
        return f"{self.seconds:,.0f} s  {self.steps:,} steps  {worst}  {self.kinds:,} kinds  {self.phase}"


OnStanding = Callable[[Standing], object]


@dataclass
class Hunt:
    """A hunt for one quarry among the questions of one sort.

    With a seed and a count of steps it is the same again, as long as the quarry is; limits in seconds are not. Going on from an archive
    draws anew, by the seed and the steps so far.
    """

    quarry: Quarry
    archive: HuntArchive
    sizes: HuntSizes
    limits: HuntLimits = field(default_factory=HuntLimits)
    on_standing: OnStanding = lambda standing: None

    def __post_init__(self) -> None:
        if self.quarry.name != self.archive.quarry:
            raise BadInput(
                f"the archive is of a hunt for {self.archive.quarry}, and this is one for {self.quarry.name}"
            )
        self._optima: dict[Any, Exact] = {}
        self._began = time.monotonic()
        self._ends = None if self.limits.steps is None else self.archive.steps + self.limits.steps
        self._phase = ""

    def run(self) -> HuntArchive:
        """Hunt within the limits; Ctrl-C ends it with what there is."""
        chance = Random(f"{self.limits.seed} {self.archive.steps}")
        ground: Ground[Any] = PointSets(self.sizes) if self.archive.asked.by_points else Tables(self.sizes)
        fresh = not self.archive.steps
        try:
            self._again()
            if fresh:
                self._try_all(ground, chance)
            self._improve(ground, chance)
            self._minimise()
        except KeyboardInterrupt:
            self._phase = INTERRUPTED
        self._report()
        return self.archive

    # ---- the phases ------------------------------------------------------------------------------------------------------------------

    def _again(self) -> None:
        """Score the champions of the archive again: nothing in a file is believed."""
        for champion in self.archive.clear():
            score, promised = self._scored(champion.subject, everything=True)
            if score is not None:
                self.archive.offer(Champion(champion.subject, score, promised, champion.step, champion.seed))

    def _try_all(self, ground: Ground[Any], chance: Random) -> None:
        """Score every table of the small sizes, for up to half of the steps or of the time."""
        self._phase = "all tables"
        self.archive.values = self.sizes.values
        for subject in ground.every():
            self._note_complete(ground)
            if self._is_over(2):
                return
            for _ in range(self.limits.orders):
                self._try(subject)
                subject = subject.reordered(chance)
        self._note_complete(ground)

    def _note_complete(self, ground: Ground[Any]) -> None:
        """Note of which sizes everything was scored: of none where tables that are here taken for one, by renamed values, are not one."""
        if self.archive.asked.values_alike:
            self.archive.complete = list(ground.done)

    def _improve(self, ground: Ground[Any], chance: Random) -> None:
        """Change what is worst so far; now and then, begin with something new."""
        self._phase = "changes"
        while not self._is_over(1):
            ranked = self.archive.champions
            if not ranked or below(10, chance) == 0:
                subject = ground.draw(chance)
            else:
                # The worse, the more often: the square of an even draw.
                chosen = [ranked[int(len(ranked) * chance.random() ** 2)].subject for _ in range(2)]
                subject = ground.child(chosen, chance)
            for _ in range(self.limits.orders):
                self._try(subject)
                subject = subject.reordered(chance)

    def _minimise(self) -> None:
        """Take rows, columns and values away from the worst champions as long as they stay as bad."""
        self._phase = "making champions smaller"
        for champion in self.archive.champions[:MINIMISED]:
            subject, again = champion.subject, True
            while again:
                again = False
                for smaller in subject.smaller():
                    score = self._try(smaller, everything=True)
                    if score is not None and score >= champion.score:
                        subject, again = smaller, True
                        break

    # ---- one step --------------------------------------------------------------------------------------------------------------------

    def _try(self, subject: Subject, everything: bool = False) -> Score | None:
        """Score a subject and offer it to the archive; return the score, if it is the best of its sort or `everything` is wanted."""
        self.archive.steps += 1
        score, promised = self._scored(subject, everything)
        if score is not None:
            self.archive.offer(Champion(subject, score, promised, self.archive.steps, self.limits.seed))
        self._report()
        return score

    def _scored(self, subject: Subject, everything: bool) -> tuple[Score | None, Exact | None]:
        """Return a subject's score and what is promised; no score where its sort plainly has a better one, unless all are wanted."""
        problem = self.archive.asked.problem(subject)
        if problem.why_infeasible() is not None:
            return None, None
        promised = self.quarry.promised(problem)
        key = subject.key if self.archive.asked.values_alike else subject

        def optimum(asked: Problem[Any]) -> Exact:
            if key not in self._optima:
                if len(self._optima) >= MOST_KNOWN:
                    self._optima.clear()
                self._optima[key] = self.archive.asked.optimum(asked)
            return self._optima[key]

        above = None if everything else self.archive.known(subject, promised)
        return self.quarry.score(problem, optimum, above), promised

    def _is_over(self, share: int) -> bool:
        """Tell whether an n-th share of the steps or of the seconds is over."""
        begun = (
            self._ends is not None
            and self.archive.steps >= self._ends - (self.limits.steps or 0) * (share - 1) // share
        )
        seconds = self.limits.seconds
        return begun or (seconds is not None and (time.monotonic() - self._began) * share >= seconds)

    def _report(self) -> None:
        worst, seconds = self.archive.worst, time.monotonic() - self._began
        score = None if worst is None else worst.score
        self.on_standing(Standing(self.archive.steps, seconds, score, len(self.archive.cells), self._phase))
