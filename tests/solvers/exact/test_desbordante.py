"""Smallest keys, held against those of a miner of unique column combinations that others wrote."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from tests.loops import each

desbordante = pytest.importorskip("desbordante")


def smallest_unique(frame: pd.DataFrame) -> int:
    """Return how many columns the smallest minimal unique column combination has."""
    miner = desbordante.ucc.algorithms.Default()
    miner.load_data(table=frame)
    miner.execute()
    return min(len(unique.indices) for unique in miner.get_uccs())


def random_frame(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(5, 400)), int(rng.integers(2, 13))
    widths = rng.integers(2, 9, columns)
    frame = pd.DataFrame({f"c{j}": rng.integers(0, widths[j], rows) for j in range(columns)})
    return frame.drop_duplicates(ignore_index=True)


@each("seed", range(25))
def test_the_lightest_identifying_columns_are_a_smallest_unique_column_combination(seed: int) -> None:
    frame = random_frame(seed)
    problem = ao.IdentifyingColumns(ao.Table.from_frame(frame, quasi=list(frame.columns)))
    answer = ao.solve(problem, "hitting-set")
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost == smallest_unique(frame)


def test_so_they_are_on_a_table_with_a_planted_key() -> None:
    rng = np.random.default_rng(1)
    digits = np.unravel_index(rng.permutation(1000), (10, 10, 10))
    frame = pd.DataFrame({f"c{j}": rng.integers(0, 3, 1000) for j in range(8)})
    for j, digit in zip((1, 4, 6), digits, strict=True):
        frame[f"c{j}"] = digit
    problem = ao.IdentifyingColumns(ao.Table.from_frame(frame, quasi=list(frame.columns)))
    answer = ao.solve(problem, "hitting-set")
    assert answer.solution == ao.QuasiIdentifier(frozenset({"c1", "c4", "c6"}))
    assert answer.cost == smallest_unique(frame) == 3
