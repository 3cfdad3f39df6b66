"""What a principle said is remembered by sensitive values alone, and is what it says of the same rows when asked anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.solvers.approximate import remembered
from anoptima.solvers.approximate.remembered import Remembered
from anoptima.spaces import Numeric

_PRINCIPLES = (
    ao.LDiversity(2, column="ill"),
    ao.TCloseness("0.4", column="pay", space=Numeric()),
    ao.LDiversity(2, column="ill") & ao.TCloseness("0.4", column="pay") & ao.KAnonymity(2),
)


def _problem(principle: ao.Principle, seed: int) -> ao.CellSuppression:
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame({"zip": chance.integers(3, size=30), "ill": chance.choice([*"abc"], 30)})
    frame["pay"] = chance.integers(4, size=30)
    return ao.CellSuppression(ao.Table.from_frame(frame, ["zip"], ["ill", "pay"]), principle)


def _sets(seed: int, count: int) -> list[Any]:
    chance = np.random.default_rng(seed)
    return [chance.choice(30, chance.integers(1, 6), replace=False) for _ in range(count)]


@pytest.mark.parametrize("principle", _PRINCIPLES, ids=str)
def test_says_what_the_principle_says(principle: ao.Principle) -> None:
    problem = _problem(principle, 1)
    known = Remembered(problem)
    for seed in range(20):
        some = _sets(seed, 50)
        labels = np.repeat(np.arange(len(some)), [len(rows) for rows in some])
        right = problem.principle.holds_each(problem.table.groups(labels, np.concatenate(some)))
        assert known.hold_each(some).tolist() == right.tolist()


def test_asks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = _problem(_PRINCIPLES[0], 2)
    known = Remembered(problem)
    some = _sets(3, 40)
    first = known.hold_each(some).tolist()
    shuffled = [np.random.default_rng(4).permutation(rows) for rows in some]
    monkeypatch.setattr(type(problem.principle), "holds_each", None)
    assert known.hold_each(shuffled).tolist() == first


def test_forgets_what_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_MOST_BYTES", 1_000)
    known = Remembered(_problem(_PRINCIPLES[2], 5))
    alone = [known.hold_each([rows]).tolist() for rows in _sets(6, 60)]
    assert len(known) <= 10
    assert alone == [[truth] for truth in known.hold_each(_sets(6, 60)).tolist()]
