from __future__ import annotations

import pytest

from anoptima import census
from anoptima.principles import LDiversity, Principle, TCloseness
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases import move_rows as moving
from anoptima.solvers.exact.sifting.releases import repair
from anoptima.solvers.exact.sifting.stages.ascend import AscendWorths
from anoptima.solvers.exact.sifting.stages.first_release import GreedyRelease
from anoptima.solvers.exact.sifting.stages.move_rows import MoveRows
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from anoptima.spaces import Ordered
from anoptima.table import Table
from tests.solvers.exact.sifting.cases_under_rules import close_problem, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths, ledger_of, under_rules


@pytest.mark.parametrize("left_out", [Part.MOVING_ROWS, Part.REPAIR])
def test_each_half_leaves_a_legal_release_that_is_no_dearer(left_out: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "CLOSE", moving.CLOSE._replace(most=50))
    monkeypatch.setattr(moving, "FEWEST_MOVES", 0)
    monkeypatch.setattr(repair, "TRIALS_A_RECORD", 1)
    standing = ascended_worths(close_problem(2, TCloseness("0.3"), rows=30), without={left_out})
    before = standing.ledger.cost
    MoveRows(standing, resumed=False).run(0.0)
    assert before is not None
    assert standing.ledger.cost is not None
    assert standing.ledger.cost <= before
    assert standing.ledger.solution is not None
    assert not standing.instance.asked.violations(standing.ledger.solution)


def test_plain_loops_and_other_principles_move_no_rows() -> None:
    assert MoveRows(under_rules(problem_of(0)), resumed=False).why_not() is not None
    assert MoveRows(under_rules(close_problem(2, TCloseness("0.3"), rows=30)), resumed=False).why_not() is not None


@pytest.mark.parametrize("principle", [LDiversity(2), LDiversity(2) & EntropyDiversity(2)], ids=str)
def test_rows_move_under_diversity(principle: Principle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "DIVERSE", moving.DIVERSE._replace(most=50))
    monkeypatch.setattr(moving, "FEWEST_MOVES", 0)
    monkeypatch.setattr(repair, "boards_for", None)
    standing = ascended_worths(close_problem(2, principle, rows=30))
    standing.is_compiled = True
    stage = MoveRows(standing, resumed=False)
    assert stage.why_not() is None
    before = standing.ledger.cost
    stage.run(0.0)
    assert before is not None
    assert standing.ledger.cost is not None
    assert standing.ledger.cost <= before


def test_no_rows_move_under_closeness_on_a_tree_with_diversity_that_repair_does_not_know() -> None:
    ordered = TCloseness("0.3", space=Ordered(list("vwxyz")))
    standing = under_rules(close_problem(2, ordered & EntropyDiversity(2), rows=30))
    standing.is_compiled = True
    assert MoveRows(standing, resumed=False).why_not() is not None


def test_rows_that_move_along_cheap_arcs_come_to_cheaper_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "UNHURRIED_MOVES", 2_000)
    whole = census("seven", "occupation")
    table = Table.from_frame(whole.frame.sample(400, random_state=0), whole.quasi, "occupation")
    problem = CellSuppression(table, LDiversity(3))
    standing = StandingUnderRules(instance_of(problem), ledger_of(problem), True)
    GreedyRelease(standing).run(0.0)
    AscendWorths(standing, None).run(0.0)
    before = standing.ledger.cost
    MoveRows(standing, resumed=False).run(0.0)
    assert before is not None
    assert standing.ledger.cost is not None
    assert standing.ledger.cost < 0.97 * before
