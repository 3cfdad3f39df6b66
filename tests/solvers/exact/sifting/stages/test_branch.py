from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Origin, Stop
from anoptima.errors import OutOfTime
from anoptima.solvers.exact.sifting import native
from anoptima.solvers.exact.sifting.bound import core
from anoptima.solvers.exact.sifting.stages import branch
from anoptima.solvers.exact.sifting.stages.branch import Branch
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.cases import every_release, problem_of
from tests.solvers.exact.sifting.standings import ascended


def test_it_proves_the_optimum_of_small_tables() -> None:
    for seed in (601, 604, 607):
        problem = problem_of(seed)
        standing = ascended(problem)
        stage = Branch(standing, None)
        assert stage.why_not() is None
        while standing.proved < standing.cost and not standing.is_over():
            stage.run(1.0)
        assert standing.ledger.bound is not None
        assert standing.ledger.bound.origin is Origin.PROOF
        assert standing.ledger.bound.value == min(cost for cost, _ in every_release(problem))


def test_a_program_that_goes_on_past_the_end_of_a_turn_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A core of census-six-k5 did not come back within a tenth of a second, and its run ended after 73 of 600 seconds."""
    for name in ("LARGE", "PATIENCE", "TICK"):
        monkeypatch.setattr(native, name, 0)

    def late(*given: Any) -> None:
        time.sleep(2 * turn)
        native.run(*given)

    monkeypatch.setattr(core, "run", late)
    standing, turn = ascended(problem_of(611)), 1e-3
    stage = Branch(standing, None)
    for _ in range(3):
        stage.run(turn)
    monkeypatch.undo()
    stage.run(PATIENCE)
    assert standing.proved == standing.cost


def test_what_the_cases_prove_is_entered_where_the_time_of_the_run_ends_in_a_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A core of 400 rows that was solved longer than a tenth of a second took what the tree had proved of them away."""
    frame = pd.DataFrame(np.random.default_rng(3).integers(0, 3, (40, 5)), columns=list("abcde"))
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcde")), ao.KAnonymity(4))
    standing = ascended(problem)
    before = standing.proved

    def late(*given: Any) -> None:
        if standing.tree is not None and len(standing.tree.cases) >= 6:
            raise OutOfTime
        native.run(*given)

    monkeypatch.setattr(core, "run", late)
    stage = Branch(standing, None)
    with pytest.raises(OutOfTime):
        stage.run(PATIENCE)
    assert standing.ledger.bound is not None
    assert standing.ledger.bound.origin is Origin.PROOF
    assert before < standing.proved == standing.ledger.bound.value * problem.cost_scale
    assert standing.ledger.answer(Stop.TIME).verify().wrong == ()


def test_it_is_not_for_large_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch, "MOST_ARCS", 0)
    assert Branch(ascended(problem_of(0)), None).why_not() == "its tree would be too large"


def test_it_rests_once_every_case_has_come_to_its_end() -> None:
    standing = ascended(problem_of(604))
    stage = Branch(standing, None)
    stage.run(0.0)
    assert standing.tree is not None
    standing.tree.cases.clear()
    assert stage.why_not() == "nothing is left to decide"
