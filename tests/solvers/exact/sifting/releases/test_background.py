from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Budget
from anoptima.solvers.exact.sifting import Sifting
from anoptima.solvers.exact.sifting.releases import background as companion
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.stages import ascend, core_rounds
from anoptima.solvers.exact.sifting.stages.branch import Branch
from anoptima.solvers.exact.sifting.tree.by_pattern import TreeByPattern
from tests.processes import PATIENCE


def problem_of(rows: int = 90) -> ao.CellSuppression:
    chance = np.random.default_rng(5)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2], (rows, 4)), columns=list("abcd"))
    return ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(3))


@pytest.fixture(autouse=True)
def _even_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ascend, "LARGE_RECORDS", 0)


def test_two_threads_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    begin = companion.Background.__init__

    def count(self: companion.Background, *arguments: object) -> None:
        started.append(self)
        begin(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(companion.Background, "__init__", count)
    problem = problem_of()
    alone = Sifting().solve(problem, Budget(seconds=PATIENCE, threads=1))
    assert not started
    together = Sifting().solve(problem, Budget(seconds=PATIENCE, threads=2))
    assert len(started) == 1
    assert not started[0]._thread.is_alive()
    assert together.claim is alone.claim is ao.Claim.OPTIMAL
    assert together.cost == alone.cost


def test_what_breaks_the_search_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: AnnealedRegions, *_: object) -> bool:
        raise ZeroDivisionError("in the search")

    monkeypatch.setattr(AnnealedRegions, "step", broken)
    with pytest.raises(ZeroDivisionError, match="in the search"):
        Sifting().solve(problem_of(), Budget(seconds=PATIENCE, threads=2))


def test_out_of_time_the_search_ends_too() -> None:
    answer = Sifting().solve(problem_of(400), Budget(seconds=0.5, threads=2))
    assert answer.cost is not None
    assert not answer.verify().wrong


def test_a_search_that_rests_goes_on_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def watch(self: Branch, tree: TreeByPattern) -> None:
        search = self.standing.background
        assert search is not None
        before = search._thread
        with search.resting():
            seen.append(before.is_alive())
        seen.append(search._thread is not before)
        grow(self, tree)

    grow = Branch._grow
    monkeypatch.setattr(Branch, "_grow", watch)
    monkeypatch.setattr(core_rounds, "PATIENCE", 0)
    answer = Sifting().solve(problem_of(30), Budget(seconds=PATIENCE, threads=2))
    assert answer.claim is ao.Claim.OPTIMAL
    assert seen[:2] == [False, True]
