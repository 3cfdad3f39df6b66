"""Second opinions: who is asked, what an answer says of it, and what becomes of those that fail."""

from __future__ import annotations

from typing import Any

import pytest

import anoptima as ao
from anoptima.answer import Answer, Bound, Budget, Claim, Origin
from anoptima.documents.answers import outcome_document
from anoptima.errors import FalseClaim
from anoptima.solvers import cross_check as checking
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.solving import solve

pytestmark = pytest.mark.usefixtures("weak_bound")

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


class Repeating(Solver[Any]):
    """Gives an answer that it was made with."""

    kind = Kind.EXACT

    def __init__(self, name: str, answer: Answer[Any]) -> None:
        self.name, self.given = name, answer

    def why_not(self, problem: Any) -> None:
        """It is for everything."""

    def solve(
        self, problem: Any, budget: Any = None, start: Any = None, listener: Any = None, proof: Any = None
    ) -> Any:
        return self.given


def made(cost: int, bound: int, by: str, origin: Origin = Origin.BACKEND) -> Answer[Any]:
    """Return an answer to PROBLEM at `cost` by somebody who claims `bound`."""
    from dataclasses import replace

    best, poor = ao.solve(PROBLEM, "subset-dp"), ao.solve(PROBLEM, "peel")
    answer = best if cost == 54 else poor
    assert answer.cost == cost
    claim = Claim.OPTIMAL if cost == bound else Claim.FEASIBLE
    return replace(answer, claim=claim, bound=Bound(bound, origin, by), proof=None, run=replace(answer.run, solver=by))


def checked(first: Answer[Any], *others: Solver[Any], monkeypatch: pytest.MonkeyPatch) -> Answer[Any]:
    monkeypatch.setattr(checking, "_second_opinions", lambda answer, clock: iter(others))
    return checking.cross_checked(first, ao.answer.Clock(None), lambda phase: True)


def test_a_claim_is_confirmed_by_a_proof() -> None:
    answer = solve(PROBLEM, "pattern/highs", cross_check=True)
    assert answer.confirmed == "a proof of subset-dp"
    assert answer.bound is not None
    assert answer.bound.origin is Origin.PROOF
    assert answer.solver == "pattern/highs"
    assert str(answer.verify()) == "verified; proved again: no solution is below 54"
    assert "bound 54 (proof), confirmed by a proof of subset-dp, " in str(answer)
    assert outcome_document(answer)["confirmed"] == "a proof of subset-dp"


def test_a_proof_is_checked_again() -> None:
    assert solve(PROBLEM, "subset-dp", cross_check=True).confirmed == "its proof, checked again"
    assert solve(PROBLEM, "subset-dp").confirmed == ""


def test_where_nobody_proves_another_family_is_asked() -> None:
    problem = next(iter(ao.DiameterSum.examples()))
    answer = solve(problem, "diameter-groups/highs", cross_check=True)
    assert answer.claim is Claim.OPTIMAL
    assert answer.confirmed
    assert "highs" not in answer.confirmed


def test_another_word_confirms_it(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = made(54, 54, "one"), made(54, 54, "two")
    answer = checked(first, Repeating("two", second), monkeypatch=monkeypatch)
    assert (answer.confirmed, answer.bound) == ("two", first.bound)
    assert "bound 54 (claimed by one, not proved), confirmed by two, " in str(answer)


def test_a_weaker_bound_confirms_nothing_and_the_next_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    first, weak, strong = made(54, 54, "one"), made(54, 50, "two"), made(54, 54, "three")
    answer = checked(first, Repeating("two", weak), monkeypatch=monkeypatch)
    assert (answer.confirmed, answer.claim) == ("", Claim.OPTIMAL)
    assert answer.run.notes[-1].startswith("the bound was not confirmed by a cross-check: two came to the bound 50 (")
    both = checked(first, Repeating("two", weak), Repeating("three", strong), monkeypatch=monkeypatch)
    assert both.confirmed == "three"


def test_a_better_release_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = made(58, 54, "one"), made(54, 54, "two")
    answer = checked(first, Repeating("two", second), monkeypatch=monkeypatch)
    assert (answer.cost, answer.claim, answer.run.notes[-1]) == (54, Claim.OPTIMAL, "the solution is two's")
    assert answer.verify()


@pytest.mark.parametrize(
    ("first", "second", "words", "kept"),
    [
        ((58, 58), (54, 54), "one: claimed that no solution costs less than 58, and two has one that costs 54", 54),
        ((54, 54), (58, 58), "two: claimed that no solution costs less than 58, and one has one that costs 54", 54),
    ],
)
def test_a_contradiction_names_both_and_keeps_the_better_release(
    first: tuple[int, int], second: tuple[int, int], words: str, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FalseClaim) as refused:
        checked(made(*first, "one"), Repeating("two", made(*second, "two")), monkeypatch=monkeypatch)
    assert str(refused.value) == words
    assert isinstance(refused.value.answer, Answer)
    assert (refused.value.answer.cost, refused.value.answer.claim) == (kept, Claim.FEASIBLE)


def test_without_time_nothing_is_confirmed() -> None:
    answer = checking.cross_checked(made(54, 54, "one"), ao.answer.Clock(0), lambda phase: True)
    assert answer.confirmed == ""
    assert answer.run.notes[-1] == "the bound was not confirmed by a cross-check: no time was left"


def test_whoever_listens_can_end_it() -> None:
    phases: list[str] = []

    def enough(progress: ao.answer.Progress) -> bool:
        phases.append(progress.phase)
        return progress.phase.startswith("cross-check by ")

    answer = solve(PROBLEM, "pattern/highs", cross_check=True, on_progress=enough)
    assert phases[-1] == "cross-check by subset-dp"
    assert (answer.claim, answer.confirmed) == (Claim.OPTIMAL, "")


def test_budgets_are_halved() -> None:
    answer = made(54, 54, "one")
    assert checking._budget(answer, ao.answer.Clock(None)).seconds == 60
    seconds = checking._budget(answer, ao.answer.Clock(100)).seconds
    assert seconds is not None
    assert seconds <= 50
    assert isinstance(answer.run.budget, Budget)


def test_where_no_other_solver_is_for_a_problem_a_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_is(*_: object, **__: object) -> None:
        raise ao.NotApplicable("no solver here is for it")

    monkeypatch.setattr(checking, "choose", none_is)
    monkeypatch.setattr(checking, "solvers_for", lambda problem: [])
    answer = checking.cross_checked(made(54, 54, "one"), ao.answer.Clock(None), lambda phase: True)
    assert answer.confirmed == ""
    assert answer.run.notes[-1] == "the bound was not confirmed by a cross-check: no other solver is for this problem"
