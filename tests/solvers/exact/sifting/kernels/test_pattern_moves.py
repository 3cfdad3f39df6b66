from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.kernels.pattern_moves import NONE, Paths, _moved, _opened, _supplier
from anoptima.solvers.exact.sifting.kernels.row_moves import NEVER, SIZE, Notes, _taken_back
from anoptima.solvers.exact.sifting.releases.release import release_of
from anoptima.solvers.exact.sifting.releases.row_layout import RowLayout
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


@each("seed", range(20))
def test_a_chain_moves_one_row_from_one_end_to_the_other(seed: int) -> None:
    problem = problem_of(seed, 30)
    patterns, arcs = arcs_of(problem)
    layout, release = RowLayout(arcs), release_of(problem, patterns, problem.trivial())
    ground, groups = layout.ground(release), layout.groups(release)
    whole, nothing = np.int64, np.zeros(0, dtype=np.int64)
    room = 50 * len(groups.at)
    notes = Notes(np.zeros(room, dtype=whole), np.zeros(room, dtype=whole), nothing, np.zeros(0), nothing, nothing)
    paths = Paths(*(np.zeros(len(arcs), dtype=whole) for _ in Paths._fields))
    before, now = groups.at.copy(), 0
    for pattern in np.flatnonzero(groups.size == 0).tolist():
        now += 1
        supplier, _ = _supplier(ground, groups, paths, pattern, NONE, now)
        if supplier == NONE:
            continue
        sizes = groups.size.copy()
        count = _moved(groups, notes, paths, 0, supplier, pattern, True)
        changed = groups.size - sizes
        assert (changed[supplier], changed[pattern], np.abs(changed).sum()) == (-1, 1, 2)
        _taken_back(groups, notes, count, 0)
        cost = ground.cost[groups.at].sum()
        closing, count, paid, now = _opened(ground, groups, notes, paths, pattern, 3, room // 2, now, 1 << 20)
        if paid < NEVER:
            assert ground.cost[groups.at].sum() == cost + paid
            assert closing != NONE or groups.patterns[pattern, SIZE] == arcs.k
        _taken_back(groups, notes, count, 0)
        assert (groups.at == before).all()
