"""Bounds of formulations as bars."""

from __future__ import annotations

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib.patches import Rectangle

import anoptima as ao

mpl.use("agg")


def test_one_bar_for_each_bound() -> None:
    bounds = ao.lp_bounds(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)))
    axes = ao.plots.bounds(bounds, 64)
    widths = [bar.get_bbox().width for bar in axes.patches if isinstance(bar, Rectangle)]
    assert widths == sorted(bounds["LP bound"].dropna())
    assert [label.get_text() for label in axes.get_yticklabels()][-1] == bounds.index[0]
    assert "optimum, 64" in axes.get_title()
    axes.figure.canvas.draw()
    numbers = [text.get_window_extent() for text in axes.texts]
    assert [text.get_text() for text in axes.texts] == [f"{width:.4g}" for width in widths]
    line = axes.lines[0].get_window_extent()
    assert not any(number.x0 < line.x1 and line.x0 < number.x1 for number in numbers), "the line runs through no number"
    assert ao.plots.bounds(bounds, axes=axes) is axes


def test_what_is_no_table_of_bounds_is_refused() -> None:
    with pytest.raises(ao.BadInput, match="lp_bounds"):
        ao.plots.bounds(pd.DataFrame({"a": [1]}))
    nothing = ao.lp_bounds(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)), memory=1)
    with pytest.raises(ao.BadInput, match="nothing to draw"):
        ao.plots.bounds(nothing)
