from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anoptima.answer import Budget, Claim, Event, Origin, Stop
from anoptima.errors import NotApplicable
from anoptima.principles import KAnonymity
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.engine import kernels, run
from anoptima.solvers.exact.sifting import Sifting
from anoptima.table import Table
from tests.solvers.exact.engine.cases import every_release, problem_of


@pytest.mark.parametrize("seed", range(40))
def test_the_optimum_is_found_and_proved(seed: int) -> None:
    problem = problem_of(seed + 200)
    answer = Sifting().solve(problem)
    assert answer.claim is Claim.OPTIMAL
    assert answer.cost == min(cost for cost, _ in every_release(problem))
    assert not answer.verify().wrong


def test_without_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "kernels_here", lambda: kernels)
    for seed in range(10):
        problem = problem_of(seed + 300)
        answer = Sifting().solve(problem)
        assert answer.cost == min(cost for cost, _ in every_release(problem))


def middling(rows: int = 120) -> CellSuppression:
    chance = np.random.default_rng(7)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2, 3], (rows, 5)), columns=list("abcde"))
    frame["ill"] = chance.integers(0, 3, rows)
    return CellSuppression(Table.from_frame(frame, list("abcde"), "ill"), KAnonymity(3))


def test_a_sensitive_column_changes_nothing_and_the_proof_is_about_the_table_itself() -> None:
    problem = middling(60)
    answer = Sifting().solve(problem, Budget(seconds=20))
    assert answer.certificate is not None
    assert answer.cost is not None
    assert answer.certificate.proved(problem) <= answer.cost


def test_out_of_time_there_is_a_release_and_a_bound_that_is_proved() -> None:
    problem = middling()
    answer = Sifting().solve(problem, Budget(seconds=3))
    assert answer.claim in (Claim.FEASIBLE, Claim.OPTIMAL)
    assert answer.bound is not None
    assert answer.bound.origin in (Origin.CERTIFICATE, Origin.BACKEND)
    assert not answer.verify().wrong


def test_a_start_is_kept_and_a_listener_stops_it() -> None:
    problem = middling()
    start = Sifting().solve(problem, Budget(seconds=2)).require_solution()

    def enough(event: Event) -> bool:
        return event.seconds > 0.5

    answer = Sifting().solve(problem, None, start, enough)
    assert answer.cost is not None
    assert answer.cost <= problem.cost(start)
    assert answer.stop in (Stop.CANCELLED, Stop.PROVED)


def test_what_it_is_not_for() -> None:
    table = middling(10).table
    with pytest.raises(NotApplicable, match="sifting is for cell-suppression, not for attribute-suppression"):
        Sifting().solve(AttributeSuppression(table, KAnonymity(2)))  # type: ignore[arg-type]
