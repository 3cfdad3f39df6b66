"""What becomes of backends that do wrong: what a user is told, and what the conformance suite says."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest

import anoptima as ao
from anoptima.answer import Claim, StartFate, Stop
from anoptima.errors import FalseClaim, SolverFailure
from anoptima.solvers.backends import registry
from anoptima.solvers.backends.highs import Highs
from anoptima.solvers.modelled import Modelled
from anoptima.testing import check_backend
from anoptima.testing.checks import Fault, State
from anoptima.testing.surroundings import descendants
from anoptima.testing.workers import make_ready
from tests.plugin import liars
from tests.processes import PATIENCE, end

pytestmark = pytest.mark.usefixtures("weak_bound")

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
OPTIMUM = 54


def ask(liar: type[Highs], **more: Any) -> ao.Answer[Any]:
    """Solve by a liar, from a start that is not optimal."""
    solver: Modelled[Any] = Modelled(ao.get_model("pattern"), liar())
    return ao.solve(PROBLEM, solver, start=ao.solve(PROBLEM, "peel"), **more)


REFUSED: list[tuple[type[Highs], str]] = [
    (liars.WrongOptimum, "wrong-optimum: returned values that break the model: their objective is 58, not 57"),
    (liars.WrongBound, "wrong-bound: claimed (a|the) bound"),
    (liars.FalselyInfeasible, "falsely-infeasible: claimed that no solution exists, and one is known"),
    (liars.NotANumber, "not-a-number: claimed a solution with the objective nan"),
]


@pytest.mark.parametrize(("liar", "words"), REFUSED, ids=lambda one: getattr(one, "name", None))
def test_a_false_claim_is_an_error_that_names_the_backend_and_keeps_the_best_release(
    liar: type[Highs], words: str
) -> None:
    with pytest.raises(FalseClaim, match=words) as refused:
        ask(liar)
    kept = refused.value.answer
    assert isinstance(kept, ao.Answer)
    assert kept.claim is Claim.FEASIBLE
    assert kept.cost is not None
    assert kept.cost <= 58
    assert kept.verify()


def test_wrong_values_are_a_false_claim() -> None:
    problem = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(2))
    solver: Modelled[Any] = Modelled(ao.get_model("attributes"), liars.WrongValues())
    with pytest.raises(FalseClaim, match=r"^wrong-values: "):
        ao.solve(problem, solver)


def test_a_crash_is_an_error_that_names_the_backend_and_keeps_the_start() -> None:
    with pytest.raises(SolverFailure, match=r"^crashing: its process was killed by SIGSEGV$") as failed:
        ask(liars.Crashing)
    assert not isinstance(failed.value, FalseClaim)
    assert isinstance(failed.value.answer, ao.Answer)
    assert failed.value.answer.cost == 58


def test_one_that_keeps_to_no_limit_is_ended_and_the_answer_says_so() -> None:
    make_ready(liars.Late())
    answer = ask(liars.Late, time_limit=5)
    assert (answer.cost, answer.stop) == (58, Stop.TIME)
    assert "late did not stop when asked and was killed" in " ".join(answer.run.notes)


def test_one_that_does_not_stop_is_ended_once_its_listener_has_had_enough() -> None:
    answer = ask(liars.Late, on_progress=lambda progress: progress.phase.startswith("late searches"))
    assert (answer.cost, answer.stop) == (58, Stop.CANCELLED)
    assert answer.verify()


@pytest.mark.parametrize("liar", [liars.StartLiar, liars.Leaking, liars.Printing, liars.Unstoppable])
def test_what_harms_nobody_is_an_answer_like_any_other(liar: type[Highs], capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(liar)
    assert (answer.claim, answer.cost) == (Claim.OPTIMAL, OPTIMUM)
    assert f"claimed by {liar.name}, not proved" in str(answer)
    assert answer.run.start is StartFate.ACCEPTED
    assert capfd.readouterr().out == ""


def test_a_leak_does_not_run_into_the_memory_limit() -> None:
    for _ in range(2):
        assert ask(liars.Leaking, memory=500 << 20).claim is Claim.OPTIMAL


def test_the_copy_of_a_process_cannot_speak_for_it() -> None:
    before = descendants(os.getpid()) or set()
    for answer in [ask(liars.Forking) for _ in range(2)]:
        assert (answer.claim, answer.cost) == (Claim.OPTIMAL, OPTIMUM)
    for worker in (descendants(os.getpid()) or set()) - before:
        end(worker)


# ---- what the suite says --------------------------------------------------------------------------------------------------------
FOUND: list[tuple[type[Highs], str, Fault, str]] = [
    (liars.WrongOptimum, "optimal", Fault.FALSE_CLAIM, "claimed the bound 8 beside a solution with objective 7"),
    (liars.WrongBound, "optimal", Fault.FALSE_CLAIM, "claimed the bound 10 beside a solution with objective 8"),
    (liars.WrongValues, "optimal", Fault.FALSE_CLAIM, "a solution is none: row 0 is 0"),
    (liars.FalselyInfeasible, "optimal", Fault.FALSE_CLAIM, "it called the model infeasible"),
    (liars.StartLiar, "a start that is no solution does no harm", Fault.FALSE_CLAIM, "met with the fate 'accepted'"),
    (liars.NotANumber, "optimal", Fault.FALSE_CLAIM, "claimed a solution with the objective nan"),
    (
        liars.Late,
        "a time limit, with an incumbent",
        Fault.BUG,
        "it did not stop when asked, and its process was killed",
    ),
    (
        liars.Unstoppable,
        "the listener interrupts it",
        Fault.BUG,
        "it did not stop when asked, and its process was killed",
    ),
    (liars.Leaking, "it gives its memory back", Fault.BUG, "memory"),
    (liars.Crashing, "optimal", Fault.BUG, "SolverFailure: crashing: its process was killed by SIGSEGV"),
    (liars.Crashing, "a crash is named", Fault.BUG, "it could not be tested: "),
    (liars.Forking, "it leaves no process behind", Fault.BUG, "after its run, 1 process that it had started still ran"),
    (liars.PrintingAtHome, "it prints nothing", Fault.BUG, "wrote to the caller's standard output: '{ this is no JSON"),
    (liars.Consistent, "a gap is kept to, and not called a proof", Fault.FALSE_CLAIM, "bound "),
    (liars.Consistent, "a bound is never above the optimum", Fault.FALSE_CLAIM, "it claims the bound "),
]


@pytest.mark.parametrize(
    ("liar", "name", "fault", "words"), FOUND, ids=[f"{liar.name}-{name}" for liar, name, _, _ in FOUND]
)
def test_the_suite_tells_a_lie_from_a_bug(
    liar: type[Highs], name: str, fault: Fault, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anoptima.testing.backend_demands.LATENESS", PATIENCE)
    if liar is liars.Unstoppable:
        monkeypatch.setattr("anoptima.testing.workers.TO_OBEY", 0.1)
    before = descendants(os.getpid()) or set()
    verdict = next(check for check in check_backend(liar()) if check.name == name)()
    assert (verdict.state, verdict.fault) == (State.RED, fault), str(verdict)
    assert words in verdict.words
    assert "\n" not in str(verdict)
    if liar is liars.Forking:
        for left in (descendants(os.getpid()) or set()) - before:
            end(left)


def test_what_a_process_prints_stays_there() -> None:
    check = next(check for check in check_backend(liars.Printing()) if check.name == "it prints nothing")
    assert check().state is State.GREEN


# ---- the lie that contradicts nothing ------------------------------------------------------------------------------------------
def test_a_consistent_lie_passes_unless_it_is_cross_checked() -> None:
    believed = ask(liars.Consistent)
    assert (believed.claim, believed.cost, believed.confirmed) == (Claim.OPTIMAL, 58, "")
    with pytest.raises(FalseClaim) as refused:
        ask(liars.Consistent, cross_check=True)
    words = "claimed that no solution costs less than 58, and subset-dp has one that costs 54"
    assert str(refused.value) == f"pattern/consistent: {words}"
    kept = refused.value.answer
    assert isinstance(kept, ao.Answer)
    assert (kept.cost, kept.claim, kept.solver) == (OPTIMUM, Claim.FEASIBLE, "subset-dp")
    assert kept.verify()


def test_the_command_line_names_both(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    from anoptima.cli import main

    monkeypatch.setitem(registry._instances, "consistent", liars.Consistent())
    table = tmp_path / "ten.csv"
    ao.ten_rows().frame.to_csv(table, index=False)
    words = ["solve", str(table), "--quasi", ",".join(ao.ten_rows().quasi), "-k", "3", "--quiet"]
    words += ["--solver", "pattern/consistent", "--start", "none"]
    assert main(words) == 0
    assert re.match(r"OPTIMAL  (5[5-9]|[6-8].) stars", capsys.readouterr().out)
    assert main([*words, "--cross-check"]) == 3
    said = capsys.readouterr().err
    assert re.match(
        r"anoptima: pattern/consistent: claimed that no solution costs less than (5[5-9]|[6-8].), and subset-dp ", said
    )
    assert "has one that costs 54; the best until then: FEASIBLE 54 stars of 80 cells" in said
