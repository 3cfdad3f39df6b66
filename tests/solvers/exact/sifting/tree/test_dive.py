"""Dives: releases of all rows, legal ones, whatever stays; and the tree that they begin from proves what it did before."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.errors import OutOfTime
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.proofs import proof_by_cases
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.tree.by_size import TreeBySize
from anoptima.solvers.exact.sifting.tree.dive import let_go
from tests.loops import each
from tests.proofs.test_group_cases import ALONG_EDGES, problem_by_cases
from tests.solvers.exact.sifting.cases_under_rules import optimum_of

NEVER = float("inf")


def tree_of(problem: CellSuppression) -> TreeBySize:
    instance, best = instance_of(problem), optimum_of(problem)
    wanted = float(best * problem.cost_scale - instance.step_of_cost)
    worth = np.zeros(len(instance.arcs.copies))
    return TreeBySize(
        instance, rule_pricing(instance, True), worth, lambda: wanted, lambda release: None, lambda: False
    )


@each("seed", range(12))
def test_dives_lead_to_legal_releases_and_leave_the_tree_as_it_was(seed: int) -> None:
    problem = problem_by_cases(seed, ALONG_EDGES[1:])
    instance, tree, chance = instance_of(problem), tree_of(problem), np.random.default_rng(seed)
    programs, case = instance.programs, tree.cases.take()
    assert not tree.is_bounded
    case, _ = tree.examine(case, NEVER)
    tree.leave(case)
    assert tree.is_bounded
    release = tree.dive(NEVER)
    for _ in range(4):
        assert programs.is_legal(release)
        assert programs.cost_of(release) >= optimum_of(problem) * problem.cost_scale
        release = tree.dive(NEVER, let_go(instance, release, 4, chance))
    assert programs.is_legal(tree.dive(0.0)), "a dive that has no time is a release, too"
    tree.run()
    proof = proof_by_cases(instance, list(tree.cases))
    assert proof is not None
    assert proof.proved(problem) == optimum_of(problem)


@each("seed", range(6))
def test_what_is_let_go_are_whole_groups_of_enough_rows(seed: int) -> None:
    problem = problem_by_cases(seed, ALONG_EDGES[1:])
    instance, tree, chance = instance_of(problem), tree_of(problem), np.random.default_rng(seed)
    tree.examine(tree.cases.take(), NEVER)
    release = tree.dive(NEVER)
    group, rows = instance.arcs.pattern_of[release.arc], int(release.count.sum())
    for wanted in (1, 4, rows, rows + 9):
        stays = let_go(instance, release, wanted, chance)
        assert rows - int(stays.count.sum()) >= min(wanted, rows)
        kept = np.isin(group, instance.arcs.pattern_of[stays.arc])
        assert (release.arc[kept] == stays.arc).all()
        assert (release.count[kept] == stays.count).all()


def test_a_program_that_does_not_come_back_ends_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a turn is not the end of the run."""

    def lost(*_: object, **__: object) -> None:
        raise OutOfTime

    monkeypatch.setattr(Programs, "improve", lost)
    tree = tree_of(problem_by_cases(3, ALONG_EDGES[1:]))
    tree.run()
    assert tree.is_done
