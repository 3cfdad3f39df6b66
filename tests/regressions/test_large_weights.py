"""Weights of many digits: proofs of theirs were refused by the checker, and, of more digits, a release was none.

Found on a table of 1,000,000 rows, whose cuts left its checker no room in 64 bits; weights use that room up, too.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import BoundRaised, Event
from anoptima.errors import NotApplicable
from anoptima.solvers.exact.sifting import lightened
from tests.loops import each
from tests.processes import PATIENCE

COLUMNS = list("abcd")


def problem_of(weight: int) -> ao.CellSuppression:
    frame = pd.DataFrame(np.random.default_rng(1).integers(0, [3, 4, 5, 2], (60, 4)), columns=COLUMNS)
    weights = {"a": weight, "b": weight + 1, "c": weight // 3, "d": 7}
    return ao.CellSuppression(ao.Table.from_frame(frame, COLUMNS, weights=weights), ao.KAnonymity(3))


@each("digits", [6, 9, 12, 13])
def test_what_is_proved_of_large_weights_is_checked(digits: int) -> None:
    problem = problem_of(10**digits)
    answer = ao.solve(problem, "sifting")
    assert answer.claim is ao.Claim.OPTIMAL
    assert not answer.verify().wrong
    assert answer.cost == ao.solve(problem, "pattern/cp-sat").cost
    assert answer.cost is not None
    half = Fraction(answer.cost) / 2

    def is_half_proved(event: Event) -> bool:
        return isinstance(event, BoundRaised) and event.bound >= half

    near = ao.get_solver("near-patterns").solve(problem, ao.Budget(seconds=PATIENCE), None, is_half_proved)
    assert not near.verify().wrong
    assert near.bound is not None
    assert near.bound.value >= half


def test_weights_that_floats_do_not_hold_are_refused_or_taken_lighter() -> None:
    with pytest.raises(NotApplicable, match=r"all cells together cost .* give weights with fewer digits"):
        ao.solve(problem_of(10**15), "near-patterns")
    answer = ao.solve(problem_of(10**15), "sifting", time_limit=1)
    assert not answer.verify().wrong
    assert answer.bound is not None
    assert answer.bound.value > 0


@pytest.mark.parametrize("solver", ["pattern/highs", "pattern/cp-sat", "assignment/cp-sat"])
def test_weights_that_no_backend_tells_apart_are_refused(solver: str) -> None:
    """Their optima were called false claims, because the objective that a backend reports is a double."""
    with pytest.raises(NotApplicable, match=r"costs .* above 2\^53 .* give weights with fewer digits"):
        ao.solve(problem_of(10**15), solver)


def test_weights_that_leave_little_room_prove_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many digits that the checker has room for small parts of a unit only."""
    monkeypatch.setattr(lightened, "LEAST_SECONDS", PATIENCE)
    frame = ao.census("four").frame.head(1000)
    weights = {"sex": 10**11, "age": 10**11 + 1, "race": 7, "marital-status": 3 * 10**11}
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list(weights), weights=weights), ao.KAnonymity(3))
    answer = ao.solve(problem, "sifting", time_limit=PATIENCE)
    assert not answer.verify().wrong
    assert answer.claim is ao.Claim.OPTIMAL
