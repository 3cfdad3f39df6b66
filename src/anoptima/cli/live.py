"""The line that a person sees while a solver works: seconds, best cost, bound, gap; rewritten in place, gone at the end."""

from __future__ import annotations

import shutil
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TypeVar

from anoptima.answer import Answer, Budget, Clock, Progress
from anoptima.exact import exact_text
from anoptima.problems.base import Problem
from anoptima.solvers.solving import OnProgress, solve

S = TypeVar("S")

TICK = 0.25
"""Seconds between two looks of the line at the clock, so that it moves even while nothing is found."""


def solve_live(problem: Problem[S], arguments: Namespace, budget: Budget) -> Answer[S]:
    """Solve as `arguments.add_solver` and `add_budget` let a person ask, with the line for as long as it takes."""
    with live(problem.unit, quiet=arguments.quiet) as on_progress:
        return solve(
            problem,
            arguments.solver,
            time_limit=budget.seconds,
            gap=budget.gap,
            threads=budget.threads,
            memory=budget.memory,
            seed=budget.seed,
            start="auto" if arguments.start == "auto" else None,
            certificate=None if getattr(arguments, "certificate", None) is None else True,
            checkpoint=getattr(arguments, "checkpoint", None),
            on_progress=on_progress,
        )


@contextmanager
def live(unit: str, *, quiet: bool) -> Iterator[OnProgress | None]:
    """Give what `solve` may call with its progress: a live line on standard error if that is a terminal, None if not."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    line = LiveLine(sys.stderr, unit)
    try:
        yield line
    finally:
        line.close()


class LiveLine:
    """A line on a terminal that follows a run's progress until it is closed."""

    def __init__(self, stream: IO[str], unit: str) -> None:
        self._stream = stream
        self._unit = unit
        self._clock = Clock()
        self._progress = Progress(0.0, None, None)
        self._shown = 0
        self._closed = threading.Event()
        # A thread, because what is waited for may be anywhere: in a solver, in an algorithm, in the building of a model.
        self._ticker = threading.Thread(target=self._tick, daemon=True)
        self._ticker.start()

    def __call__(self, progress: Progress) -> None:
        """Take note; the next tick shows it."""
        self._progress = progress

    def close(self) -> None:
        """Erase the line."""
        self._closed.set()
        self._ticker.join()
        self._show("")

    def _tick(self) -> None:
        while not self._closed.is_set():
            self._show(progress_text(self._clock.seconds(), self._progress, self._unit))
            self._closed.wait(TICK)

    def _show(self, text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        try:
            self._stream.write(f"\r{text.ljust(self._shown)}" if text else f"\r{' ' * self._shown}\r")
            self._stream.flush()
        except OSError:
            # The terminal is gone; the answer is not.
            self._closed.set()
        self._shown = len(text)


def progress_text(seconds: float, progress: Progress, unit: str) -> str:
    """Say where a run stands.

    >>> progress_text(12.34, Progress(12.0, 54, 51), "stars")
    '   12.3 s  best 54 stars  bound 51  gap 5.6 %'
    """
    parts = [f"{seconds:7.1f} s"]
    if progress.cost is not None:
        parts.append(f"best {exact_text(progress.cost)} {unit}")
    if progress.bound is not None:
        parts.append(f"bound {exact_text(progress.bound)}")
    if progress.gap is not None:
        parts.append(f"gap {float(progress.gap):.1%}".replace("%", " %"))
    return "  ".join(parts)
