"""Events during a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from anoptima.answer.claims import Origin, Proof, Stop, relative_gap
from anoptima.arguments import checked
from anoptima.exact import Exact


@dataclass(frozen=True, slots=True)
class Started:
    """A solver has begun."""

    seconds: float
    by: str


@dataclass(frozen=True, slots=True)
class Incumbent:
    """A better solution is known. `solution` is in the terms of whoever listens: a problem's solution, or a model's values."""

    seconds: float
    cost: Exact
    solution: Any = None


@dataclass(frozen=True, slots=True)
class BoundRaised:
    """A better bound is claimed, or proved by `proof`."""

    seconds: float
    bound: Exact
    proof: Proof | None = None
    origin: Origin | None = None
    """Where the bound is from; None for a backend's own."""


@dataclass(frozen=True, slots=True)
class Log:
    """A line that a person may want to read."""

    seconds: float
    line: str


@dataclass(frozen=True, slots=True)
class StillRunning:
    """Nothing new has happened for a while; the listener may ask the solver to stop."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Phase:
    """The solver begins another phase, named in a few words."""

    seconds: float
    words: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The solver has ended."""

    seconds: float
    stop: Stop


Event = Started | Incumbent | BoundRaised | Log | StillRunning | Phase | Finished

Listener = Callable[[Event], "bool | None"]
"""Called with every event, in order; returning True asks the solver to stop and give the best it has."""


def wants_log(listener: Listener | None) -> bool:
    """Return whether somebody listens to lines of a log: solvers write thousands. A listener that does not has a false `wants_log`."""
    return listener is not None and bool(getattr(listener, "wants_log", True))


@checked
@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a run, as `on_progress` receives it and a trace keeps it.

    >>> Progress(2.5, 57, 54).gap
    Fraction(1, 19)
    """

    seconds: float
    cost: Exact | None
    bound: Exact | None
    phase: str = ""
    """What the solver is at; left out in traces."""
    _best: Any = field(default=None, repr=False, compare=False)

    def solution(self) -> Any:
        """Return the solution that has this cost, as the problem's checker saw it; None while none is known, and in traces."""
        return self._best

    @property
    def gap(self) -> Fraction | None:
        """(cost - bound) / cost, or None while either is unknown."""
        return relative_gap(self.cost, self.bound)


Trace = tuple[Progress, ...]
"""Costs and bounds over time, for plots."""
