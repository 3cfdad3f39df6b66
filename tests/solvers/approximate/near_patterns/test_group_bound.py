"""Bounds by any worths of row types: they hold, also of types with many rows, and where the search for groups is cut short."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.solvers.approximate.near_patterns import run as running
from anoptima.solvers.approximate.near_patterns.group_bound import GroupBound
from anoptima.testing.examples import optimum
from tests.loops import each


def table(seed: int, rows: int, columns: int = 4) -> ao.Table:
    """Some rows of which many are alike."""
    chance = np.random.default_rng(seed)
    few = chance.integers(0, 3, (max(2, rows // 2), columns))
    frame = pd.DataFrame(few[chance.integers(0, len(few), rows)]).rename(columns=lambda j: f"q{j}")
    return ao.Table.from_frame(frame, list(frame.columns), weights={"q0": 2} if seed % 2 else None)


def over_after(looks: int) -> Callable[[], bool]:
    asked = iter(range(1 << 20))
    return lambda: next(asked) >= looks


@each("seed", range(25))
def test_what_any_worths_prove_holds(seed: int) -> None:
    problem = ao.CellSuppression(table(seed, 8), ao.KAnonymity(2 + seed % 2))
    best, bound, chance = optimum(problem), GroupBound(problem), np.random.default_rng(seed)
    assert best is not None
    for share in (0.5, 1.0, 3.0):
        worth = chance.random(len(problem.table.types)) * share * float(best) * problem.cost_scale / 4
        for is_over in (lambda: False, over_after(2), over_after(0)):
            proof, groups = bound.proof(worth, is_over)
            assert proof.proved(problem) == proof.value <= best
            gains = (
                worth[problem.table.type_of_row[groups]] - bound.pricing.costs(groups)[:, None] / groups.shape[1]
            ).sum(axis=1)
            assert (gains > -1e-3).all()


def test_large_tables_are_bounded_by_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where walks would be too long, and a linear program over groups too large: here, of 300 rows, where both are said to be."""
    monkeypatch.setattr(running, "MOST_LOOKS", 1)
    frame = pd.DataFrame(np.random.default_rng(2).integers(0, 3, (300, 26))).rename(columns=str)
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list(frame.columns)), ao.KAnonymity(3))
    answers: list[Any] = []
    for why in (None, "too many rows"):
        monkeypatch.setattr(running, "why_not_priced", lambda problem, k, why=why: why)
        answers.append(ao.solve(problem, "near-patterns", gap="1/5"))
    plain, priced = answers
    assert priced.proof.proved(problem) == priced.bound.value
    assert priced.bound.value > 1.1 * plain.bound.value


def test_principles_that_ask_for_more_have_none() -> None:
    said = GroupBound.why_not(ao.CellSuppression(ao.ten_rows(), ao.LDiversity("3/2")))
    assert said is not None
    assert said.startswith("the proof is for k-anonymity")
    assert GroupBound.why_not(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))) is None
    names = [f"q{j}" for j in range(4)]
    heavy = ao.Table.from_frame(table(0, 8).frame, names, weights=dict.fromkeys(names, 1 << 30))
    assert (
        GroupBound.why_not(ao.CellSuppression(heavy, ao.KAnonymity(2)))
        == "columns weigh too much for numbers of 32 bits"
    )
