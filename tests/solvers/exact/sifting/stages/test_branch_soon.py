from __future__ import annotations

import pytest

from anoptima.principles import TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.group_cases import GroupCasesProof
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.stages import branch_soon
from anoptima.solvers.exact.sifting.stages.ascend import AscendWorths
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.branch_soon import BranchSoon
from anoptima.solvers.exact.sifting.stages.first_release import GreedyRelease
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from tests.solvers.exact.sifting.cases_under_rules import close_problem, optimum_of, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths, ledger_of


def compiled(problem: CellSuppression) -> StandingUnderRules:
    standing = StandingUnderRules(instance_of(problem), ledger_of(problem), True)
    GreedyRelease(standing).run(0.0)
    AscendWorths(standing, None).run(0.0)
    return standing


def test_a_tree_alone_proves_small_tables() -> None:
    problems = [*map(problem_of, (0, 28, 125)), close_problem(1, TCloseness("1/2"), rows=8)]
    for problem in problems:
        standing = compiled(problem)
        stage = BranchSoon(standing, BranchBySize(standing, None))
        assert stage.why_not() is None
        stage.run(0.0)
        assert isinstance(standing.ledger.proof, GroupCasesProof)
        assert standing.ledger.proof.proved(problem) == optimum_of(problem)


def test_it_is_for_small_tables_in_compiled_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = ascended_worths(problem_of(0))
    branch = BranchBySize(standing, None)
    assert BranchSoon(standing, branch).why_not() == "plain loops take too long"
    for problem, name in ((problem_of(0), "MOST_ARCS"), (close_problem(1, TCloseness("1/2")), "MOST_ARCS_OF_CLOSE")):
        standing = compiled(problem)
        stage = BranchSoon(standing, BranchBySize(standing, None))
        assert stage.why_not() is None
        monkeypatch.setattr(branch_soon, name, 0)
        assert stage.why_not() == "a turn that leads nowhere would take too long"
    unknown = compiled(problem_of(22))
    monkeypatch.undo()
    assert BranchSoon(unknown, BranchBySize(unknown, None)).why_not() == "there are no proofs by cases of it"


def test_a_tree_that_gets_nowhere_has_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = ascended_worths(problem_of(0))
    branch = BranchBySize(standing, None)
    turns: list[float] = []
    monkeypatch.setattr(branch, "grow", turns.append)
    BranchSoon(standing, branch).run(0.0)
    assert len(turns) == 1
