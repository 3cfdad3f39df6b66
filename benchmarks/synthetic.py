"""Tables made up for benchmarks: skewed categories, the same ones for the same seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd


def skewed(rows: int, sizes: Sequence[int], seed: int, skew: float = 1.2) -> pd.DataFrame:
    """Return `rows` rows; column j has `sizes[j]` categories, the i-th with a share proportional to 1 / i^skew.

    Columns are drawn independently. Names are q0, q1, ...; values are texts.
    """
    source = np.random.default_rng(seed)
    columns = {}
    for j, size in enumerate(sizes):
        shares = 1.0 / np.arange(1, size + 1) ** skew
        codes = source.choice(size, rows, p=shares / shares.sum())
        columns[f"q{j}"] = np.array([f"v{i}" for i in range(size)], dtype=object)[codes]
    return pd.DataFrame(columns)
