"""`solve`: one call from a problem to a verified answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Literal, TypeVar

from anoptima.answer import Answer, BoundRaised, Budget, Clock, Event, Incumbent, Listener, Progress, StillRunning
from anoptima.arguments import checked
from anoptima.checkpoints import Checkpoint
from anoptima.deadline import within
from anoptima.errors import BadInput, ModelTooLarge, NotApplicable, OutOfTime
from anoptima.exact import Exact, Number
from anoptima.machine import available_memory
from anoptima.models import models
from anoptima.models.base import Model
from anoptima.naming import did_you_mean, near_names
from anoptima.packages import pd
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.solvers.backends.registry import get_backend, related_backends, usable_backends
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.given_start import given_start
from anoptima.solvers.modelled import Modelled
from anoptima.solvers.starts import half, quick_start

S = TypeVar("S")
OnProgress = Callable[[Progress], "bool | None"]

_PREFERRED = ("pattern/highs", "hitting-set", "attributes/highs", "fake-grid/highs")
"""What `auto` tries first; the rest of the applicable models follow in the order of their names."""

_MIDDLING = 2_000
"""Pattern programs of at least this many variables are left to sifting where it applies: `benchmarks.engine_or_program`."""

_AT_ANY_SIZE = ("sifting", "near-patterns")
"""What `auto` takes where no model fits: the first that is for the problem."""


@checked
def get_model(name: str) -> Model[Any]:
    """Return the model that `name` stands for.

    >>> get_model("pattern").language.value
    'pyomo'
    """
    return models.get(name)


@checked
def get_solver(name: str) -> Solver[Any]:
    """Return the solver that `name` stands for: `model/backend`, or an algorithm's name.

    >>> get_solver("pattern/highs").name
    'pattern/highs'
    """
    model, slash, backend = name.partition("/")
    if slash:
        return Modelled(get_model(model), get_backend(backend))
    meant = [] if name in algorithms else _with_backend(name)
    if meant:
        raise BadInput(f"there is no solver named {name!r}; {did_you_mean(meant)}")
    return algorithms.get(name)


def _with_backend(name: str) -> list[str]:
    """Return solvers of which `name` is half: a model alone, or a backend, or a part of a backend's name."""
    if name in models:
        return [
            f"{name}/{next(b for b in ('highs', 'cp-sat') if models.get(name).language in get_backend(b).languages)}"
        ]
    return [] if near_names(name, algorithms.names()) else [f"pattern/{backend}" for backend in related_backends(name)]


@checked
def solvers_for(problem: Problem[Any]) -> list[Solver[Any]]:
    """Return every solver that is for `problem` and can be used here."""
    able = [model for model in models.all() if is_for(model, problem.plain)]
    backends = usable_backends() if able else []
    modelled = [
        Modelled(model, backend) for model in able for backend in backends if model.language in backend.languages
    ]
    return [*modelled, *(solver for solver in algorithms.all() if is_for(solver, problem))]


@checked
def solve(
    problem: Problem[S],
    solver: str | Solver[S] = "auto",
    *,
    time_limit: float | None = None,
    gap: Number = 0,
    threads: int | None = None,
    memory: int | None = None,
    seed: int = 0,
    start: S | Answer[S] | pd.DataFrame | Sequence[Sequence[int]] | Literal["auto"] | None = "auto",
    certificate: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> Answer[S]:
    """Answer `problem`: a checked solution with its exact cost, a bound, and what is claimed.

    Parameters
    ----------
    solver
        A name such as 'pattern/highs', a `Solver`, or 'auto', which chooses and says in `Answer.reason` what and why.
    time_limit
        Seconds. 0 gives a feasible solution and a cheap bound at once.
    gap
        Stop once (cost - bound) / cost is at most this.
    threads, memory, seed
        What the backend may use: threads, bytes; the seed makes a run repeat.
    start
        What to start from and never to be worse than: a solution, an answer, a release (a DataFrame, its rows in any order), or a
        partition as a list of groups of row numbers from 0. 'auto' lets a quick approximation make one; None for none.
    certificate
        'auto' takes a solver whose bounds come with certificates, where there is one.
    checkpoint
        A file that keeps the best solution and proof as the run goes, whatever becomes of it; if it is there, the run goes on from it.
    on_progress
        Called with a `Progress` (seconds, cost, bound) whenever one of them improves, and some times a second besides; returning True
        stops the run.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    >>> answer.claim.name, answer.cost, answer.bound.value
    ('OPTIMAL', 54, 54)
    """
    budget, clock = Budget.of(time_limit, gap, threads, memory, seed), Clock(time_limit)
    chosen, reason = _choose(problem, budget, half(clock), certificate) if solver == "auto" else (_named(solver), "")
    if not clock.is_over():
        chosen.prepare(problem)
    saved = None if checkpoint is None else Checkpoint(checkpoint, problem)
    first: S | None
    if saved is not None and saved.solution is not None:
        first = saved.solution
    elif isinstance(start, str):
        if start != "auto":
            raise BadInput(f"start is {start!r}; it has to be 'auto', None or a solution of the problem")
        first = (
            quick_start(problem, budget, half(clock), chosen.name)
            if chosen.kind is Kind.MODEL or solver == "auto"
            else None
        )
    else:
        first = None if start is None else given_start(problem, start)
    began = clock.seconds()
    listener: Listener = _Progress(on_progress, began)
    known: dict[str, Any] = {}
    if saved is not None:
        listener = saved.before(listener)
        known = {} if saved.proof is None else {"proof": saved.proof}
    with nullcontext() if saved is None else saved:
        answer = chosen.solve(problem, replace(budget, seconds=clock.left()), first, listener, **known)
    return replace(
        answer,
        reason=answer.reason or reason,
        # What was chosen and where it started took time, too: seconds count from this call.
        trace=tuple(replace(step, seconds=began + step.seconds) for step in answer.trace),
        run=replace(
            answer.run,
            budget=budget,
            seconds=clock.seconds(),
            notes=answer.run.notes + (() if saved is None else saved.notes),
        ),
    )


def _named(solver: str | Solver[S]) -> Solver[S]:
    return get_solver(solver) if isinstance(solver, str) else solver


def _choose(problem: Problem[S], budget: Budget, clock: Clock, certificate: bool) -> tuple[Solver[S], str]:
    able = {solver.name: solver for solver in solvers_for(problem)}
    allowed = budget.memory if budget.memory is not None else available_memory()
    names = [name for name in _PREFERRED if name in able] + [name for name in sorted(able) if name not in _PREFERRED]
    if certificate:
        certifying = [name for name in names if able[name].certifies]
        if certifying:
            name = min(certifying, key=lambda name: able[name].kind is not Kind.EXACT)
            return able[name], f"auto chose {name}: its bounds come with a certificate"
    too_large = ""
    for name in names:
        solver = able[name]
        if solver.kind is Kind.EXACT and name in _PREFERRED:
            return solver, f"auto chose {name}: it proves optimality, and needs no model{too_large}"
        if isinstance(solver, Modelled):
            try:
                with within(clock.is_over):
                    size = solver.model.estimate(problem) if problem.why_infeasible() is None else None
            except (ModelTooLarge, OutOfTime) as refusal:
                too_large += f"; {name}: {refusal}"
                continue
            if (
                name == "pattern/highs"
                and "sifting" in able
                and _is_measured(problem)
                and size is not None
                and size.variables >= _MIDDLING
            ):
                return able[
                    "sifting"
                ], f"auto chose sifting: it proves optimality with a certificate where it can; {name} would have {size}"
            if size is None or size.memory <= allowed:
                fits = f"; its model has {size}" if size else ""
                return solver, f"auto chose {name}: it proves optimality{fits}{too_large}"
            too_large += f"; {name} would take {size.memory / 2**20:,.0f} MiB of {allowed / 2**20:,.0f}"
    for name in _AT_ANY_SIZE:
        if name in able:
            return able[
                name
            ], f"auto chose {name}: it proves a bound at any size, and optimality where it can{too_large}"
    small = [able[name] for name in names if not isinstance(able[name], Modelled)]
    if small:
        # Those that large tables are known to suit come first, and of them the most thorough one.
        fit = max(small, key=lambda solver: -1 if solver.quick is None else solver.quick)
        return fit, f"auto chose {fit.name}: no model fits{too_large}"
    raise NotApplicable(f"no solver here is for {problem.name}")


def _is_measured(problem: Problem[Any]) -> bool:
    """Tell whether sifting has been held against the pattern program on problems of this sort: cell suppression under k-anonymity."""
    return isinstance(problem, CellSuppression) and isinstance(problem.principle, KAnonymity)


class _Progress:
    """Turns events into calls of `on_progress`."""

    def __init__(self, on_progress: OnProgress | None, began: float) -> None:
        self._call = on_progress
        self._began = began
        self._cost: Exact | None = None
        self._bound: Exact | None = None

    def __call__(self, event: Event) -> bool:
        if isinstance(event, Incumbent):
            self._cost = event.cost
        elif isinstance(event, BoundRaised):
            self._bound = event.bound
        elif not isinstance(event, StillRunning):
            return False
        return bool(self._call and self._call(Progress(self._began + event.seconds, self._cost, self._bound)))
