"""A backend that tries everything: for programs with whole, bounded columns, and few of them."""

import math

import numpy as np

from anoptima.answer import StartFate, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import Language
from anoptima.solvers.backends.base import Capability
from anoptima.solvers.backends.isolation import Isolated, Result
from anoptima.solvers.backends.linear import hold_start, least_objective


class Template(Isolated):
    """Depth-first search, column by column."""

    name = "template"
    # Yours: the packages that `run` imports, each with the distribution that it comes from.
    requires = {"anoptima_template": "anoptima-template"}
    languages = frozenset({Language.PYOMO})
    capabilities = frozenset({Capability.INCUMBENTS, Capability.BOUND, Capability.CANCEL, Capability.DETERMINISTIC})

    def payload(self, model, budget):
        """In the caller's process: refuse what you cannot do, return what travels to `run`."""
        form = model.matrix
        if not (form.integer | form.implied).all() or not np.isfinite([form.lower, form.upper]).all():
            raise NotApplicable(f"{self.name} takes whole columns with finite bounds only")
        return form

    def run(self, form, limits, start, report):
        """In the solver's process: import your solver here, keep to the limits, report what you find, claim what you proved."""
        # Yours, from here to the end of the file.
        report.bound(least_objective(form))
        start, best, notes = hold_start(form, start, report)  # checked, and reported: the answer is never worse
        if start is not None:
            report.start(StartFate.UNSUPPORTED)
        matrix = np.zeros((form.rows, form.columns))
        matrix[np.repeat(np.arange(form.rows), np.diff(form.row_start)), form.column] = form.coefficient
        lower, upper = np.ceil(form.lower), np.floor(form.upper)
        least, most = np.minimum(matrix * lower, matrix * upper), np.maximum(matrix * lower, matrix * upper)
        least_from, most_from = sums_from(least), sums_from(most)
        cheapest_from = sums_from(np.minimum(form.objective * lower, form.objective * upper))
        values = np.zeros(form.columns)

        def search(j, sums, cost):
            """Fill in columns j, j + 1, ...: so far the rows come to `sums`, the objective to `cost`; False if told to stop."""
            nonlocal best
            if report.should_stop() or limits.seconds() == 0.0:
                return False
            below = form.row_lower - sums - most_from[:, j]
            above = form.row_upper - sums - least_from[:, j]
            if (below > 0).any() or (above < 0).any():
                return True
            if j == form.columns:
                best = cost
                report.incumbent(cost, values)
                return True
            used = matrix[:, j] != 0
            ends = (below + most[:, j])[used] / matrix[used, j], (above + least[:, j])[used] / matrix[used, j]
            low = np.ceil(np.minimum(*ends) - 1e-9).max(initial=lower[j])
            high = np.floor(np.maximum(*ends) + 1e-9).min(initial=upper[j])
            choices = np.arange(low, high + 1)
            for value in choices if form.objective[j] >= 0 else choices[::-1]:  # the cheapest first
                then = cost + form.objective[j] * value
                if then + cheapest_from[j + 1] >= best:
                    break
                values[j] = value
                if not search(j + 1, sums + matrix[:, j] * value, then):
                    return False
            return True

        if (lower > upper).any():
            return Result(Stop.PROVED, infeasible=True, notes=notes)
        if not search(0, np.zeros(form.rows), form.constant):
            return Result(Stop.CANCELLED if report.should_stop() else Stop.TIME, notes=notes)
        if math.isinf(best):
            return Result(Stop.PROVED, infeasible=True, notes=notes)
        return Result(Stop.PROVED, bound=best, notes=notes)


def sums_from(terms):
    """For every j, the sum of the terms from j on, along the last axis; 0 at the end."""
    sums = np.zeros((*terms.shape[:-1], terms.shape[-1] + 1))
    sums[..., :-1] = np.cumsum(terms[..., ::-1], axis=-1)[..., ::-1]
    return sums
