"""Building programs: what Pyomo logs about rules that fail stays, and what it logs about rules that were cut short does not."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pyomo.environ as pyo
import pytest

import anoptima as ao
from anoptima.deadline import check_time, within
from anoptima.errors import OutOfTime
from anoptima.models.groups import GroupsModel


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
    with pytest.raises(ValueError, match="no such column"):
        Failing().build(problem())
    assert any("no such column" in line for line in said)
