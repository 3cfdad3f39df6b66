"""Cuts that a search finds are violated, and keep to the records that they may have."""

from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.bound import separation
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


def never() -> bool:
    return False


@each("seed", range(20))
def test_cuts_keep_to_the_records_they_may_have_and_end_when_it_is_over(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed + 500, rows=9))
    catalogue = Catalogue(arcs)
    core = Core(catalogue, never)
    core.add_arcs(np.arange(len(arcs.member)))
    relaxed = core.solve()
    assert relaxed is not None
    among = np.arange(len(arcs.copies)) % 2 == 0
    support = separation.Support(catalogue, relaxed.x, relaxed.y)
    for row in separation.violated(support, np.random.default_rng(0), never, among=among):
        assert among[list(row.cut.records)].all()
        assert row.slack(relaxed.x, relaxed.y) < 0
    assert not separation.violated(support, np.random.default_rng(0), lambda: True)
    assert len(separation.violated(support, np.random.default_rng(0), never, most=1)) <= arcs.k
