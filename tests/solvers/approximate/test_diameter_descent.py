from __future__ import annotations

import numpy as np
import pandas as pd

import anoptima as ao
from tests.loops import each
from tests.sizing import asked


def drawn(rows: int, seed: int, columns: int = 4) -> ao.Table:
    codes = np.random.default_rng(seed).integers(0, 3, (rows, columns))
    return ao.Table.from_frame(pd.DataFrame(codes).rename(columns=lambda j: f"q{j}"), [f"q{j}" for j in range(columns)])


@each("seed", range(12))
def test_what_it_finds_is_feasible_and_no_better_than_the_optimum(seed: int) -> None:
    problem = ao.DiameterSum(drawn(6 + seed % 5, seed), 1 + seed % 3)
    least = ao.solve(problem, "subset-dp")
    found = ao.solve(problem, "diameter-descent", seed=seed)
    assert found.verify()
    assert found.cost is not None
    assert least.cost is not None
    assert found.cost >= least.cost


@each("seed", range(asked(1, 2)))
def test_covers_by_balls_are_improved(seed: int) -> None:
    problem = ao.DiameterSum(drawn(24, seed), 3)
    cover = ao.solve(problem, "diameter-balls", start=None)
    found = ao.solve(problem, "diameter-descent", start=None)
    assert found.verify()
    assert found.cost is not None
    assert cover.cost is not None
    assert found.cost < cover.cost
    assert ao.solve(problem, "diameter-descent", start=None).cost == found.cost, "it follows from the seed"


def test_auto_searches_beside_a_model_and_where_none_fits() -> None:
    small, large = ao.DiameterSum(drawn(300, 1), 2), ao.DiameterSum(drawn(3_000, 1, 8), 3)
    assert "diameter-descent" in ao.solve(small, time_limit=0.5).reason
    answer = ao.solve(large, time_limit=0)
    assert answer.solver == "diameter-descent"
    assert answer.verify()
