from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from anoptima.solvers.compiling.loops import compiled, fastest, is_ready
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.kernels import pattern_moves as compiled_moves
from anoptima.solvers.exact.sifting.releases import annealing
from anoptima.solvers.exact.sifting.releases.annealing import Cooling, PatternAnnealing, pattern_annealing_of
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from tests.loops import each
from tests.solvers.exact.sifting.releases.annealed import begun, cost_of, optima_reached


def annealed(arcs: Arcs, release: Release, steps: int, seed: int) -> Release:
    reduced = np.zeros(len(arcs.member))
    return PatternAnnealing(arcs, 1, seed).anneal(release, reduced, Cooling(steps, 1.0, 0.2), 60.0, lambda: False)


@each("seed", range(40))
def test_what_is_found_is_a_release_and_never_dearer(seed: int) -> None:
    problem, patterns, arcs, release = begun(seed, 30)
    for steps in (1, 60):
        found = annealed(arcs, release, steps, seed)
        groups = partition_of(patterns, found)
        assert problem.is_feasible(groups)
        scaled = cost_of(arcs, found)
        assert problem.cost(groups) * problem.cost_scale <= scaled <= cost_of(arcs, release)
        assert np.all(np.diff(found.arc) > 0)
        assert np.all(found.count > 0)


def test_steps_that_would_move_too_many_rows_are_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    better = 0
    for room in (1, 2):
        monkeypatch.setattr(annealing, "ROOM", room)
        for seed in range(20):
            problem, patterns, arcs, release = begun(seed, 30)
            found = annealed(arcs, release, 60, seed)
            assert problem.is_feasible(partition_of(patterns, found))
            better += cost_of(arcs, found) < cost_of(arcs, release)
    assert better > 10


def test_small_tables_are_mostly_annealed_to_their_optimum() -> None:
    assert optima_reached(lambda arcs, release, seed: annealed(arcs, release, 1_000, seed)) >= 19


def test_rows_are_where_they_cost_least_with_the_patterns_that_are_open() -> None:
    several = 0
    for seed in range(20):
        _, _, arcs, release = begun(seed, 30)
        for steps in (1, 5, 30):
            found = annealed(arcs, release, steps, seed)
            assert cost_of(arcs, found) == cheapest_with_the_same_open(arcs, found)
            several += len(np.unique(arcs.pattern_of[found.arc])) > 2
    assert several > 20


def cheapest_with_the_same_open(arcs: Arcs, release: Release) -> int:
    """Return what a release costs at least in which the same patterns have k rows or more: a flow of least cost."""
    graph: nx.DiGraph[object] = nx.DiGraph()
    groups = np.unique(arcs.pattern_of[release.arc])
    graph.add_node("spare", demand=int(arcs.copies.sum()) - arcs.k * len(groups))
    for record, copies in enumerate(arcs.copies):
        graph.add_node(("record", record), demand=-int(copies))
    for pattern in groups:
        graph.add_node(("pattern", pattern), demand=arcs.k)
        graph.add_edge(("pattern", pattern), "spare")
        for arc in range(arcs.start[pattern], arcs.start[pattern + 1]):
            graph.add_edge(("record", arcs.member[arc]), ("pattern", pattern), weight=int(arcs.cost[pattern]))
    return int(nx.min_cost_flow_cost(graph))


@each("seed", range(8))
def test_compiled_loops_do_what_the_same_loops_in_python_do(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, arcs, release = begun(seed, 30)
    monkeypatch.setattr(annealing, "fastest", compiled)
    found = annealed(arcs, release, 40, seed)
    monkeypatch.setattr(annealing, "fastest", lambda loop: loop)
    again = annealed(arcs, release, 40, seed)
    assert found.arc.tolist() == again.arc.tolist()
    assert found.count.tolist() == again.count.tolist()


def test_what_a_run_of_steps_says_it_changed_is_the_difference_of_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    anneal, seen = fastest(compiled_moves.anneal), 0

    def noted(ground: Any, groups: Any, *more: Any) -> Any:
        nonlocal seen
        before, known = ground.cost[groups.at].sum(), ground.cost[more[8]].sum()
        change, lowest, *others = anneal(ground, groups, *more)
        assert ground.cost[groups.at].sum() == before + change
        assert ground.cost[more[8]].sum() == before + lowest <= known
        assert (np.bincount(groups.at, minlength=len(ground.cost)) == groups.size).all()
        seen += change != 0
        return change, lowest, *others

    monkeypatch.setattr(annealing, "fastest", lambda loop: noted)
    monkeypatch.setattr(annealing, "PATTERNS_CHUNK", 10)
    for seed in range(10):
        _, _, arcs, release = begun(seed, 30)
        annealed(arcs, release, 100, seed)
    assert seen > 20


def test_without_a_pattern_worth_opening_nothing_moves() -> None:
    _, _, arcs, release = begun(1, 8)
    far = np.full(len(arcs.member), 10.0)
    assert PatternAnnealing(arcs, 1, 0).anneal(release, far, Cooling(100, 1.0, 0.2), 60.0, lambda: False) is release


def test_it_is_for_small_tables_and_compiled_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, arcs, _ = begun(1, 30)
    assert (pattern_annealing_of(arcs, 1, 0) is not None) == is_ready(compiled_moves.anneal)
    monkeypatch.setattr(annealing, "FEW_ROWS", int(arcs.copies.sum()) - 1)
    assert pattern_annealing_of(arcs, 1, 0) is None
