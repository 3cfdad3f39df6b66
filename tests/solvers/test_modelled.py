"""A model on a backend, where there is too little time for one of its steps."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import anoptima as ao
from anoptima.answer import Event, Listener, StartFate, StillRunning
from anoptima.deadline import check_time, within
from anoptima.errors import OutOfTime
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.solvers import modelled
from anoptima.solvers.backends.base import Availability, Backend, Outcome
from anoptima.solvers.backends.linear import objective_at
from anoptima.solvers.modelled import Modelled
from tests.clocks import Clock

pytestmark = pytest.mark.usefixtures("weak_bound")


class Echo(Backend):
    """Claims that the start is optimal, by a bound of 54, and asks its listener once whether to go on."""

    name = "echo"
    languages = frozenset({Language.PYOMO})
    capabilities = frozenset()

    def availability(self) -> Availability:
        return Availability(True)

    def versions(self) -> Mapping[str, str]:
        return {}

    def solve(
        self,
        model: BuiltModel[Any],
        budget: ao.Budget,
        start: Values | None = None,
        listener: Listener | None = None,
    ) -> Outcome:
        assert start is not None
        assert listener is not None
        stop = ao.Stop.CANCELLED if listener(StillRunning(0.0)) else ao.Stop.PROVED
        objective = round(objective_at(model.matrix, start))
        return Outcome(stop, False, start, objective, 54, StartFate.ACCEPTED, 0.0, {})


def solve(seconds: float | None, listener: Listener | None = None, start: str = "subset-dp") -> ao.Answer[ao.Partition]:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    first = ao.solve(problem, start).require_solution()
    return Modelled(ao.get_model("pattern"), Echo()).solve(problem, ao.Budget(seconds), first, listener)


def test_a_model_that_takes_longer_than_is_left_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modelled, "FASTEST", 1)
    answer = solve(1000)
    assert (answer.claim, answer.stop, answer.cost) == (ao.Claim.FEASIBLE, ao.Stop.TIME, 54)
    assert answer.bound is not None
    assert answer.bound.origin is ao.Origin.PROBLEM
    assert answer.run.notes[0].startswith("the model was not built: ")
    assert solve(None).claim is ao.Claim.OPTIMAL


def test_a_note_says_whether_time_or_somebody_ended_the_building(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    begun: list[object] = []

    def endless(self: object, *_: object) -> None:
        begun.append(self)
        clock.forward(1000)
        while True:
            check_time()

    monkeypatch.setattr("anoptima.models.pattern.PatternModel.build", endless)
    assert solve(1000).run.notes == ("the time was up before the model was built",)
    begun.clear()
    with within(lambda: bool(begun)):
        answer = solve(None)
    assert (answer.stop, answer.run.notes) == (ao.Stop.CANCELLED, ("the run ended before the model was built",))


def test_what_cannot_be_read_in_time_is_no_false_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(self: object, values: Values) -> ao.Partition:
        raise OutOfTime

    monkeypatch.setattr("anoptima.models.pattern.BuiltPattern.decode", endless)
    answer = solve(1000, start="mondrian")
    assert (answer.claim, answer.stop, answer.cost) == (ao.Claim.FEASIBLE, ao.Stop.TIME, 57)
    assert answer.run.notes == ("there was no time to read what echo found last",)


def test_who_listens_may_stop_a_backend_that_has_no_news(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    heard: list[Event] = []

    def listener(event: Event) -> bool:
        heard.append(event)
        clock.forward(10)
        return isinstance(event, StillRunning)

    answer = solve(None, listener)
    assert answer.stop is ao.Stop.CANCELLED
    assert isinstance(heard[-2], StillRunning)


def test_objects_of_small_models_are_left_to_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set aside and back, they are old: a thousand small solves would each leave what nobody looks for."""
    aside: list[bool] = []

    @contextlib.contextmanager
    def set_aside() -> Iterator[None]:
        aside.append(True)
        yield

    monkeypatch.setattr(modelled, "set_aside", set_aside)
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    ao.solve(problem, "assignment/cp-sat", start=None)
    assert not aside
    monkeypatch.setattr(modelled, "LARGE", 0)
    ao.solve(problem, "assignment/cp-sat", start=None)
    assert aside
