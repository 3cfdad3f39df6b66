"""The earth mover's distance, drawn."""

from __future__ import annotations

import matplotlib as mpl
import pandas as pd
import pytest

import anoptima as ao

mpl.use("agg")

FRAME = pd.DataFrame({"a": list("xxyy"), "pay": [1, 2, 3, 5], "ill": list("ffgg")})
TABLE = ao.Table.from_frame(FRAME, ["a"], ["pay", "ill"])


def test_arrows_carry_what_the_distance_counts() -> None:
    axes = ao.plots.emd(TABLE, [0, 1], ao.Numeric(), "pay")
    assert axes.get_title("left") == "earth mover's distance 5/16"
    assert axes.get_xlabel() == "pay"
    assert max(axes.get_yticks()) <= 0.5, "ticks end where shares do"
    shares = [float(text.get_text()) for text in axes.texts if text.get_text()]
    assert sum(shares) == pytest.approx(0.5)


def test_the_whole_table_moves_nothing() -> None:
    axes = ao.plots.emd(TABLE, range(4), column="ill")
    assert axes.get_title("left").endswith("distance 0")
    assert not axes.texts


def test_wrong_rows_and_columns_are_refused() -> None:
    with pytest.raises(ao.BadInput, match="2 sensitive columns"):
        ao.plots.emd(TABLE, [0])
    for rows in ([], [0, 0], [4]):
        with pytest.raises(ao.BadInput, match="from 0 to 3"):
            ao.plots.emd(TABLE, rows, column="ill")
