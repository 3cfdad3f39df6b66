"""Values that a backend returns are held against the program before they are read, and whoever returned them is named."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
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


class Senseless(Liar):
    """Claims that the start is optimal, in an outcome with changes; without any, it returns nothing."""

    name = "senseless"

    def __init__(self, changes: Mapping[str, Any] | None) -> None:
        super().__init__(lambda values: (values, 54))
        self.changes = changes

    def solve(self, model: BuiltModel[Any], *others: Any) -> Any:
        return None if self.changes is None else replace(super().solve(model, *others), **self.changes)


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


SENSELESS: dict[str, tuple[dict[str, Any], str]] = {
    "no number for a bound": (
        {"bound": math.nan},
        "the bound of its outcome is nan; it must be a finite number, or None",
    ),
    "an endless bound": ({"bound": -math.inf}, "the bound of its outcome is -inf"),
    "a text for a bound": ({"bound": "much"}, "the bound of its outcome is 'much'"),
    "no number for an objective": ({"objective": math.nan}, "the objective of its outcome is nan"),
    "no objective": ({"objective": None}, "its outcome has values and no objective"),
    "a word for a stop": (
        {"stop": "proved"},
        "the stop of its outcome is 'proved'; it must be of the sort that Outcome says",
    ),
    "no notes": ({"notes": None}, "the notes of its outcome is None"),
    "no versions": ({"versions": None}, "the versions of its outcome is None"),
    "no values": ({"values": None}, "claimed an optimum without a solution"),
    "words for values": ({"values": "none"}, "returned 'none' for the values of the columns"),
    "a solution of what has none": ({"infeasible": True}, "claimed that the model is infeasible beside a solution"),
}


@pytest.mark.parametrize("case", SENSELESS)
def test_outcomes_that_mean_nothing_are_refused_by_name(case: str) -> None:
    changes, words = SENSELESS[case]
    built = ao.get_model("pattern").build(problem())
    best = ao.solve(problem(), "subset-dp").require_solution()
    backend = Senseless(changes)
    for solve in (
        lambda: Modelled(ao.get_model("pattern"), backend).solve(problem(), start=best),
        lambda: ao.solve_model(built, backend, start=best),
    ):
        with pytest.raises(ao.SolverFailure, match=re.escape(f"senseless: {words}")):
            solve()


def test_what_is_no_outcome_is_refused_by_name() -> None:
    built = ao.get_model("pattern").build(problem())
    with pytest.raises(ao.SolverFailure, match="senseless: its solve returns None; it must return an Outcome"):
        ao.solve_model(built, Senseless(None))


def test_an_objective_may_be_off_as_a_double_may() -> None:
    table = ao.ten_rows()
    heavy = ao.Table.from_frame(table.frame, table.quasi, weights=dict.fromkeys(table.quasi, 2**43 + 1))
    question = ao.CellSuppression(heavy, ao.KAnonymity(3))
    cost = 54 * (2**43 + 1)
    best = ao.solve(question, "subset-dp").require_solution()
    built = ao.get_model("pattern").build(question)
    said = Senseless({"stop": ao.Stop.GAP, "objective": cost - 15, "bound": None})
    assert ao.solve_model(built, said, start=best).answer.cost == cost  # type: ignore[union-attr]
    assert Modelled(ao.get_model("pattern"), said).solve(question, start=best).cost == cost


def test_values_and_numbers_of_any_sort_are_read() -> None:
    built = ao.get_model("pattern").build(problem())
    best = ao.solve(problem(), "subset-dp").require_solution()
    said = {"values": built.encode(best).tolist(), "objective": np.int64(54), "bound": np.float64(54)}
    answer = ao.solve_model(built, Senseless(said), start=best)
    assert (answer.objective, answer.bound, type(answer.objective), type(answer.bound)) == (54, 54, int, int)
