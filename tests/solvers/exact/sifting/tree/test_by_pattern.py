"""Proofs by cases that the engine finds: as good as the optimum, and no better with anything changed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Budget, Origin
from anoptima.proofs.branched import BranchedProof
from anoptima.proofs.kinds import proof_as_json
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import Sifting, standing
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.proofs import branched_proof_of
from anoptima.solvers.exact.sifting.stages import core_rounds
from anoptima.solvers.exact.sifting.tree.by_pattern import Around, ByPattern, TreeByPattern
from anoptima.solvers.exact.sifting.tree.cases import CaseOfPatterns
from anoptima.solvers.exact.sifting.whole_numbers import DENOMINATOR
from tests.loops import each
from tests.proofs.test_tampering import stands
from tests.solvers.exact.sifting.cases import every_release, problem_of


@pytest.fixture(autouse=True)
def _without_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave all that the first passes have not closed to branching."""
    monkeypatch.setattr(core_rounds, "PATIENCE", 0)


@each("seed", range(24))
def test_the_optimum_is_proved_by_cases(seed: int) -> None:
    problem = problem_of(seed + 600)
    answer = Sifting().solve(problem)
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost == min(cost for cost, _ in every_release(problem))
    assert answer.bound is not None
    assert answer.bound.origin in (Origin.PROOF, Origin.PROBLEM)
    assert not answer.verify().wrong


@pytest.mark.parametrize("threads", [1, 3])
@each("seed", range(2))
def test_threads_share_a_tree(seed: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "LARGE_RECORDS", 1000)
    frame = pd.DataFrame(np.random.default_rng(seed).integers(0, 3, (14, 4)), columns=list("abcd"))
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(3))
    answer = Sifting().solve(problem, Budget(threads=threads))
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost == ao.solve(problem, "subset-dp").cost
    assert not answer.verify().wrong


def tree_of(
    problem: ao.CellSuppression, wanted: int, cores: int = 1, is_over: Callable[[], bool] = lambda: False
) -> TreeByPattern:
    instance = instance_of(problem)
    assert instance.d == DENOMINATOR
    programs = [Core(instance.catalogue, lambda: False) for _ in range(cores)]
    for core in programs:
        core.add_arcs(np.arange(len(instance.arcs.member)))
    around = Around(is_over, lambda: wanted, lambda relaxed: None, lambda x, y, near: [], lambda x: None)
    return TreeByPattern(instance, kernels_here(kernels), programs, around)


def test_the_next_cost_is_the_first_that_says_more() -> None:
    d, nothing = DENOMINATOR, Multipliers(np.zeros(0), np.zeros(0))
    table = ao.ten_rows()
    table = table.restricted(table.quasi, (2,) * len(table.quasi))
    tree = tree_of(ao.CellSuppression(table, ao.KAnonymity(2)), wanted=9 * d + 1)
    assert [tree.target(CaseOfPatterns((), nothing, proved)) for proved in (0, 1, 2 * d, 2 * d + 1, 8 * d, 9 * d)] == [
        1,
        2 * d + 1,
        2 * d + 1,
        4 * d + 1,
        8 * d + 1,
        9 * d + 1,
    ]


def test_what_is_wanted_is_proved_and_no_more() -> None:
    problem = branched(0, 4)[0]
    optimum = ao.solve(problem, "subset-dp").cost
    assert optimum is not None
    wanted = (int(optimum) - 1) * DENOMINATOR + 1
    for reached in (wanted - 3 * DENOMINATOR, wanted):
        tree = tree_of(problem, reached, cores=2)
        tree.run(2)
        assert reached <= tree.proved <= int(optimum) * DENOMINATOR
        assert len({case.fixed for case in tree.cases}) == len(tree.cases)


def test_every_case_is_followed_to_the_next_cost_only(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = branched(0, 4)[0]
    optimum = ao.solve(problem, "subset-dp").cost
    assert optimum is not None
    wanted = (int(optimum) - 1) * DENOMINATOR + 1
    tree = tree_of(problem, wanted)
    follow, steps = TreeByPattern._follow, []

    def watch(self: TreeByPattern, brancher: ByPattern, case: CaseOfPatterns) -> None:
        steps.append(self.target(case) - case.proved)
        follow(self, brancher, case)

    monkeypatch.setattr(TreeByPattern, "_follow", watch)
    tree.run(1)
    assert tree.proved >= wanted
    assert len(steps) > 1
    assert all(0 < step <= DENOMINATOR + 1 for step in steps)


def test_once_it_is_over_no_further_pattern_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two dozen patterns are tried both ways before the first is branched on: seconds, on a large core."""
    tried: list[float] = []
    glance = Core.glance

    def watch(core: Core, iterations: int) -> float:
        tried.append(glance(core, iterations))
        return tried[-1]

    monkeypatch.setattr(Core, "glance", watch)
    frame = pd.DataFrame(np.random.default_rng(3).integers(0, 3, (30, 5)), columns=list("abcde"))
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcde")), ao.KAnonymity(3))
    tree_of(problem, DENOMINATOR * problem.table.rows * 5, is_over=lambda: bool(tried)).run()
    assert len(tried) == 1


def test_solutions_of_cases_are_told() -> None:
    problem = branched(0, 4)[0]
    optimum = ao.solve(problem, "subset-dp").cost
    assert optimum is not None
    tree = tree_of(problem, (int(optimum) - 1) * DENOMINATOR + 1)
    told: list[np.ndarray] = []
    tree.around.hint = told.append
    tree.run(1)
    arcs = tree.instance.arcs
    assert told
    for x in told:
        assert np.bincount(arcs.member, x, len(arcs.copies)) == pytest.approx(arcs.copies)


def test_a_pattern_that_one_core_alone_has_is_decided_in_all() -> None:
    """Searches on other threads may better the release while the cores are made, each of which has the arcs of the release."""
    problem = branched(0, 4)[0]
    instance = instance_of(problem)
    programs = [Core(instance.catalogue, lambda: False) for _ in range(2)]
    programs[1].add_arcs(np.arange(len(instance.arcs.member)))
    around = Around(lambda: False, lambda: 2 * DENOMINATOR, lambda relaxed: None, lambda x, y, near: [], lambda x: None)
    tree = TreeByPattern(instance, kernels_here(kernels), programs, around)
    whole = tree.cases.take()
    for is_open in (True, False):
        tree.leave(tree.priced(((len(instance.arcs) - 1, is_open),), whole.at))
    tree.run(1)
    assert tree.proved >= 2 * DENOMINATOR


def test_no_case_is_deeper_than_its_proof_can_be_written_and_read() -> None:
    """At 500 decisions the writer of proofs ran out of calls."""
    frame = pd.DataFrame(np.random.default_rng(3).integers(0, 9, (300, 4)), columns=list("abcd"))
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(2))
    tree = tree_of(problem, 10**15)
    case = tree.cases.take()
    while parts := tree.branchers[0].divide(case, None):
        tree.leave(parts[0])
        case = parts[1]
        assert len(case.fixed) < 400
    tree.cases.close(case)
    assert len(tree.cases) == 301
    proof = branched_proof_of(tree.instance, 0, tree.rows, list(tree.cases))
    assert BranchedProof.from_json(json.loads(json.dumps(proof.as_json()))) == proof
    assert proof.proved(problem) == 0


def test_what_breaks_one_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Exception):
        pass

    follow = TreeByPattern._follow

    def break_elsewhere(self: TreeByPattern, brancher: ByPattern, case: CaseOfPatterns) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise Broken
        follow(self, brancher, case)

    problem = branched(0, 4)[0]
    tree = tree_of(problem, 10**9, cores=2)
    monkeypatch.setattr(TreeByPattern, "_follow", break_elsewhere)
    with pytest.raises(Broken):
        tree.run(2)


def branched(seed: int, k: int) -> tuple[ao.CellSuppression, Any]:
    frame = pd.DataFrame(np.random.default_rng(seed).integers(0, 3, (12, 4)), columns=list("abcd"))
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(k))
    return problem, Sifting().solve(problem).proof


@pytest.mark.parametrize(("k", "seed"), [(2, 11), (3, 2), (4, 0)])
def test_every_change_of_a_tree_is_refused_or_true(k: int, seed: int) -> None:
    problem, proof = branched(seed, k)
    assert isinstance(proof, BranchedProof)
    optimum = ao.solve(problem, "subset-dp").cost
    assert optimum is not None
    assert stands(problem, proof_as_json(proof), optimum) > 20
