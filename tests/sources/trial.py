"""One case, every formulation on every backend, held against the brute force: what is wrong, in words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import anoptima as ao
from anoptima.answer import Stop
from anoptima.models.base import BuiltModel, Language, Model
from anoptima.solvers.backends.registry import backend_names, get_backend
from tests.sources.instances import SourceCase
from tests.trial import Verdict, judge_ways, models_for
from tests.turns import in_turn


def verdicts(case: SourceCase, seed: int = 0, turn: int | None = None) -> Iterator[Verdict]:
    """Judge the problem, every model's way in and out, and every model on every backend that takes it, or on those whose `turn` it is."""
    name = case.problem.name
    yield Verdict(name, "the problem itself", tuple(judge_problem(case)))
    for model in models_for(case.problem):
        built = model.build(case.problem)
        yield Verdict(
            name, f"{model.name}, in and out", tuple(judge_ways(built, some_solutions(case, random.Random(seed))))
        )
        yield Verdict(name, f"{model.name}, size", tuple(judge_size(built)))
        solvers = [f"{model.name}/{backend}" for backend in backends_for(model)]
        for solver in solvers if turn is None else in_turn(solvers, turn):
            yield Verdict(name, solver, tuple(judge_backend(case, built, solver.partition("/")[2])))


def backends_for(model: Model[Any]) -> list[str]:
    """Return every backend that takes the model and can be used here."""
    backends = (get_backend(name) for name in backend_names())
    return [backend.name for backend in backends if model.language in backend.languages and backend.availability()]


def judge_problem(case: SourceCase) -> Iterator[str]:
    """Hold checker, search by trying, trivial solution and cheap bound against the brute force."""
    problem, optimum = case.problem, case.optimum
    if problem.why_infeasible() is not None:
        yield f"it is said to be infeasible: {problem.why_infeasible()}"
    best = min(cost for cost, _ in case.feasible)
    if best != optimum:
        yield f"its own search finds {best}, the optimum is {optimum}"
    yield from problem.violations(problem.trivial())
    if problem.cost(problem.trivial()) < optimum:
        yield f"the trivial solution costs {problem.cost(problem.trivial())}, below {optimum}"
    if not 0 <= problem.lower_bound() <= optimum:
        yield f"the lower bound is {problem.lower_bound()}, the optimum {optimum}"


def some_solutions(case: SourceCase, chance: random.Random) -> list[Any]:
    """Return the best solution, the trivial one, and two others."""
    _, best = min(case.feasible, key=lambda pair: pair[0])
    others = chance.sample(case.feasible, min(2, len(case.feasible)))
    return [best, case.problem.trivial(), *(solution for _, solution in others)]


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
