"""`solve_model`: a built model, changed or not, solved as it is; its answer claims about the problem only what follows."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from anoptima.answer import Answer, Budget, Clock, OptionValue, Origin, StartFate, Stop
from anoptima.arguments import checked
from anoptima.errors import BadInput, FalseClaim, NotApplicable, OutOfTime
from anoptima.exact import Exact, Number, simplest
from anoptima.models.base import BuiltModel, Values
from anoptima.models.changes import Change, Comparison, compare
from anoptima.models.cp_sat_reading import ConstraintReading, is_of_kind
from anoptima.models.pyomo_reading import Reading
from anoptima.packages import pd
from anoptima.solvers.backends.base import Backend, Outcome
from anoptima.solvers.backends.cancelling import Cancelling, Heard
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.claimed_values import decoded, outcome_of, require_cost, what_is_wrong
from anoptima.solvers.core_shares import sharing_cores
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.listening import Hearing, OnProgress, Writable, written_to
from anoptima.solvers.model_answers import MAXIMISED, ModelAnswer

S = TypeVar("S")


@checked
def solve_model(
    built: BuiltModel[S],
    backend: str | Backend = "highs",
    *,
    time_limit: float | None = None,
    gap: Number = 0,
    threads: int | None = None,
    memory: int | None = None,
    seed: int = 0,
    start: S | None = None,
    on_progress: OnProgress | None = None,
    options: Mapping[str, OptionValue] | None = None,
    log: str | os.PathLike[str] | Writable | None = None,
    cancel: threading.Event | None = None,
    isolated: bool = True,
) -> ModelAnswer[S]:
    """Solve a built model as it is now, and derive what follows for the problem.

    A program that was not changed answers the problem. One that was only restricted (rows added, columns fixed, bounds tightened ...)
    answers the problem under restrictions: its solution is a checked solution of the problem, but its bound does not hold for the
    problem; columns marked `implied_integer` are whole in it, as rows are. A program changed in any other way has its own objective and
    bound, and every column is as continuous as Pyomo has it; it says nothing about the problem. An objective that is maximised is such a
    change: its negative is minimised, and the answer is in the program's own sense.

    Parameters
    ----------
    built
        What `get_model(name).build(problem)` returned; change `built.program` by any means of Pyomo or CP-SAT.
    backend
        A name such as 'highs' or 'cp-sat', or a `Backend`.
    start
        A solution of the problem to start from; only while the columns are those that were built.
    time_limit, gap, threads, memory, seed, on_progress, options, log, cancel, isolated
        As in `solve`; costs and bounds that `on_progress` hears are in units of the program's objective, and a solution is the values of
        its columns.

    Examples
    --------
    >>> import anoptima as ao, pyomo.environ as pyo
    >>> built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    >>> built.program.few = pyo.Constraint(expr=sum(built.program.z.values()) <= 1)
    >>> answer = ao.solve_model(built, "highs")
    >>> answer.change.value, answer.objective, answer.answer.cost, answer.details
    ('restricted', 70, 70, ('the row few is new',))
    """
    reading = built.read(either_sense=True)
    maximised = reading.maximised
    comparison = compare(built.as_built, reading)
    solver = get_backend(backend) if isinstance(backend, str) else backend
    kept, notes = _as_solved(built, reading, comparison.change)
    if memory is not None and not isolated:
        raise BadInput("memory is limited for a process of the solver's own; leave memory or isolated=False out")
    budget = replace(Budget.of(time_limit, gap, threads, memory, seed), options=dict(options or {}))
    ledger = Ledger(built.problem, f"a model on {solver.name}", budget)
    first = None if start is None else _encoded(built, start, reading, comparison)
    solver.check_options(budget.options)
    solving = solver if isolated else solver.in_this_process()
    with written_to(log) as lines, sharing_cores(budget) as share:
        told = on_progress if on_progress is None or not maximised else _negated(on_progress)
        hearing = Hearing(told, lines, solver.name)
        outcome = _outcome(solving, kept, share, first, hearing, Cancelling(cancel))
    reading = kept.read()
    if outcome.values is not None:
        wrong = what_is_wrong(reading, outcome.values, outcome.objective)
        if wrong is not None:
            raise FalseClaim(solver.name, f"returned values that break the model: {wrong}")
        _require_optimum(kept, outcome, solver.name)
    return ModelAnswer(
        problem=built.problem,
        backend=solver.name,
        change=comparison.change,
        details=comparison.details,
        stop=outcome.stop,
        infeasible=outcome.infeasible,
        objective=_in_sense(outcome.objective, maximised),
        bound=_in_sense(outcome.bound, maximised),
        values=None if outcome.values is None else pd.Series(outcome.values, index=reading.names, name="value"),
        answer=_about_the_problem(built, comparison, outcome, ledger, solver.name),
        seconds=outcome.seconds,
        notes=(*((MAXIMISED,) if maximised else ()), *notes, *outcome.notes, *hearing.notes),
    )


def _require_optimum(kept: BuiltModel[Any], outcome: Outcome, backend: str) -> None:
    """Raise `FalseClaim` if values are claimed to be optimal, and what is claimed for all others is less."""
    objective, bound = outcome.objective, outcome.bound
    if (
        outcome.stop is Stop.PROVED
        and kept.whole_objective
        and (bound is None or objective is None or bound < objective)
    ):
        raise FalseClaim(backend, f"claimed an optimum of {objective} with bound {bound}")


def _in_sense(value: Exact | None, maximised: bool) -> Exact | None:
    """Return a value of what was minimised as one of the objective."""
    return -value if maximised and value is not None else value


def _negated(on_progress: OnProgress) -> OnProgress:
    """Return what hears of a maximised objective where its negative is minimised."""
    return lambda now: on_progress(replace(now, cost=_in_sense(now.cost, True), bound=_in_sense(now.bound, True)))


def _outcome(
    backend: Backend, kept: BuiltModel[Any], budget: Budget, start: Values | None, hearing: Hearing, ending: Cancelling
) -> Outcome:
    """Have the backend solve; where it does not end by itself once it is cancelled, return what was heard of until then."""
    clock = Clock(None)
    try:
        return outcome_of(backend.name, ending.run(lambda: backend.solve(kept, budget, start, Heard(ending, hearing))))
    except OutOfTime:
        if not ending.is_asked():
            raise
    return Outcome(
        stop=Stop.CANCELLED,
        infeasible=False,
        values=hearing.solution,
        objective=hearing.cost,
        bound=None if hearing.bound is None else hearing.bound.value,
        start=StartFate.NONE if start is None else StartFate.UNUSED,
        seconds=clock.seconds(),
        versions=backend.versions(),
    )


def _as_solved(
    built: BuiltModel[S], reading: Reading | ConstraintReading, change: Change
) -> tuple[BuiltModel[S], tuple[str, ...]]:
    """Return the program as the backend gets it, and notes on what that means."""
    notes: tuple[str, ...] = ()
    whole = True
    if isinstance(reading, ConstraintReading):
        proto = reading.program.proto
        if is_of_kind(proto, "floating_point_objective"):
            raise NotApplicable(
                "the objective has coefficients that are not whole; multiply it by their common denominator"
            )
        if not is_of_kind(proto, "objective"):
            raise NotApplicable("a model must have one objective, and the program has none")
        reading = reading.minimised() if reading.maximised else reading
        offset = proto.objective.offset
        whole = offset == round(offset)
    elif change is not Change.NONE:
        form = reading.form
        restricted = change is Change.RESTRICTED
        if restricted:
            form = replace(form, integer=form.integer | form.implied)
        elif form.implied.any():
            notes = ("columns marked implied_integer are continuous, as Pyomo has them",)
        form = replace(form, implied=np.zeros(form.columns, dtype=bool))
        reading, whole = replace(reading, form=form), form.whole_objective
    kept = built.kept(reading)
    kept.whole_objective = whole
    return kept, notes


def _encoded(built: BuiltModel[S], start: S, reading: Reading | ConstraintReading, comparison: Comparison) -> Values:
    places = comparison.places
    if places is None or len(places) != reading.columns or (places != np.arange(len(places))).any():
        raise BadInput("a start cannot be given to a program with other columns than were built; leave out `start`")
    violations = built.problem.violations(start)
    if violations:
        raise BadInput(f"the start is no solution of {built.problem.name}: {violations[0]}")
    return built.encode(start)


def _about_the_problem(
    built: BuiltModel[S], comparison: Comparison, outcome: Outcome, ledger: Ledger[S], backend: str
) -> Answer[S] | None:
    if comparison.change is Change.OTHER or comparison.places is None:
        return None
    problem, unchanged = built.problem, comparison.change is Change.NONE
    impossible = problem.why_infeasible()
    if impossible is not None:
        return ledger.infeasible(impossible)
    ledger.raise_bound(problem.lower_bound(), Origin.PROBLEM, problem.name)
    if outcome.values is not None:
        solution = decoded(built, outcome.values[comparison.places], backend, ledger.best())
        ledger.offer(solution, backend)
        assert outcome.objective is not None
        require_cost(built, solution, outcome.objective, backend, ledger.best())
    if unchanged and outcome.infeasible:
        ledger.offer(problem.trivial(), problem.name)
        raise FalseClaim(backend, "claimed that no solution exists, and one is known", ledger.best())
    if unchanged and outcome.bound is not None:
        ledger.raise_bound(_cost(built, outcome.bound), Origin.BACKEND, backend)
    stop = outcome.stop if unchanged or outcome.stop is not Stop.PROVED else Stop.COMPLETE
    if not unchanged:
        ledger.notes.append("the search was among solutions that meet restrictions; others may cost less")
    return ledger.answer(stop, versions=outcome.versions, model_size=built.size.as_dict(), start=outcome.start)


def _cost(built: BuiltModel[Any], objective: Exact) -> Exact:
    return simplest(Fraction(objective) / built.problem.cost_scale)
