"""The demo's second half: the census table, solved in a stated time, with the result, the remaining gap, and how to continue."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from anoptima.answer import Answer, Claim, Clock, Stop, Verification
from anoptima.cli import arguments as shared
from anoptima.cli.live import live
from anoptima.documents.answers import answer_document
from anoptima.documents.writing import require_room
from anoptima.exact import exact_text
from anoptima.instances.library import Instance, instance
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.backends.interrupt import Interrupts
from anoptima.solvers.solving import solve

NAME = "census-eight-k2"
"""The instance that is solved."""

SECONDS = 100.0
"""Time for the census table: `make demo` is to be done within two minutes."""

LONGER = 600
"""Seconds that a person who wants more is told to give."""


class Census:
    """The census table made 2-anonymous: what was found, and what a check of it says."""

    def __init__(self, known: Instance, seconds: float, checkpoint: Path | None, *, quiet: bool) -> None:
        self.known = known
        self.seconds = seconds
        self.checkpoint = checkpoint
        self.quiet = quiet
        self.answer: Answer[Partition] | None = None
        self.checked = Verification(("nothing was solved",))
        self.check_seconds = 0.0

    @classmethod
    def of(cls, arguments: Namespace) -> Census:
        """Take over the options, refused here if they make no sense, before anything runs."""
        seconds = SECONDS if arguments.time_limit is None else shared.seconds_of(arguments.time_limit)
        checkpoint = None if arguments.checkpoint is None else Path(arguments.checkpoint)
        if checkpoint is not None:
            require_room(checkpoint, "checkpoint")
        return cls(instance(NAME), seconds, checkpoint, quiet=arguments.quiet)

    @property
    def is_verified(self) -> bool:
        """Whether the answer passed its check."""
        return bool(self.checked)

    def run(self, tell: Callable[[str], None]) -> None:
        """Solve, check, and tell each step before it begins."""
        problem: Any = self.known.load()
        table = problem.table
        tell(
            f"{table.rows:,} persons of a census (UCI Adult, Becker and Kohavi 1996, CC BY 4.0),\n"
            f"known by {len(table.quasi)} columns: {', '.join(table.quasi[:5])},\n"
            f"{', '.join(table.quasi[5:])}.\n"
            "How few stars make everyone look like at least one other?"
        )
        tell(f"A quick release by greedy-patterns, then the optimum by sifting: up to {self.seconds:.0f} s ...")
        greedy, answer = self._solved(problem)
        self.answer = answer
        compiled = answer.run.compiled
        late = compiled is not None and compiled.since != 0
        tell(f"{answer}" + (f"\nloops ran compiled: {compiled}; `anoptima prepare` prepares them" if late else ""))
        tell("Checking the release and the bound again, with no solver ...")
        clock = Clock()
        self.checked = answer.verify()
        self.check_seconds = clock.seconds()
        tell(
            "\n".join([f"{self.checked} ({self.check_seconds:.1f} s)", *self._compared(greedy), *self._missed(problem)])
        )

    def _solved(self, problem: Any) -> tuple[Answer[Partition], Answer[Partition]]:
        """Return the quick answer and the best; Ctrl-C ends both, and the best so far is the answer."""
        with live(problem.unit, quiet=self.quiet, limit=self.seconds) as on_progress, Interrupts() as interrupts:
            told: dict[str, Any] = {"on_progress": on_progress, "cancel": interrupts.event}
            greedy = solve(problem, "greedy-patterns", time_limit=self.seconds / 3, **told)
            if interrupts.asked:
                return greedy, greedy
            left = max(0.0, self.seconds - greedy.run.seconds)
            start = None if greedy.stop is Stop.TIME else greedy.solution
            return greedy, solve(problem, "sifting", time_limit=left, start=start, checkpoint=self.checkpoint, **told)

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        assert self.answer is not None
        return {
            **answer_document(self.answer),
            "verified": self.is_verified,
            "seconds to verify": self.check_seconds,
        }

    def _compared(self, greedy: Answer[Partition]) -> list[str]:
        assert self.answer is not None
        if greedy.stop in (Stop.TIME, Stop.CANCELLED) or greedy.cost is None or not self.answer.cost:
            return []
        more = _percent(Fraction(greedy.cost) / self.answer.cost - 1)
        return [f"{greedy.solver} alone stars {exact_text(greedy.cost)} cells, {more} more."]

    def _missed(self, problem: CellSuppression) -> list[str]:
        """Say what was not reached, and how to go on; nothing where the optimum is proved."""
        answer = self.answer
        assert answer is not None
        if answer.claim is Claim.OPTIMAL or answer.cost is None:
            return []
        lines = [
            "",
            "Interrupted; not reached:" if answer.stop is Stop.CANCELLED else f"Not reached in {self.seconds:.0f} s:",
        ]
        best, bound = self.known.best, self.known.bound
        if best is not None and answer.cost > best:
            more = exact_text(answer.cost - best)
            lines.append(f"  the best release known, with {exact_text(best)} stars: this one has {more} more")
        proved = problem.lower_bound() if answer.bound is None else answer.bound.value
        if bound is not None and proved < bound:
            fewer = exact_text(bound - proved)
            lines.append(f"  the best bound known, {exact_text(bound)} stars: this one is {fewer} lower")
        command = f"anoptima demo --census --time-limit {LONGER} --checkpoint {self.checkpoint or 'census.json'}"
        return [*lines, "To continue from where it stopped, as often as you like:", f"  {command}"]


def _percent(share: Fraction) -> str:
    return f"{float(share):.1%}".replace("%", " %")
