"""Portfolios: the best of two solvers, on two threads or in turn, and what becomes of one that fails or lies."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import anoptima as ao
from anoptima.answer import Budget, Origin, StillRunning, Stop
from anoptima.deadline import within
from anoptima.errors import FalseClaim, SolverFailure
from anoptima.problems.base import Problem
from anoptima.solvers import ledger as ledger_room
from anoptima.solvers import portfolio
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.portfolio import Portfolio

pytestmark = pytest.mark.usefixtures("weak_bound")

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
BEST = ao.solve(PROBLEM, "subset-dp")
PROVED = ao.solve(PROBLEM, "sifting")


class Scripted(Algorithm[Any]):
    """A solver that does what a test says."""

    kind = Kind.EXACT
    gives_proofs = True

    def __init__(self, name: str, script: Callable[[Ledger[Any]], None]) -> None:
        self.name = name
        self._script = script

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for everything."""
        return None

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Do it."""
        self._script(ledger)


@pytest.fixture(autouse=True)
def no_head_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the second solver begin at once."""
    monkeypatch.setattr(portfolio, "_HEAD_START_S", 0.0)


def finds_the_best(ledger: Ledger[Any]) -> None:
    ledger.offer(BEST.require_solution())


def claims_the_bound(ledger: Ledger[Any]) -> None:
    ledger.raise_bound(54, Origin.BACKEND, "a backend")


def proves_the_bound(ledger: Ledger[Any]) -> None:
    assert PROVED.proof is not None
    ledger.raise_bound(54, Origin.PROOF, proof=PROVED.proof)


def waits_for_its_end(ledger: Ledger[Any]) -> None:
    never = threading.Event()
    while not ledger.is_over():
        never.wait(0.001)


def test_turns_are_short_while_any_portfolio_runs() -> None:
    before = sys.getswitchinterval()
    turns, seen = portfolio._Turns(), list[float]()
    with turns.short():
        with turns.short():
            pass
        seen.append(sys.getswitchinterval())
    assert sys.getswitchinterval() == before
    assert seen == [pytest.approx(portfolio._TURN_S, rel=0.01)]


def test_solvers_make_their_own_start_where_none_is_given() -> None:
    given: list[object] = []

    class Notes(Scripted):
        uses_start = True

        def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
            given.append(start)

    both = Portfolio(Notes("one", waits_for_its_end), Notes("other", waits_for_its_end))
    both.solve(PROBLEM, Budget(threads=2))
    both.solve(PROBLEM, Budget(threads=2), BEST.solution)
    assert given == [None, None, BEST.solution, BEST.solution]


@pytest.mark.parametrize("threads", [1, 2])
def test_one_finds_the_solution_and_the_other_the_bound(threads: int) -> None:
    for first, second in ((finds_the_best, proves_the_bound), (proves_the_bound, finds_the_best)):
        both = Portfolio(Scripted("one", first), Scripted("other", second))
        answer = both.solve(PROBLEM, Budget(threads=threads))
        assert (answer.claim, answer.cost, answer.stop) == (ao.Claim.OPTIMAL, 54, Stop.PROVED)
        assert answer.solver == "one and other"
        assert answer.bound is not None
        assert answer.bound.origin is Origin.PROOF
        assert answer.proved == 54
        assert answer.verify()


def claims_all(ledger: Ledger[Any]) -> None:
    finds_the_best(ledger)
    claims_the_bound(ledger)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_proof_of_less_stays_beside_a_claim(threads: int) -> None:
    less = ao.solve(PROBLEM, "near-patterns", time_limit=5, start=None)

    def proves_less(ledger: Ledger[Any]) -> None:
        assert less.proof is not None
        ledger.raise_bound(less.proof.value, Origin.PROOF, proof=less.proof)

    answer = Portfolio(Scripted("one", proves_less), Scripted("other", claims_all)).solve(
        PROBLEM, Budget(threads=threads)
    )
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 54)
    assert answer.bound is not None
    assert less.proof is not None
    assert answer.proved == less.proof.value
    assert answer.verify()


def test_what_ends_one_ends_the_other() -> None:
    """Whoever waits is told once the other has proved the optimum."""

    def proves_all(ledger: Ledger[Any]) -> None:
        finds_the_best(ledger)
        proves_the_bound(ledger)

    for first, second in ((waits_for_its_end, proves_all), (proves_all, waits_for_its_end)):
        answer = Portfolio(Scripted("one", first), Scripted("other", second)).solve(PROBLEM, Budget(threads=2))
        assert answer.claim is ao.Claim.OPTIMAL


def test_the_second_is_not_asked_where_the_first_proves_the_optimum_in_its_head_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def proves_all(ledger: Ledger[Any]) -> None:
        finds_the_best(ledger)
        proves_the_bound(ledger)

    def asked(ledger: Ledger[Any]) -> None:
        raise AssertionError

    monkeypatch.setattr(portfolio, "_HEAD_START_S", 600.0)
    for threads in (1, 2):
        answer = Portfolio(Scripted("one", proves_all), Scripted("other", asked)).solve(
            PROBLEM, Budget(threads=threads)
        )
        assert answer.claim is ao.Claim.OPTIMAL


def test_without_a_head_start_both_begin_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def proves_all(ledger: Ledger[Any]) -> None:
        finds_the_best(ledger)
        proves_the_bound(ledger)

    monkeypatch.setattr(portfolio, "_HEAD_START_S", 600.0)
    both = Portfolio(Scripted("one", waits_for_its_end), Scripted("other", proves_all), head_start=False)
    assert both.in_this_process().solve(PROBLEM, Budget(threads=2)).claim is ao.Claim.OPTIMAL


@pytest.mark.parametrize(("seconds", "order"), [(600.0, ["one", "other"]), (None, ["other", "one"])])
def test_solvers_that_are_not_to_be_beside_each_other_follow_each_other_where_time_is_limited(
    seconds: float | None, order: list[str]
) -> None:
    ended: list[str] = []
    other_has_ended = threading.Event()

    def one(ledger: Ledger[Any]) -> None:
        if seconds is None:
            other_has_ended.wait()
        ended.append("one")

    def other(ledger: Ledger[Any]) -> None:
        ended.append("other")
        other_has_ended.set()

    both = Portfolio(Scripted("one", one), Scripted("other", other), beside=False)
    both.in_this_process().solve(PROBLEM, Budget(seconds=seconds, threads=2))
    assert ended == order


def test_on_one_thread_a_search_is_not_asked_after_a_claim() -> None:
    asked: list[Ledger[Any]] = []
    search = Scripted("other", asked.append)
    search.gives_proofs = False
    answer = Portfolio(Scripted("one", claims_all), search).solve(PROBLEM, Budget(threads=1))
    assert answer.claim is ao.Claim.OPTIMAL
    assert not asked


def test_a_claim_alone_ends_a_portfolio_that_has_no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "_PATIENCE_S", 600.0)
    both = Portfolio(Scripted("one", waits_for_its_end), Scripted("other", claims_all), patient=False)
    answer = both.solve(PROBLEM, Budget(threads=2))
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.bound is not None
    assert answer.bound.origin is Origin.BACKEND


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("patient", "origin"), [(True, Origin.PROOF), (False, Origin.THEOREM)])
def test_an_optimum_without_a_proof_is_proved_by_the_other_if_there_is_patience(
    monkeypatch: pytest.MonkeyPatch, threads: int, patient: bool, origin: Origin
) -> None:
    def searches_all(ledger: Ledger[Any]) -> None:
        finds_the_best(ledger)
        ledger.raise_bound(54, Origin.THEOREM, "an exact algorithm")

    monkeypatch.setattr(portfolio, "_HEAD_START_S", 600.0)
    monkeypatch.setattr(portfolio, "_BRIEF_S", 600.0)
    both = Portfolio(Scripted("one", searches_all), Scripted("other", proves_the_bound), patient)
    answer = both.solve(PROBLEM, Budget(threads=threads))
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.bound is not None
    assert answer.bound.origin is origin


@pytest.mark.parametrize("threads", [1, 2])
def test_a_second_solver_that_fails_is_a_note(threads: int) -> None:
    def fails(ledger: Ledger[Any]) -> None:
        raise SolverFailure("other", "broke down")

    answer = Portfolio(Scripted("one", finds_the_best), Scripted("other", fails)).solve(
        PROBLEM, Budget(threads=threads)
    )
    assert answer.cost == 54
    assert any("broke down" in note for note in answer.run.notes)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_false_claim_is_an_error_that_names_who_claimed_it(threads: int) -> None:
    claimed = threading.Event()

    def claims_too_much(ledger: Ledger[Any]) -> None:
        ledger.raise_bound(60, Origin.BACKEND, "a liar")
        claimed.set()

    def finds_better(ledger: Ledger[Any]) -> None:
        if threads > 1:
            claimed.wait()
        finds_the_best(ledger)

    order = (claims_too_much, finds_better) if threads == 1 else (finds_better, claims_too_much)
    with pytest.raises(FalseClaim, match=r"^(a liar|one|other): claimed a bound of 60"):
        Portfolio(Scripted("one", order[0]), Scripted("other", order[1])).solve(PROBLEM, Budget(threads=threads))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_of_the_first_ends_both(threads: int) -> None:
    asked: list[str] = []

    def is_interrupted(ledger: Ledger[Any]) -> None:
        raise KeyboardInterrupt

    def is_asked(ledger: Ledger[Any]) -> None:
        asked.append("second")
        if threads > 1:
            waits_for_its_end(ledger)

    both = Portfolio(Scripted("first", is_interrupted), Scripted("second", is_asked))
    assert both.solve(PROBLEM, Budget(threads=threads)).stop is Stop.CANCELLED
    assert threads > 1 or not asked


def test_a_listener_that_says_stop_is_heard_by_both() -> None:
    answer = Portfolio(Scripted("one", waits_for_its_end), Scripted("other", finds_the_best)).solve(
        PROBLEM, Budget(threads=2), listener=lambda event: True
    )
    assert answer.stop is Stop.CANCELLED


def test_whoever_listens_is_asked_while_nothing_happens() -> None:
    def nothing_happens(ledger: Ledger[Any]) -> None:
        ledger.tell(StillRunning(0.0))
        waits_for_its_end(ledger)

    both = Portfolio(Scripted("one", nothing_happens), Scripted("other", waits_for_its_end))
    answer = both.solve(PROBLEM, Budget(threads=2), listener=lambda event: isinstance(event, StillRunning))
    assert answer.stop is Stop.CANCELLED


@pytest.mark.parametrize("threads", [1, 2])
def test_a_check_that_looks_at_the_clock_neither_waits_for_itself_nor_loses_the_optimum(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # After this time the clock tells whoever listens that the run goes on: here the portfolio, which holds its lock.
    monkeypatch.setattr(ledger_room, "EVERY", 0.0)
    points = ao.FakePoints([(0,), (0.5,), (1,)], 2)
    best = ao.solve(points, "stacks").require_solution()
    assert points.cost(best) < points.cost(points.trivial())

    def offers(ledger: Ledger[Any]) -> None:
        with within(ledger.is_over):
            ledger.offer(best)

    both = Portfolio(Scripted("one", offers), Scripted("other", offers))
    assert both.solve(points, Budget(threads=threads)).cost == points.cost(best)


def test_an_infeasible_problem_is_asked_of_nobody() -> None:
    def asked(ledger: Ledger[Any]) -> None:
        raise AssertionError

    both = Portfolio(Scripted("one", asked), Scripted("other", asked))
    assert both.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11))).claim is ao.Claim.INFEASIBLE


@pytest.mark.parametrize("threads", [1, 2])
def test_sifting_beside_the_pattern_program(threads: int) -> None:
    both = Portfolio(ao.get_solver("sifting"), ao.get_solver("pattern/highs"))
    for principle in (ao.KAnonymity(3), ao.LDiversity(2)):
        problem = ao.CellSuppression(ao.ten_rows(), principle)
        answer = both.solve(problem, Budget(seconds=60, threads=threads))
        assert answer.claim is ao.Claim.OPTIMAL
        assert answer.cost == ao.solve(problem, "subset-dp").cost
        assert answer.verify()
