from __future__ import annotations

import pytest

from anoptima.solvers.exact.sifting.bound.ascent import FIRST_STEP
from anoptima.solvers.exact.sifting.stages import ascend
from anoptima.solvers.exact.sifting.stages.ascend import FAR, FARTHEST, Ascend, first_step_of
from anoptima.solvers.exact.sifting.stages.first_release import FirstRelease
from tests.solvers.exact.sifting.cases import every_release, problem_of
from tests.solvers.exact.sifting.cases_under_rules import problem_of as problem_under_rules
from tests.solvers.exact.sifting.standings import under_rules, under_size


def test_passes_prove_a_bound_and_of_many_arcs_the_search_begins_before_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ascend, "SOON_ARCS", 0)
    monkeypatch.setattr("anoptima.solvers.exact.sifting.standing.LARGE_RECORDS", 0)
    for threads in (1, 2):
        problem = problem_of(2)
        standing = under_size(problem, threads=threads)
        FirstRelease(standing, started=False).run(0.0)
        Ascend(standing, None).run(0.0)
        assert standing.shared.is_in_background is (threads == 2)
        standing.stop()
        assert 0 < standing.proved <= min(cost for cost, _ in every_release(problem)) * problem.cost_scale


def test_steps_are_longer_under_closeness() -> None:
    steps = [first_step_of(under_rules(problem_under_rules(seed))) / FIRST_STEP for seed in (0, 9, 18)]
    assert steps == pytest.approx([1, FARTHEST, FAR])
