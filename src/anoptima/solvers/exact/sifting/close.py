"""Closing the gap: the pattern model over the patterns that a better release could open, on HiGHS, in a process of its own.

A pattern that is opened although its best group is worth F_p < 0 makes a release cost at least L - F_p. Restricted to patterns with
-F_p <= d, an optimum UB_d is the optimum as soon as L + d >= UB_d - 1 (in steps of cost).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from anoptima.answer import Event, Incumbent, Log, Stop
from anoptima.exact import Exact
from anoptima.models.pattern import BuiltPattern, size_of_program
from anoptima.patterns import Patterns
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.ledger import Ledger

MOST_ARCS = 60_000
"""Of the first search; each later one may have twice as many as the one before (`stages.close_patterns`)."""
BACKEND = "highs"


def least_cost(
    problem: CellSuppression,
    patterns: Patterns,
    ledger: Ledger[Partition],
    offer: Callable[[Partition], None],
) -> Exact | None:
    """Return a value that the backend says no release with these patterns is below; None if it says nothing. Offers what it finds.

    Starts from the ledger's release, whose patterns must be among them.
    """
    conditions = problem.principle.conditions(problem.table)
    built = BuiltPattern(problem, size_of_program(patterns, conditions), conditions, patterns)
    assert ledger.solution is not None

    def hear(event: Event) -> bool:
        if isinstance(event, Incumbent) and event.solution is not None:
            offer(built.decode(np.asarray(event.solution, dtype=float)))
        elif isinstance(event, Log):
            ledger.log(event.line)
        return ledger.cancelled or ledger.is_closed()

    budget = replace(ledger.budget, seconds=ledger.clock.left())
    outcome = get_backend(BACKEND).solve(built, budget, built.encode(ledger.solution), hear)
    if outcome.values is not None:
        offer(built.decode(np.asarray(outcome.values, dtype=float)))
    built.discard()
    if outcome.bound is None or outcome.stop is Stop.FAILED:
        return None
    return problem.unscale(math.ceil(outcome.bound))
