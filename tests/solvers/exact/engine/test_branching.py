"""Proofs by cases that the engine finds: as good as the optimum, and no better with anything changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Origin
from anoptima.certificates.branched import BranchedProof
from anoptima.certificates.proofs import proof_as_json
from anoptima.solvers.exact.engine import run
from anoptima.solvers.exact.sifting import Sifting
from tests.certificates.test_tampering import stands
from tests.solvers.exact.engine.cases import every_release, problem_of


@pytest.fixture(autouse=True)
def _without_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave all that the first passes have not closed to branching."""
    monkeypatch.setattr(run, "PATIENCE", 0)


@pytest.mark.parametrize("seed", range(24))
def test_the_optimum_is_proved_by_cases(seed: int) -> None:
    problem = problem_of(seed + 600)
    answer = Sifting().solve(problem)
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost == min(cost for cost, _ in every_release(problem))
    assert answer.bound is not None
    assert answer.bound.origin in (Origin.CERTIFICATE, Origin.PROBLEM)
    assert not answer.verify().wrong


def branched(seed: int, k: int) -> tuple[ao.CellSuppression, Any]:
    frame = pd.DataFrame(np.random.default_rng(seed).integers(0, 3, (12, 4)), columns=list("abcd"))
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(k))
    return problem, Sifting().solve(problem).certificate


@pytest.mark.parametrize(("k", "seed"), [(2, 11), (3, 2), (4, 0)])
def test_every_change_of_a_tree_is_refused_or_true(k: int, seed: int) -> None:
    problem, proof = branched(seed, k)
    assert isinstance(proof, BranchedProof)
    optimum = ao.solve(problem, "subset-dp").cost
    assert optimum is not None
    assert stands(problem, proof_as_json(proof), optimum) > 20
