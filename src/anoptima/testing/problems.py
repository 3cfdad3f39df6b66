"""What every problem promises (`problems.base`), asked of its examples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from anoptima.documents.writing import to_json
from anoptima.errors import InfeasibleProblem
from anoptima.exact import is_exact
from anoptima.models import models
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem
from anoptima.registry import is_for
from anoptima.testing.checks import Broken, Check, Checklist, demand
from anoptima.testing.examples import describe, feasible_solutions

SOLUTIONS = 20
"""How many solutions of an example are released, written and encoded."""

checklist: Checklist[type[Problem[Any]]] = Checklist()


def check_problem(kind: type[Problem[Any]]) -> Iterator[Check]:
    """Yield a check of every promise that a kind of problem makes.

    >>> from anoptima import CellSuppression
    >>> next(check_problem(CellSuppression))().state.value
    'green'
    """
    return checklist.of(kind.name, kind)


@checklist("it has examples small enough to try everything")
def has_examples(kind: type[Problem[Any]]) -> None:
    """Without them, nothing else here means anything."""
    examples = list(kind.examples())
    demand(examples, "it has no examples; let `examples` yield tiny instances")
    for problem in examples:
        demand(feasible_solutions(problem) is not None, f"{describe(problem)} has too many candidates to try them all")
        sizes = problem.size()
        whole = all(isinstance(name, str) and isinstance(number, int) for name, number in sizes.items())
        demand(sizes and whole, f"{describe(problem)}: `size` must give whole numbers by name, and gives {dict(sizes)}")


@checklist("it says why there is no solution exactly when there is none")
def says_why(kind: type[Problem[Any]]) -> None:
    """In words, and `trivial` raises `InfeasibleProblem` then; otherwise it is feasible."""
    for problem in kind.examples():
        reason, found = problem.why_infeasible(), feasible_solutions(problem)
        known = found is None or (reason is None) == bool(found)
        demand(known, f"{describe(problem)}: it has {len(found or ())} solutions; {reason!r}")
        try:
            trivial = problem.trivial()
        except InfeasibleProblem:
            demand(reason is not None, f"{describe(problem)}: `trivial` says that there is no solution, and there is")
            continue
        demand(reason is None, f"{describe(problem)}: `trivial` returns a solution, and there is none")
        wrong = problem.violations(trivial)
        demand(not wrong, f"{describe(problem)}: the trivial solution is none: {(wrong or [''])[0]}")


@checklist("what is wrong with a candidate is said in words")
def names_violations(kind: type[Problem[Any]]) -> None:
    """A list of lines, empty for a solution."""
    for problem in kind.examples():
        for candidate, _ in zip(problem.solutions(), range(500), strict=False):
            wrong = problem.violations(candidate)
            right = isinstance(wrong, list) and all(
                isinstance(line, str) and line and "\n" not in line for line in wrong
            )
            demand(right, f"{describe(problem)}: `violations` must be a list of lines, and is {wrong!r}")
            alike = bool(problem.plain.violations(candidate)) == bool(wrong)
            demand(alike, f"{describe(problem)}: `plain` asks something else: it judges {candidate} otherwise")


@checklist("costs and the bound are exact")
def costs_exactly(kind: type[Problem[Any]]) -> None:
    """Whole numbers or fractions; times `cost_scale`, whole; the bound is not above the optimum."""
    for problem in kind.examples():
        scale, unit = problem.cost_scale, problem.unit
        right = isinstance(scale, int) and scale >= 1
        demand(right, f"{describe(problem)}: `cost_scale` must be a whole number from 1 up, and is {scale!r}")
        demand(isinstance(unit, str) and unit, f"{describe(problem)}: `unit` must be a word, and is {unit!r}")
        found = feasible_solutions(problem) or []
        for cost, solution in found[:SOLUTIONS]:
            demand(is_exact(cost), f"{describe(problem)}: {solution} costs {cost!r}; it must be an int or a Fraction")
            again = problem.cost(solution)
            demand(again == cost, f"{describe(problem)}: {solution} costs {cost}, and {again} when asked again")
            whole = (Fraction(cost) * scale).denominator == 1
            demand(whole, f"{describe(problem)}: {scale} times the cost {cost} is not whole")
            demand(problem.describe_cost(cost), f"{describe(problem)}: the cost {cost} has no words")
        if found:
            bound, best = problem.lower_bound(), min(cost for cost, _ in found)
            demand(is_exact(bound), f"{describe(problem)}: the bound is {bound!r}; it must be an int or a Fraction")
            demand(bound <= best, f"{describe(problem)}: the bound is {bound}, and a solution costs {best}")


@checklist("a release shows its solution at its cost")
def releases(kind: type[Problem[Any]]) -> str | None:
    """Of problems that release a table: the release has nothing wrong, costs the same, and shows a solution that costs no more."""
    if not issubclass(kind, TableProblem):
        return f"{kind.name} releases no table"
    for problem in kind.examples():
        for cost, solution in (feasible_solutions(problem) or [])[:SOLUTIONS]:
            release = problem.release(solution)
            wrong = problem.violations_of_release(release)
            demand(not wrong, f"{describe(problem)}: the release of {solution} is wrong: {(wrong or [''])[0]}")
            shown = problem.cost_of_release(release)
            demand(shown == cost, f"{describe(problem)}: {solution} costs {cost}, and its release {shown}")
            back = problem.cost(problem.solution_of_release(release))
            demand(back <= cost, f"{describe(problem)}: {solution} costs {cost}, and {back} as its release shows it")
    return None


@checklist("solutions go through every model and come out no worse")
def goes_through_models(kind: type[Problem[Any]]) -> str | None:
    """Encoded and decoded, by every model that is for it."""
    tried = False
    for problem in kind.examples():
        found = (feasible_solutions(problem) or [])[:SOLUTIONS]
        for model in models.all() if found else ():
            if not is_for(model, problem):
                continue
            tried = True
            built = model.build(problem)
            for cost, solution in found:
                back = built.decode(built.encode(solution))
                wrong = problem.violations(back)
                demand(
                    not wrong,
                    f"{describe(problem)}: through {model.name}, {solution} becomes {back}: {(wrong or [''])[0]}",
                )
                demand(
                    problem.cost(back) <= cost, f"{describe(problem)}: through {model.name}, {solution} becomes dearer"
                )
    return None if tried else "no model is for it"


@checklist("it is written down and read back")
def is_written(kind: type[Problem[Any]]) -> str | None:
    """As JSON beside its table, the same problem; refused where it has no documents."""
    if not kind.has_documents():
        return f"{kind.name} has no documents"
    for problem in kind.examples():
        table = getattr(problem, "table", None)
        if table is None:
            raise Broken(f"{describe(problem)}: what is written down stands beside a `table`, and it has none")
        data = json.loads(to_json(problem.as_json()))
        back = kind.from_json(table, data)
        demand(json.loads(to_json(back.as_json())) == data, f"{describe(problem)} comes back as {describe(back)}")
        for candidate, _ in zip(problem.solutions(), range(100), strict=False):
            same = problem.violations(candidate) == back.violations(candidate)
            demand(same, f"{describe(problem)}: read back, it judges {candidate} otherwise")
    return None
