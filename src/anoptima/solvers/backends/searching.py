"""What backends of mixed-integer programs share: the arrays they take, and what is kept and told while a search goes on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from anoptima.answer import Budget, StartFate, Stop
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.models.matrix import MatrixForm
from anoptima.solvers.backends.base import Capability
from anoptima.solvers.backends.isolation import Isolated, Limits, Report, Result
from anoptima.solvers.backends.linear import hold_start, least_objective
from anoptima.solvers.backends.rounding import tolerance

CHUNK = 1024
"""Columns or rows that are written, one at a time, between two looks at the clock."""


class MatrixBackend(Isolated):
    """A backend of programs in matrix form, with all that a backend may be able to do. Subclasses say how one search goes."""

    languages = frozenset({Language.PYOMO})
    capabilities = frozenset(Capability)

    def payload(self, model: BuiltModel[Any], budget: Budget) -> MatrixForm:
        """Return the program as arrays."""
        return model.matrix


class Search:
    """One program on its way through a solver: when it must end, and what there is to note."""

    def __init__(self, limits: Limits, report: Report) -> None:
        self.limits = limits
        self.report = report
        self.notes: tuple[str, ...] = ()

    def is_over(self) -> bool:
        """Tell whether to stop, in what comes before the search."""
        return self.report.should_stop() or self.limits.seconds() == 0.0

    def infeasible(self) -> Result:
        """Return that there is no solution."""
        return Result(Stop.PROVED, infeasible=True, notes=self.notes)

    def unfinished(self) -> Result:
        """Return that there was no time for a search."""
        return Result(Stop.CANCELLED if self.report.should_stop() else Stop.TIME, notes=self.notes)


class MatrixSearch(Search, ABC):
    """A search on the arrays of a program: the start that it has, and the best that it has told of."""

    def __init__(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> None:
        super().__init__(limits, report)
        self.form = form
        report.bound(least_objective(form))
        self.start, self.best, self.notes = hold_start(form, start, report)
        self._start_is_judged = self.start is None
        self._bound = -math.inf

    @abstractmethod
    def result(self) -> Result:
        """Search to the end, and return what it came to."""

    def improve(self, objective: float, values: Callable[[], Any]) -> None:
        """Tell of a solution if it is the best; `values` fetches it. The first one that a solver finds shows whether it took the start."""
        if not self._start_is_judged:
            held = objective <= self.best + tolerance(self.best)
            self.report.start(StartFate.ACCEPTED if held else StartFate.REJECTED)
            self._start_is_judged = True
        if objective < self.best:
            self.best = objective
            self.report.incumbent(objective, self.with_whole(values()))

    def with_whole(self, values: Any) -> Values:
        """Return values with those of integer columns whole: solvers give them to within 1e-6."""
        found = np.asarray(values, dtype=np.float64)
        return np.where(self.form.integer, np.rint(found), found) + 0.0

    def raise_bound(self, bound: float, infinity: float = math.inf) -> None:
        """Tell of a bound if it is the best, and below what the solver takes for infinite."""
        if self._bound < bound < infinity:
            self._bound = bound
            self.report.bound(bound)


def finite(bounds: Values) -> list[float | None]:
    """Return bounds as Python interfaces take them, None for infinite ones."""
    return [None if math.isinf(bound) else bound for bound in bounds.tolist()]
