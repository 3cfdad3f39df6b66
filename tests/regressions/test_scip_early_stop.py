"""SCIP may stop within an absolute gap of 0.99, which proves the optimum of an objective that is whole; and the solution it then has in
hand need not be optimal. With continuous columns it had 3/2 in hand where 1 is the optimum, so these go in as integers.
"""

from __future__ import annotations

import pytest

from anoptima import get_model
from anoptima.answer import Budget, Stop
from anoptima.problems.sources.clique import CliqueOfSize
from anoptima.problems.sources.graph import Graph
from anoptima.solvers.backends.registry import get_backend

MISSING = [
    "02",
    "06",
    "07",
    "13",
    "14",
    "15",
    "16",
    "17",
    "23",
    "24",
    "25",
    "26",
    "27",
    "34",
    "35",
    "37",
    "46",
    "47",
    "56",
    "67",
]


@pytest.mark.parametrize("backend", ["scip", "ortools:scip", "highs"])
def test_what_is_proved_is_in_hand(backend: str) -> None:
    problem = CliqueOfSize(Graph("01234567", MISSING), 5)
    outcome = get_backend(backend).solve(get_model("clique-missing").build(problem), Budget())
    assert outcome.stop is Stop.PROVED
    assert outcome.objective == outcome.bound == 1
