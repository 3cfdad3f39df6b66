"""What a run does with what it has: small tables are annealed, and fractional releases guide the search."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Budget
from anoptima.solvers.exact.sifting import Sifting
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.row_annealing import RowAnnealing
from anoptima.solvers.exact.sifting.stages import core_rounds
from tests.processes import PATIENCE


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
    monkeypatch.setattr(core_rounds, "FEW_HALF_OPEN", 0)
    hints: list[np.ndarray] = []
    monkeypatch.setattr(AnnealedRegions, "hint", lambda self, mean: hints.append(mean))
    answer = Sifting().solve(problem_of(260), Budget(seconds=PATIENCE, threads=1), None, lambda event: bool(hints))
    assert not answer.verify().wrong
    assert hints
