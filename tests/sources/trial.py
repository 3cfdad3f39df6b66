"""One case, every formulation on every backend, held against the brute force: what is wrong, in words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

import anoptima as ao
from anoptima.answer import Stop
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model
from anoptima.solvers.backends.registry import backend_names, get_backend
from anoptima.solvers.backends.whole import whole_program
from tests.sources.instances import SourceCase


@dataclass(frozen=True)
class Verdict:
    """What one method did with one case; `wrong` is empty if all is well."""

    problem: str
    method: str
    wrong: tuple[str, ...]


def verdicts(case: SourceCase, seed: int = 0) -> Iterator[Verdict]:
    """Judge the problem, every model's way in and out, and every model on every backend that takes it."""
    name = case.problem.name
    yield Verdict(name, "the problem itself", tuple(judge_problem(case)))
    for model in models_for(case):
        built = model.build(case.problem)
        yield Verdict(name, f"{model.name}, in and out", tuple(judge_ways(case, built, random.Random(seed))))
        yield Verdict(name, f"{model.name}, size", tuple(judge_size(built)))
        for backend in backends_for(model):
            yield Verdict(name, f"{model.name}/{backend}", tuple(judge_backend(case, built, backend)))


def models_for(case: SourceCase) -> list[Model[Any]]:
    """Return every model that is for the case's problem."""
    return [model for model in models.all() if model.why_not(case.problem) is None]


def backends_for(model: Model[Any]) -> list[str]:
    """Return every backend that takes the model and can be used here."""
    backends = (get_backend(name) for name in backend_names())
    return [backend.name for backend in backends if model.language in backend.languages and backend.availability()]


def judge_problem(case: SourceCase) -> Iterator[str]:
    """Hold checker, search by trying, trivial solution and cheap bound against the brute force."""
    problem, optimum = case.problem, case.optimum
    if problem.why_infeasible() is not None:
        yield f"it is said to be infeasible: {problem.why_infeasible()}"
    best = min(problem.cost(solution) for solution in problem.solutions() if problem.is_feasible(solution))
    if best != optimum:
        yield f"its own search finds {best}, the optimum is {optimum}"
    yield from problem.violations(problem.trivial())
    if problem.cost(problem.trivial()) < optimum:
        yield f"the trivial solution costs {problem.cost(problem.trivial())}, below {optimum}"
    if not 0 <= problem.lower_bound() <= optimum:
        yield f"the lower bound is {problem.lower_bound()}, the optimum {optimum}"


def judge_ways(case: SourceCase, built: BuiltModel[Any], chance: random.Random) -> Iterator[str]:
    """Send solutions into a model and out again."""
    problem = case.problem
    feasible = [solution for solution in problem.solutions() if problem.is_feasible(solution)]
    best = min(feasible, key=problem.cost)
    for solution in (best, problem.trivial(), *chance.sample(feasible, min(2, len(feasible)))):
        cost, values = problem.cost(solution), built.encode(solution)
        objective = objective_at(built, values)
        if objective is None:
            yield f"{solution} is encoded as {values.tolist()}, which is no solution of the program"
        elif objective > cost * problem.cost_scale:
            yield f"{solution} costs {cost} and is encoded at the objective {objective}"
        else:
            back = built.decode(values)
            yield from problem.violations(back)
            if problem.cost(back) * problem.cost_scale > objective:
                yield f"{solution} comes back as {back}, which costs more than the objective {objective}"


def judge_size(built: BuiltModel[Any]) -> Iterator[str]:
    """Count what was built and hold it against what was said before."""
    if built.language is Language.CP_SAT:
        variables, rows = len(built.program.proto.variables), len(built.program.proto.constraints)
        entries = 0
    else:
        variables, rows = built.matrix.columns, built.matrix.rows
        entries = len(built.matrix.column)
    said = built.size
    if variables > said.variables or rows > said.constraints or entries > said.coefficients:
        yield f"{variables} variables, {rows} rows and {entries} coefficients were built, and {said} announced"


def objective_at(built: BuiltModel[Any], values: Any) -> int | None:
    """Return the exact objective of a program at a vector of values, None if they are no solution of it."""
    whole = [round(value) for value in values.tolist()]
    if whole != values.tolist():
        return None
    if built.language is Language.PYOMO:
        program = whole_program(built.matrix)
        return program.objective_at(whole) if program.admits(whole) else None
    if len(whole) != len(built.program.proto.variables):
        return None
    fixed = built.program.clone()
    for j, value in enumerate(whole):
        fixed.add(fixed.get_int_var_from_proto_index(j) == value)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return round(solver.objective_value) if solver.solve(fixed) == cp_model.OPTIMAL else None


def judge_backend(case: SourceCase, built: BuiltModel[Any], backend: str) -> Iterator[str]:
    """Solve the program to its end, with no start and no bound to lean on."""
    outcome = get_backend(backend).solve(built, ao.Budget(threads=1))
    if outcome.stop is not Stop.PROVED or outcome.values is None:
        yield f"ended with {outcome.stop.value} and values {outcome.values}"
        return
    scaled = case.optimum * case.problem.cost_scale
    if outcome.objective != scaled or outcome.bound != scaled:
        yield f"claims the objective {outcome.objective} with the bound {outcome.bound}; the optimum is {scaled}"
    solution = built.decode(np.asarray(outcome.values, dtype=float))
    yield from case.problem.violations(solution)
    if case.problem.cost(solution) != case.optimum:
        yield f"decodes to {solution}, which costs {case.problem.cost(solution)}; the optimum is {case.optimum}"
