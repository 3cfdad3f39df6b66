"""Checks of answers, from their problems' data alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anoptima.answer.claims import Bound, Claim, Origin
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text

if TYPE_CHECKING:
    from anoptima.answer.answers import Answer


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of checking an answer; truthy when nothing is wrong.

    `proved` is the bound that was proved again just now, with no solver; `claimed` is the answer's own bound where that is higher and
    rests on a backend's word, or on a proof that is not there. Either is None where there is none.
    """

    wrong: tuple[str, ...]
    proved: Bound | None = None
    claimed: Bound | None = None

    def __bool__(self) -> bool:
        return not self.wrong

    def __str__(self) -> str:
        if self.wrong:
            return "NOT VERIFIED: " + "; ".join(self.wrong)
        proved = f"; proved again: no solution is below {exact_text(self.proved.value)}" if self.proved else ""
        claimed = (
            f"; claimed by {self.claimed.by}: none is below {exact_text(self.claimed.value)}" if self.claimed else ""
        )
        return f"verified{proved}{claimed}"


def verify_answer(answer: Answer[Any]) -> Verification:
    """Check an answer from its problem's data: see `Answer.verify`."""
    problem, wrong = answer.problem, []
    infeasible = problem.why_infeasible()
    if infeasible is not None:
        if answer.claim is not Claim.INFEASIBLE:
            wrong.append(f"{answer.claim.value} is claimed, but no solution exists: {infeasible}")
        return Verification(tuple(wrong))
    if answer.claim is Claim.INFEASIBLE:
        wrong.append("infeasible is claimed, but a solution exists: the trivial one")
    if answer.claim in (Claim.OPTIMAL, Claim.FEASIBLE) and answer.solution is None:
        wrong.append(f"{answer.claim.value} is claimed without a solution")
    proved = Bound(problem.lower_bound(), Origin.PROBLEM, problem.name)
    if answer.solution is not None:
        wrong += problem.violations(answer.solution)
        if not wrong and problem.cost(answer.solution) != answer.cost:
            wrong.append(f"the cost is {exact_text(problem.cost(answer.solution))}, not {_text(answer.cost)}")
    if answer.bound is not None and answer.cost is not None and answer.bound.value > answer.cost:
        wrong.append(f"the bound {answer.bound} is above the cost {exact_text(answer.cost)}")
    if answer.bound is not None and answer.bound.origin is Origin.PROBLEM and answer.bound.value != proved.value:
        wrong.append(f"the problem proves a bound of {exact_text(proved.value)}, not {exact_text(answer.bound.value)}")
    if answer.claim is Claim.OPTIMAL and (answer.bound is None or answer.bound.value != answer.cost):
        wrong.append(f"optimal is claimed at cost {_text(answer.cost)} with bound {answer.bound}")
    if answer.proof is not None:
        try:
            value = answer.proof.proved(problem)
        except BadInput as error:
            wrong.append(f"the proof does not hold: {error}")
        else:
            if value > proved.value:
                proved = Bound(value, Origin.PROOF, answer.solver)
            if answer.bound is not None and answer.bound.origin is Origin.PROOF and answer.bound.value > value:
                wrong.append(f"the proof proves a bound of {exact_text(value)}, not {exact_text(answer.bound.value)}")
    higher = answer.bound is not None and answer.bound.value > proved.value
    return Verification(tuple(wrong), proved, answer.bound if higher else None)


def _text(cost: Exact | None) -> str:
    return "none" if cost is None else exact_text(cost)
