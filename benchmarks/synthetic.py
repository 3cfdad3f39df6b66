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


def census_like(rows: int, seed: int, sizes: Sequence[int] = (2, 72, 5, 7, 16, 41, 7, 14)) -> pd.DataFrame:
    """Return `rows` rows of skewed columns that depend on each other, as those of a census do.

    Every row belongs to one of some fifty hidden kinds, themselves skewed; each kind has its own order of every column's categories,
    the i-th of which has a share proportional to 1 / i^2.2. Names are q0, q1, ...; values are texts.
    """
    source = np.random.default_rng(seed)
    kinds = 50
    shares = 1.0 / np.arange(1, kinds + 1) ** 1.1
    kind = source.choice(kinds, rows, p=shares / shares.sum())
    columns = {}
    for j, size in enumerate(sizes):
        falling = 1.0 / np.arange(1, size + 1) ** 2.2
        place = source.choice(size, rows, p=falling / falling.sum())
        # A kind's own order is the common one with some categories moved: the common ones stay common.
        orders = np.argsort(np.arange(size) + source.normal(0, size / 6, (kinds, size)), axis=1)
        columns[f"q{j}"] = pd.Categorical.from_codes(
            orders[kind, place], pd.Index([f"v{i}" for i in range(size)])
        ).astype(str)
    return pd.DataFrame(columns)


def classed(rows: int, sizes: Sequence[int], seed: int, *, classes: int = 400, loyalty: float = 0.8) -> pd.DataFrame:
    """Return `rows` rows of a mixture of latent classes, so that columns depend on each other; column j has `sizes[j]` categories.

    The i-th class has a share proportional to 1 / i. Every class prefers one value in each column, drawn from the column's own skewed
    shares (as in `skewed`); a row has its class's value with probability `loyalty`, and else one drawn from those shares.
    """
    source = np.random.default_rng(seed)
    shares_of_class = 1.0 / np.arange(1, classes + 1)
    of_row = source.choice(classes, rows, p=shares_of_class / shares_of_class.sum())
    columns = {}
    for j, size in enumerate(sizes):
        shares = 1.0 / np.arange(1, size + 1) ** 1.2
        shares /= shares.sum()
        preferred = source.choice(size, classes, p=shares)
        is_loyal = source.random(rows) < loyalty
        codes = np.where(is_loyal, preferred[of_row], source.choice(size, rows, p=shares))
        columns[f"q{j}"] = np.array([f"v{i}" for i in range(size)], dtype=object)[codes]
    return pd.DataFrame(columns)
