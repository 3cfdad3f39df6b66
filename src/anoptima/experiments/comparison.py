"""Several solvers on several problems, as one table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from anoptima.exact import exact_text
from anoptima.problems.base import Problem
from anoptima.solvers.solving import get_solver, solve, solvers_for


def compare(
    problems: Iterable[Problem[Any]],
    solvers: Iterable[str] | None = None,
    *,
    time_limit: float | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Solve each problem with each solver, and put costs, bounds, ratios and seconds side by side.

    Parameters
    ----------
    problems
        What to solve.
    solvers
        Names; every solver that is for the problem unless given.
    time_limit
        Seconds for each run.

    Returns
    -------
    One row a run: problem, principle, solver, claim, cost, bound, where the bound is from, cost / best bound of all solvers (exact,
    as a float for plots), the ratio that a theorem promises, seconds.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> ao.compare([problem], ["pattern/highs", "peel"])[["solver", "cost", "ratio"]].values.tolist()
    [['pattern/highs', 54, 1.0], ['peel', 58, 1.074]]
    """
    runs = []
    for number, problem in enumerate(problems):
        names = [solver.name for solver in solvers_for(problem)] if solvers is None else list(solvers)
        answers = [(name, solve(problem, name, time_limit=time_limit, seed=seed)) for name in names]
        bounds = [answer.bound.value for _, answer in answers if answer.bound is not None]
        best = max(bounds, default=None)
        for name, answer in answers:
            ratio = round(float(answer.cost / best), 3) if answer.cost is not None and best else None
            runs.append(
                {
                    "problem": number,
                    "asks": f"{problem.name}, {getattr(problem, 'principle', '')}",
                    "solver": name,
                    "claim": answer.claim.value,
                    "cost": answer.cost,
                    "bound": answer.bound.value if answer.bound else None,
                    "bound from": answer.bound.origin.value if answer.bound else None,
                    "ratio": ratio,
                    "promised": _promised(name, problem),
                    "seconds": round(answer.run.seconds, 3),
                }
            )
    return pd.DataFrame(runs)


def _promised(name: str, problem: Problem[Any]) -> str | None:
    ratio = get_solver(name).ratio(problem) if name != "auto" else None
    return None if ratio is None else exact_text(ratio)
