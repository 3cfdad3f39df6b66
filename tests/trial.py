"""One case, every method, held against the brute force: what is wrong, in words.

Used by the property-based tests, which ask for silence, and by `benchmarks/agreement.py`, which counts.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

import anoptima as ao
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.base import Kind, Solver
from tests import brute_force
from tests.cases import Case, published


@dataclass(frozen=True)
class Verdict:
    """What one method did with one case; `wrong` is empty if all is well."""

    problem: str
    method: str
    wrong: tuple[str, ...]


class Question:
    """A problem of the package, with the same question to the brute force."""

    problem: TableProblem[Any]

    def __init__(self, case: Case) -> None:
        self.case = case

    @cached_property
    def optimum(self) -> Fraction | None:
        """The true optimum, None if there is no solution."""
        return self._best[0] if self._best else None

    @property
    def best(self) -> Any:
        """A solution that the brute force found, in the package's terms."""
        raise NotImplementedError

    def others(self, chance: random.Random) -> Iterator[Any]:
        """Yield feasible solutions that need not be good."""
        raise NotImplementedError

    @cached_property
    def _best(self) -> tuple[Fraction, Any] | None:
        raise NotImplementedError


class Cells(Question):
    """Cell suppression."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.problem = case.cells()

    @cached_property
    def _best(self) -> tuple[Fraction, list[brute_force.Group]] | None:
        return brute_force.best_partition(self.case.rows, self.case.prices, self.case.rule())

    @property
    def best(self) -> ao.Partition | None:
        return self._partition(self._best[1]) if self._best else None

    def others(self, chance: random.Random) -> Iterator[ao.Partition]:
        """Merge groups of the best at random: what survives merging stays feasible."""
        if self._best is None:
            return
        groups = list(self._best[1])
        while len(groups) > 1:
            first = groups.pop(chance.randrange(len(groups)))
            second = groups.pop(chance.randrange(len(groups)))
            groups.append((*first, *second))
            yield self._partition(groups)

    def _partition(self, groups: list[brute_force.Group]) -> ao.Partition:
        return ao.Partition.from_groups([list(group) for group in groups], len(self.case.rows))


class Columns(Question):
    """Attribute suppression."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.problem = case.columns()

    @cached_property
    def _best(self) -> tuple[Fraction, frozenset[int]] | None:
        return brute_force.best_columns(self.case.rows, self.case.prices, self.case.rule())

    @property
    def best(self) -> ao.DroppedColumns | None:
        return self._dropped(self._best[1]) if self._best else None

    def others(self, chance: random.Random) -> Iterator[ao.DroppedColumns]:
        """Drop more."""
        if self._best is None:
            return
        left = [j for j in range(len(self.case.prices)) if j not in self._best[1]]
        chance.shuffle(left)
        for count in range(1, len(left) + 1):
            yield self._dropped(self._best[1].union(left[:count]))

    def _dropped(self, columns: frozenset[int]) -> ao.DroppedColumns:
        return ao.DroppedColumns(frozenset(f"q{j}" for j in columns))


def questions(case: Case) -> list[Question]:
    """Return all questions that a case poses."""
    return [Cells(case), Columns(case)]


def trial(case: Case, seed: int = 0, only: Collection[str] = ()) -> Iterator[Verdict]:
    """Try every method on a case; or the solvers that are named, and nothing else."""
    for question in questions(case):
        name = question.problem.name
        if not only:
            yield Verdict(name, "checker and bounds", tuple(judge_problem(question)))
        for solver in map(ao.get_solver, only) if only else ao.solvers_for(question.problem):
            if solver.why_not(question.problem) is None:
                yield Verdict(name, solver.name, tuple(judge_solver(question, solver)))
        for model in () if only else models_for(question.problem):
            yield Verdict(name, f"{model.name}, in and out", tuple(judge_model(question, model, random.Random(seed))))


def models_for(problem: Problem[Any]) -> list[Model[Any]]:
    """Return every model that is for `problem`."""
    return [model for model in models.all() if model.why_not(problem) is None]


# ---- the problem itself -------------------------------------------------------------------------------------------------------


def judge_problem(question: Question) -> Iterator[str]:
    """Hold checker, trivial solution and cheap bound against the brute force."""
    problem, optimum = question.problem, question.optimum
    reason = problem.why_infeasible()
    if (reason is None) != (optimum is not None):
        yield f"why_infeasible says {reason!r}, the optimum is {optimum}"
        return
    if optimum is None:
        return
    for solution in (question.best, problem.trivial()):
        yield from problem.violations(solution)
        yield from _judge_release(question, problem.release(solution), problem.cost(solution))
    if problem.cost(question.best) != optimum:
        yield f"the best solution costs {optimum}, not {problem.cost(question.best)}"
    if problem.cost(problem.trivial()) < optimum:
        yield f"the trivial solution costs {problem.cost(problem.trivial())}, below {optimum}"
    if problem.lower_bound() > optimum:
        yield f"the lower bound is {problem.lower_bound()}, above {optimum}"


def _judge_release(question: Question, release: Any, cost: Any) -> Iterator[str]:
    """Read the published table with other eyes than the package's."""
    case = question.case
    shown = published(release, len(case.prices))
    wrong = brute_force.wrong_in_release(case.rows, shown, case.rule())
    if wrong:
        yield f"the release is wrong: {wrong}"
    paid = brute_force.release_cost(shown, case.prices)
    if isinstance(question, Columns):
        paid /= len(case.rows)
    if paid != cost:
        yield f"the release shows stars for {paid}, not {cost}"


# ---- solvers ------------------------------------------------------------------------------------------------------------------


def judge_solver(question: Question, solver: Solver[Any], **options: Any) -> Iterator[str]:
    """Hold a solver's answer against the brute force."""
    yield from judged(question, solver, **options)[1]


def judged(question: Question, solver: Solver[Any], **options: Any) -> tuple[ao.Answer[Any] | None, list[str]]:
    """Return a solver's answer, None if it has none, and what the brute force finds wrong with it."""
    options = {"start": None, "threads": 1, **options}
    try:
        answer = ao.solve(question.problem, solver, **options)
    except ao.AnoptimaError as error:
        return None, [f"{type(error).__name__}: {error}"]
    wrong = list(judge_answer(question, answer))
    exact = solver.kind is not Kind.APPROXIMATE and options.get("time_limit") is None and not options.get("gap")
    if exact and question.optimum is not None and answer.claim is not ao.Claim.OPTIMAL:
        wrong.append(f"claims {answer.claim.value} and had all the time it wanted")
    return answer, [*wrong, *_judge_promise(question, solver, answer)]


def _judge_promise(question: Question, solver: Solver[Any], answer: ao.Answer[Any]) -> Iterator[str]:
    """Hold an approximation to its theorem, unless it was cut short."""
    ratio = solver.ratio(question.problem)
    if (
        ratio is None
        or answer.cost is None
        or question.optimum is None
        or answer.stop not in (ao.Stop.PROVED, ao.Stop.COMPLETE)
    ):
        return
    if answer.cost > ratio * question.optimum:
        yield f"costs {answer.cost}, the optimum is {question.optimum}, and {ratio} times that is promised"


def judge_answer(question: Question, answer: ao.Answer[Any]) -> Iterator[str]:
    """Hold whatever an answer says against the brute force: nothing may be false, however little it says."""
    problem, optimum = question.problem, question.optimum
    verification = answer.verify()
    yield from verification.wrong
    if optimum is None:
        if answer.claim is not ao.Claim.INFEASIBLE or answer.solution is not None or not answer.reason:
            yield f"claims {answer.claim.value} for the reason {answer.reason!r}; there is no solution"
        return
    if answer.solution is None or answer.cost is None:
        yield f"gives no solution ({answer.claim.value}); the optimum is {optimum}"
        return
    yield from problem.violations(answer.solution)
    release = answer.release
    yield from _judge_release(question, release, answer.cost)
    yield from problem.violations_of_release(release)
    if problem.cost_of_release(release) != answer.cost:
        yield f"the package reads a cost of {problem.cost_of_release(release)} off the release, not {answer.cost}"
    if answer.cost < optimum:
        yield f"costs {answer.cost}, below the optimum {optimum}"
    if answer.claim is ao.Claim.OPTIMAL and answer.cost != optimum:
        yield f"claims the optimum {answer.cost}; it is {optimum}"
    if answer.bound is not None and answer.bound.value > optimum:
        yield f"claims the bound {answer.bound}; the optimum is {optimum}"
    if any(step.bound is not None and step.bound > optimum for step in answer.trace):
        yield f"claimed a bound above the optimum {optimum} on the way"


# ---- models -------------------------------------------------------------------------------------------------------------------


def judge_model(question: Question, model: Model[Any], chance: random.Random) -> Iterator[str]:
    """Send solutions into a model and out again."""
    if question.optimum is not None:
        solutions = (question.best, question.problem.trivial(), *question.others(chance))
        yield from judge_ways(model.build(question.problem), solutions)


def judge_ways(built: BuiltModel[Any], solutions: Iterable[Any]) -> Iterator[str]:
    """Send solutions into a program and out again."""
    problem = built.problem
    for solution in solutions:
        cost = problem.cost(solution)
        values = built.encode(solution)
        objective, broken = evaluate(built, values)
        if broken:
            yield f"encoding {solution}: {broken}"
        if objective > cost * problem.cost_scale:
            yield f"encoding {solution}: the objective is {objective}, the scaled cost {cost * problem.cost_scale}"
        back = built.decode(values)
        yield from problem.violations(back)
        if problem.cost(back) > cost:
            yield f"{solution} costs {cost} and comes back as {back}, which costs {problem.cost(back)}"
        if problem.cost(back) * problem.cost_scale > objective:
            yield f"{back} is decoded from the objective {objective} and costs {problem.cost(back)}"


def evaluate(built: BuiltModel[Any], values: Any) -> tuple[Fraction, str | None]:
    """Return the exact objective of a program at a vector of values, and what the vector breaks, if anything."""
    if any(value != round(value) for value in values.tolist()):
        return Fraction(0), f"a value is not whole: {values.tolist()}"
    whole = [round(value) for value in values.tolist()]
    return _evaluate_cp_sat(built, whole) if built.language is Language.CP_SAT else _evaluate_matrix(built, whole)


def _evaluate_matrix(built: BuiltModel[Any], values: list[int]) -> tuple[Fraction, str | None]:
    form = built.matrix
    if len(values) != form.columns:
        return Fraction(0), f"{len(values)} values are given for {form.columns} columns"
    objective = sum(
        (Fraction(c) * v for c, v in zip(form.objective.tolist(), values, strict=True)), Fraction(form.constant)
    )
    for j, (low, value, high) in enumerate(zip(form.lower.tolist(), values, form.upper.tolist(), strict=True)):
        if not low <= value <= high:
            return objective, f"column {j} is {value}, outside [{low}, {high}]"
    for i in range(form.rows):
        entries = range(form.row_start[i], form.row_start[i + 1])
        total = sum((Fraction(form.coefficient[e]) * values[form.column[e]] for e in entries), Fraction(0))
        if not form.row_lower[i] <= total <= form.row_upper[i]:
            return objective, f"row {i} is {total}, outside [{form.row_lower[i]}, {form.row_upper[i]}]"
    return objective, None


def _evaluate_cp_sat(built: BuiltModel[Any], values: list[int]) -> tuple[Fraction, str | None]:
    """Let CP-SAT judge, with every variable fixed: it alone knows what all its constraints mean."""
    proto = built.program.proto
    if len(values) != len(proto.variables):
        return Fraction(0), f"{len(values)} values are given for {len(proto.variables)} variables"
    terms = zip(proto.objective.coeffs, proto.objective.vars, strict=True)
    scale = Fraction(proto.objective.scaling_factor or 1)
    objective = scale * (sum(c * values[v] for c, v in terms) + Fraction(proto.objective.offset))
    fixed = built.program.clone()
    for j, value in enumerate(values):
        fixed.add(fixed.get_int_var_from_proto_index(j) == value)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(fixed)
    return objective, None if status in (
        cp_model.OPTIMAL,
        cp_model.FEASIBLE,
    ) else f"CP-SAT says {solver.status_name(status)}"


def choices(seed: int) -> Any:
    """Return a source of choices that repeats itself."""
    source = np.random.default_rng(seed)
    return lambda options: options[int(source.integers(len(options)))]
