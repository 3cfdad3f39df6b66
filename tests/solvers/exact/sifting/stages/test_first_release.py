from __future__ import annotations

import pytest

from anoptima.solvers.exact.sifting.stages import first_release
from anoptima.solvers.exact.sifting.stages.first_release import FirstRelease, GreedyRelease
from tests.solvers.exact.sifting.cases import problem_of
from tests.solvers.exact.sifting.cases_under_rules import problem_of as problem_under_rules
from tests.solvers.exact.sifting.standings import under_rules, under_size


def test_there_is_a_release_afterwards() -> None:
    for seed in range(5):
        standing = under_size(problem_of(seed))
        FirstRelease(standing, started=False).run(0.0)
        assert standing.ledger.solution is not None
        rules = under_rules(problem_under_rules(seed))
        stage = GreedyRelease(rules)
        assert stage.is_needed
        stage.run(0.0)
        assert rules.ledger.solution is not None


def test_beside_a_start_it_is_done_only_where_it_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = under_size(problem_of(1))
    FirstRelease(standing, started=False).run(0.0)
    assert FirstRelease(standing, started=True).why_not() is None
    for speed in ("GREEDY_ARCS_PER_S", "GREEDY_PATTERNS_PER_S"):
        with monkeypatch.context() as slow:
            slow.setattr(first_release, speed, 0)
            slow.setattr(first_release, "POOR_SHARE", 1)
            assert FirstRelease(standing, started=True).why_not() is not None
            assert FirstRelease(standing, started=False).why_not() is None
            slow.setattr(first_release, "POOR_SHARE", 0)
            assert FirstRelease(standing, started=True).why_not() is None, "a start that stars nearly all is none"
