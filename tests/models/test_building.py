"""Building programs and taking them apart.

What Pyomo logs about rules that fail stays, and what it logs about rules that were cut short does not.
"""

from __future__ import annotations

import gc
import logging
import weakref
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pandas as pd
import pyomo.environ as pyo
import pytest

import anoptima as ao
from anoptima.deadline import check_time, within
from anoptima.errors import OutOfTime, SolverFailure
from anoptima.models import models
from anoptima.models.base import Language
from anoptima.models.groups import BuiltGroups, GroupsModel
from anoptima.packages import set_aside
from anoptima.testing.examples import examples_for


class Failing(GroupsModel):
    """A model whose rule asks whether there is time, and then makes a mistake."""

    def build_unchecked(self, problem: Any, size: Any) -> Any:
        def rule(_: Any) -> Any:
            check_time()
            raise ValueError("no such column")

        program = pyo.ConcreteModel()
        program.wrong = pyo.Constraint(rule=rule)


@pytest.fixture
def said() -> Iterator[list[str]]:
    lines: list[str] = []

    class Listening(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    handler = Listening()
    logger = logging.getLogger("pyomo.core")
    logger.addHandler(handler)
    yield lines
    logger.removeHandler(handler)


def problem() -> ao.CellSuppression:
    return ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))


def test_a_deadline_in_a_rule_is_no_error(said: list[str]) -> None:
    with pytest.raises(OutOfTime), within(lambda: True):
        Failing().build(problem())
    assert not said


def test_a_mistake_in_a_rule_is(said: list[str]) -> None:
    with pytest.raises(
        SolverFailure, match=r"^\w+: its program could not be built \(ValueError: no such column\)$"
    ) as failure:
        Failing().build(problem())
    assert isinstance(failure.value.__cause__, ValueError)
    assert any("no such column" in line for line in said)


@pytest.fixture
def nothing_is_collected() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("nothing_is_collected")
@pytest.mark.parametrize("name", [model.name for model in models.all() if model.language is Language.PYOMO])
def test_what_is_taken_apart_needs_no_collector(name: str) -> None:
    model = models.get(name)
    built = model.build(next(examples_for(model)))
    # Of variables Pyomo keeps those of the last sum that it looked at.
    rows = built.program.component_data_objects(pyo.Constraint)
    parts = [weakref.ref(row) for row in rows]
    assert built.matrix.rows == len(parts)
    del rows
    built.discard()
    del built
    assert [part() for part in parts if part() is not None] == []


@pytest.mark.usefixtures("nothing_is_collected")
def test_half_of_a_program_needs_no_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever cut it short, when the parts that refer to themselves are there."""
    parts: list[weakref.ref[Any]] = []
    build = BuiltGroups.__init__

    def cut_short(built: Any, *arguments: Any) -> None:
        build(built, *arguments)
        parts.extend(weakref.ref(part) for part in built.program.component_data_objects())
        raise OutOfTime

    monkeypatch.setattr(BuiltGroups, "__init__", cut_short)
    with pytest.raises(OutOfTime):
        GroupsModel().build(problem())
    assert len(parts) > 10
    assert [part() for part in parts if part() is not None] == []


def test_what_is_set_aside_once_stays_with_who_did_it() -> None:
    gc.unfreeze()  # what the tests have loaded
    with set_aside():
        assert gc.get_freeze_count() > 0
        with set_aside():
            pass
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize("name", ["pattern", "assignment"])
def test_numbers_that_no_program_holds_are_refused_in_words(name: str) -> None:
    """Beyond 2^53 a double, beyond 2^63 an integer of CP-SAT would be another number: the program would be another question's."""
    values = [
        Fraction(number, prime)
        for number, prime in zip((3, 141592, 653589, 793238), (999983, 999979, 1000003, 7), strict=True)
    ]
    frame = pd.DataFrame({"zip": [1, 1, 2, 2], "dose": pd.Series(values, dtype=object)})
    table = ao.Table.from_frame(frame, ["zip"], sensitive="dose")
    problem = ao.CellSuppression(table, ao.TCloseness("0.3", "dose", ao.Numeric()))
    with pytest.raises(ao.NotApplicable, match=r"within_limit.* has the coefficient [0-9,]{20,}, which "):
        ao.get_model(name).build(problem)


@pytest.mark.parametrize("name", ["pattern", "pattern-big-m", "groups"])
def test_what_has_no_solution_and_no_program_says_why(name: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ao.InfeasibleProblem, match="k = 11 but there are only 10 rows"):
        ao.get_model(name).build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11)))
    with pytest.raises(ao.InfeasibleProblem, match="k = 11 but there are only 10 rows"):
        ao.get_model("diameter-groups").build(ao.DiameterSum(ao.ten_rows(), 11))
    assert not caplog.messages


def test_what_a_model_is_not_for_is_refused_in_its_words() -> None:
    questions = (
        ("pattern", ao.DiameterSum(ao.ten_rows(), 3), "for cell-suppression, not for diameter-sum"),
        ("bisection-cut", ao.DiameterSum(ao.ten_rows(), 3), "for minimum-bisection, not for diameter-sum"),
        (
            "groups",
            ao.CellSuppression(ao.ten_rows(), ao.TCloseness("0.3")),
            "where groups split; not for 3.10-closeness",
        ),
    )
    for name, problem, why in questions:
        with pytest.raises(ao.NotApplicable, match=why):
            ao.get_model(name).build(problem)
