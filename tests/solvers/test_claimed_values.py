"""Values that a backend returns are held against the program before they are read, and whoever returned them is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.answer import Listener, StartFate
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.solvers.backends.base import Availability, Backend, Outcome
from anoptima.solvers.claimed_values import what_is_wrong
from anoptima.solvers.modelled import Modelled
from anoptima.testing.examples import examples_for

pytestmark = pytest.mark.usefixtures("weak_bound")

Lie = Callable[[Values], tuple[Values, int]]


class Liar(Backend):
    """Returns the start with a lie in it, and claims that it is optimal."""

    name = "liar"
    languages = frozenset(Language)
    capabilities = frozenset()

    def __init__(self, lie: Lie) -> None:
        self.lie = lie

    def availability(self) -> Availability:
        return Availability(True)

    def versions(self) -> Mapping[str, str]:
        return {}

    def solve(
        self, model: BuiltModel[Any], budget: ao.Budget, start: Values | None = None, listener: Listener | None = None
    ) -> Outcome:
        assert start is not None
        values, objective = self.lie(start.copy())
        return Outcome(ao.Stop.PROVED, False, values, objective, objective, StartFate.ACCEPTED, 0.0, {})


def with_first(value: float) -> Lie:
    def lie(values: Values) -> tuple[Values, int]:
        values[0] = value
        return values, 54

    return lie


LIES: dict[str, tuple[Lie, str]] = {
    "nothing": (lambda values: (np.zeros_like(values), 54), "is 0"),
    "everything": (lambda values: (np.ones_like(values), 54), "is"),
    "not a number": (with_first(np.nan), "is not a number"),
    "too much": (with_first(99), "outside"),
    "a half": (with_first(0.5), "x[0]"),
    "too few": (lambda values: (values[:-1], 54), "values for"),
    "the objective": (lambda values: (values, 53), "objective is 54, not 53"),
}


def problem() -> ao.CellSuppression:
    return ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


@pytest.mark.parametrize("lie", LIES)
def test_values_that_break_the_program_are_named(lie: str) -> None:
    told, words = LIES[lie]
    best = ao.solve(problem(), "subset-dp").require_solution()
    with pytest.raises(ao.FalseClaim, match=r"^liar: returned values that break the model: ") as refusal:
        Modelled(ao.get_model("pattern"), Liar(told)).solve(problem(), start=best)
    if lie != "a half":
        assert words in str(refusal.value)
    answer = refusal.value.answer
    assert isinstance(answer, ao.Answer)
    assert answer.cost == 54


@pytest.mark.parametrize("lie", ["nothing", "everything", "a half", "the objective"])
def test_values_that_break_a_constraint_program_are_named(lie: str) -> None:
    best = ao.solve(problem(), "subset-dp").require_solution()
    with pytest.raises(ao.FalseClaim, match=r"^liar: returned values that break the model: "):
        Modelled(ao.get_model("assignment"), Liar(LIES[lie][0])).solve(problem(), start=best)


def test_what_goes_wrong_in_reading_is_the_backends_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object, values: Values) -> ao.Partition:
        raise KeyError("graph has no nodes")

    monkeypatch.setattr("anoptima.models.pattern.BuiltPattern.decode", broken)
    best = ao.solve(problem(), "subset-dp").require_solution()
    with pytest.raises(
        ao.FalseClaim, match=r"^liar: returned values that are no solution .*graph has no nodes"
    ) as refusal:
        Modelled(ao.get_model("pattern"), Liar(lambda values: (values, 54))).solve(problem(), start=best)
    answer = refusal.value.answer
    assert isinstance(answer, ao.Answer)
    assert answer.cost == 54


def test_encoded_solutions_and_what_is_almost_one_pass() -> None:
    dice = np.random.default_rng(1)
    for name in (
        "pattern",
        "groups",
        "attributes",
        "facilities",
        "assignment",
        "attribute-cuts",
        "diameter-assignment",
    ):
        model = ao.get_model(name)
        for _, question in zip(range(3), examples_for(model), strict=False):
            if question.why_infeasible() is not None:
                continue
            built = model.build(question)
            values = built.encode(question.trivial())
            assert what_is_wrong(built.read(), values, None) is None, name
            shaken = values + dice.uniform(-9e-7, 9e-7, len(values))
            assert what_is_wrong(built.read(), shaken, None) is None, name
