from __future__ import annotations

import numpy as np

from anoptima.principles import TCloseness
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.kernels.repair_board import (
    COST,
    Board,
    dissolve,
    excess,
    forget,
    move,
    put_back,
    take_over,
    trim,
)
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.releases.repair import Repair
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import close_problem


def lists(board: Board) -> tuple[list[list[int]], list[list[int]]]:
    """Return the arcs that have rows, as the lists of records and of patterns say."""
    found: tuple[list[list[int]], list[list[int]]] = ([], [])
    for first, following, some in (
        (board.first_of_record, board.next_of_record, found[0]),
        (board.first_of_pattern, board.next_of_pattern, found[1]),
    ):
        for arc in first.tolist():
            own = []
            while arc >= 0:
                own.append(arc)
                arc = int(following[arc])
            some.append(sorted(own))
    return found


def is_consistent(board: Board) -> bool:
    arcs = np.flatnonzero(board.taken)
    counts = np.zeros_like(board.counts)
    np.add.at(counts, (board.pattern[arcs], board.value[board.member[arcs]]), board.taken[arcs])
    by_record, by_pattern = lists(board)
    return (
        bool((counts == board.counts).all())
        and board.marks[COST] == board.taken @ board.cost[board.pattern]
        and (board.size == counts.sum(axis=1)).all()
        and by_record == [arcs[board.member[arcs] == r].tolist() for r in range(len(board.free))]
        and by_pattern == [arcs[board.pattern[arcs] == p].tolist() for p in range(len(board.cost))]
    )


@each("seed", range(4))
def test_moves_keep_the_books_and_are_undone(seed: int) -> None:
    instance, chance = instance_of(close_problem(seed, TCloseness("0.3"), rows=40)), np.random.default_rng(seed)
    release = greedy_release(instance, np.zeros(len(instance.arcs)), chance)
    repair = Repair(instance, np.zeros(len(instance.arcs.copies)), chance)
    board = repair.board
    take_over(board, release.arc, release.count)
    assert is_consistent(board)
    before = board.taken.copy()
    for _ in range(12):
        arc = int(chance.choice(np.flatnonzero(board.taken)))
        move(board, arc, -int(chance.integers(1, board.taken[arc] + 1)))
    open_ = np.flatnonzero(board.size)
    dissolve(board, int(open_[0]))
    for p in open_[1:]:
        trim(board, int(p))
        assert board.size[p] == 0 or (excess(board, p) <= 0 and board.size[p] >= board.least[p])
    assert is_consistent(board)
    assert board.free.sum() == instance.arcs.copies.sum() - board.taken.sum() > 0
    put_back(board)
    forget(board)
    assert is_consistent(board)
    assert (board.taken == before).all()
    assert not board.free.any()
