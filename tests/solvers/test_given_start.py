"""What a run may start from: a solution, an answer, a release, a partition as a list of groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import StartFate

TEN = ao.ten_rows()
PROBLEM = ao.CellSuppression(TEN, ao.KAnonymity(3))
PEELED: ao.Answer[ao.Partition] = ao.solve(PROBLEM, "peel")
LIMIT = 0.0
"""A run without time answers with what it starts from."""


@pytest.mark.parametrize(
    "start",
    [
        PEELED,
        PEELED.solution,
        PEELED.require_solution().groups(),
        tuple(map(tuple, PEELED.require_solution().groups())),
        PEELED.release,
        PEELED.release[[*reversed(PEELED.release.columns)]],
        PEELED.release.sample(frac=1, random_state=1),
        PEELED.release.sample(frac=1, random_state=2).reset_index(drop=True),
    ],
    ids=["answer", "solution", "lists", "tuples", "release", "other columns first", "shuffled", "renumbered"],
)
def test_every_form_of_a_start_is_the_start(start: Any) -> None:
    answer = ao.solve(PROBLEM, "pattern/highs", time_limit=LIMIT, start=start)
    assert answer.cost is not None
    assert answer.cost <= 58
    assert answer.run.start is StartFate.UNUSED


def test_a_release_of_dropped_columns_is_a_start() -> None:
    problem = ao.AttributeSuppression(TEN, ao.KAnonymity(3))
    best = ao.solve(problem, "hitting-set")
    again = ao.solve(problem, "greedy-descent", start=best.release)
    assert again.cost == best.cost


FORMS = "an answer, a release as a DataFrame, or a partition as a list of groups of row numbers"


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (3, f"start is 3; it must be a solution (a Partition), {FORMS}"),
        ({0: 1}, f"start is a dict; it must be a solution (a Partition), {FORMS}"),
        (ao.DroppedColumns(frozenset()), "start is a DroppedColumns; it must be a solution (a Partition), "),
        ("greedy", "start is 'greedy'; it must be 'auto', None or"),
        ([[0]], "start is no partition of this table's rows: row 1 is in no group"),
        ([range(5), range(4, 10)], "start is no partition of this table's rows: row 4 is in groups 0 and 1"),
        ([1, 2], "start is no partition of this table's rows: groups[0] is 1; it must be a list"),
        (
            [[0, 1], [*range(2, 10)]],
            "start is no solution of this problem: the group of rows 1, 2: k = 3 but there are only",
        ),
        (TEN.frame, "start is no solution of this problem: the group of row 1: k = 3 but there is only 1 row"),
        (pd.DataFrame({"a": [1]}), "start is no release of this table: the release has the columns a; it should have"),
        (
            PEELED.release.assign(zip1="8"),
            "start is no release of this table: row 1, column 'zip1': published '8' where",
        ),
        (
            ao.Partition(np.zeros(3, dtype=int)),
            "start is no solution of this problem: a partition of this table has 10",
        ),
        (ao.solve(ao.CellSuppression(TEN, ao.KAnonymity(11))), "start is an answer without a solution: INFEASIBLE"),
    ],
)
def test_a_start_that_is_none_is_refused(start: Any, message: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.solve(PROBLEM, "pattern/highs", start=start)
    assert str(caught.value).startswith(message)


def test_of_a_problem_without_solutions_nothing_is_a_start() -> None:
    impossible = ao.CellSuppression(TEN, ao.KAnonymity(11))
    assert ao.solve(impossible, "peel", start=PEELED).claim is ao.Claim.INFEASIBLE
