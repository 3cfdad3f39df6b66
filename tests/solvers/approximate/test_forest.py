"""The nearest row types by which trees grow, whatever columns weigh."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.solvers.approximate.distances import Distances
from anoptima.solvers.approximate.forest import nearest_types


@pytest.mark.parametrize("weight", [1, 2**40, 2**57])
@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_types_are_told_apart_by_the_last_digit(weight: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    names = ["a", "b", "c"]
    weights = {name: weight + int(dice.integers(5)) for name in names}
    table = ao.Table.from_frame(pd.DataFrame(dice.integers(0, 3, (8, 3)), columns=names), names, weights=weights)
    near, distances = nearest_types(table, 4), Distances(table)
    for number, found in enumerate(near.tolist()):
        far = sorted((far, other) for other, far in enumerate(distances.of(number).tolist()) if other != number)
        assert found == [other for _, other in far[:3]]
    assert ao.solve(ao.CellSuppression(table, ao.KAnonymity(4)), "forest", start=None).verify()
