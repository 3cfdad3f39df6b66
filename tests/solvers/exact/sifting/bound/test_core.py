"""The core program against what is known without it: the optimum of small tables, and what its duals prove over all arcs."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.bound.core import Core, Relaxed
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Terms
from anoptima.solvers.exact.sifting.bound.separation import Support, violated
from anoptima.solvers.exact.sifting.releases.release import release_of
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of

SEEDS = range(900, 925)


def never() -> bool:
    return False


def core_of(seed: int) -> Core:
    _, arcs = arcs_of(problem_of(seed))
    return Core(Catalogue(arcs), never)


def whole(core: Core) -> Relaxed:
    """Solve the core with every arc."""
    core.add_arcs(np.arange(len(core.arcs.member)))
    relaxed = core.solve()
    assert relaxed is not None
    return relaxed


def test_nothing_is_solved_once_it_is_over() -> None:
    _, arcs = arcs_of(problem_of(SEEDS[0]))
    core = Core(Catalogue(arcs), lambda: True)
    core.add_arcs(np.arange(len(arcs.member)))
    assert core.solve() is None


@each("seed", SEEDS)
def test_an_optimum_is_a_solution_and_its_duals_prove_its_value(seed: int) -> None:
    core = core_of(seed)
    arcs, relaxed = core.arcs, whole(core)
    pattern = arcs.pattern_of
    assert np.bincount(arcs.member, relaxed.x) == pytest.approx(arcs.copies)
    assert (relaxed.x <= arcs.copies[arcs.member] * relaxed.y[pattern] + 1e-6).all()
    assert (np.bincount(pattern, relaxed.x) >= arcs.k * relaxed.y - 1e-6).all()
    assert relaxed.value == pytest.approx(arcs.cost[pattern] @ relaxed.x)
    assert Terms(arcs, kernels).look(arcs, relaxed.multipliers).value == pytest.approx(relaxed.value)


@each("seed", SEEDS)
def test_a_core_that_grows_comes_down_to_the_program_of_all_arcs(seed: int) -> None:
    core = core_of(seed)
    first = np.arange(core.arcs.start[0], core.arcs.start[1])
    everything = np.arange(len(core.arcs.member))
    assert core.add_arcs(first) == core.size == len(first)
    assert core.add_arcs(first) == 0
    core.add_shortfall(1e4)
    last = np.inf
    for arcs in np.array_split(everything, 3):
        core.add_arcs(arcs)
        relaxed = core.solve()
        assert relaxed is not None
        assert relaxed.value <= last + 1e-6
        last = relaxed.value
    assert core.chosen().all()
    assert last == pytest.approx(whole(core_of(seed)).value)


@each("seed", SEEDS)
def test_with_the_patterns_of_an_optimum_fixed_it_comes_to_the_optimum(seed: int) -> None:
    problem = problem_of(seed)
    patterns, _ = arcs_of(problem)
    cost, partition = min(every_release(problem), key=lambda found: found[0])
    core = core_of(seed)
    free = whole(core).value
    open_ = set(core.arcs.pattern_of[release_of(problem, patterns, partition).arc].tolist())
    core.fix({pattern: pattern in open_ for pattern in range(len(core.arcs.cost))})
    fixed = core.solve()
    assert fixed is not None
    assert free <= fixed.value + 1e-6
    assert fixed.value == pytest.approx(float(cost * problem.cost_scale))
    core.fix({})
    again = core.solve()
    assert again is not None
    assert again.value == pytest.approx(free)


@each("seed", SEEDS)
def test_where_no_pattern_may_be_open_every_copy_is_short(seed: int) -> None:
    core = core_of(seed)
    whole(core)
    core.fix(dict.fromkeys(range(len(core.arcs.cost)), False))
    assert core.solve() is None
    core.add_shortfall(1000.0)
    short = core.solve()
    assert short is not None
    assert short.value == pytest.approx(1000.0 * core.arcs.copies.sum())
    assert core.glance(10**6) == pytest.approx(short.value)


@each("seed", SEEDS)
def test_cuts_that_are_slack_leave_without_a_change(seed: int) -> None:
    core = core_of(seed)
    relaxed = whole(core)
    rows = violated(Support(Catalogue(core.arcs), relaxed.x, relaxed.y), np.random.default_rng(seed), never)
    core.add_cuts(rows)
    tighter = core.solve()
    assert tighter is not None
    assert tighter.value >= relaxed.value - 1e-6
    core.drop_slack(tighter.x, tighter.y)
    assert all(row.slack(tighter.x, tighter.y) <= 1e-6 for row in core.rows)
    again = core.solve()
    assert again is not None
    assert again.value == pytest.approx(tighter.value)
    assert len(again.multipliers.prices) == len(core.rows)
