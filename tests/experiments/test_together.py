"""Runs that exchange what they find: the same answer as one run, whatever is lost or lies on the way."""

from __future__ import annotations

import json
import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.documents.checkpoints import checkpoint_bytes
from anoptima.experiments import together
from anoptima.experiments.together import Leg, run_leg
from anoptima.solvers.backends.interrupt import INTERRUPTING
from tests.processes import children, command_of

TEN = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


pytestmark = pytest.mark.usefixtures("weak_bound")


def random_question(rows: int, columns: int = 6, seed: int = 0) -> ao.CellSuppression:
    values = np.random.default_rng(seed).integers(0, 3, (rows, columns)).astype(str)
    names = [f"c{number}" for number in range(columns)]
    return ao.CellSuppression(ao.Table.from_frame(pd.DataFrame(values, columns=names), quasi=names), ao.KAnonymity(3))


class Doing(Executor):
    """Does every leg at once, in this process, as it is told to."""

    def __init__(self, do: Callable[[Leg[Any]], bytes]) -> None:
        self.do = do
        self.legs: list[Leg[Any]] = []

    def submit(self, do: Any, /, *given: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.legs.append(given[0])
        try:
            future.set_result(self.do(given[0]))
        except (ConnectionError, MemoryError) as error:
            future.set_exception(error)
        return future


def test_legs_take_up_what_others_have_found() -> None:
    """Each leg is a little better than the one before, as if somebody else had found it."""
    question = random_question(30)
    best = ao.solve(question, "sifting")
    better = [question.trivial(), ao.solve(question, "peel").require_solution(), best.require_solution()]

    def bring(leg: Leg[Any]) -> bytes:
        proof = best.proof if len(executor.legs) == 3 else None
        return checkpoint_bytes(question, better[len(executor.legs) - 1], proof)

    executor = Doing(bring)
    answer = ao.solve_together(question, ["sifting", "near-patterns"], at_once=1, executor=executor)
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, best.cost)
    assert answer.bound is not None
    assert answer.bound.origin is ao.Origin.PROOF
    assert answer.verify()
    assert [leg.solver for leg in executor.legs] == ["sifting", "near-patterns", "sifting"]
    assert [leg.seed for leg in executor.legs] == [0, 1, 2]
    held = [json.loads(leg.checkpoint or b"{}").get("solution") for leg in executor.legs]
    assert held[2] == json.loads(checkpoint_bytes(question, better[1], None))["solution"]


def test_what_does_not_hold_is_not_believed() -> None:
    other = ao.solve(random_question(30, seed=1), "sifting")
    question = random_question(30)
    best = ao.solve(question, "sifting")
    good = json.loads(checkpoint_bytes(question, best.require_solution(), best.proof))
    apart = {**good, "solution": {"groups": list(range(30))}}
    lies = [
        b"no JSON",
        json.dumps(apart).encode(),
        checkpoint_bytes(other.problem, other.require_solution(), other.proof),
    ]
    answer = ao.solve_together(question, at_once=1, executor=Doing(lambda leg: lies.pop(0)))
    assert answer.stop is ao.Stop.FAILED
    assert answer.cost == question.cost(question.trivial())
    assert sum("what a leg brought is not believed" in note for note in answer.run.notes) == 3
    assert "holds a solution that is none" in " ".join(answer.run.notes)


def test_a_lost_leg_costs_its_seconds() -> None:
    losses = [ConnectionError("the worker is gone"), MemoryError("no room")]

    def do(leg: Leg[Any]) -> bytes:
        if losses:
            raise losses.pop()
        return run_leg(leg)

    answer = ao.solve_together(TEN, at_once=1, executor=Doing(do))
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 54)
    assert answer.run.notes == (
        "a leg was lost: MemoryError: no room",
        "a leg was lost: ConnectionError: the worker is gone",
    )


def test_solvers_that_end_without_news_end_the_run() -> None:
    question = random_question(30)
    executor = Doing(run_leg)
    answer = ao.solve_together(question, "peel", at_once=1, executor=executor)
    assert (answer.claim, answer.stop) == (ao.Claim.FEASIBLE, ao.Stop.COMPLETE)
    assert answer.cost == ao.solve(question, "peel").cost
    assert len(executor.legs) <= 4


def test_any_executor_serves() -> None:
    with ThreadPoolExecutor(2) as executor:
        answer = ao.solve_together(random_question(14), at_once=2, executor=executor)
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, ao.solve(random_question(14), "sifting").cost)


def test_a_killed_process_leaves_what_it_had_saved(tmp_path: Path) -> None:
    """A leg begins as a process of its own; it is killed once the other has found something, and the run goes on to the end."""
    killed = threading.Event()

    def kill_one(progress: ao.Progress) -> None:
        if not killed.is_set():
            legs = [child for child in children() if "together import main" in command_of(child)]
            if legs:
                os.kill(legs[0], signal.SIGKILL)
                killed.set()

    answer = ao.solve_together(TEN, at_once=2, checkpoint=tmp_path / "all.json", on_progress=kill_one)
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 54)
    assert killed.is_set()
    assert json.loads((tmp_path / "all.json").read_text())["proof"] is not None


def test_a_run_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    best = ao.solve(TEN, "subset-dp")
    file.write_bytes(checkpoint_bytes(TEN, best.require_solution(), best.proof))
    answer = ao.solve_together(TEN, at_once=1, checkpoint=file, executor=Doing(lambda leg: b"nobody is asked"))
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 54)


def test_it_ends_when_it_is_told_to() -> None:
    cancel = threading.Event()

    def idle(leg: Leg[Any]) -> bytes:
        cancel.set()
        return checkpoint_bytes(leg.problem, leg.problem.trivial(), None)

    answer = ao.solve_together(random_question(30), at_once=1, cancel=cancel, executor=Doing(idle))
    assert answer.stop is ao.Stop.CANCELLED
    assert answer.solution is not None


def test_ctrl_c_gives_the_best_that_legs_have_brought() -> None:
    def idle(leg: Leg[Any]) -> bytes:
        os.kill(os.getpid(), signal.SIGINT)
        return checkpoint_bytes(leg.problem, leg.problem.trivial(), None)

    answer = ao.solve_together(random_question(30), at_once=1, executor=Doing(idle))
    assert answer.stop is ao.Stop.CANCELLED
    assert answer.solution is not None


ASKED_TO_END = """
import os, shutil, signal, sys, time
def end(number, frame):
    {found!r} and shutil.copy({found!r}, os.path.join(sys.argv[1], "checkpoint.json"))
    sys.exit()
signal.signal(signal.SIGTERM, end)
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.kill(os.getppid(), signal.SIGINT)
time.sleep(600)
"""


def test_a_process_that_is_asked_to_end_hands_in_what_it_has_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question, found = random_question(30), tmp_path / "found.json"
    best = ao.solve(question, "peel")
    found.write_bytes(checkpoint_bytes(question, best.require_solution(), None))
    monkeypatch.setattr("anoptima.experiments.together.LEG", ASKED_TO_END.format(found=str(found)))
    answer = ao.solve_together(question, at_once=1)
    assert (answer.stop, answer.cost, answer.run.notes) == (ao.Stop.CANCELLED, best.cost, ())


def test_a_process_that_has_found_nothing_when_it_is_asked_to_end_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.experiments.together.LEG", ASKED_TO_END.format(found=""))
    answer = ao.solve_together(random_question(30), at_once=1)
    assert (answer.stop, answer.run.notes) == (ao.Stop.CANCELLED, ())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_leg_as_ctrl_c_ends_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    (tmp_path / "leg").write_bytes(pickle.dumps(Leg(random_question(30), "peel", 0, 60.0, 1, None)))

    def solved(*_: Any, cancel: threading.Event, checkpoint: Path, **__: Any) -> None:
        signal.raise_signal(number)
        assert cancel.is_set()
        checkpoint.write_bytes(b"")

    monkeypatch.setattr("anoptima.experiments.together.solve", solved)
    monkeypatch.setattr("sys.argv", ["", str(tmp_path)])
    before = {one: signal.getsignal(one) for one in INTERRUPTING}
    together.main()
    for one, handler in before.items():
        signal.signal(one, handler)


def test_legs_are_kept_within_the_limit() -> None:
    seconds = []

    def short(leg: Leg[Any]) -> bytes:
        seconds.append(leg.seconds)
        return checkpoint_bytes(leg.problem, leg.problem.trivial(), None)

    answer = ao.solve_together(random_question(30), at_once=1, time_limit=700, executor=Doing(short))
    assert answer.solution is not None
    assert seconds
    assert all(0 < each <= 700 - together.START_S for each in seconds)


def test_no_time_and_no_solution_are_answered() -> None:
    quick = ao.solve_together(TEN, at_once=1, time_limit=0)
    assert quick.cost is not None
    assert quick.cost < TEN.cost(TEN.trivial()), "too short for a leg, and not for a release"
    answer = ao.solve_together(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11)), at_once=1)
    assert answer.claim is ao.Claim.INFEASIBLE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"solvers": []}, "no solver is named"),
        ({"at_once": 0}, "at_once is 0"),
        ({"leg_seconds": 0}, "leg_seconds 0"),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_bad_input(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ao.BadInput, match=message):
        ao.solve_together(TEN, **arguments)


def test_problems_without_checkpoints_are_refused() -> None:
    with pytest.raises(ao.NotApplicable, match="there are no checkpoints of fake-points"):
        ao.solve_together(ao.FakePoints([(1,), (3,)], 2))


def test_a_solver_that_is_not_there_or_not_for_the_problem_is_refused() -> None:
    with pytest.raises(ao.BadInput, match="'nope'"):
        ao.solve_together(random_question(30), "nope", at_once=1, time_limit=20)
    with pytest.raises(ao.NotApplicable, match="sifting"):
        ao.solve_together(ao.IdentifyingColumns(ao.ten_rows()), at_once=1, time_limit=20)
