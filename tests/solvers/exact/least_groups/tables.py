"""Small wide tables for the tests of this room."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import anoptima as ao
from anoptima.answer import Budget
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.worths import groups_of
from anoptima.solvers.exact.least_groups.bound import LeastGroups
from anoptima.solvers.exact.least_groups.pricing import Pricing
from anoptima.solvers.ledger import Ledger


def wide(seed: int, rows: int, columns: int, principle: Any, weighted: bool = False) -> CellSuppression:
    """Return a question about random rows of few values, with a sensitive column of four."""
    chance = np.random.default_rng(seed)
    names = [f"q{j}" for j in range(columns)]
    frame = pd.DataFrame(chance.integers(0, 3, (rows, columns)), columns=names).assign(ill=np.arange(rows) % 4)
    weights = {name: int(chance.integers(1, 4)) for name in names} if weighted else None
    return CellSuppression(ao.Table.from_frame(frame, names, "ill", weights=weights), principle)


def pricing_of(problem: CellSuppression, threads: int = 1) -> Pricing:
    """Return what prices its groups."""
    k, kinds, _ = groups_of(problem)
    return Pricing(problem, k, kinds, threads)


def ledger_of(problem: CellSuppression, seconds: float | None = None) -> Ledger[Any]:
    """Return the ledger of a run that has begun."""
    ledger: Ledger[Any] = Ledger(problem, "a test", Budget(seconds))
    ledger.open(None, None)
    return ledger


def least_of(problem: CellSuppression) -> LeastGroups:
    """Return the linear program, of which nothing has been solved."""
    return LeastGroups(problem, ledger_of(problem), pricing_of(problem))
