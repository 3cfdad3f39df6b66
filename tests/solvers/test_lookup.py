"""Solvers by name."""

from __future__ import annotations

import pytest

import anoptima as ao


def test_auto_is_among_the_names_that_a_slip_may_mean() -> None:
    with pytest.raises(ao.BadInput, match=r"there is no solver named 'autoo'; did you mean auto\?"):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "autoo")
    with pytest.raises(ao.BadInput, match="there is no solver named 'auto'; there are"):
        ao.get_solver("auto")
