"""A native solver in a process of its own: what it does to itself, it does to nobody else.

`Isolated` is what a backend for a native library derives from. It starts the process, keeps it for the next model, enforces the
limits, passes on events and Ctrl-C, ends hangs, turns crashes into errors that name the backend, and refuses what cannot be true.
The author of a backend writes two methods:

    class MySolver(Isolated):
        name = "my-solver"
        requires = {"mysolver": "my-solver-distribution"}
        languages = frozenset({Language.PYOMO})
        capabilities = frozenset({Capability.INCUMBENTS, Capability.BOUND})

        def payload(self, model, budget):                       # in the caller's process: what travels, picklable
            return model.matrix

        def run(self, payload, limits, start, report):          # in the solver's process
            import mysolver                                     # native libraries are imported here, never at the top
            ...
            report.incumbent(objective, values)
            return Result(Stop.PROVED, bound=bound)

Numbers are handed over as the solver gives them; they are made exact in one place (`rounding`), and a proof of optimality is believed
only if the rounded bound reaches the objective.

How a run is asked, heard and ended is in `running`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from typing import Any, ClassVar

from anoptima.answer import Budget, Finished, Listener, OptionValue, Started, StartFate
from anoptima.deadline import within
from anoptima.errors import BadInput, NotApplicable, OutOfTime
from anoptima.machine import is_installed
from anoptima.models.base import BuiltModel, Values
from anoptima.solvers.backends.base import Availability, Backend, Capability, Outcome
from anoptima.solvers.backends.here import Here
from anoptima.solvers.backends.interrupt import Interrupts
from anoptima.solvers.backends.messages import Limits, Result
from anoptima.solvers.backends.process import POOL, Pooled
from anoptima.solvers.backends.running import LAST_WORD, PROMPT, Run, Workers
from anoptima.solvers.backends.worker import Report

__all__ = ["Isolated", "Limits", "Report", "Result"]


class Isolated(Backend):
    """A backend whose solver runs in a process of its own.

    Attributes
    ----------
    requires
        The packages that `run` imports, each with the distribution that it is installed from.
    loads
        The modules that the solver's process imports as it comes up, so that the time is not a run's; by default, those packages.
    set_by_solve
        Of the options that the solver has, those that arguments of `solve` set, each with its argument; None if `run` takes no options.
    """

    requires: ClassVar[Mapping[str, str]]
    loads: ClassVar[Sequence[str]] = ()
    set_by_solve: ClassVar[Mapping[str, str] | None] = None

    grace: float | None = None
    """Seconds that a cancelled run has to end by itself before its process is killed; None: as many as a person who waits allows."""

    isolated = True
    """Whether the solver runs in a process of its own; that of `in_this_process` does not."""

    @abstractmethod
    def payload(self, model: BuiltModel[Any], budget: Budget) -> Any:
        """Return what the solver's process needs of `model`, picklable. Raise `NotApplicable` if the backend cannot take it."""

    @abstractmethod
    def run(self, payload: Any, limits: Limits, start: Values | None, report: Report) -> Result:
        """Solve, in the solver's process, and return how it ended.

        Keep to `limits.seconds()`, look at `report.should_stop()` or leave a function with `report.when_stopped`, report incumbents
        and bounds as they come. Raise `NotApplicable` if the model turns out to be unbounded. Any other exception becomes a
        `SolverFailure`.
        """

    def why_not_options(self, options: Mapping[str, OptionValue]) -> str | None:
        """Say, in the solver's process, which of `options` the solver does not know, or cannot be set to its value; None if all will do.

        `run` finds them in `limits.options`. Only for backends that take options.
        """
        return None

    def load(self) -> None:
        """Import what `run` needs, in the solver's process."""
        for module in self.loads or self.requires:
            importlib.import_module(module)

    def availability(self) -> Availability:
        """Look for the packages, without importing them."""
        missing = [package for package in self.requires if not is_installed(package)]
        if not missing:
            return Availability(True)
        return Availability(
            False, f"{', '.join(missing)} is not installed (pip install {' '.join(self.requires[p] for p in missing)})"
        )

    def versions(self) -> Mapping[str, str]:
        """Return the versions of the distributions that `requires` names."""
        return {name: _version(name) for name in self.requires.values()}

    def in_this_process(self) -> Isolated:
        """Return this backend with its solver on a thread of this process; see `Backend.in_this_process`."""
        found = copy(self)
        found.isolated = False
        return found

    def _workers(self) -> Workers:
        return Pooled(_key(self)) if self.isolated else Here(self)

    def check_options(self, options: Mapping[str, OptionValue]) -> None:
        """Raise `BadInput` unless the solver takes `options`; see `Backend.check_options`."""
        if self.set_by_solve is None:
            super().check_options(options)
            return
        for name in options:
            if name in self.set_by_solve:
                raise BadInput(
                    f"the option {name!r} of {self.name} is set by {self.set_by_solve[name]} of solve; give that"
                )
        if options:
            with Interrupts() as interrupts:
                wrong = Run(self.name, {}, Budget(), None).about_options(self._workers(), options, interrupts)
            if wrong is not None:
                raise BadInput(f"{self.name}: {wrong}")

    def prepare(self) -> None:
        """Start a process, unless one is idle, so that it comes up while the caller builds the model."""
        if self.isolated and self.availability():
            POOL.prepare(_key(self))

    def solve(
        self,
        model: BuiltModel[Any],
        budget: Budget,
        start: Values | None = None,
        listener: Listener | None = None,
    ) -> Outcome:
        """Solve `model` within `budget`; see `Backend.solve`."""
        if model.language not in self.languages:
            taken = " or ".join(sorted(language.value for language in self.languages))
            raise NotApplicable(
                f"the backend {self.name} takes models written in {taken}, not in {model.language.value}"
            )
        availability = self.availability()
        if not availability:
            raise NotApplicable(f"the backend {self.name} cannot be used here: {availability.why}")
        # One that tells of nothing before its end must have some time to say what it found.
        grace = self.grace or (PROMPT if Capability.INCUMBENTS in self.capabilities else LAST_WORD)
        run = Run(self.name, self.versions(), budget, listener, grace, whole=model.whole_objective)
        if start is not None:
            run.fate = StartFate.UNUSED
        with Interrupts() as interrupts:
            run.tell(Started(run.clock.seconds(), self.name))
            try:
                with within(run.clock.is_over, run.clock.left()):
                    payload = self.payload(model, budget)
                outcome = run.over_before_it_began() or run.in_worker(self._workers(), payload, start, interrupts)
            except OutOfTime:
                outcome = run.interrupted()
            run.tell(Finished(run.clock.seconds(), outcome.stop))
            return outcome


@cache
def _version(distribution: str) -> str:
    return importlib.metadata.version(distribution)


def _key(backend: Isolated) -> tuple[str, str]:
    return type(backend).__module__, type(backend).__qualname__
