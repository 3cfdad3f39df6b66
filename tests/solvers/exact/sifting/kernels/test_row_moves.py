from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.kernels.row_moves import (
    NEVER,
    SIZE,
    Notes,
    _dissolved,
    _noted,
    _opened,
    _price_of_dissolving,
    _taken_back,
)
from anoptima.solvers.exact.sifting.releases.release import release_of
from anoptima.solvers.exact.sifting.releases.row_layout import RowLayout
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


@each("seed", range(20))
def test_prices_are_what_moves_change_and_moves_are_taken_back(seed: int) -> None:
    problem = problem_of(seed, 30)
    patterns, arcs = arcs_of(problem)
    layout, release = RowLayout(arcs), release_of(problem, patterns, problem.trivial())
    ground, groups = layout.ground(release), layout.groups(release)
    whole, rows = np.int64, len(groups.at)
    room = (np.zeros(4 * rows + 1, dtype=whole), np.zeros(4 * rows + 1, dtype=whole), np.zeros(arcs.k + 1, dtype=whole))
    notes = Notes(*room, np.zeros(arcs.k + 1), np.zeros(rows, dtype=whole), np.zeros(rows, dtype=whole))
    before, cost, count, paid = groups.at.copy(), ground.cost[groups.at].sum(), 0, 0
    for pattern in range(len(arcs)):
        if groups.patterns[pattern, SIZE]:
            continue
        first, last = arcs.start[pattern], arcs.start[pattern + 1]
        moved, price = _opened(ground, groups, notes, pattern, int(arcs.member[first]), 1.0, first, last)
        assert groups.patterns[pattern, SIZE] == moved >= arcs.k
        assert ground.cost[groups.at].sum() == cost + price
        price_back = _price_of_dissolving(ground, groups, notes, pattern, NEVER)
        if price_back < NEVER:
            _dissolved(groups, notes, moved, pattern)
            assert groups.patterns[pattern, SIZE] == 0
            assert ground.cost[groups.at].sum() == cost + price + price_back
            moved *= 2
        assert _taken_back(groups, notes, moved, 0) == 0
        assert (groups.at == before).all()
    assert _noted(groups, notes, count, 0, int(groups.at[0])) == 1 + paid
