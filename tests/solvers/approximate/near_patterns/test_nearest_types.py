from __future__ import annotations

import numpy as np
import pytest

from anoptima.solvers.approximate.near_patterns import nearest_types
from anoptima.solvers.approximate.near_patterns.nearest_types import nearest
from anoptima.solvers.compiling.loops import compiled
from tests.loops import each


@each("seed", range(10))
@pytest.mark.parametrize("way", ["arrays", "plain loops", "compiled loops", "on three threads"])
def test_neighbours_are_the_nearest_and_radii_hold_k_rows(way: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest_types, "is_ready", lambda _: way != "arrays")
    monkeypatch.setattr(nearest_types, "fastest", (lambda loop: loop) if way == "plain loops" else compiled)
    monkeypatch.setattr(nearest_types, "_PAIRS", 100)
    chance = np.random.default_rng(seed)
    types = np.unique(chance.integers(0, 3, (40, 5)), axis=0)
    copies = chance.integers(1, 4, len(types))
    weights = chance.integers(1, 4, 5)
    k = int(chance.integers(1, 9))
    found = nearest(types, copies, weights.tolist(), k, 6, lambda: False, 3 if way == "on three threads" else 1)
    apart = (types[:, None] != types[None]) @ weights
    for t in range(len(types)):
        assert found.near[t, 0] == t
        assert found.distance[t].tolist() == np.sort(apart[t])[: found.near.shape[1]].tolist()
        assert apart[t, found.near[t]].tolist() == found.distance[t].tolist()
        reached = [r for r in range(int(weights.sum()) + 1) if copies[apart[t] <= r].sum() >= k]
        assert found.radius[t] == reached[0]
    assert found.done == len(types)


@pytest.mark.parametrize(("codes", "weight"), [(300, 1), (3, 200)])
def test_what_no_byte_holds_is_compared_by_arrays(codes: int, weight: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest_types, "is_ready", lambda _: True)
    types = np.array([[code, code % 2] for code in range(codes)])
    found = nearest(types, np.ones(codes, dtype=np.int64), [weight, weight], 2, 3, lambda: False)
    apart = weight * (types[:, None] != types[None]).sum(axis=2)
    assert found.distance.tolist() == np.sort(apart)[:, :3].tolist()
    assert found.radius.tolist() == np.sort(apart)[:, 1].tolist()


def test_a_table_of_too_few_rows_has_radii_above_every_distance() -> None:
    found = nearest(np.array([[0], [1]]), np.array([1, 1]), [2], 5, 3, lambda: False)
    assert found.radius.tolist() == [3, 3]


def test_out_of_time_radii_are_zero() -> None:
    found = nearest(np.array([[0], [1]]), np.array([1, 1]), [2], 2, 2, lambda: True)
    assert (found.done, found.radius.tolist()) == (0, [0, 0])
