"""One dual after the other: the next goes on from what rows were worth, unless it is over other ones."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.answer import Budget
from anoptima.solvers.approximate.near_patterns import duals
from anoptima.solvers.approximate.near_patterns.duals import Duals
from anoptima.solvers.exact.sifting import arcs as plain
from anoptima.solvers.exact.sifting.bound.ascent import Course
from anoptima.solvers.ledger import Ledger
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


def test_a_dual_goes_on_from_the_last_one_over_all_row_types(monkeypatch: pytest.MonkeyPatch) -> None:
    few, *_, many = sorted((problem_of(seed) for seed in range(9)), key=lambda problem: len(problem.table.types))
    _, arcs = arcs_of(many)
    types = len(arcs.copies)
    over = Duals(Ledger(many, "near-patterns", Budget()), plain, types, 1, int(many.table.scaled_weights.sum()))
    assert over.took == 0
    first, took = over.over(arcs), over.took
    assert took > 0
    monkeypatch.setattr(duals, "AGAIN", Course(passes=0))
    assert np.array_equal(over.over(arcs).at.worth, first.at.worth)

    took = over.took
    _, others = arcs_of(few)
    assert len(others.copies) < types
    assert len(over.over(others).at.worth) == len(others.copies)
    assert over.took == took
    assert np.array_equal(over.over(arcs).at.worth, first.at.worth)
