"""What every solver promises (`solvers.base`), asked on the small examples that it is for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from anoptima.answer import Answer, Budget, Claim, Origin, Stop
from anoptima.exact import is_exact
from anoptima.problems.base import Problem
from anoptima.solvers.base import Kind, Solver
from anoptima.table import Table
from anoptima.testing.checks import Check, Checklist, demand, demand_true
from anoptima.testing.examples import describe, examples_for, feasible_solutions, optimum

checklist: Checklist[Solver[Any]] = Checklist()

_HOUR_S = 3600.0


def check_solver(solver: Solver[Any]) -> Iterator[Check]:
    """Yield a check of every promise that `solver` makes.

    >>> from anoptima import get_solver
    >>> all(check() for check in check_solver(get_solver("peel")))
    True
    """
    return checklist.of(solver.name, solver)


@checklist("there are examples that it is for")
def has_examples(solver: Solver[Any]) -> None:
    """Without one, nothing else here means anything."""
    demand(next(examples_for(solver), None), "it is for none of the examples; let its problem's `examples` yield some")


@checklist("its answers are what it claims")
def claims_what_is_true(solver: Solver[Any]) -> None:
    """Feasible, verified, optimal where that is claimed or promised, within its ratio, with bounds that are bounds."""
    for problem in examples_for(solver):
        before = _data(problem)
        answer = solver.solve(problem)
        demand(before == _data(problem), f"{describe(problem)}: it has changed the problem, which others go on with")
        best = _demand_true(problem, answer)
        if best is None or answer.cost is None:
            continue
        if solver.kind is not Kind.APPROXIMATE:
            demand(
                answer.claim is Claim.OPTIMAL,
                f"{describe(problem)}: it had all the time and claims {answer.claim.value}",
            )
        demand_true(
            not solver.gives_proofs or answer.proof or answer.bound is None or answer.bound.origin is Origin.PROBLEM,
            f"{describe(problem)}: it says that its bounds come with proofs, and gives none of {answer.bound}",
        )
        ratio = solver.ratio(problem)
        demand(
            ratio is None or is_exact(ratio),
            f"{describe(problem)}: its ratio is {ratio!r}; it must be an int or a Fraction",
        )
        demand_true(
            ratio is None or answer.cost <= ratio * best,
            f"{describe(problem)}: it costs {answer.cost}, the optimum {best}, and {ratio} times that is promised",
        )


@checklist("without time it claims nothing false")
def survives_no_time(solver: Solver[Any]) -> None:
    """A budget of no seconds is answered, not refused."""
    for problem in examples_for(solver):
        _demand_true(problem, solver.solve(problem, Budget(seconds=0)))


@checklist("a start is never made worse")
def keeps_a_start(solver: Solver[Any]) -> None:
    """Not even the best there is, and not without time."""
    for problem in examples_for(solver):
        found = feasible_solutions(problem)
        if found:
            cost, start = min(found, key=lambda pair: pair[0])
            for budget in (Budget(), Budget(seconds=0)):
                answer = solver.solve(problem, budget, start)
                demand(answer.cost == cost, f"{describe(problem)}: a start of {cost} became {answer.cost}")


@checklist("asked again with the same seed, it comes to the same cost")
def repeats(solver: Solver[Any]) -> None:
    """On one thread, without a limit of time."""
    for problem in examples_for(solver):
        first, second = (solver.solve(problem, Budget(threads=1)).cost for _ in range(2))
        demand(first == second, f"{describe(problem)}: it costs {first}, and {second} when asked again")


@checklist("a seed or a limit that it says it does not use changes nothing")
def ignores_what_it_says(solver: Solver[Any]) -> str | None:
    """The same solution with another seed, and under another limit that it does not reach."""
    if solver.uses_seed and solver.uses_limit:
        return "it says that it uses both"
    other = Budget(None if solver.uses_limit else _HOUR_S, seed=int(not solver.uses_seed))
    for problem in examples_for(solver):
        first, second = solver.solve(problem), solver.solve(problem, other)
        demand(
            first.solution == second.solution,
            f"{describe(problem)}: with seed {other.seed} and limit {other.seconds} it gives another solution, "
            f"of cost {second.cost} rather than {first.cost}",
        )
    return None


@checklist("a listener stops it")
def is_stopped(solver: Solver[Any]) -> None:
    """It ends, with what it has, and claims nothing false."""
    for problem in examples_for(solver):
        answer = solver.solve(problem, None, None, lambda event: True)
        _demand_true(problem, answer)
        demand(
            answer.stop in (Stop.CANCELLED, Stop.PROVED, Stop.COMPLETE, Stop.GAP),
            f"{describe(problem)}: asked to stop, it ended with {answer.stop.value}",
        )


def _demand_true(problem: Problem[Any], answer: Answer[Any]) -> Any:
    """Hold what an answer says against brute force, and return the optimum."""
    wrong = answer.verify().wrong
    demand_true(not wrong, f"{describe(problem)}: {'; '.join(wrong)}")
    best = optimum(problem)
    if best is None:
        return None
    demand_true(answer.claim is not Claim.INFEASIBLE, f"{describe(problem)}: it claims that there is no solution")
    demand_true(
        answer.cost is None or answer.cost >= best,
        f"{describe(problem)}: it costs {answer.cost}, below the optimum {best}",
    )
    demand_true(
        answer.claim is not Claim.OPTIMAL or answer.cost == best,
        f"{describe(problem)}: it claims the optimum {answer.cost}; it is {best}",
    )
    demand_true(
        answer.bound is None or answer.bound.value <= best,
        f"{describe(problem)}: it claims the bound {answer.bound}; the optimum is {best}",
    )
    return best


def _data(problem: Problem[Any]) -> object:
    """Return what a problem consists of, to be compared with what it consists of later."""
    table = getattr(problem, "table", None)
    if not isinstance(table, Table):
        return repr(problem)
    columns = (*table.quasi_columns, *map(table.sensitive_column, table.sensitive))
    arrays: list[NDArray[Any]] = [table.types, table.multiplicity, table.type_of_row, table.scaled_weights]
    arrays += [column.codes for column in columns]
    principle = repr(getattr(problem, "principle", None))
    return problem.size(), principle, table.frame.to_csv(), [one.tobytes() for one in arrays]
