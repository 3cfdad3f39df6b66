from __future__ import annotations

import pytest

from anoptima.principles import TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.stages import branch_by_size
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.dive import Dive
from anoptima.solvers.exact.sifting.stages.regions import SearchInBackground
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from anoptima.spaces import Hierarchical
from tests.solvers.exact.sifting.cases_under_rules import close_problem, optimum_of, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths

PAIRS = Hierarchical({"early": ["v", "w"], "late": ["x", "y", "z"]})


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
