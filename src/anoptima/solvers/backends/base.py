"""What a backend is: something that solves a built model under a budget, reports as it goes, and never overstates.

The contract, in full: a backend

- says which languages it takes, what it can do (`capabilities`), and whether it is there (`availability`), without importing
  its native library;
- returns OPTIMAL-worthy outcomes (`Stop.PROVED`) only with a gap of zero in the model's whole-numbered objective;
- returns bounds that are never above the optimum;
- stops within a second of its limit, and when its listener asks for it, and gives the best it has;
- says what became of the start.

A plug-in is a subclass of `Backend`, or of `BackendFamily`, and one entry point in the group `anoptima.backends`.
`isolation.Isolated` does the part that is the same for every native library: a process of its own, limits, crashes, interruption.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from anoptima.answer import Budget, Listener, OptionValue, StartFate, Stop
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.models.base import BuiltModel, Language, Values


class Capability(enum.Enum):
    """What a backend may be able to do."""

    WARM_START = "warm start"
    INCUMBENTS = "incumbents"
    BOUND = "bound"
    CANCEL = "cancel"
    DETERMINISTIC = "deterministic"
    MEMORY_LIMIT = "memory limit"


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a backend can be used here; truthy when it can, and otherwise says why not."""

    usable: bool
    why: str = ""

    def __bool__(self) -> bool:
        return self.usable


@dataclass(frozen=True)
class Outcome:
    """What a backend found and why it stopped.

    Attributes
    ----------
    stop
        PROVED: `values` are optimal, or the model is infeasible. GAP, TIME, MEMORY, NODES, CANCELLED: a limit.
    infeasible
        The backend proved that the model has no solution at all.
    values
        The best values found, or None.
    objective
        The objective at `values`, as the backend sees it, rounded to the whole number it stands for.
    bound
        No solution's objective is below it, says the backend; whole, or None when it has none.
    start_seconds
        How many of the `seconds` passed before the solver was there to begin.
    solver_seconds
        How many of the `seconds` passed in the solver, if it ended by itself.
    """

    stop: Stop
    infeasible: bool
    values: Values | None
    objective: Exact | None
    bound: Exact | None
    start: StartFate
    seconds: float
    versions: Mapping[str, str]
    notes: tuple[str, ...] = field(default=())
    start_seconds: float = 0.0
    solver_seconds: float = 0.0


class Backend(ABC):
    """A solver of built models. Stateless between calls, made without arguments."""

    name: str
    languages: frozenset[Language]
    capabilities: frozenset[Capability]

    @abstractmethod
    def availability(self) -> Availability:
        """Tell whether the backend can be used here, cheaply: no licence is taken, no native library loaded."""

    @abstractmethod
    def versions(self) -> Mapping[str, str]:
        """Return the exact versions of the distributions that would do the solving."""

    def prepare(self) -> None:  # noqa: B027 - there need not be anything to prepare
        """Get ready, without waiting, for a `solve` that is to come; called before a model is built."""

    def in_this_process(self) -> Backend:
        """Return this backend with its solver in the caller's process, if it can do without one of its own; else the backend itself."""
        return self

    def check_options(self, options: Mapping[str, OptionValue]) -> None:
        """Raise `BadInput`, naming the backend and the option, unless it takes `options`, under the names that it has for them."""
        if options:
            raise BadInput(f"{self.name} takes no options, and {next(iter(options))!r} is given")

    @abstractmethod
    def solve(
        self,
        model: BuiltModel[Any],
        budget: Budget,
        start: Values | None = None,
        listener: Listener | None = None,
    ) -> Outcome:
        """Solve `model` within `budget`.

        `start` is a complete vector of values (`BuiltModel.encode`). `listener` hears `Started`, `Incumbent` (its `solution` is a
        vector of values), `BoundRaised`, `Log`, `StillRunning` and `Finished`; costs and bounds in those events are in the model's
        objective. Raises `SolverFailure`, naming the backend, if the solver crashes, and `NotApplicable` if the model is unbounded or
        in a language that the backend does not take. A solver that hangs is ended at its limit, and a note of the outcome says so.
        """


class BackendFamily(ABC):
    """Backends of one make, named `family:member`: behind one entry point, with `name` for a prefix. Made without arguments."""

    name: str

    @abstractmethod
    def members(self) -> Sequence[str]:
        """Return the members that are known to be here, cheaply: what a listing shows. Others may be asked for by name."""

    def related(self, word: str) -> Sequence[str]:
        """Return the members whose names contain `word`, those that work here first: what somebody may have meant by it."""
        return [member for member in self.members() if word in member]

    @abstractmethod
    def member(self, name: str) -> Backend:
        """Return a member, whether it can be used here or not. Raises `BadInput`, saying what is allowed, if none can be called that."""
