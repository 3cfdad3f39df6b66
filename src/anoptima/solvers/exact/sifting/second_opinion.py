"""A second opinion on what is left to search: SCIP on the same arcs, in a process of its own, where there are few of them.

HiGHS and SCIP share no code, and what SCIP is given has none of the cuts in it: only arcs, groups of k rows, and every copy published.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from anoptima.answer import Budget, Stop
from anoptima.errors import FalseClaim
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.matrix import MatrixForm
from anoptima.models.pyomo_reading import Reading
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.exact.sifting.releases.region_program import Programs, Region, RegionProgram
from anoptima.solvers.exact.sifting.releases.release import Release

SECOND = "scip"
FEW_ARCS = 4_000
"""A program of more arcs is not given to a second backend: it would not come to an end."""


def second_opinion(
    programs: Programs,
    region: Region,
    best: Release,
    seconds: float,
    is_over: Callable[[], bool],
    backend: Backend | None = None,
) -> str | None:
    """Ask a second backend for the optimum of a region, from `best`, which the first one calls optimal; return its name if it agrees.

    None if it cannot be used here, if there are too many arcs, or if it has not come to an end in time or before `is_over()`.
    `FalseClaim`, naming both, if it comes to another optimum.
    """
    second = get_backend(SECOND) if backend is None else backend
    if len(region.arcs) > FEW_ARCS or seconds <= 0 or not second.availability():
        return None
    plain = RegionProgram(programs, Region(region.arcs, region.demand), careful=True)
    model, budget = _Arrays(programs.problem, plain.form), Budget(seconds=seconds, threads=1)
    outcome = second.solve(model, budget, plain.encode(best), lambda _: is_over())
    cost = programs.cost_of(best)
    found = math.inf if outcome.objective is None else outcome.objective
    is_other = outcome.infeasible or (outcome.bound is not None and outcome.bound > cost) or found < cost
    if is_other:
        told = "nothing at all" if outcome.infeasible else str(min(found, outcome.bound or found))
        raise FalseClaim(
            f"highs or {second.name}",
            f"highs and {second.name} disagree on {len(region.arcs):,} arcs: the optimum is {cost} for highs, {told} for {second.name}",
        )
    return second.name if outcome.stop is Stop.PROVED else None


class _Arrays(BuiltModel[Any]):
    """A program that has never been anything but arrays."""

    language = Language.PYOMO

    def __init__(self, problem: CellSuppression, form: MatrixForm) -> None:
        super().__init__(problem, None, ModelSize(form.columns, form.rows, len(form.column), memory=0))
        self._kept = Reading(None, form, [], [])

    def encode(self, solution: Any) -> Values:
        raise NotImplementedError

    def decode(self, values: Values) -> Any:
        raise NotImplementedError
