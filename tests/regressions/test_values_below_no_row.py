"""An edge of a tree with none of a pattern's rows below it once had no price, and a multiplier that grew until it was no number."""

from __future__ import annotations

import pandas as pd
import pytest

import anoptima as ao


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_a_value_that_a_pattern_lacks_is_paid_for(rows: int) -> None:
    frame = pd.DataFrame({"a": ["p"] * rows + ["q"], "s": ["x"] * rows + ["y"]})
    table = ao.Table.from_frame(frame, ["a"], ["s"])
    problem = ao.CellSuppression(table, ao.TCloseness("1/3", space=ao.Hierarchical(["x", "y", "unseen"])))
    answer = ao.solve(problem, "sifting", time_limit=20)
    best = ao.solve(problem, "subset-dp")
    assert answer.cost == best.cost
    assert answer.bound is not None
    assert answer.bound.value == best.cost
    assert not answer.verify().wrong
