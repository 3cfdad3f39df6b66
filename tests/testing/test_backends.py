"""The suite for backends has teeth: whatever a backend may do wrong, some check turns red over it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from anoptima.answer import Budget, Event, Finished, Incumbent, Listener, StartFate, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.solvers.backends.base import Availability, Backend, Capability, Outcome
from anoptima.solvers.backends.highs import Highs
from anoptima.testing import Check, State, check_backend
from anoptima.testing.backend_demands import TOLERANCE
from anoptima.testing.checks import Broken, Fault
from anoptima.testing.programs import knapsack
from anoptima.testing.workers import make_ready
from tests.plugin.liars import FalselyInfeasible, Quiet, SlowToLoad
from tests.processes import PATIENCE


class Faulty(Backend):
    """HiGHS, with a fault."""

    name = "faulty"
    languages = frozenset({Language.PYOMO})
    capabilities = frozenset(Capability)

    def availability(self) -> Availability:
        return Availability(True)

    def versions(self) -> dict[str, str]:
        return {"highspy": "1.0"}

    def solve(
        self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
    ) -> Outcome:
        return Highs().solve(model, budget, start, listener)


def distort(change: Callable[[Outcome], Outcome]) -> type[Faulty]:
    class Distorting(Faulty):
        def solve(
            self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
        ) -> Outcome:
            return change(super().solve(model, budget, start, listener))

    return Distorting


def with_budget(change: Callable[[BuiltModel[Any], Budget], Budget]) -> type[Faulty]:
    class Spending(Faulty):
        def solve(
            self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
        ) -> Outcome:
            return super().solve(model, change(model, budget), start, listener)

    return Spending


def shorter(model: BuiltModel[Any], budget: Budget) -> Budget:
    """Allow half a second, spent by a worker that is up, where the program is beyond reach."""
    if model.matrix.columns < 10:
        return budget
    make_ready(Highs())
    return dataclasses.replace(budget, seconds=0.5)


class Silent(Faulty):
    """Tells nothing."""

    def solve(
        self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
    ) -> Outcome:
        return super().solve(model, shorter(model, budget), start)


class Endless(Faulty):
    """Swallows its last event."""

    def solve(
        self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
    ) -> Outcome:
        def hear(event: Event) -> bool:
            return bool(listener and not isinstance(event, Finished) and listener(event))

        return super().solve(model, budget, start, hear)


class Deaf(Faulty):
    """Does not stop when asked."""

    def solve(
        self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
    ) -> Outcome:
        def hear(event: Event) -> bool:
            if listener is not None:
                listener(event)
            return False

        return super().solve(model, shorter(model, budget), start, hear)


class Forgetful(Faulty):
    """Does not look at its start."""

    def solve(
        self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
    ) -> Outcome:
        return super().solve(model, budget, None, listener)


class Polyglot(Faulty):
    """Takes whatever it is given."""

    def solve(
        self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
    ) -> Outcome:
        if model.language is not Language.PYOMO:
            return Outcome(Stop.TIME, False, None, None, None, StartFate.NONE, 0.0, {"x": "1"})
        return super().solve(model, budget, start, listener)


class Boundless(Faulty):
    """Gives what it has of a program without an optimum."""

    def solve(
        self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
    ) -> Outcome:
        try:
            return super().solve(model, budget, start, listener)
        except NotApplicable:
            return Outcome(Stop.TIME, False, None, None, None, StartFate.NONE, 0.0, {"x": "1"})


class Unversioned(Faulty):
    def versions(self) -> dict[str, str]:
        return {"highspy": "unknown"}


def raised(outcome: Outcome) -> Outcome:
    return dataclasses.replace(outcome, bound=None if outcome.bound is None else outcome.bound + 1)


def emptied(outcome: Outcome) -> Outcome:
    return dataclasses.replace(outcome, values=None if outcome.values is None else 0 * outcome.values)


FAULTS: list[tuple[type[Faulty], str, str]] = [
    (Unversioned, "it says what it is", "a version does not begin with a digit"),
    (Polyglot, "a language that it does not take is refused", "it took a model written in cp-sat"),
    (Boundless, "unbounded is refused", "the model is unbounded; it ended with None"),
    (Silent, "optimal", "the first event is not Started"),
    (Endless, "optimal", "the last event is"),
    (distort(raised), "optimal", "the bound 9 is above the objective 8"),
    (distort(emptied), "optimal", "a solution is none"),
    (distort(lambda outcome: dataclasses.replace(outcome, bound=None)), "optimal", "claimed with the bound None"),
    (distort(lambda outcome: dataclasses.replace(outcome, stop=Stop.GAP)), "optimal", "it ended with 8, bound 8 (gap)"),
    (distort(lambda outcome: dataclasses.replace(outcome, versions={})), "optimal", "which versions were at work"),
    (
        distort(lambda outcome: dataclasses.replace(outcome, infeasible=False)),
        "infeasible",
        "an optimum of None is claimed",
    ),
    (
        distort(lambda outcome: dataclasses.replace(outcome, objective=1_000_000, bound=1_000_000)),
        "agreement with enumeration",
        "random program 0: ",
    ),
    (
        with_budget(lambda _, budget: dataclasses.replace(budget, gap=max(budget.gap, Budget.of(gap="1e-5").gap))),
        "gap zero means zero",
        "the optimum is ",
    ),
    (
        distort(lambda outcome: dataclasses.replace(outcome, seconds=outcome.seconds + 3600)),
        "a time limit, with an incumbent",
        " s with a limit of 1.5 s",
    ),
    (
        with_budget(lambda model, budget: dataclasses.replace(shorter(model, budget), memory=None)),
        "a memory limit",
        "with one megabyte it ended with time",
    ),
    (Forgetful, "a start that is no solution does no harm", "met with the fate 'none given'"),
    (Forgetful, "a warm start is accepted and never made worse", "its fate is 'none given'"),
    (Silent, "progress is told", "no incumbent was told"),
    (Deaf, "the listener interrupts it", "it ended with time, though it was asked to stop"),
    (Silent, "a listener that fails is heard", "the listener's exception was swallowed"),
]


def named(backend: Backend, name: str) -> Check:
    return next(check for check in check_backend(backend) if check.name == name)


@pytest.mark.parametrize(
    ("fault", "name", "words"), FAULTS, ids=[f"{fault.__name__}-{name}" for fault, name, _ in FAULTS]
)
def test_faults_are_found(fault: type[Faulty], name: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.testing.backend_demands.LATENESS", PATIENCE)
    verdict = named(fault(), name)()
    assert verdict.state is State.RED, str(verdict)
    assert words in verdict.words


def test_what_is_not_claimed_is_refused_with_a_reason() -> None:
    class Modest(Faulty):
        capabilities = frozenset()

    for name, capability in (
        ("a memory limit", "memory limit"),
        ("progress is told", "incumbents"),
        ("the listener interrupts it", "cancel"),
        ("the same seed gives the same answer", "deterministic"),
    ):
        verdict = named(Modest(), name)()
        assert (verdict.state, verdict.words) == (
            State.REFUSED,
            f"faulty does not claim the capability '{capability}'",
        )
    assert named(Modest(), "a crash is named")().words == "it runs in the caller's process, which a crash would end"
    assert named(Modest(), "a hang is ended")().words == "it runs in the caller's process, which a hang would hold"


def test_a_backend_that_is_not_here_is_refused_and_left_alone() -> None:
    class Absent(Faulty):
        def availability(self) -> Availability:
            return Availability(False, "its licence has run out")

    (only,) = check_backend(Absent())
    verdict = only()
    assert (verdict.state, verdict.words) == (State.REFUSED, "its licence has run out")


def test_an_exception_is_red_and_named() -> None:
    class Raising(Faulty):
        def solve(self, *_: Any, **__: Any) -> Outcome:
            raise KeyError("moon")

    verdict = named(Raising(), "optimal")()
    assert (verdict.state, verdict.words) == (State.RED, "KeyError: 'moon'")
    with pytest.raises(AssertionError, match=r"^faulty: optimal: red, a bug: KeyError"):
        named(Raising(), "optimal").require()


@pytest.mark.parametrize("name", ["a crash is named", "a hang is ended"])
def test_a_solver_that_says_nothing_is_struck_all_the_same(name: str) -> None:
    assert named(Quiet(), name)().state is State.GREEN


@pytest.mark.parametrize("name", ["a crash is named", "a hang is ended"])
def test_what_could_not_be_struck_is_red(name: str) -> None:
    verdict = named(FalselyInfeasible(), name)()
    assert (verdict.state, verdict.fault) == (State.RED, Fault.BUG)
    assert verdict.words.startswith("it could not be tested: its process was to be struck ")
    assert verdict.words.endswith("by then its run was over: it called the model infeasible (proved)")


def test_loading_is_not_counted() -> None:
    backend = SlowToLoad()
    make_ready(backend)
    outcome = backend.solve(knapsack(), Budget(seconds=0.5))
    assert "still starting" not in " ".join(outcome.notes)
    assert named(backend, "a bound is never above the optimum")().state is State.GREEN


def test_values_are_taken_as_doubles_are() -> None:
    statement = knapsack().statement
    assert statement is not None
    near = np.array([1 - 1e-9, -8.67e-15, 1 + 1e-7, 1e-8])
    assert statement.why_not(near, TOLERANCE) is None
    assert statement.why_not(near) is not None
    assert statement.why_not(near + 1e-3, TOLERANCE) == "column 0 is 1.000999999, which is not whole"
    assert statement.why_not(np.array([1, 0, np.nan, 0]), TOLERANCE) == "column 2 is nan, which is not whole"


def test_words_are_one_line() -> None:
    def long() -> None:
        raise Broken(f"values {np.arange(1000)}\nand {list(range(1000))}")

    words = Check("one", "a promise", long)().words
    assert "\n" not in words
    assert len(words) < 420


def test_solutions_that_are_told_are_looked_at() -> None:
    class Dreaming(Faulty):
        def solve(
            self, model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
        ) -> Outcome:
            def hear(event: Event) -> bool:
                if isinstance(event, Incumbent):
                    event = dataclasses.replace(event, solution=np.zeros(len(event.solution)))
                return bool(listener and listener(event))

            return super().solve(model, budget, start, hear)

    verdict = named(Dreaming(), "a time limit, with an incumbent")()
    assert verdict.state is State.RED
    assert "a solution is none: row 0" in verdict.words
