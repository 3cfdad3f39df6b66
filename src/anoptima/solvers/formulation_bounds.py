"""`lp_bounds`: all formulations of a problem side by side, with the bounds of their linear relaxations."""

from __future__ import annotations

import time
from typing import Any

from anoptima.arguments import checked
from anoptima.deadline import within
from anoptima.errors import ModelTooLarge, NotApplicable, OutOfTime
from anoptima.machine import available_memory
from anoptima.models import models
from anoptima.models.base import Language, Model
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.registry import why_not_for

_COLUMNS = ("language", "by", "for study", "rows", "columns", "nonzeros", "LP bound", "proves", "seconds", "note")


@checked
def lp_bounds(
    problem: Problem[Any], solver: str = "highs", *, time_limit: float | None = None, memory: int | None = None
) -> pd.DataFrame:
    """Set the formulations of `problem` side by side: their sizes, and the bounds of their linear relaxations.

    One row for each model that is for the problem, those for study among them (weaker links between amounts and what is open). A
    model for CP-SAT has no linear program; its twin in Pyomo stands in for it, where it has one, and `by` says so.

    Parameters
    ----------
    solver
        What solves the linear programs.
    time_limit
        Seconds for building and solving each of them.
    memory
        Bytes that each may take; None means what the machine has.

    Returns
    -------
    DataFrame
        By model, the best bound first: `LP bound` is the solver's value in units of cost, a float; `proves` is the cost that no solution is
        below, exactly, or None; `note` says why there is no bound.

    Examples
    --------
    >>> import anoptima as ao
    >>> bounds = ao.lp_bounds(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)))
    >>> bounds.loc["pattern", ["language", "proves"]].tolist()
    ['pyomo', 62]
    """
    problem.require_feasible()
    allowed = available_memory() if memory is None else memory
    rows, why = {}, list[str]()
    for model in models.all():
        reason = why_not_for(model, problem.plain)
        if reason is None:
            rows[model.name] = _row(model, problem, solver, time_limit, allowed)
        elif isinstance(problem, model.problems):
            why.append(reason)
    if not rows:
        raise NotApplicable(next(iter(why), f"there is no model for {problem.name}"))
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=list(_COLUMNS), dtype=object).rename_axis("model")
    kinds = dict.fromkeys(("rows", "columns", "nonzeros"), "Int64") | dict.fromkeys(("LP bound", "seconds"), "float64")
    frame = frame.astype({**kinds, "for study": "bool"})
    return frame.sort_values("LP bound", ascending=False, kind="stable")


def _row(model: Model[Any], problem: Problem[Any], solver: str, time_limit: float | None, memory: int) -> list[Any]:
    stated: Model[Any] | None = model
    if model.language is not Language.PYOMO:
        stated = models.get(model.twin) if model.twin is not None else None
    head = [model.language.value, "" if stated is None else stated.name, model.for_study]
    if stated is None:
        return [*head, None, None, None, None, None, None, "it is written for CP-SAT, and has no twin in Pyomo"]
    began = time.monotonic()
    try:
        with within(lambda: False, time_limit):
            built = stated.build(problem.plain, memory)
            built = built.kept(built.as_built)
            left = None if time_limit is None else max(0.0, time_limit - (time.monotonic() - began))
            relaxation = built.relaxation(solver, left)
    except (ModelTooLarge, OutOfTime, NotApplicable) as refusal:
        return [*head, None, None, None, None, None, time.monotonic() - began, str(refusal)]
    size = [len(relaxation.rows), len(relaxation.columns), len(built.matrix.column)]
    value = None if relaxation.value is None else relaxation.value / problem.cost_scale
    built.discard()
    return [*head, *size, value, relaxation.cost_bound, time.monotonic() - began, ""]
