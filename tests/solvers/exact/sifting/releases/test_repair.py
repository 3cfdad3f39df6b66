"""Rows let go and taken in again: releases stay legal, never cost more in the end, and the loops do the same compiled or not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.compiling.loops import compiled
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.releases import repair
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from anoptima.spaces import Explicit, Hierarchical, Numeric, Ordered
from anoptima.table import Table
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import CLOSE, close_problem, optimum_of, problem_of

LINE, TREE = Ordered(list("vwxyz")), Hierarchical({"low": ["v", "w", "x"], "high": ["y", "z"]})
ON_TREES = [
    TCloseness("0.1", space=LINE),
    TCloseness("1/7", space=TREE),
    TCloseness("0.05", space=LINE) & KAnonymity(12),
    TCloseness("0.2", space=LINE) & LDiversity(2),
    LDiversity("7/3") & TCloseness("0.4") & KAnonymity(3),
]


@pytest.mark.parametrize("principle", [*CLOSE, *ON_TREES], ids=str)
@each("seed", range(3))
@pytest.mark.parametrize("threads", [1, 2])
def test_releases_are_legal_and_get_better(threads: int, seed: int, principle: Principle) -> None:
    asked = close_problem(seed, principle)
    instance = instance_of(asked)
    chance = np.random.default_rng(seed)
    worth = 0.7 + first_multipliers(instance.arcs).worth
    search = repair.Repair(instance, worth, chance)
    start = greedy_release(instance, np.zeros(len(instance.arcs)), chance)
    found: list[Release] = []
    search.load(start)
    before = search.cost
    boards = [search, repair.Repair(instance, worth, chance)][:threads]
    repair.improve(boards, start, 0.3, lambda: False, found.append, chance)
    for better in (start, *found):
        partition = partition_of(instance.patterns, better)
        assert not asked.violations(partition)
        assert asked.cost(partition) * asked.cost_scale <= before
    for board in boards:
        assert (board.board.free == 0).all()
        assert board.cost == int(instance.arcs.cost[instance.arcs.pattern_of] @ board.board.taken)
    held = [np.bincount(board.board.member, board.board.taken, len(instance.arcs.copies)) for board in boards]
    assert np.sum(held, axis=0).tolist() == instance.arcs.copies.tolist()


@each("seed", [9, 10, 11, 12, 16, 17, 18, 34, 35, 36, 37, 40, 41, 42, 43, 62])
def test_never_below_the_optimum(seed: int) -> None:
    asked = problem_of(seed)
    instance = instance_of(asked)
    if not repair.serves(instance):
        return
    chance = np.random.default_rng(seed)
    search = repair.Repair(instance, 1.0 + first_multipliers(instance.arcs).worth, chance)
    search.load(greedy_release(instance, np.zeros(len(instance.arcs)), chance))
    search.improve(200, 4, 0.0)
    assert search.cost >= optimum_of(asked) * asked.cost_scale
    assert not asked.violations(partition_of(instance.patterns, search.release))


def test_what_it_serves() -> None:
    assert repair.serves(instance_of(close_problem(0, TCloseness("0.3"))))
    assert all(repair.serves(instance_of(close_problem(0, principle))) for principle in ON_TREES)
    assert not repair.serves(instance_of(close_problem(0, LDiversity(2))))
    frame = pd.DataFrame({"q": [0, 0, 1, 1], "s": [0, 1, 10**15, 10**15]})
    far_apart = CellSuppression(Table.from_frame(frame, ["q"], "s"), TCloseness("0.6", space=Numeric()))
    assert not repair.serves(instance_of(far_apart)), "sums of so large numbers would not be exact"
    assert not repair.serves(instance_of(close_problem(0, TCloseness("0.3") & LDiversity(2, version="distinct"))))
    without_a_rule = TCloseness("0.3", space=Explicit("vwxyz", (1 - np.eye(5, dtype=int)).tolist()))
    assert not repair.serves(instance_of(close_problem(0, TCloseness("0.3") & without_a_rule)))


@pytest.mark.parametrize(
    "principle",
    [TCloseness("0.3000033"), TCloseness("0.0500000000001", space=LINE), TCloseness("0.1000003") & LDiversity(2)],
    ids=str,
)
def test_a_t_of_many_digits(principle: Principle) -> None:
    # The rule asks for a t of a smaller denominator, which allows more; the boards ask for one that allows less.
    asked = close_problem(0, principle, rows=400)
    instance = instance_of(asked)
    assert repair.serves(instance)
    chance = np.random.default_rng(0)
    search = repair.Repair(instance, 0.7 + first_multipliers(instance.arcs).worth, chance)
    start = greedy_release(instance, np.zeros(len(instance.arcs)), chance)
    search.load(start)
    before = search.cost
    search.improve(300, 10, 0.0)
    assert search.cost < before
    assert not asked.violations(partition_of(instance.patterns, search.release))


@pytest.mark.parametrize("principle", [TCloseness("0.3"), TCloseness("0.1", space=LINE)], ids=str)
def test_compiled_as_it_is(principle: Principle, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = instance_of(close_problem(1, principle, 40))
    start = greedy_release(instance, np.zeros(len(instance.arcs)), np.random.default_rng(1))
    worth = 0.4 + first_multipliers(instance.arcs).worth
    found = []
    for way in (compiled, lambda loop: loop):
        monkeypatch.setattr(repair, "fastest", way)
        search = repair.Repair(instance, worth, np.random.default_rng(5))
        search.load(start)
        found.append((search.improve(20, 10, 0.5), search.cost, search.release.arc.tolist()))
    assert found[0] == found[1]


def test_lists_tell_what_is_held() -> None:
    instance = instance_of(close_problem(2, TCloseness("0.3")))
    chance = np.random.default_rng(2)
    search = repair.Repair(instance, 0.7 + first_multipliers(instance.arcs).worth, chance)
    search.load(greedy_release(instance, np.zeros(len(instance.arcs)), chance))
    search.improve(300, 10, 1.0)
    board = search.board
    for place, first, following in (
        (board.member, board.first_of_record, board.next_of_record),
        (board.pattern, board.first_of_pattern, board.next_of_pattern),
    ):
        for i, arc in enumerate(first.tolist()):
            listed = []
            while arc >= 0:
                listed.append(arc)
                arc = int(following[arc])
            assert sorted(listed) == np.flatnonzero((board.taken > 0) & (place == i)).tolist()


def test_without_a_limit_nothing_depends_on_the_clock() -> None:
    instance = instance_of(close_problem(3, TCloseness("0.3"), 40))
    start = greedy_release(instance, np.zeros(len(instance.arcs)), np.random.default_rng(1))
    found = []
    for _ in range(2):
        boards = [
            repair.Repair(instance, first_multipliers(instance.arcs).worth, np.random.default_rng(i)) for i in range(2)
        ]
        offered: list[Release] = []
        repair.improve(boards, start, np.inf, lambda: False, offered.append, np.random.default_rng(3))
        found.append([(one.arc.tolist(), one.count.tolist()) for one in offered])
    assert found[0] == found[1]


def test_no_more_boards_than_there_is_work_for() -> None:
    instance = instance_of(close_problem(0, TCloseness("0.3")))
    worth = first_multipliers(instance.arcs).worth
    assert len(repair.boards_for(instance, worth, np.random.default_rng(0), 8)) == 1
