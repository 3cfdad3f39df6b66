"""A broken version of a reduction."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from anoptima.deadline import within
from anoptima.errors import AnoptimaError, OutOfTime
from anoptima.problems.base import Problem
from anoptima.reductions.base import Reduced, Reduction
from anoptima.testing.soundness import questions

LONGEST_S = 600
"""Seconds after which a broken version is taken for one whose loops never end; others take a few for a problem."""


class ChangeFailed(Exception):
    """A change that could not be made: nothing was broken, and so there was nothing to notice."""


@dataclass(frozen=True)
class Mutant:
    """A reduction with one change. `noticed` says by what complaint; None if nobody did."""

    reduction: str
    sort: str
    change: str
    broken: Reduction[Any, Any] = field(repr=False, compare=False)

    def noticed(self, problems: list[Problem[Any]], seed: int = 0) -> str | None:
        """Put the broken reduction to the test on each source until somebody complains; return the complaint."""
        for problem in problems:
            try:
                with within(lambda: False, LONGEST_S):
                    for _ in questions(self.broken, problem, random.Random(seed)):
                        pass
            except ChangeFailed:
                raise
            except OutOfTime:
                return f"it has not come to an end within {LONGEST_S} s"
            except Exception as complaint:  # noqa: BLE001  (whatever breaks is what is wanted here)
                return f"{type(complaint).__name__}: {complaint}"
        return None


# ---- data ---------------------------------------------------------------------------------------------------------------------
class Changed(Reduction[Any, Any]):
    """A reduction whose result is changed."""

    def __init__(self, inner: Reduction[Any, Any], change: Callable[[Reduced[Any, Any]], Reduced[Any, Any]]) -> None:
        self.name = inner.name
        self.cites = inner.cites
        self._inner = inner
        self._change = change

    def why_not(self, problem: Problem[Any]) -> str | None:
        """As it was."""
        return self._inner.why_not(problem)

    def target_size(self, problem: Problem[Any]) -> dict[str, int]:
        """As it was."""
        return dict(self._inner.target_size(problem))

    def apply_unchecked(self, problem: Problem[Any]) -> Reduced[Any, Any]:
        """Change what comes out. What the problem's own checks refuse is noticed; any other failure is the change's own."""
        reduced = self._inner.apply_unchecked(problem)
        try:
            return self._change(reduced)
        except AnoptimaError:
            raise
        except Exception as error:
            raise ChangeFailed(f"{self.name}: {type(error).__name__}: {error}") from error
