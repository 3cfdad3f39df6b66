"""The progress that a person sees while a solver works: time and time left, best cost, bound, gap and its trend, and the current stage.

On a terminal it is one line, rewritten in place and gone at the end; elsewhere a plain line now and then, ever more rarely.
"""

from __future__ import annotations

import shutil
import sys
import threading
from abc import ABC, abstractmethod
from argparse import Namespace
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import IO, TypeVar

from anoptima.answer import Answer, Budget, Clock, Progress
from anoptima.cli.options import options_of
from anoptima.exact import exact_text
from anoptima.machine import taken_memory
from anoptima.problems.base import Problem
from anoptima.solvers import algorithms
from anoptima.solvers.listening import OnProgress
from anoptima.solvers.solving import solve

S = TypeVar("S")

TICK = 0.25
"""Seconds between two looks at the clock, so that the line moves even while nothing is found."""

FIRST_LINE, RAREST = 10.0, 300.0
"""Where there is no terminal, a line comes after the first number of seconds, each wait is twice the one before, and none exceeds the
second number."""

WINDOW = 60.0
"""Seconds over which the trend of the gap is taken. As many at the beginning do not count: the first releases and bounds leap."""

CALM = 0.05
"""Percentage points a minute below which the gap is said to be steady: a tenth is what is shown."""


def solve_live(problem: Problem[S], arguments: Namespace, budget: Budget) -> Answer[S]:
    """Solve as `arguments.add_solver` and `add_budget` let a person ask, with the line for as long as it takes."""
    with live(problem.unit, quiet=arguments.quiet, limit=budget.seconds, lines=not arguments.json) as on_progress:
        answer = solve(
            problem,
            arguments.solver,
            time_limit=budget.seconds,
            gap=budget.gap,
            threads=budget.threads,
            memory=budget.memory,
            seed=budget.seed,
            start="auto" if arguments.start == "auto" else None,
            proof=None if getattr(arguments, "proof", None) is None else True,
            checkpoint=getattr(arguments, "checkpoint", None),
            on_progress=on_progress,
            cross_check=getattr(arguments, "cross_check", False),
            options=options_of(arguments),
            log=sys.stderr if arguments.log == "-" else arguments.log,
        )
    taken = taken_memory()
    if budget.memory is None or taken is None or taken <= budget.memory or answer.solver not in algorithms:
        return answer
    note = (
        f"--memory limits models and backends, and {answer.solver} is neither: "
        f"this process has taken {taken >> 20:,} MiB, more than that"
    )
    return replace(answer, run=replace(answer.run, notes=(*answer.run.notes, note)))


@contextmanager
def live(
    unit: str, *, quiet: bool, limit: float | None = None, lines: bool = True, title: str = ""
) -> Iterator[OnProgress | None]:
    """Give what `solve` may call with its progress, and show it on standard error; None if nobody wants to see it.

    `limit` is the run's time limit, and `title` tells it from other runs. Without `lines`, nothing is shown where there is no terminal.
    """
    if quiet or sys.stderr is None or not (lines or sys.stderr.isatty()):
        yield None
        return
    shown = LiveLine if sys.stderr.isatty() else PlainLines
    line = shown(sys.stderr, unit, Clock(limit), title)
    try:
        yield line
    finally:
        line.close()


class _Shown(ABC):
    """Follows a run's progress until it is closed."""

    def __init__(self, stream: IO[str], unit: str, clock: Clock | None = None, title: str = "") -> None:
        self._stream = stream
        self._unit = unit
        self._clock = clock or Clock()
        self._title = title
        self._progress = Progress(0.0, None, None, "getting ready")
        self._trend = Trend()
        self._closed = threading.Event()
        # A thread, because what is waited for may be anywhere: in a solver, in an algorithm, in the building of a model.
        self._ticker = threading.Thread(target=self._tick, daemon=True)
        self._ticker.start()

    def __call__(self, progress: Progress) -> None:
        """Take note; the next tick shows it."""
        self._progress = progress

    def close(self) -> None:
        """Show nothing any more."""
        self._closed.set()
        self._ticker.join()

    def _tick(self) -> None:
        self._show()
        while not self._closed.wait(TICK):
            self._show()

    def _text(self, width: int | None) -> str:
        seconds, progress = self._clock.seconds(), self._progress
        self._trend.note(seconds, progress.gap)
        return progress_text(seconds, progress, self._unit, self._clock.left(), self._trend.text(), width, self._title)

    @abstractmethod
    def _show(self) -> None:
        """Show where the run stands, if it is time to."""

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            # Whoever looked is gone; the answer is not.
            self._closed.set()


class LiveLine(_Shown):
    """A line on a terminal, rewritten in place."""

    def __init__(self, stream: IO[str], unit: str, clock: Clock | None = None, title: str = "") -> None:
        self._shown = 0
        super().__init__(stream, unit, clock, title)

    def close(self) -> None:
        """Erase the line."""
        super().close()
        self._write(f"\r{' ' * self._shown}\r")

    def _show(self) -> None:
        text = self._text(shutil.get_terminal_size().columns - 1)
        self._write(f"\r{text.ljust(self._shown)}")
        self._shown = len(text)


class PlainLines(_Shown):
    """Lines that stay, for a file or a pipe."""

    def __init__(self, stream: IO[str], unit: str, clock: Clock | None = None, title: str = "") -> None:
        self._next, self._pause = FIRST_LINE, FIRST_LINE
        super().__init__(stream, unit, clock, title)

    def _show(self) -> None:
        text = self._text(None)
        if self._clock.seconds() >= self._next:
            self._write(f"{text.strip()}\n")
            self._next += self._pause
            self._pause = min(2 * self._pause, RAREST)


class Trend:
    """How the gap has changed of late.

    >>> trend = Trend()
    >>> for seconds, gap in ((60, "1/10"), (120, "1/20")):
    ...     trend.note(seconds, Fraction(gap))
    >>> trend.text()
    '-5.0/min'
    """

    def __init__(self) -> None:
        self._seen: deque[tuple[float, Fraction]] = deque()

    def note(self, seconds: float, gap: Fraction | None) -> None:
        """Remember the gap at a time, and forget what is too old to matter."""
        if gap is not None and seconds >= WINDOW:
            self._seen.append((seconds, gap))
        while len(self._seen) > 1 and self._seen[1][0] <= seconds - WINDOW:
            self._seen.popleft()

    def text(self) -> str:
        """Say by how many percentage points the gap changes in a minute; nothing as long as too little is known."""
        if not self._seen:
            return ""
        (then, before), (now, gap) = self._seen[0], self._seen[-1]
        if now - then < WINDOW:
            return ""
        change = float(gap - before) * 100 * 60 / (now - then)
        return f"{change:+.1f}/min" if abs(change) >= CALM else "steady"


def progress_text(
    seconds: float,
    progress: Progress,
    unit: str,
    left: float | None = None,
    trend: str = "",
    width: int | None = None,
    title: str = "",
) -> str:
    """Say where a run stands in at most `width` characters: what matters least is left out first.

    >>> now = Progress(12.0, 18037, 17019, "raising the bound")
    >>> progress_text(12.34, now, "stars", 47.7, "-0.4/min")
    ' 12 s, 48 left  18,037 stars  bound 17,019  gap 5.6 %, -0.4/min  raising the bound'
    >>> progress_text(12.34, now, "stars", 47.7, "-0.4/min", 66)
    ' 12 s, 48 left  18,037  bound 17,019  gap 5.6 %  raising the bound'
    """
    run, comma, question = title.partition(", ")
    parts = {
        "run": run,
        "question": comma + question,
        "pause": "  " if title else "",
        "seconds": f"{seconds:3.0f} s" if seconds >= 10 else f"{seconds:3.1f} s",
        "left": "" if left is None else f", {left:.0f} left",
        "cost": "" if progress.cost is None else f"  {exact_text(progress.cost)}",
        "unit": "" if progress.cost is None else f" {unit}",
        "bound": "" if progress.bound is None else f"  bound {exact_text(progress.bound)}",
        "gap": "" if progress.gap is None else f"  gap {_percent(float(progress.gap))}",
        "trend": f", {trend}" if trend and progress.gap is not None else "",
        "phase": f"  {progress.phase}" if progress.phase else "",
    }
    for least in ("unit", "trend", "phase", "question", "left", "bound", "run", "pause", "cost"):
        if width is None or sum(map(len, parts.values())) <= width:
            break
        parts[least] = ""
    return "".join(parts.values())[:width]


def _percent(gap: float) -> str:
    """Write a gap with a decimal; one that is not closed is never written as 0.

    >>> _percent(0.0556), _percent(0.00006), _percent(0.0)
    ('5.6 %', '< 0.1 %', '0.0 %')
    """
    return "< 0.1 %" if 0 < gap < 0.0005 else f"{100 * gap:.1f} %"
