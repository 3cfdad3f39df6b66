from __future__ import annotations

from typing import Any

from anoptima.problems.base import Problem
from anoptima.solvers.approximate.peel import Peel
from anoptima.testing import check_solver
from anoptima.testing.checks import Fault


class Boast(Peel):
    """An approximation that says it is exact."""

    name = "boast"

    def ratio(self, problem: Problem[Any]) -> int:
        return 1


def test_a_false_optimum_is_a_false_claim() -> None:
    found = {check.name: check() for check in check_solver(Boast())}
    verdict = found["its answers are what it claims"]
    assert verdict.fault is Fault.FALSE_CLAIM
    assert "it claims the optimum" in verdict.words
