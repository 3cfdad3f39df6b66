from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.separate import violated
from tests.solvers.exact.sifting.cases import problem_of
from tests.solvers.exact.sifting.standings import ascended


def test_what_is_found_is_violated_and_without_cuts_nothing_is() -> None:
    found = 0
    for seed in range(8):
        for without in ((), {Part.CUTS}):
            standing = ascended(problem_of(seed), without)
            relaxed = standing.core(lambda: False, np.inf).solve(None)
            assert relaxed is not None
            rows = violated(standing, relaxed.x, relaxed.y)
            assert all(row.slack(relaxed.x, relaxed.y) < 0 for row in rows)
            assert not (without and rows)
            found += len(rows)
    assert found
