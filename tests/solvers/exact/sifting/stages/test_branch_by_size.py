from __future__ import annotations

from itertools import count

import pytest

from anoptima.principles import TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.group_cases import GroupCasesProof
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.stages import branch_by_size
from anoptima.solvers.exact.sifting.stages.ascend import AscendWorths
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize, BranchSoon, Dive
from anoptima.solvers.exact.sifting.stages.first_release import GreedyRelease
from anoptima.solvers.exact.sifting.stages.regions import SearchInBackground
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from anoptima.spaces import Hierarchical
from tests.solvers.exact.sifting.cases_under_rules import close_problem, optimum_of, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths, ledger_of, under_rules

PAIRS = Hierarchical({"early": ["v", "w"], "late": ["x", "y", "z"]})


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
    monkeypatch.setattr(StandingUnderRules, "is_repaired", property(lambda self: True))
    assert BranchBySize(standing, None).why_not() is None
    monkeypatch.setattr(branch_by_size, "MOST_ARCS", 0)
    assert BranchBySize(standing, None).why_not() == "its tree would be too large"


class Turns:
    """In place of a tree's growth: notes how long each turn may take, and lets the run's clock go on by that."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, branch: BranchBySize, *, until: int, checking: float) -> None:
        self.seconds: list[float] = []
        self._branch, self._checking = branch, checking
        monkeypatch.setattr(branch, "grow", self._grow)
        monkeypatch.setattr(branch.standing, "is_over", lambda: len(self.seconds) == until)
        monkeypatch.setattr(branch.standing, "uses", lambda part: False)

    def _grow(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self._branch._checking = self._checking


def test_turns_grow_no_longer_than_is_worth_losing(monkeypatch: pytest.MonkeyPatch) -> None:
    for checking, expected in ((0.5, [10, 20, 40, 60, 60]), (7.0, [10, 20, 40, 70, 70])):
        branch = BranchBySize(ascended_worths(close_problem(1, TCloseness("1/2"), rows=12)), None)
        turns = Turns(monkeypatch, branch, until=5, checking=checking)
        branch.run(0.0)
        assert turns.seconds == expected


def test_a_first_turn_leaves_time_to_check_what_it_comes_to(monkeypatch: pytest.MonkeyPatch) -> None:
    branch = BranchBySize(ascended_worths(close_problem(1, TCloseness("1/2"), rows=12)), None)
    turns = Turns(monkeypatch, branch, until=1, checking=0.5)
    monkeypatch.setattr(branch.standing.ledger.clock, "left", lambda: 4.0)
    branch.run(0.0)
    assert turns.seconds == [branch_by_size.SETTLING_SHARE * 4.0]


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


def test_it_is_soon_for_small_tables_in_compiled_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = ascended_worths(problem_of(0))
    branch = BranchBySize(standing, None)
    assert BranchSoon(standing, branch).why_not() == "plain loops take too long"
    for problem, name in ((problem_of(0), "SOON_ARCS"), (close_problem(1, TCloseness("1/2")), "SOON_ARCS_OF_CLOSE")):
        standing = compiled(problem)
        stage = BranchSoon(standing, BranchBySize(standing, None))
        assert stage.why_not() is None
        monkeypatch.setattr(branch_by_size, name, 0)
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


def bounded(problem: CellSuppression) -> tuple[StandingUnderRules, BranchBySize]:
    """A run whose tree has bounded the whole, and no more."""
    standing = ascended_worths(problem)
    branch = BranchBySize(standing, None)
    case = branch.tree.cases.take()
    branch.tree.leave(branch.tree.examine(case, float("inf"))[0])
    return standing, branch


def test_dives_never_make_a_release_dearer_and_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_by_size, "PATIENCE", 4)
    monkeypatch.setattr(branch_by_size, "ROWS", 5)
    for seed in range(6):
        problem = close_problem(seed, TCloseness("1/3", space=PAIRS, column="s"), rows=9)
        standing, branch = bounded(problem)
        before = standing.ledger.cost
        if Dive(standing, branch).why_not() is None:
            Dive(standing, branch).run(600.0)
        assert before is not None
        assert standing.ledger.cost is not None
        assert optimum_of(problem) <= standing.ledger.cost <= before


def test_they_are_for_small_tables_with_a_bound_and_instead_of_other_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = ascended_worths(close_problem(1, TCloseness("1/3", space=PAIRS, column="s"), rows=9))
    standing.ledger.__dict__["threads"] = 2
    branch = BranchBySize(standing, None)
    assert Dive(standing, branch).why_not() == "nothing bounds whole groups yet"
    monkeypatch.setattr(BranchBySize, "why_not_dive", lambda self: None)
    assert SearchInBackground(standing, branch).why_not() is not None
    monkeypatch.undo()
    monkeypatch.setattr(branch_by_size, "MOST_ARCS_BY_VALUE", 0)
    assert "small tables" in str(Dive(standing, branch).why_not())
    monkeypatch.undo()
    diverse = ascended_worths(problem_of(0))
    assert "small tables" in str(Dive(diverse, BranchBySize(diverse, None)).why_not())
