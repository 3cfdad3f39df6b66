from __future__ import annotations

import pytest

from anoptima.principles import TCloseness
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases import move_rows as moving
from anoptima.solvers.exact.sifting.releases import repair
from anoptima.solvers.exact.sifting.stages.move_rows import MoveRows
from tests.solvers.exact.sifting.cases_under_rules import close_problem, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths, under_rules


@pytest.mark.parametrize("left_out", [Part.MOVING_ROWS, Part.REPAIR])
def test_each_half_leaves_a_legal_release_that_is_no_dearer(left_out: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "MOVES_A_ROW", 50)
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
