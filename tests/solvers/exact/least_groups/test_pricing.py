"""What groups cost, what is found in parts of the rows, and worths at which nothing gains."""

from __future__ import annotations

import numpy as np
import pytest

import anoptima as ao
from anoptima.problems.cell_suppression import Partition
from anoptima.proofs.least_groups import LeastGroups
from anoptima.proofs.worths import groups_of
from anoptima.solvers.compiling.loops import compiled
from anoptima.solvers.exact.least_groups import pricing as room
from tests.loops import each
from tests.solvers.exact.least_groups.tables import pricing_of, wide


@pytest.mark.parametrize("columns", [5, 8, 64, 65, 130])
@pytest.mark.parametrize("weighted", [False, True])
def test_groups_cost_what_the_problem_says(columns: int, weighted: bool) -> None:
    problem = wide(columns, 12, columns, ao.KAnonymity(3), weighted)
    pricing = pricing_of(problem)
    groups = np.random.default_rng(0).permutation(12).reshape(4, 3)
    cost = problem.cost(Partition.from_groups(groups.tolist(), 12)) * problem.cost_scale
    assert pricing.costs(groups).sum() == cost
    far = pricing.far(np.array([[2, 7]]))[0]
    assert pricing.apart(2)[7] == pricing.apart(7)[2] == far @ problem.table.scaled_weights


@each("seed", range(12))
def test_nothing_gains_at_corrected_worths_even_where_the_search_is_cut_short(seed: int) -> None:
    problem = wide(seed, 30, 12, (ao.KAnonymity(3), ao.KAnonymity(4), ao.LDiversity(3))[seed % 3], seed % 2 == 1)
    pricing, worth = pricing_of(problem), np.random.default_rng(seed).integers(0, 60, 30)
    k, kinds, _ = groups_of(problem)
    for looks in (1, 20, 1 << 30):
        found = pricing.best_groups(np.arange(30), worth, 4, looks)
        corrected = found.corrected(worth)
        assert (corrected <= worth).all()
        assert not LeastGroups(problem, k, kinds).some_gain(corrected.tolist(), 4)
        assert found.is_complete or looks < 1 << 30


@each("seed", range(4))
def test_threads_find_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "fastest", compiled)
    monkeypatch.setattr(room, "_AT_ONCE", 500)
    monkeypatch.setattr(room, "_FOR_THREADS", 1)
    problem = wide(seed, 60, 12, (ao.KAnonymity(3), ao.LDiversity(3))[seed % 2])
    worth = np.random.default_rng(seed).integers(0, 60, 60)
    one, three = (pricing_of(problem, threads).best_groups(np.arange(60), worth, 4, 1 << 20) for threads in (1, 3))
    assert one.gain.tolist() == three.gain.tolist()
    assert one.groups.tolist() == three.groups.tolist()
    assert len(one.groups)


def test_of_some_rows_groups_have_those_alone() -> None:
    pricing = pricing_of(wide(2, 40, 10, ao.KAnonymity(3)))
    rows = np.arange(1, 40, 2)
    groups = pricing.best_groups(rows, np.full(40, 9), 1, 1 << 20).groups
    assert len(groups) > 5
    assert (groups % 2 == 1).all()
    assert (np.diff(groups, axis=1) > 0).all()


@pytest.mark.parametrize("principle", [ao.KAnonymity(3), ao.LDiversity(3), ao.LDiversity(4)], ids=str)
def test_near_groups_hold_each_row_and_rows_of_different_kinds(principle: ao.Principle) -> None:
    pricing = pricing_of(wide(3, 20, 10, principle))
    groups = pricing.near_groups()
    assert set(groups.ravel().tolist()) == set(range(20))
    kinds = pricing.kinds[groups]
    assert all(len({*row}) == pricing.k for row in kinds.tolist())
    assert len(np.unique(groups, axis=0)) == len(groups)
    assert (np.diff(groups, axis=1) > 0).all()


def test_what_is_too_much_is_said() -> None:
    problem = wide(0, 30, 70, ao.KAnonymity(3))
    assert room.why_not_priced(problem, 3) is None
    heavy = ao.Table.from_frame(problem.table.frame, ["q0", "q1"], "ill", weights={"q0": 1 << 31})
    assert (
        room.why_not_priced(ao.CellSuppression(heavy, ao.KAnonymity(3)), 3)
        == "columns weigh too much for numbers of 32 bits"
    )
    assert room.why_not_priced(problem, 1) == "groups of one row cost nothing, and prove nothing"
    many = wide(0, 300, 3, ao.KAnonymity(15))
    assert room.why_not_priced(many, 15) == "there are too many groups of 15 of 300 rows to be looked at"
    with pytest.raises(ao.NotApplicable, match="there are too many groups of 15 of 300 rows"):
        ao.solve(many, "group-prices")
