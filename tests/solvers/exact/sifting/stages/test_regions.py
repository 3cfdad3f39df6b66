from __future__ import annotations

import pytest

from anoptima.solvers.exact.sifting.stages import regions
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.regions import Regions, SearchInBackground
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths, under_rules


def test_they_never_make_a_release_dearer_and_end() -> None:
    for seed in (0, 4, 8, 9):
        problem = problem_of(seed)
        standing = ascended_worths(problem)
        before = standing.ledger.cost
        Regions(standing).run(0.0)
        assert before is not None
        assert standing.ledger.cost is not None
        assert optimum_of(problem) <= standing.ledger.cost <= before
        assert standing.ledger.cost * problem.cost_scale <= standing.shared.cost


def searching(standing: StandingUnderRules) -> SearchInBackground:
    return SearchInBackground(standing, BranchBySize(standing, None))


def test_other_threads_search_large_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = under_rules(problem_of(0), threads=2)
    assert searching(standing).why_not() == "one search is enough for so small a table"
    monkeypatch.setattr(regions, "MOST_ARCS", 0)
    assert searching(standing).why_not() is None
    assert searching(under_rules(problem_of(0))).why_not() == "there is one thread"
    standing = ascended_worths(problem_of(0))
    monkeypatch.setattr(type(standing.ledger), "threads", property(lambda self: 2))
    searching(standing).run(0.0)
    assert standing.shared.is_in_background
    standing.stop()
