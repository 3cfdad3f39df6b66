"""What is particular to the two SCIPs, the one of PySCIPOpt and the one inside of OR-Tools."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyomo.environ as pyo
import pytest

from anoptima.answer import Budget, Log, StartFate, Stop
from anoptima.errors import NotApplicable
from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.ortools_named import OrToolsScip
from anoptima.solvers.backends.scip import Scip
from anoptima.testing.programs import linear, market_split

ENOUGH = Budget(seconds=3600)

pytestmark = pytest.mark.parametrize("backend", [Scip(), OrToolsScip()], ids=["scip", "ortools:scip"])


def test_a_linear_program_whose_optimum_is_a_fraction(backend: Backend) -> None:
    rows = [([1, 1, 0], 1, None), ([0, 1, 1], 1, None), ([1, 0, 1], 1, None)]
    outcome = backend.solve(linear([1, 1, 1], rows, domain=pyo.Reals), ENOUGH)
    assert outcome.stop is Stop.PROVED
    assert outcome.objective == Fraction(3, 2)
    assert outcome.bound == 2


def test_unbounded_and_infeasible_are_told_apart(backend: Backend) -> None:
    """2 x - 2 y = 1 has rational solutions in every direction, and no whole ones."""
    assert backend.solve(linear([-1, -1], [([2, -2], 1, 1)], upper=None), ENOUGH).infeasible
    assert backend.solve(linear([-1, 0], [([1, 0], None, -1)], upper=None), ENOUGH).infeasible
    with pytest.raises(
        NotApplicable, match=f"^{backend.name}: the model is unbounded: its objective has no least value"
    ):
        backend.solve(linear([-1], [], upper=None, domain=pyo.Reals), ENOUGH)


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ([1.0, 0, 0, 0], "row 0 is violated"),
        ([2.0, 0, 1, 0], "the value of column 0 is outside its bounds"),
        ([1.0], "it has 1 values and the model has 4 columns"),
    ],
)
def test_why_a_start_was_rejected(backend: Backend, start: list[float], reason: str) -> None:
    outcome = backend.solve(linear([5, 4, 3, 7], [([3, 2, 2, 4], 5, None)]), ENOUGH, np.array(start))
    assert outcome.start is StartFate.REJECTED
    assert outcome.notes == (f"the start was rejected: {reason}",)


def test_its_log_is_passed_on_line_by_line(backend: Backend) -> None:
    lines: list[str] = []
    backend.solve(
        market_split(2, 12), ENOUGH, None, lambda event: lines.append(event.line) if isinstance(event, Log) else None
    )
    assert any("presolving" in line for line in lines)
    assert not any("\n" in line for line in lines)


def test_rows_that_say_nothing(backend: Backend) -> None:
    rows = [([0, 0], -1, 1), ([0, 0], None, 0), ([1, 1], 1, None)]
    assert backend.solve(linear([2, 1], rows), ENOUGH).objective == 1
