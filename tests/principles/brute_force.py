"""Small random tables with one sensitive column, and the least cost of a release, by trying every partition."""

from __future__ import annotations

import numpy as np
import pandas as pd

import anoptima as ao
from anoptima.exact import Exact


def random_table(seed: int, rows: int = 7, columns: int = 3, values: int = 3) -> ao.Table:
    dice = np.random.default_rng(seed)
    frame = pd.DataFrame(dice.integers(0, 2, (rows, columns))).rename(columns=lambda c: f"q{c}")
    frame["ill"] = dice.integers(0, values, rows)
    return ao.Table.from_frame(frame, [f"q{c}" for c in range(columns)], "ill")


def least_cost(problem: ao.CellSuppression) -> Exact | None:
    rising = sorted(problem.solutions(), key=problem.cost)
    return next((problem.cost(one) for one in rising if problem.is_feasible(one)), None)
