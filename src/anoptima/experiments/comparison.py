"""Several solvers on several problems, as one table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from anoptima.answer import Answer, Bound
from anoptima.arguments import checked
from anoptima.errors import ModelTooLarge, NotApplicable, SolverFailure
from anoptima.exact import Exact, exact_plain, exact_text
from anoptima.machine import Measured
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind
from anoptima.solvers.lookup import get_solver, solvers_for
from anoptima.solvers.solving import solve


@dataclass(frozen=True)
class Run:
    """One solver on one problem: its answer, or the reason why there is none.

    Attributes
    ----------
    number
        Which of the problems.
    best_bound
        The best bound that any of the solvers gave on this problem, or the problem itself.
    guaranteed
        What cost / optimum never exceeds, by theorem; None where nothing is promised.
    memory
        The peak in bytes above what there was before; None where the system does not tell.
    """

    number: int
    problem: Problem[Any]
    solver: str
    answer: Answer[Any] | None
    reason: str
    best_bound: Bound | None
    guaranteed: Exact | None
    seconds: float
    memory: int | None

    @property
    def asks(self) -> str:
        """The question: the problem's name, and its principle if it has one."""
        principle = getattr(self.problem, "principle", None)
        return self.problem.name if principle is None else f"{self.problem.name}, {principle}"

    @property
    def cost(self) -> Exact | None:
        """What the solution costs, None if there is none."""
        return None if self.answer is None else self.answer.cost

    @property
    def ratio(self) -> float | None:
        """The proven ratio: cost / best bound, for reading and plotting; 1 where both are 0, None where it cannot be said."""
        if self.cost is None or self.best_bound is None:
            return None
        if not self.best_bound.value:
            return 1.0 if not self.cost else None
        return float(self.cost / self.best_bound.value)


def approximations_for(problems: Iterable[Problem[Any]]) -> list[str]:
    """Return the names of the approximations that are for one of the problems or more.

    >>> import anoptima as ao
    >>> approximations_for([ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(2))])
    ['greedy-descent']
    """
    asked = list(problems)
    able = [solver for solver in algorithms.all() if solver.kind is Kind.APPROXIMATE]
    return [solver.name for solver in able if any(is_for(solver, problem) for problem in asked)]


def run_all(
    problems: Iterable[Problem[Any]],
    solvers: Sequence[str] | None = None,
    *,
    time_limit: float | None = None,
    threads: int | None = None,
    memory: int | None = None,
    seed: int = 0,
) -> list[Run]:
    """Solve each problem with each solver; see `compare`. A solver that refuses or fails has a `Run` with the reason.

    A name that nothing has is refused before anything runs. Every solver but the models, which take a quick start, starts from nothing.
    """
    for name in solvers or ():
        if name != "auto":
            get_solver(name)
    runs: list[Run] = []
    for number, problem in enumerate(problems):
        names = [solver.name for solver in solvers_for(problem)] if solvers is None else list(solvers)
        tried = [_run(problem, name, time_limit, threads, memory, seed) for name in names]
        bounds = [answer.bound for answer, *_ in tried if answer is not None and answer.bound is not None]
        best = max(bounds, key=lambda bound: bound.value, default=None)
        for name, (answer, reason, seconds, peak) in zip(names, tried, strict=True):
            runs.append(Run(number, problem, name, answer, reason, best, _guaranteed(name, problem), seconds, peak))
    return runs


@checked
def compare(
    problems: Iterable[Problem[Any]],
    solvers: Sequence[str] | None = None,
    *,
    time_limit: float | None = None,
    threads: int | None = None,
    memory: int | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Solve each problem with each solver, and put costs, bounds, ratios, seconds and memory side by side.

    Parameters
    ----------
    problems
        What to solve.
    solvers
        Names; every solver that is for the problem unless given. One that refuses a problem, or fails on it, is listed with its reason.
    time_limit
        Seconds for each run.
    threads, memory, seed
        As for `solve`.

    Returns
    -------
    One row a run: problem, what it asks, solver, claim, cost, bound, where the bound is from, cost / best bound of all solvers (the
    proven ratio, as a float), the ratio that a theorem guarantees, seconds, peak memory in MiB, and the reason where there is no answer.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> ao.compare([problem], ["pattern/highs", "peel"])[["solver", "cost", "ratio"]].values.tolist()
    [['pattern/highs', 54, 1.0], ['peel', 58, 1.074]]
    """
    runs = run_all(problems, solvers, time_limit=time_limit, threads=threads, memory=memory, seed=seed)
    return pd.DataFrame([_row(run) for run in runs])


def run_document(run: Run) -> dict[str, Any]:
    """Return a run as plain data, exact where it is exact."""
    answer = run.answer
    bound = None if answer is None else answer.bound
    return {
        "problem": run.number,
        "asks": run.asks,
        "solver": run.solver,
        "claim": None if answer is None else answer.claim.value,
        "stop": None if answer is None else answer.stop.value,
        "cost": exact_plain(run.cost),
        "bound": exact_plain(None if bound is None else bound.value),
        "bound from": None if bound is None else bound.origin.value,
        "best bound": exact_plain(None if run.best_bound is None else run.best_bound.value),
        "best bound by": None if run.best_bound is None else run.best_bound.by,
        "ratio": run.ratio,
        "guaranteed": exact_plain(run.guaranteed),
        "seconds": run.seconds,
        "memory": run.memory,
        "reason": run.reason,
    }


def _row(run: Run) -> dict[str, Any]:
    answer = run.answer
    bound = None if answer is None else answer.bound
    return {
        "problem": run.number,
        "asks": run.asks,
        "solver": run.solver,
        "claim": None if answer is None else answer.claim.value,
        "cost": run.cost,
        "bound": None if bound is None else bound.value,
        "bound from": None if bound is None else bound.origin.value,
        "ratio": None if run.ratio is None else round(run.ratio, 3),
        "guaranteed": None if run.guaranteed is None else exact_text(run.guaranteed),
        "seconds": round(run.seconds, 3),
        "MiB": None if run.memory is None else round(run.memory / 2**20, 1),
        "reason": run.reason,
    }


def _run(
    problem: Problem[Any], name: str, time_limit: float | None, threads: int | None, memory: int | None, seed: int
) -> tuple[Answer[Any] | None, str, float, int | None]:
    answer: Answer[Any] | None = None
    with Measured() as measured:
        try:
            answer = solve(problem, name, time_limit=time_limit, threads=threads, memory=memory, seed=seed)
            reason = answer.reason
        except (NotApplicable, ModelTooLarge, SolverFailure) as refusal:
            reason = str(refusal)
    return answer, reason, measured.seconds, measured.peak


def _guaranteed(name: str, problem: Problem[Any]) -> Exact | None:
    if name == "auto":
        return None
    solver = get_solver(name)
    return solver.ratio(problem) if solver.why_not(problem) is None and problem.why_infeasible() is None else None
