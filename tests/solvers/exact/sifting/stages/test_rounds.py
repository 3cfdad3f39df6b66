from __future__ import annotations

from itertools import count

import pytest

from anoptima.solvers.exact.sifting.stages import core_rounds, rounds
from anoptima.solvers.exact.sifting.stages.core_rounds import CoreRounds
from anoptima.solvers.exact.sifting.stages.rounds import Rounds
from tests.solvers.exact.sifting.cases import every_release, problem_of
from tests.solvers.exact.sifting.standings import ascended


def test_they_are_for_tables_without_a_core_and_end_when_the_gap_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(4)
    standing = ascended(problem)
    stage = Rounds(standing, CoreRounds(standing))
    assert stage.why_not() == "it has a core program"
    monkeypatch.setattr(core_rounds, "WHOLE_RECORDS", 0)
    monkeypatch.setattr(core_rounds, "WHOLE_RECORDS_PAIRS", 0)
    assert stage.why_not() is None
    asked = count()
    monkeypatch.setattr(standing, "is_over", lambda: next(asked) > 400)
    monkeypatch.setattr(rounds, "FINE_UNITS", 0.5)
    before = standing.point.value
    stage.run(0.0)
    best = min(cost for cost, _ in every_release(problem)) * problem.cost_scale
    assert before <= standing.point.value <= best + 1e-6
    assert best <= standing.cost


def test_they_come_before_a_slow_core_until_they_gain_little_or_there_is_a_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    standing = ascended(problem_of(4))
    stage = Rounds(standing, CoreRounds(standing))
    monkeypatch.setattr(standing, "is_compiled", True)
    monkeypatch.setattr(rounds, "MORE_RECORDS", 0)
    assert stage.why_not() == "it has a core program"
    monkeypatch.setattr(rounds, "LEAST_K", 1)
    assert stage.why_not() is None
    monkeypatch.setattr(rounds, "FINE_UNITS", -1e9)
    monkeypatch.setattr(standing, "is_over", lambda: False)
    stage.run(0.0)
    assert stage.why_not() == "its core program, or the tree that it has led to, does better now"
    again = Rounds(standing, CoreRounds(standing))
    assert again.why_not() is None
    monkeypatch.setattr(standing, "tree", object())
    assert again.why_not() == "its core program, or the tree that it has led to, does better now"
