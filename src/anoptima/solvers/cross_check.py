"""A second opinion on an answer: `solve(..., cross_check=True)`.

A solver that returns the solution it was given and claims a bound that matches contradicts nothing: cost and solution pass the checker, and
only somebody who finds a better solution, or proves the bound, can tell. So a bound that rests on a solver's word is put to solvers of
other families: first to one whose bounds come with proofs, then to another backend. None of them is told what the first has found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from anoptima.answer import Answer, Budget, Claim, Clock, Event, Origin, Stop
from anoptima.errors import FalseClaim, ModelTooLarge, NotApplicable, SolverFailure
from anoptima.exact import exact_text
from anoptima.solvers.auto import choose
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.lookup import solvers_for

S = TypeVar("S")

_LEAST_SECONDS, _TIMES = 60.0, 3
"""Where there is no time limit, another solver has this many seconds, or this many times those that the answer took if that is more."""

_RELATED = ("highs", "scip", "gurobi", "cbc", "glpk", "cp-sat", "cplex", "xpress")
"""What the names of a solver's several interfaces have in common."""


def cross_checked(answer: Answer[S], clock: Clock, go_on: Callable[[str], bool]) -> Answer[S]:
    """Return `answer` with what confirmed its bound in `Answer.confirmed`, or with a note that nothing did.

    `go_on` is told now and then what is being tried, and says whether to go on. Raises `FalseClaim`, which names both solvers, if
    another one refutes the bound; it carries the better of the two checked solutions.
    """
    if answer.bound is None or answer.solution is None:
        return answer
    if answer.bound.origin in (Origin.PROOF, Origin.PROBLEM):
        verified = answer.verify()
        if not verified:
            raise FalseClaim(answer.solver, f"claimed what does not hold: {verified}", answer)
        whose = "its proof" if answer.bound.origin is Origin.PROOF else "the problem's own bound"
        return replace(answer, confirmed=f"{whose}, checked again")
    tried = []
    for solver in _second_opinions(answer, clock):
        if clock.is_over() or not go_on(f"cross-check by {solver.name}"):
            break
        try:
            second = solver.solve(answer.problem, _budget(answer, clock), None, _listener(solver, go_on))
        except (NotApplicable, ModelTooLarge):
            continue
        except SolverFailure as failure:
            tried.append(f"{failure}")
            continue
        _refuse_contradictions(answer, second)
        if second.bound is not None and second.bound.value >= answer.bound.value:
            return _confirmed(answer, second)
        reached = "no bound" if second.bound is None else f"the bound {exact_text(second.bound.value)}"
        tried.append(f"{second.solver} came to {reached} ({second.stop.value})")
    why = "; ".join(tried) or ("no time was left" if clock.is_over() else "no other solver is for this problem")
    return _with_note(answer, f"the bound was not confirmed by a cross-check: {why}")


def _second_opinions(answer: Answer[S], clock: Clock) -> Iterator[Solver[S]]:
    """Yield solvers of families without a part in `answer`: one that proves its bounds, then one of each family, backends first."""
    problem, known = answer.problem, {_family(part) for part in answer.solver.split(" and ")}
    if answer.bound is not None:
        known.add(_family(answer.bound.by))
    try:
        proving = [choose(problem, answer.run.budget, clock, proof=True).solver]
    except NotApplicable:
        proving = []
    model = answer.solver.partition("/")[0]
    others = sorted(
        solvers_for(problem),
        key=lambda solver: (solver.kind is not Kind.MODEL, not solver.name.startswith(f"{model}/")),
    )
    for solver in (*proving, *others):
        if solver.kind is not Kind.APPROXIMATE and _family(solver.name) not in known:
            known.add(_family(solver.name))
            yield solver


def _family(name: str) -> str:
    """Return what a solver has in common with its other interfaces.

    >>> _family("pattern/pyomo:appsi_highs"), _family("highs"), _family("subset-dp")
    ('highs', 'highs', 'subset-dp')
    """
    backend = name.rpartition("/")[2]
    return next((family for family in _RELATED if family in backend), backend)


def _budget(answer: Answer[Any], clock: Clock) -> Budget:
    """Return half of the time that is left, so that another solver may have its turn, without options in the words of the first."""
    left = clock.left()
    seconds = max(_LEAST_SECONDS, _TIMES * answer.run.seconds) if left is None else left / 2
    return replace(answer.run.budget, seconds=seconds, options={})


def _listener(solver: Solver[Any], go_on: Callable[[str], bool]) -> Callable[[Event], bool]:
    return lambda event: not go_on(f"cross-check by {solver.name}")


def _refuse_contradictions(first: Answer[S], second: Answer[S]) -> None:
    """Raise `FalseClaim` if one has a solution below the other's bound."""
    for claims, finds in ((first, second), (second, first)):
        if claims.bound is not None and finds.cost is not None and finds.cost < claims.bound.value:
            # Which cost is true has been checked; the other's bound may be as false.
            kept = replace(finds, claim=Claim.FEASIBLE, stop=Stop.FAILED)
            raise FalseClaim(
                claims.solver,
                f"claimed that no solution costs less than {exact_text(claims.bound.value)}, and {finds.solver} has one that costs "
                f"{exact_text(finds.cost)}",
                kept,
            )


def _confirmed(answer: Answer[S], second: Answer[S]) -> Answer[S]:
    """Return `answer` with what `second` adds to it: its word, its proof, a better solution."""
    bound = second.bound
    if bound is None or answer.bound is None:
        return answer
    by_proof = bound.origin in (Origin.PROOF, Origin.PROBLEM)
    if by_proof:
        answer = replace(answer, bound=bound, proof=second.proof)
    if second.cost is not None and answer.cost is not None and second.cost < answer.cost:
        answer = _with_note(
            replace(answer, solution=second.solution, cost=second.cost), f"the solution is {second.solver}'s"
        )
    if answer.bound is not None and answer.bound.value == answer.cost:
        answer = replace(answer, claim=Claim.OPTIMAL, stop=Stop.PROVED)
    whose = f"a proof of {second.solver}" if by_proof else second.solver
    return replace(answer, confirmed=whose)


def _with_note(answer: Answer[S], note: str) -> Answer[S]:
    return replace(answer, run=replace(answer.run, notes=(*answer.run.notes, note)))
