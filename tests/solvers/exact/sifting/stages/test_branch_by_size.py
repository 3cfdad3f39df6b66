from __future__ import annotations

from itertools import count

import pytest

from anoptima.principles import TCloseness
from anoptima.proofs.group_cases import GroupCasesProof
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.stages import branch_by_size
from anoptima.solvers.exact.sifting.stages.ascend import AscendWorths
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.first_release import GreedyRelease
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from tests.solvers.exact.sifting.cases_under_rules import close_problem, optimum_of, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths, ledger_of, under_rules


def test_under_diversity_a_tree_of_a_small_table_comes_before_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in (0, 28, 125):
        problem = problem_of(seed)
        standing = StandingUnderRules(instance_of(problem), ledger_of(problem), True)
        GreedyRelease(standing).run(0.0)
        AscendWorths(standing, None).run(0.0)
        stage = BranchBySize(standing, None)
        assert stage.why_not() is None
        stage.run(0.0)
        assert isinstance(standing.ledger.proof, GroupCasesProof)
        assert standing.ledger.proof.proved(problem) == optimum_of(problem)
        monkeypatch.setattr(branch_by_size, "MOST_ARCS_SOON", 0)
        assert stage.why_not() == "a turn that leads nowhere would take too long"
        assert stage.why_not_settle() is None
        monkeypatch.undo()


def test_an_early_tree_that_gets_nowhere_has_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = BranchBySize(ascended_worths(problem_of(0)), None)
    turns: list[float] = []
    monkeypatch.setattr(stage, "_grow", turns.append)
    stage.run(0.0)
    assert len(turns) == 1


def test_cases_by_size_never_lower_what_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = close_problem(1, TCloseness("1/2"), rows=12)
    standing = ascended_worths(problem)
    before = standing.ledger.bound
    monkeypatch.setattr(branch_by_size, "TURN_S", 0.2)
    turns = count()
    monkeypatch.setattr(standing, "is_over", lambda: next(turns) > 60)
    BranchBySize(standing, None).run(0.0)
    assert before is not None
    assert standing.ledger.bound is not None
    assert standing.ledger.cost is not None
    assert before.value <= standing.ledger.bound.value <= standing.ledger.cost


def test_it_is_for_equal_closeness_in_compiled_loops_and_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    assert BranchBySize(under_rules(problem_of(0)), None).why_not() is not None
    standing = under_rules(close_problem(1, TCloseness("1/2"), rows=12))
    assert BranchBySize(standing, None).why_not() is not None
    monkeypatch.setattr(StandingUnderRules, "moves_rows", property(lambda self: True))
    assert BranchBySize(standing, None).why_not() is None
    monkeypatch.setattr(branch_by_size, "MOST_ARCS", 0)
    assert BranchBySize(standing, None).why_not() == "its tree would be too large"
