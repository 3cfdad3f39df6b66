"""What a backend's process and the one that asked it say to each other."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import OptionValue, StartFate, Stop
from anoptima.solvers.backends.rounding import Reported

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may spend.

    Attributes
    ----------
    deadline
        When to stop, on the clock of `time.monotonic`, which parent and child share; None means never.
    gap
        Stop once (objective - bound) / objective is at most this.
    threads, memory, seed
        As in `Budget`.
    log
        Whether anybody listens to the lines of a log.
    whole
        Whether the objective is whole at an optimum, so that a search may end as soon as less than 1 is left open.
    options
        Options under the solver's own names; `Isolated.why_not_options` has seen them.
    here
        Whether the solver runs in the process of the caller, where other solvers may run, too.
    """

    deadline: float | None
    gap: Fraction
    threads: int | None
    memory: int | None
    seed: int
    log: bool
    whole: bool = True
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    here: bool = False

    def seconds(self) -> float | None:
        """Return the seconds that are left now, at least 0; None if there is no limit."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    @property
    def absolute_gap(self) -> float:
        """What a search may leave open between its bound and its best objective.

        Below 1 where the objective is whole at the optimum (`models.base`): a bound above UB - 1 proves UB. It is not 0.999..., to leave
        room for the error e of `rounding` on both numbers: ceil(UB - 0.99 - e) = UB.
        """
        return 0.99 if self.whole else 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """How a run ended, in the solver's own numbers; what was reported on the way need not be repeated. `TypeError` for what is no number.

    Attributes
    ----------
    stop
        PROVED if the solver claims an optimum or infeasibility, GAP, TIME, MEMORY, NODES, or CANCELLED after a stop sign.
    objective, values
        The best that was found, if it was not reported as an incumbent.
    bound
        The final bound, if it was not reported. It is rounded to a whole number on the safe side.
    infeasible
        The model was proved to have no solution.
    """

    stop: Stop
    objective: Reported | None = None
    values: Values | None = None
    bound: Reported | None = None
    infeasible: bool = False
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.stop, Stop):
            raise TypeError(f"the stop of a result is {self.stop!r:.100}; it must be a Stop")
        if not isinstance(self.notes, tuple | list) or not all(isinstance(note, str) for note in self.notes):
            raise TypeError(f"the notes of a result are {self.notes!r:.100}; they must be texts in a tuple")
        for value in (self.objective, self.bound):
            if value is not None:
                _require_number(value)
        if self.values is not None:
            object.__setattr__(self, "values", np.asarray(self.values, dtype=np.float64))


def _require_number(value: object) -> None:
    if not isinstance(value, Real):
        raise TypeError(f"an objective or a bound is {value!r:.100}; it must be a number")


@dataclass(frozen=True, slots=True)
class Request:
    """One model to solve."""

    payload: Any
    limits: Limits
    start: Values | None


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Options to look at, ahead of a model."""

    options: Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class SaidOptions:
    """What is wrong with the options; None if nothing is."""

    why_not: str | None


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker is up."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The worker cannot come up; `why` says what could not be imported or made."""

    why: str


@dataclass(frozen=True, slots=True)
class Spent:
    """A run is over: it took `seconds`, and by `grown` bytes the worker holds more than when it came up, what libraries keep or leak."""

    seconds: float
    grown: int = 0


@dataclass(frozen=True, slots=True)
class FoundIncumbent:
    """A better solution."""

    objective: Reported
    values: Values

    def __post_init__(self) -> None:
        _require_number(self.objective)


@dataclass(frozen=True, slots=True)
class FoundBound:
    """A better bound."""

    value: Reported

    def __post_init__(self) -> None:
        _require_number(self.value)


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of the start."""

    fate: StartFate


@dataclass(frozen=True, slots=True)
class FoundLines:
    """Lines of the solver's log."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Raised:
    """The run ended in an exception. `kind` is one of `not-applicable`, `import`, `memory`, `error`."""

    kind: str
    what: str


Message = Ready | Broken | Spent | FoundIncumbent | FoundBound | Judged | FoundLines | Result | Raised | SaidOptions
