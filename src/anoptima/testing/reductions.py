"""What every reduction promises (`reductions.base`), asked on the small examples that it speaks of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from anoptima.problems.base import Problem
from anoptima.reductions.base import Reduced, Reduction
from anoptima.testing.checks import Check, Checklist, demand
from anoptima.testing.examples import describe, examples_for, feasible_solutions

SOLUTIONS = 50
"""How many solutions of an example are carried over, each way."""

checklist: Checklist[Reduction[Any, Any]] = Checklist()


def check_reduction(reduction: Reduction[Any, Any]) -> Iterator[Check]:
    """Yield a check of every promise that `reduction` makes.

    >>> from anoptima.reductions import reductions
    >>> all(check() for check in check_reduction(reductions.get("k-anonymity-to-t-closeness")))
    True
    """
    return checklist.of(reduction.name, reduction)


@checklist("there are examples that it speaks of")
def has_examples(reduction: Reduction[Any, Any]) -> None:
    """Without one, nothing else here means anything."""
    demand(
        next(examples_for(reduction), None), "it speaks of none of the examples; let its source's `examples` yield some"
    )


@checklist("it names its theorem")
def cites(reduction: Reduction[Any, Any]) -> None:
    """Paper and number."""
    demand(reduction.cites, "it cites nothing")


@checklist("solutions are carried forward at the cost that is stated")
def carries_forward(reduction: Reduction[Any, Any]) -> None:
    """A pushed solution is feasible, costs at most what the theorem says, and comes back no worse."""
    for problem, reduced in _applied(reduction):
        for cost, solution in (feasible_solutions(problem) or [])[:SOLUTIONS]:
            pushed = reduced.push(solution)
            wrong = reduced.target.violations(pushed)
            demand(not wrong, f"{describe(problem)}: {solution} is pushed to what is no solution: {(wrong or [''])[0]}")
            paid, stated = reduced.target.cost(pushed), reduced.target_cost(cost)
            demand(
                paid <= stated, f"{describe(problem)}: {solution} costs {paid} in the target, and {stated} is stated"
            )
            back = problem.cost(reduced.pull(pushed))
            demand(back <= cost, f"{describe(problem)}: {solution} costs {cost}, and {back} when it comes back")


@checklist("solutions are carried back, and an optimum to an optimum")
def carries_back(reduction: Reduction[Any, Any]) -> str | None:
    """Every feasible solution of the target is pulled to a feasible one, the cheapest to the cheapest."""
    tried = False
    for problem, reduced in _applied(reduction):
        source, target = feasible_solutions(problem), feasible_solutions(reduced.target)
        if not source or not target:
            continue
        tried = True
        target.sort(key=lambda pair: pair[0])
        for _, solution in target[:SOLUTIONS]:
            wrong = problem.violations(reduced.pull(solution))
            demand(not wrong, f"{describe(problem)}: {solution} is pulled to what is no solution: {(wrong or [''])[0]}")
        best, pulled = min(cost for cost, _ in source), problem.cost(reduced.pull(target[0][1]))
        demand(
            pulled == best, f"{describe(problem)}: the target's optimum is pulled to {pulled}; the source's is {best}"
        )
    return None if tried else "the targets of its examples are too large to try everything"


def _applied(reduction: Reduction[Any, Any]) -> Iterator[tuple[Problem[Any], Reduced[Any, Any]]]:
    for problem in examples_for(reduction):
        yield problem, reduction.apply(problem)
