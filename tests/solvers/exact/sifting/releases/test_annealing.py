from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from anoptima.solvers.compiling.loops import compiled, fastest
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.kernels.row_moves import anneal, following
from anoptima.solvers.exact.sifting.releases import annealing
from anoptima.solvers.exact.sifting.releases.annealing import Cooling, RowAnnealing
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from anoptima.solvers.exact.sifting.releases.row_layout import RowLayout
from tests.loops import each
from tests.solvers.exact.sifting.releases.annealed import begun, cost_of, optima_reached


def annealed(arcs: Arcs, release: Release, steps: int, seed: int) -> Release:
    reduced = np.zeros(len(arcs.member))
    return RowAnnealing(arcs, 1, seed).anneal(release, reduced, Cooling(steps, 1.0, 0.2), 60.0, lambda: False)


@each("seed", range(40))
def test_what_is_annealed_is_a_release(seed: int) -> None:
    problem, patterns, arcs, release = begun(seed, 30)
    for steps in (1, 20):
        found = annealed(arcs, release, steps, seed)
        groups = partition_of(patterns, found)
        assert problem.is_feasible(groups)
        scaled = cost_of(arcs, found)
        assert problem.cost(groups) * problem.cost_scale <= scaled
        assert np.all(np.diff(found.arc) > 0)
        assert np.all(found.count > 0)


def test_of_many_duplicates_some_stay_and_what_is_annealed_is_a_release() -> None:
    stayed = 0
    for seed in range(20):
        problem, patterns, arcs, begun_with = begun(seed, 60)
        one = annealed(arcs, begun_with, 5, seed)
        other = annealed(arcs, one, 5, seed + 1)
        at_hand, staying = RowLayout(arcs).divided(one)
        stayed += int(staying.count.sum())
        free = arcs.cost[arcs.pattern_of[staying.arc]] == 0
        assert free.all()
        assert (staying.count >= arcs.k).all()
        assert int(at_hand.count.sum() + staying.count.sum()) == int(arcs.copies.sum())
        assert problem.is_feasible(partition_of(patterns, other))
    assert stayed > 0


def test_small_tables_are_mostly_annealed_to_their_optimum() -> None:
    assert optima_reached(lambda arcs, release, seed: annealed(arcs, release, 400, seed)) >= 18


@each("seed", range(12))
def test_compiled_loops_do_what_the_same_loops_in_python_do(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, arcs, release = begun(seed, 30)
    monkeypatch.setattr(annealing, "fastest", compiled)
    found = annealed(arcs, release, 10, seed)
    monkeypatch.setattr(annealing, "fastest", lambda loop: loop)
    again = annealed(arcs, release, 10, seed)
    assert found.arc.tolist() == again.arc.tolist()
    assert found.count.tolist() == again.count.tolist()


def test_what_a_run_of_steps_says_it_changed_is_the_difference_of_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = []

    def noted(*arguments: Any) -> Any:
        change, state = fastest(anneal)(*arguments)
        changes.append(change)
        return change, state

    monkeypatch.setattr(annealing, "fastest", lambda loop: noted)
    for seed in range(20):
        _, _, arcs, release = begun(seed, 30)
        changes.clear()
        found = annealed(arcs, release, 7, seed)
        before, after = (cost_of(arcs, one) for one in (release, found))
        assert sum(changes) == after - before


def test_the_generator_goes_through_many_states() -> None:
    state, seen = 7, set()
    for _ in range(10_000):
        state = int(following(state))
        seen.add(state)
    assert len(seen) == 10_000
    assert all(0 <= one < 1 << 31 for one in seen)


def test_without_an_arc_worth_a_move_nothing_moves() -> None:
    _, _, arcs, release = begun(1, 8)
    far = np.full(len(arcs.member), 10.0)
    assert RowAnnealing(arcs, 1, 0).anneal(release, far, Cooling(100, 1.0, 0.2), 60.0, lambda: False) is release


@each("seed", range(6))
def test_only_patterns_with_a_cheap_arc_are_opened(seed: int) -> None:
    _, _, arcs, release = begun(seed, 30)
    chance = np.random.default_rng(seed)
    reduced = np.where(chance.random(len(arcs.cost)) < 0.3, 0.05, 0.5)[arcs.pattern_of]
    found = RowAnnealing(arcs, 1, seed).anneal(release, reduced, Cooling(100, 1.0, 0.2), 60.0, lambda: False)
    cheap = np.union1d(arcs.pattern_of[reduced <= annealing.REACH], arcs.pattern_of[release.arc])
    assert np.isin(arcs.pattern_of[found.arc], cheap).all()
    assert not np.array_equal(found.arc, release.arc)
