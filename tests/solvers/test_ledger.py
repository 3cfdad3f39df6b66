from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import anoptima as ao
from anoptima.answer import BoundRaised, Event, bound_text
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.solvers.ledger import Ledger

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
PROOF, BACKEND = ao.Origin.PROOF, ao.Origin.BACKEND


@dataclass(frozen=True)
class Oath:
    """A proof that swears."""

    value: Exact

    def proved(self, problem: Problem[Any]) -> Exact:
        return self.value


def ledger(heard: list[Event] | None = None) -> Ledger[ao.Partition]:
    found: Ledger[ao.Partition] = Ledger(PROBLEM, "sifting", ao.Budget(), None if heard is None else heard.append)
    found.offer(PROBLEM.trivial())
    return found


def test_what_a_search_claims_does_not_take_away_what_is_proved() -> None:
    known = ledger()
    known.raise_bound(40, PROOF, proof=Oath(40))
    known.raise_bound(50, BACKEND, "highs")
    answer = known.answer(ao.Stop.TIME)
    assert answer.bound == ao.Bound(50, BACKEND, "highs")
    assert (answer.proof, answer.proved) == (Oath(40), 40)
    assert "bound 50: proof to 40, claimed by highs to 50, stopped: time" in str(answer)


def test_a_proof_counts_after_a_higher_claim_too_and_takes_its_place_once_it_is_as_high() -> None:
    heard: list[Event] = []
    known = ledger(heard)
    known.raise_bound(50, BACKEND, "highs")
    known.raise_bound(40, PROOF, proof=Oath(40))
    known.raise_bound(30, PROOF, proof=Oath(30))
    assert (known.bound, known.proof) == (ao.Bound(50, BACKEND, "highs"), Oath(40))
    known.raise_bound(50, PROOF, proof=Oath(50))
    assert (known.bound, known.proof) == (ao.Bound(50, PROOF, "sifting"), Oath(50))
    raised = [event for event in heard if isinstance(event, BoundRaised)]
    assert [(event.bound, event.proof) for event in raised] == [(50, None), (50, Oath(50))], (
        "a checkpoint keeps the proof"
    )


def test_a_proof_of_less_than_the_problem_itself_proves_is_not_kept() -> None:
    known = ledger()
    known.raise_bound(52, ao.Origin.PROBLEM, PROBLEM.name)
    known.raise_bound(50, PROOF, proof=Oath(50))
    assert known.proof is None


def test_a_proof_above_a_known_cost_is_a_false_claim() -> None:
    known = ledger()
    assert known.cost is not None
    with pytest.raises(ao.FalseClaim, match="claimed a bound of 71, and a solution costs 70"):
        known.raise_bound(known.cost + 1, PROOF, proof=Oath(known.cost + 1))


def test_large_bounds_are_written_in_threes() -> None:
    bound = ao.Bound(Fraction(18500, 3), ao.Origin.THEOREM, "cover")
    assert bound_text(bound, 1846) == "18,500/3: proof to 1,846, theorem to 18,500/3"


def test_who_wants_a_proof_is_not_done_once_the_problem_proves_the_cost_by_itself() -> None:
    known = ledger()
    known.offer(ao.solve(PROBLEM, "subset-dp").require_solution())
    known.raise_bound(PROBLEM.lower_bound(), ao.Origin.PROBLEM, PROBLEM.name)
    assert (known.cost, known.bound) == (54, ao.Bound(54, ao.Origin.PROBLEM, PROBLEM.name))
    assert known.is_closed()
    known.wants_proof = True
    assert not known.is_closed()
    answer = known.answer(ao.Stop.TIME)
    assert (answer.claim, answer.stop) == (ao.Claim.OPTIMAL, ao.Stop.PROVED), "what is known is said all the same"
    known.raise_bound(54, PROOF, proof=Oath(54))
    assert (known.is_closed(), known.bound) == (True, ao.Bound(54, PROOF, "sifting"))


def test_a_bound_that_is_called_proved_brings_its_proof() -> None:
    known = ledger()
    with pytest.raises(
        ao.FalseClaim, match=r"^oathless: called a bound of 60 proved without giving the proof$"
    ) as told:
        known.raise_bound(60, PROOF, "oathless")
    assert isinstance(told.value.answer, ao.Answer)
    assert told.value.answer.bound is None


class Rounded(ao.CellSuppression):
    """A problem of one's own whose costs are floats."""

    name = "rounded"

    def cost(self, solution: ao.Partition) -> Any:
        return float(super().cost(solution))


def test_a_cost_that_is_not_exact_is_said_with_the_problem_it_is_of() -> None:
    problem = Rounded(PROBLEM.table, PROBLEM.principle)
    with pytest.raises(
        ao.BadInput, match=r"^rounded: a solution costs 70\.0; `cost` must return an int or a Fraction$"
    ):
        ao.solve(problem, "peel")
