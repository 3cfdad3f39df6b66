from __future__ import annotations

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.bound import packing_cuts as packing
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


def test_three_halves_of_a_pair_are_one_pair() -> None:
    arcs = Arcs(
        np.array([0, 2, 4, 6, 9]),
        np.array([0, 1, 1, 2, 0, 2, 0, 1, 2], np.int32),
        np.array([1, 1, 1, 2]),
        np.ones(3, dtype=np.int64),
        np.full(4, 2),
    )
    catalogue = Catalogue(arcs)
    x, y = np.array([0.5] * 6 + [0.0] * 3), np.array([0.5, 0.5, 0.5, 0.0])
    (row,) = packing.violated(catalogue, x, y)
    assert row.cut.records == (0, 1, 2)
    assert row.cut.divisor == 2
    assert row.slack(x, y) == pytest.approx(-0.5)
    assert not packing.violated(catalogue, x, y, np.array([True, True, False]))


@each("seed", range(40))
def test_what_is_found_is_violated(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed))
    catalogue, chance = Catalogue(arcs), np.random.default_rng(seed)
    y = chance.random(len(arcs.cost))
    x = chance.random(len(arcs.member)) * y[catalogue.arcs.pattern_of]
    among = chance.random(len(arcs.copies)) < 0.8
    for mask in (None, among):
        for row in packing.violated(catalogue, x, y, mask):
            assert row.slack(x, y) < 0
            assert row.cut.divisor == arcs.k
            assert mask is None or mask[list(row.cut.records)].all()
