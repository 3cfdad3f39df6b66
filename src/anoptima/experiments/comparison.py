"""Several solvers on several problems, as one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from anoptima.answer import Answer, Bound, Stop
from anoptima.arguments import checked
from anoptima.errors import ModelTooLarge, NotApplicable, SolverFailure
from anoptima.exact import Exact, exact_plain, short_text
from anoptima.experiments.questions import Asked, Question, questions
from anoptima.machine import Measured
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.solvers.backends.interrupt import Interrupts
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.listening import OnProgress
from anoptima.solvers.lookup import get_solver, solvers_for
from anoptima.solvers.solving import solve

Watch = Callable[[str, Problem[Any]], AbstractContextManager[OnProgress | None]]
"""Opened around each run: it is told which run it is and on which problem, and gives what to call with its progress."""


NOT_BEGUN = "not begun: the comparison was interrupted"
"""The reason of a run whose turn had not come when Ctrl-C was pressed."""


@dataclass(frozen=True)
class Run:
    """One solver on one problem: its answer, or the reason for having none.

    Attributes
    ----------
    question
        The problem's number and the name of its data.
    best_bound
        The best bound that any of the solvers gave on this problem, or the problem itself.
    guaranteed
        The guaranteed upper limit of cost / optimum, by a theorem; None without a guarantee.
    seconds
        Seconds of solving, without `setup_seconds`: building a model, starting a backend's process, loading compiled loops.
    memory
        Peak memory in bytes beyond what was in use before; None where the system does not report it.
    """

    question: Question
    solver: str
    answer: Answer[Any] | None
    reason: str
    best_bound: Bound | None
    guaranteed: Exact | None
    seconds: float
    memory: int | None
    seed: int

    @property
    def problem(self) -> Problem[Any]:
        """The problem."""
        return self.question.problem

    @property
    def stop(self) -> Stop | None:
        """Why it ended: `CANCELLED` if it was cut short, or had not begun when the comparison was; None if it refused or failed."""
        if self.answer is None:
            return Stop.CANCELLED if self.reason == NOT_BEGUN else None
        return self.answer.stop

    @property
    def cost(self) -> Exact | None:
        """What the solution costs, None if there is none."""
        return None if self.answer is None else self.answer.cost

    @property
    def setup_seconds(self) -> float:
        """The seconds that were not spent on solving."""
        return 0.0 if self.answer is None else self.answer.run.setup_seconds

    @property
    def compiled(self) -> str | None:
        """Whether loops ran compiled, from when on, or why not; None for solvers without such loops."""
        known = None if self.answer is None else self.answer.run.compiled
        return None if known is None else str(known)

    @property
    def ratio(self) -> float | None:
        """The proven ratio: cost / best bound, for reading and plotting; 1 where both are 0, None where it cannot be said."""
        if self.cost is None or self.best_bound is None:
            return None
        if not self.best_bound.value:
            return 1.0 if not self.cost else None
        return float(self.cost / self.best_bound.value)


def approximations_for(problems: Iterable[Problem[Any]]) -> list[str]:
    """Return the names of the approximations for at least one of the problems.

    >>> import anoptima as ao
    >>> approximations_for([ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(2))])
    ['greedy-descent', 'greedy-pairs']
    """
    asked = list(problems)
    able = [solver for solver in algorithms.all() if solver.kind is Kind.APPROXIMATE]
    return [solver.name for solver in able if any(is_for(solver, problem) for problem in asked)]


def run_all(
    problems: Asked | Iterable[Asked] | Mapping[str, Asked],
    solvers: str | Solver[Any] | Sequence[str | Solver[Any]] | None = None,
    *,
    time_limit: float | None = None,
    threads: int | None = None,
    memory: int | None = None,
    seed: int = 0,
    watch: Watch = lambda title, problem: nullcontext(),
) -> list[Run]:
    """Solve each problem with each solver; see `compare`. A solver that refuses or fails has a `Run` with the reason.

    Unknown names are refused before anything runs. Every solver but the models, which take a quick start, starts from nothing.
    Ctrl-C ends the current run, and no other begins: those that had not begun have a `Run` that says so.
    """
    given = [solvers] if isinstance(solvers, str | Solver) else solvers
    chosen = None if given is None else [_found(solver) for solver in given]
    asked: list[tuple[Question, Sequence[Solver[Any] | str]]] = [
        (question, solvers_for(question.problem) if chosen is None else chosen) for question in questions(problems)
    ]
    count, number, runs = sum(len(able) for _, able in asked), 0, list[Run]()
    with Interrupts() as interrupts:
        limits = {"time_limit": time_limit, "threads": threads, "memory": memory, "cancel": interrupts.event}
        for question, able in asked:
            tried = list[_Tried]()
            for solver in able:
                number += 1
                if interrupts.asked:
                    tried.append((None, NOT_BEGUN, 0.0, None))
                    continue
                title = f"run {number} of {count}: {_name(solver)}, {question.asks}"
                with watch(title, question.problem) as on_progress:
                    tried.append(_run(question.problem, solver, seed=seed, on_progress=on_progress, **limits))
            runs += _beside_each_other(question, able, tried, seed)
    return runs


_Tried = tuple[Answer[Any] | None, str, float, int | None]
"""The answer, or the reason for having none; seconds; and peak memory."""


def _beside_each_other(
    question: Question, solvers: Sequence[Solver[Any] | str], tried: Sequence[_Tried], seed: int
) -> list[Run]:
    """Return the runs on a question, each with the best bound of all."""
    bounds = [answer.bound for answer, *_ in tried if answer is not None and answer.bound is not None]
    best = max(bounds, key=lambda bound: bound.value, default=None)
    return [
        Run(question, _name(solver), answer, reason, best, _guaranteed(solver, question.problem), seconds, peak, seed)
        for solver, (answer, reason, seconds, peak) in zip(solvers, tried, strict=True)
    ]


def _found(solver: str | Solver[Any]) -> str | Solver[Any]:
    return get_solver(solver) if isinstance(solver, str) and solver != "auto" else solver


def _name(solver: str | Solver[Any]) -> str:
    return solver if isinstance(solver, str) else solver.name


@checked
def compare(
    problems: Asked | Iterable[Asked] | Mapping[str, Asked],
    solvers: str | Solver[Any] | Sequence[str | Solver[Any]] | None = None,
    *,
    time_limit: float | None = None,
    threads: int | None = None,
    memory: int | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> pd.DataFrame:
    """Solve each problem with each solver, and put costs, bounds, ratios, seconds and memory side by side.

    Ctrl-C ends the comparison. Runs that it cut short, and runs that had not begun, have `cancelled` in the column `stop`.

    Parameters
    ----------
    problems
        The questions: problems, instances of the library, or their names ('ten-rows-k3'; 'ten-rows' for all that begin with it). A
        dictionary gives each a name of its own.
    solvers
        Names or solvers; by default every solver for the problem. One that refuses a problem, or fails on it, is listed with
        its reason.
    time_limit
        Seconds for each run.
    threads, memory, seed
        As for `solve`.
    on_progress
        As for `solve`; the phase begins with the run: its number, solver and question. Returning True stops that run and no other.

    Returns
    -------
    pandas.DataFrame
        One row a run. The question comes first: its number, the problem, the name of its table (or the beginning of the
        table's digest), rows, quasi-identifying columns, k, l, t and space. Then solver, claim, why it stopped, cost,
        bound, the bound's origin, cost / best bound of all solvers (at most that far from the optimum, if the best bound
        is proved and no backend's claim), the ratio that a theorem guarantees, the seconds of solving, those that
        building a model, starting and loading compiled loops took before it, whether loops ran compiled, peak memory in
        MiB, the seed, and the reason where there is no answer. Printed and in notebooks, columns that say nothing are
        left out. `ao.plots` draws it.

    Examples
    --------
    >>> import anoptima as ao
    >>> found = ao.compare("ten-rows-k3", ["pattern/highs", "peel"])
    >>> found[["table", "k", "solver", "cost", "ratio"]].values.tolist()
    [['ten-rows-k3', 3, 'pattern/highs', 54, 1.0], ['ten-rows-k3', 3, 'peel', 58, 1.074]]
    """

    def watch(title: str, problem: Problem[Any]) -> AbstractContextManager[OnProgress | None]:
        return nullcontext(on_progress and (lambda now: on_progress(replace(now, phase=f"{title}: {now.phase}"))))

    return comparison_of(
        run_all(problems, solvers, time_limit=time_limit, threads=threads, memory=memory, seed=seed, watch=watch)
    )


def comparison_of(runs: Iterable[Run]) -> pd.DataFrame:
    """Return runs as the table that `compare` returns."""
    from anoptima.experiments.comparison_frame import Comparison

    rows = [_row(run) for run in runs]
    frame = pd.DataFrame(rows)
    for name in ("rows", "columns", "k", "l", "cost", "bound"):
        values = [row[name] for row in rows]
        # Whole numbers stay whole beside empty cells.
        if all(value is None or isinstance(value, int) for value in values):
            frame[name] = pd.array(values, dtype="Int64")
    return Comparison(frame)


def run_document(run: Run) -> dict[str, Any]:
    """Return a run as plain data, exact where it is exact."""
    answer = run.answer
    bound = None if answer is None else answer.bound
    return {
        "problem": run.question.number,
        "name": run.question.name,
        "asks": run.question.asks,
        "solver": run.solver,
        "claim": None if answer is None else answer.claim.value,
        "stop": None if run.stop is None else run.stop.value,
        "cost": exact_plain(run.cost),
        "bound": exact_plain(None if bound is None else bound.value),
        "bound from": None if bound is None else bound.origin.value,
        "best bound": exact_plain(None if run.best_bound is None else run.best_bound.value),
        "best bound by": None if run.best_bound is None else run.best_bound.by,
        "ratio": run.ratio,
        "guaranteed": exact_plain(run.guaranteed),
        "seconds": run.seconds,
        "setup seconds": run.setup_seconds,
        "compiled": run.compiled,
        "memory": run.memory,
        "reason": run.reason,
    }


def _row(run: Run) -> dict[str, Any]:
    answer = run.answer
    bound = None if answer is None else answer.bound
    return {
        **run.question.columns(),
        "solver": run.solver,
        "claim": None if answer is None else answer.claim.value,
        "stop": None if run.stop is None else run.stop.value,
        "cost": run.cost,
        "bound": None if bound is None else bound.value,
        "bound from": None if bound is None else bound.origin.value,
        "ratio": None if run.ratio is None else float(short_text(run.ratio, ".3f")),
        "guaranteed": None if run.guaranteed is None else float(run.guaranteed),
        "seconds": round(run.seconds, 3),
        "building": None if answer is None else round(answer.run.build_seconds, 3),
        "starting": None if answer is None else round(answer.run.start_seconds, 3),
        "preparing": None if answer is None else round(answer.run.prepare_seconds, 3),
        "compiled": run.compiled,
        "MiB": None if run.memory is None else round(run.memory / 2**20, 1),
        "seed": run.seed,
        "reason": run.reason,
    }


def _run(problem: Problem[Any], solver: str | Solver[Any], **how: Any) -> _Tried:
    answer: Answer[Any] | None = None
    with Measured() as measured:
        try:
            answer = solve(problem, solver, **how)
            reason = answer.reason
        except (NotApplicable, ModelTooLarge, SolverFailure) as refusal:
            reason = str(refusal)
    setup = 0.0 if answer is None else answer.run.setup_seconds
    return answer, reason, max(0.0, measured.seconds - setup), measured.peak


def _guaranteed(solver: str | Solver[Any], problem: Problem[Any]) -> Exact | None:
    """Return what a solver promises; `auto` promises nothing before it has chosen."""
    if isinstance(solver, str) or solver.why_not(problem) is not None or problem.why_infeasible() is not None:
        return None
    return solver.ratio(problem)
