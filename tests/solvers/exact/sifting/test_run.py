"""What a run does with what it has: small tables are annealed, and fractional releases guide the search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Budget
from anoptima.solvers.exact.sifting import Sifting
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.annealing import RowAnnealing
from anoptima.solvers.exact.sifting.run import IDLE_TURNS, go_through
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.standings import under_size


def problem_of(rows: int) -> ao.CellSuppression:
    chance = np.random.default_rng(7)
    frame = pd.DataFrame(chance.integers(0, 4, (rows, 4)), columns=list("abcd"))
    return ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(5))


@pytest.mark.parametrize(("rows", "is_annealed"), [(30, False), (260, True)])
def test_tables_are_annealed_unless_they_are_tiny(
    rows: int, is_annealed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    annealed = []
    anneal = RowAnnealing.anneal

    def watch(self: RowAnnealing, *arguments: object) -> object:
        annealed.append(self)
        return anneal(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(RowAnnealing, "anneal", watch)
    answer = Sifting().solve(problem_of(rows), Budget(seconds=PATIENCE, threads=1), None, lambda event: bool(annealed))
    assert not answer.verify().wrong
    assert bool(annealed) is is_annealed


def test_fractional_releases_guide_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    hints: list[np.ndarray] = []
    monkeypatch.setattr(AnnealedRegions, "hint", lambda self, mean: hints.append(mean))
    answer = Sifting().solve(problem_of(260), Budget(seconds=PATIENCE, threads=1), None, lambda event: bool(hints))
    assert not answer.verify().wrong
    assert hints


class Trying(Stage[StandingUnderSize]):
    """A stage that raises the bound in some of its turns and has nothing to do after some more. It is asked no more often than `MOST`."""

    MOST = 10 * IDLE_TURNS

    def __init__(self, standing: StandingUnderSize, turns: int, gains: int) -> None:
        super().__init__(standing)
        self.turns, self.gains = turns, gains
        self.limits: list[float] = []
        self.asked = 0

    def why_not(self) -> str | None:
        self.asked += 1
        assert self.asked <= self.MOST, "the run goes on with nothing left to try"
        return None if len(self.limits) < self.turns else "it rests"

    def run(self, limit: float) -> None:
        self.limits.append(limit)
        if len(self.limits) <= self.gains:
            self.standing.point = replace(self.standing.point, value=float(len(self.limits)))


def test_a_run_ends_once_no_stage_has_anything_left_to_do() -> None:
    standing = under_size(problem_of(30))
    stage = Trying(standing, turns=3, gains=0)
    go_through(standing, [], [stage])
    assert stage.limits == [20.0, 40.0, 80.0]
    assert not standing.is_over()


def test_a_run_ends_after_many_turns_that_gain_nothing() -> None:
    standing = under_size(problem_of(30))
    stage = Trying(standing, turns=Trying.MOST, gains=5)
    go_through(standing, [], [stage])
    assert len(stage.limits) == 5 + IDLE_TURNS
    assert not standing.is_over()
