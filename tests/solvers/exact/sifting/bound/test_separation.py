"""Cuts that a search finds are violated, and keep to the records that they may have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.solvers.exact.sifting.bound import separation
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


def never() -> bool:
    return False


@each("seed", range(20))
def test_cuts_keep_to_the_records_they_may_have_and_end_when_it_is_over(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed + 500, rows=9))
    catalogue = Catalogue(arcs)
    core = Core(catalogue, never)
    core.add_arcs(np.arange(len(arcs.member)))
    relaxed = core.solve()
    assert relaxed is not None
    among = np.arange(len(arcs.copies)) % 2 == 0
    support = separation.Support(catalogue, relaxed.x, relaxed.y)
    for row in separation.violated(support, np.random.default_rng(0), never, among=among):
        assert among[list(row.cut.records)].all()
        assert row.slack(relaxed.x, relaxed.y) < 0
    assert not separation.violated(support, np.random.default_rng(0), lambda: True)
    assert len(separation.violated(support, np.random.default_rng(0), never, most=1)) <= arcs.k


def test_a_search_may_end_between_two_divisors_of_which_large_groups_have_many(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"a": np.arange(40) % 2, "b": np.arange(40)})
    _, arcs = arcs_of(ao.CellSuppression(ao.Table.from_frame(frame, ["a", "b"]), ao.KAnonymity(20)))
    catalogue, tried = Catalogue(arcs), list[int]()
    x, y = np.full(len(arcs.member), 0.5), np.full(len(arcs), 0.5)

    def search(seed: Any, divisor: int, *_: Any) -> tuple[Any, float]:
        tried.append(divisor)
        return seed, 0.0

    monkeypatch.setattr(separation, "fastest", lambda _: search)
    separation.violated(separation.Support(catalogue, x, y), np.random.default_rng(0), lambda: len(tried) == 3)
    assert tried == [2, 3, 4]
