from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.approximate.near_patterns.generated_patterns import GeneratedPatterns, Weigher, kept_by, masks_of
from anoptima.solvers.approximate.near_patterns.nearest_types import nearest
from anoptima.table import Table
from tests.loops import each


def problem_of(seed: int, columns: int = 20) -> CellSuppression:
    chance = np.random.default_rng(seed)
    kind = chance.integers(0, 6, 70)
    frame = pd.DataFrame(
        {f"q{j}": np.where(chance.random(70) < 0.8, kind, chance.integers(0, 6, 70)) for j in range(columns)}
    )
    return CellSuppression(Table.from_frame(frame, list(frame.columns), weights={"q0": 3}), KAnonymity(4))


@each("columns", [3, 20, 40, 64, 65, 150])
def test_patterns_match_what_they_say_and_cost_what_they_star(columns: int) -> None:
    problem = problem_of(columns, columns)
    table = problem.table
    around = nearest(table.types, table.multiplicity, table.scaled_weights.tolist(), 4, 12, lambda: False)
    pool = GeneratedPatterns(problem, 4, 0)
    assert pool.look_around(around.near, 6, lambda: False) == len(table.types)
    pool.add_groups(problem, Partition.from_labels(np.arange(70) // 10))
    patterns = pool.patterns()
    assert len(patterns) == len(pool) > 0
    assert (patterns.support >= 4).all()
    for p in range(len(patterns)):
        codes = table.types[patterns.member[patterns.start[p] : patterns.start[p + 1]]]
        alike = (codes == codes[0]).all(axis=0)
        assert alike[patterns.kept[p]].all()
        assert patterns.cost[p] == table.scaled_weights[~patterns.kept[p]].sum()
    again = pool.patterns()
    assert again.start.tolist() == patterns.start.tolist()
    assert again.member.tolist() == patterns.member.tolist()


@each("columns", [1, 37, 64, 65, 130])
def test_masks_have_the_columns_that_they_were_made_of_and_their_weights(columns: int) -> None:
    chance = np.random.default_rng(columns)
    weights = chance.integers(1, 9, columns)
    kept = chance.random((50, columns)) < 0.5
    masks = masks_of(kept)
    assert (kept_by(masks, columns) == kept).all()
    assert Weigher(weights.tolist())(masks).tolist() == (kept @ weights).tolist()


def test_patterns_are_grown_as_long_as_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.solvers.approximate.near_patterns.generated_patterns._BLOCK", 10)
    problem = problem_of(8, 8)
    table = problem.table
    around = nearest(table.types, table.multiplicity, table.scaled_weights.tolist(), 4, 12, lambda: False)
    pool = GeneratedPatterns(problem, 4, 0)
    assert pool.look_around(around.near, 6, lambda: True) == 10
    assert len(pool) > 0
