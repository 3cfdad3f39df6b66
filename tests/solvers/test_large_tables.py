"""Whoever names no solver has an answer for a table that no backend takes, under every kind of principle."""

from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.answer import Progress
from tests.processes import PATIENCE


@pytest.mark.parametrize(
    "principle",
    [ao.KAnonymity(5), ao.LDiversity(2, column="salary-class", version="distinct"), ao.TCloseness("0.3", column="sex")],
    ids=str,
)
def test_auto_answers_a_table_of_more_than_ten_thousand_different_rows(principle: ao.Principle) -> None:
    table = ao.census(
        ["age", "workclass", "education", "marital-status", "occupation", "race"], ["sex", "salary-class"]
    )
    assert len(table.types) > 10_000
    problem = ao.CellSuppression(table, principle)
    everything = problem.cost(problem.trivial())

    def is_enough(progress: Progress) -> bool:
        return progress.cost is not None and progress.cost < everything / 2

    answer = ao.solve(problem, time_limit=PATIENCE, on_progress=is_enough)
    assert answer.cost is not None
    assert answer.cost < everything / 2
    assert answer.bound is not None
    assert answer.verify()
    assert answer.reason.startswith("auto chose ")
