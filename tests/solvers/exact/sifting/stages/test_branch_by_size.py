from __future__ import annotations

from itertools import count

import pytest

from anoptima.principles import TCloseness
from anoptima.solvers.exact.sifting.stages import branch_by_size
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from tests.solvers.exact.sifting.cases_under_rules import close_problem, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths, under_rules


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
