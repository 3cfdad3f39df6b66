"""Multipliers in whole numbers prove hardly less than in floats."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.whole_numbers import DENOMINATOR
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of


@each("seed", range(3))
def test_little_is_lost_by_rounding(seed: int) -> None:
    """Three rows of a class are worth what they cost, so that each class loses what they are rounded down by."""
    classes = 500
    frame = pd.DataFrame({"a": np.repeat(np.arange(classes), 3), "b": np.arange(3 * classes)})
    _, arcs = arcs_of(ao.CellSuppression(ao.Table.from_frame(frame, ["a", "b"]), ao.KAnonymity(3)))
    more = np.random.default_rng(seed).uniform(-0.4, 0.4, (classes, 2))
    worth = 1 + np.column_stack([more, -more.sum(axis=1)]).ravel()
    terms, cost = Terms(arcs, kernels_here(kernels)), 3 * classes
    at = Multipliers(worth, np.zeros(0))
    assert terms.look(arcs, at).value == pytest.approx(cost)
    proved = terms.exactly(at.in_parts(DENOMINATOR), DENOMINATOR)
    assert cost - 1e-3 < proved / DENOMINATOR <= cost
