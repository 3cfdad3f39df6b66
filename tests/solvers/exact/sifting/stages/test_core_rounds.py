from __future__ import annotations

import pytest

from anoptima.solvers.exact.sifting.stages import core_rounds
from anoptima.solvers.exact.sifting.stages.core_rounds import CoreRounds
from tests.solvers.exact.sifting.cases import every_release, problem_of
from tests.solvers.exact.sifting.standings import ascended


def test_rounds_never_lower_the_bound_nor_pass_the_optimum() -> None:
    for seed in range(6):
        problem = problem_of(seed)
        standing = ascended(problem)
        before, best = standing.point.value, min(cost for cost, _ in every_release(problem)) * problem.cost_scale
        CoreRounds(standing).run(0.0)
        assert before <= standing.point.value <= best + 1e-6
        assert best <= standing.cost


def test_large_tables_have_none_but_for_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = ascended(problem_of(1))
    stage, pairs = CoreRounds(standing), standing.instance.arcs.k == 2
    assert stage.why_not() is None
    monkeypatch.setattr(core_rounds, "WHOLE_RECORDS_PAIRS" if pairs else "WHOLE_RECORDS", 0)
    assert stage.why_not() == "its core program would be too large"
