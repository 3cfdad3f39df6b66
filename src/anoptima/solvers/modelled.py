"""A model on a backend: the solver named `model/backend`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from anoptima.answer import (
    Answer,
    BoundRaised,
    Budget,
    Clock,
    Event,
    Incumbent,
    Listener,
    Log,
    OptionValue,
    Origin,
    Proof,
    StartFate,
    Stop,
)
from anoptima.arguments import checked
from anoptima.deadline import within
from anoptima.errors import FalseClaim, NotApplicable, OutOfTime, SolverFailure
from anoptima.exact import Exact, exact_text, simplest
from anoptima.html import first_sentence, lines, text
from anoptima.machine import available_memory
from anoptima.models.base import LARGE, BuiltModel, Model, ModelSize
from anoptima.packages import behind, loading, set_aside
from anoptima.problems.base import Problem
from anoptima.registry import why_not_for
from anoptima.solvers.backends.base import Backend, Outcome
from anoptima.solvers.backends.registry import availability_of
from anoptima.solvers.backends.whole import LARGEST
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.claimed_values import as_values, decoded, outcome_of, require_cost, what_is_wrong
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.left_behind import apart

S = TypeVar("S")


FASTEST = 500_000_000
"""Bytes of a model (`ModelSize.memory`) that are built in a second at most: a few times what machines do (`benchmarks.build_time`)."""


_LOADED: set[type[Model[Any]]] = set()
"""The models whose language has been imported."""

BUILDING_SHARE = 0.9
"""The part of the time that building a model may take: one that is done later leaves no time for a search."""
DISCARDING_SHARE = 0.05
"""Taking a model apart takes this part of the time that building it took."""


class Modelled(Solver[S]):
    """Builds `model`, hands it to `backend`, and believes nothing: every solution is decoded, checked and costed by the problem."""

    kind = Kind.MODEL

    @checked
    def __init__(self, model: Model[S], backend: Backend) -> None:
        self.model = model
        self.backend = backend
        self.name = f"{model.name}/{backend.name}"

    def _repr_html_(self) -> str:
        return lines(
            f"solver {text(self.name)}", text(first_sentence(self.model)), f"solved by {text(self.backend.name)}"
        )

    def why_not(self, problem: Problem[Any]) -> str | None:
        """The model's reason, or that the backend does not take its language, or is not there."""
        if self.model.language not in self.backend.languages:
            return f"{self.backend.name} does not take models written in {self.model.language.value}"
        reason = why_not_for(self.model, problem.plain)
        if reason is not None:
            return reason
        available = availability_of(self.backend)
        return None if available else f"{self.backend.name} cannot be used here: {available.why}"

    def prepare(self, problem: Problem[S]) -> None:
        """Have the backend start its process, unless the problem has no solution that it could look for."""
        if problem.why_infeasible() is None and availability_of(self.backend):
            self.backend.prepare()

    def in_this_process(self) -> Modelled[S]:
        """Return the model on the same backend in the caller's process."""
        return Modelled(self.model, self.backend.in_this_process())

    def check_options(self, options: Mapping[str, OptionValue]) -> None:
        """Ask the backend."""
        if availability_of(self.backend):
            self.backend.check_options(options)

    def solve(
        self,
        problem: Problem[S],
        budget: Budget | None = None,
        start: S | None = None,
        listener: Listener | None = None,
        proof: Proof | None = None,
    ) -> Answer[S]:
        """Answer `problem` by the model's optimum, or by the best that the budget allows."""
        budget = budget or Budget()
        reason = self.why_not(problem)
        if reason is not None:
            raise NotApplicable(f"{self.name}: {reason}")
        ledger = Ledger(problem, self.name, budget, listener)
        impossible = ledger.open(start, proof)
        if impossible is not None:
            return impossible
        _require_room(ledger)
        if ledger.is_over():
            fate = StartFate.NONE if start is None else StartFate.UNUSED
            return ledger.answer(ledger.why_over(Stop.COMPLETE), versions=self.backend.versions(), start=fate)
        with ExitStack() as at_last:
            answer = self._search(problem, budget, start, ledger, at_last)
            if answer.stop is Stop.CANCELLED:
                # Somebody waits for the answer, and for nothing else.
                behind(at_last.pop_all().close)
            return answer

    def _load(self, ledger: Ledger[S]) -> None:
        """Import what the model is written in, the first time."""
        if type(self.model) not in _LOADED:
            with within(ledger.is_over):
                apart(self.model.load)
            _LOADED.add(type(self.model))

    def _search(
        self, problem: Problem[S], budget: Budget, start: S | None, ledger: Ledger[S], at_last: ExitStack
    ) -> Answer[S]:
        given = StartFate.NONE if start is None else StartFate.UNUSED
        starting = building = Clock()
        start_seconds = 0.0
        self.backend.prepare()
        try:
            self._load(ledger)
            start_seconds, building = starting.seconds(), Clock()
            ledger.phase(f"building the model {self.model.name}")
            left = ledger.clock.left()
            with loading(), within(ledger.is_over, None if left is None else BUILDING_SHARE * left):
                size = self.model.size(problem.plain)
                ledger.log(f"{self.name}: {size}")
                _require_time(size, ledger)
                built = self.model.build(problem.plain, available_memory() if budget.memory is None else budget.memory)
                built = built.kept(built.as_built)
                if size.memory >= LARGE:
                    at_last.enter_context(set_aside())
                at_last.callback(built.discard)
                values = None if start is None else built.encode(start)
        except (OutOfTime, KeyboardInterrupt) as cut_short:
            why = ledger.why_over(Stop.TIME if isinstance(cut_short, OutOfTime) else Stop.CANCELLED)
            # Not only time and Ctrl-C end a run: another solver beside this one may have proved the optimum.
            over = "the time was up" if why is Stop.TIME else "the run ended"
            ledger.notes.append(
                str(cut_short) if isinstance(cut_short, _NotBegun) else f"{over} before the model was built"
            )
            return ledger.answer(
                why,
                # To hear a program's version, it is run.
                versions={} if why is Stop.CANCELLED else self.backend.versions(),
                build_seconds=building.seconds(),
                start=given,
                start_seconds=start_seconds,
            )
        build_seconds = building.seconds()
        ledger.phase(f"{self.backend.name} searches, {size.variables:,} variables")
        relay = _Relay(built, ledger, self.backend.name)
        left = ledger.clock.left()
        try:
            # What the backend ends with is checked within the limit, and the model is taken apart.
            seconds = (
                None if left is None else max(0.0, left - ledger.known.checking - DISCARDING_SHARE * build_seconds)
            )
            found = self.backend.solve(built, replace(budget, seconds=seconds), values, relay)
            outcome = outcome_of(self.backend.name, found)
        except SolverFailure as failure:
            failure.answer = failure.answer or ledger.best()
            raise
        relay.close(outcome)
        if budget.options:
            told = ", ".join(f"{name} = {value}" for name, value in budget.options.items())
            ledger.notes.append(f"what {self.backend.name} claims, it claims under the options {told}")
        ledger.notes.extend(outcome.notes)
        return ledger.answer(
            relay.why_over(outcome.stop),
            versions={**self.backend.versions(), **outcome.versions},
            build_seconds=build_seconds,
            model_size=size.as_dict(),
            start=outcome.start if start is not None else StartFate.NONE,
            start_seconds=start_seconds + outcome.start_seconds,
        )


class _NotBegun(OutOfTime):
    """There is not enough time to build a model."""


def _require_time(size: ModelSize, ledger: Ledger[Any]) -> None:
    """Raise `_NotBegun` if building the model surely takes longer than is left: half a model is of no use."""
    left, least = ledger.clock.left(), size.memory / FASTEST
    if left is not None and least > left:
        raise _NotBegun(
            f"the model was not built: {size} take {least:,.0f} s at least, and {left:,.1f} s of the time limit were left"
        )


def _require_room(ledger: Ledger[Any]) -> None:
    """Raise `NotApplicable` if doubles, which all backends report, do not tell costs as large as those of known solutions apart."""
    scaled = (ledger.cost or 0) * ledger.problem.cost_scale
    if scaled > LARGEST:
        raise NotApplicable(
            f"{ledger.solver}: a solution that is known costs {exact_text(scaled)} in units of 1/{ledger.problem.cost_scale}, and "
            "above 2^53 backends no longer tell costs apart; give weights with fewer digits"
        )


class _Relay:
    """Hears a backend's events in the model's terms and enters them in the ledger in the problem's."""

    def __init__(self, built: BuiltModel[Any], ledger: Ledger[Any], backend: str) -> None:
        self._built = built
        self._ledger = ledger
        self._backend = backend
        self._cut_short = False
        self.wants_log = ledger.wants_log

    def __call__(self, event: Event) -> bool:
        if isinstance(event, Incumbent) and event.solution is not None:
            self._offer(event.solution, event.cost)
        elif isinstance(event, BoundRaised):
            self._bound(event.bound)
        elif isinstance(event, Log):
            self._ledger.log(event.line)
        # A bound may close the gap before the backend itself has noticed, and whoever listens to the ledger may have had enough.
        return self._ledger.is_over() and (self._ledger.cancelled or self._ledger.is_closed())

    def close(self, outcome: Outcome) -> None:
        """Enter the backend's result, and check its claims against the problem."""
        if outcome.infeasible:
            raise FalseClaim(self._backend, "claimed that no solution exists, and one is known", self._ledger.best())
        if outcome.values is not None:
            self._offer(outcome.values, outcome.objective)
        if outcome.bound is not None:
            self._bound(outcome.bound)
        if outcome.stop is Stop.PROVED and not self._ledger.is_closed() and not self._cut_short:
            raise FalseClaim(
                self._backend,
                f"claimed an optimum of {outcome.objective} with bound {outcome.bound}, in units of 1/{self._built.problem.cost_scale}; "
                f"the checker knows cost {self._ledger.cost} and bound {self._ledger.bound}",
                self._ledger.best(),
            )

    def why_over(self, stop: Stop) -> Stop:
        """Say why the run ends, where the backend says `stop`."""
        if stop is not Stop.PROVED:
            return self._ledger.why_over(stop)
        return self._ledger.why_over(Stop.TIME) if self._cut_short else Stop.PROVED

    def _offer(self, values: Any, objective: Exact | None) -> None:
        found = as_values(self._backend, values)
        try:
            with within(lambda: False, self._ledger.clock.left()):
                wrong = what_is_wrong(self._built.read(), found, objective)
                if wrong is not None:
                    raise FalseClaim(
                        self._backend, f"returned values that break the model: {wrong}", self._ledger.best()
                    )
                solution = decoded(self._built, found, self._backend, self._ledger.best())
        except OutOfTime:
            if not self._cut_short:
                self._ledger.notes.append(f"there was no time to read what {self._backend} found last")
            self._cut_short = True
            return
        self._ledger.offer(solution, self._backend)
        if objective is not None:
            require_cost(self._built, solution, objective, self._backend, self._ledger.best())

    def _bound(self, bound: Exact) -> None:
        self._ledger.raise_bound(self._cost(bound), Origin.BACKEND, self._backend)

    def _cost(self, objective: Exact) -> Exact:
        return simplest(Fraction(objective) / self._built.problem.cost_scale)
