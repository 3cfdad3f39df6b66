"""What a caller says beside the problem: options, a log, an event that cancels, a solver in this very process."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Answer, Budget, Listener, Progress
from anoptima.documents.checkpoints import Checkpoint
from anoptima.errors import BadInput
from anoptima.problems.base import Problem
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.ledger import Ledger

pytestmark = pytest.mark.usefixtures("weak_bound")

FAR = 3600.0
"""A limit that no run here comes near."""


def ten() -> ao.CellSuppression:
    return ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


def hard() -> ao.CellSuppression:
    """Nobody proves an optimum of this within minutes."""
    values = np.random.default_rng(5).integers(0, 3, (90, 8))
    frame = pd.DataFrame(values, columns=list("abcdefgh"))
    return ao.CellSuppression(ao.Table.from_frame(frame, quasi=list("abcdefgh")), ao.KAnonymity(4))


class Working(Solver[Any]):
    """Offers two solutions, and then works for ever without a look at the clock."""

    name = "working"
    kind = Kind.APPROXIMATE

    def __init__(self) -> None:
        self.begun = threading.Event()

    def why_not(self, problem: Problem[Any]) -> str | None:
        return None

    def solve(
        self,
        problem: Problem[Any],
        budget: Budget | None = None,
        start: Any = None,
        listener: Listener | None = None,
        proof: Any = None,
    ) -> Answer[Any]:
        ledger = Ledger(problem, self.name, budget or Budget(), listener)
        ledger.open(None, None)
        ledger.offer(ao.solve(problem, "subset-dp").solution)
        self.begun.set()
        while True:
            pass


@pytest.fixture
def signalled() -> Iterator[Callable[[], None]]:
    """Give what sends a Ctrl-C to this thread, where Python's own handler is in place."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def once(begun: threading.Event, act: Callable[[], None]) -> threading.Thread:
    """Act on another thread, once it has begun."""

    def wait_and_act() -> None:
        begun.wait()
        act()

    thread = threading.Thread(target=wait_and_act)
    thread.start()
    return thread


# ---- options ------------------------------------------------------------------------------------------------------------------


def test_options_reach_the_solver_and_are_kept_with_the_answer() -> None:
    told: dict[str, dict[str, Any]] = {
        "pattern/highs": {"mip_max_nodes": 0},
        "pattern/cp-sat": {"max_deterministic_time": 0.0, "cp_model_presolve": False},
    }
    for solver, options in told.items():
        for isolated in (True, False):
            answer = ao.solve(ten(), solver, options=options, start=None, isolated=isolated)
            assert answer.stop is not ao.Stop.PROVED, f"{solver} heard nothing of {options}"
            assert answer.run.budget.options == options
            assert answer.run.notes[0].startswith(f"what {solver.partition('/')[2]} claims, it claims under the option")


@pytest.mark.parametrize(
    ("solver", "options", "said"),
    [
        ("pattern/highs", {"presolv": "on"}, "highs: it has no option 'presolv'; did you mean presolve?"),
        ("pattern/highs", {"mip_max_nodes": 1.5}, "highs: the option 'mip_max_nodes' is 1.5; it must be a whole number"),
        ("pattern/highs", {"presolve": "maybe"}, "highs: the option 'presolve' is 'maybe', which it does not allow"),
        ("pattern/highs", {"threads": 2}, "the option 'threads' of highs is set by threads= of solve; give that"),
        ("pattern/cp-sat", {"cp_model_presolve": 3}, "cp-sat: the option 'cp_model_presolve' is 3; it must be true or false"),
        ("pattern/cp-sat", {"search_branching": "X"}, "cp-sat: the option 'search_branching' is 'X'; it must be one of AUTO"),
        ("pattern/cp-sat", {"linearization_level": -3}, "cp-sat: the option 'linearization_level' is -3, which it does not"),
        ("pattern/cp-sat", {"no_such": 1}, "cp-sat: it has no option 'no_such'"),
        ("pattern/ortools:scip", {"a": 1}, "ortools:scip takes no options, and 'a' is given"),
        ("sifting", {"presolve": "on"}, "the option 'presolve' is for a backend, and sifting has none that would take it; op"),
        ("auto", {"presolve": "on"}, "auto chose subset-dp: it proves optimality at once, by trying every partition of so few row"),
        ("pattern/highs", {"presolve": [1]}, "options['presolve'] is a list; it must be True or False, a whole number, a"),
    ],
)  # fmt: skip
def test_an_option_that_a_backend_does_not_take_is_refused(solver: str, options: Any, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        ao.solve(ten(), solver, options=options)
    assert str(refused.value).startswith(said)


# ---- the log ------------------------------------------------------------------------------------------------------------------


def test_the_solvers_own_log_goes_to_a_stream_or_a_file(tmp_path: Path) -> None:
    for solver, word in {"pattern/highs": "HiGHS", "assignment/cp-sat": "CpSolverResponse"}.items():
        for isolated in (True, False):
            stream = io.StringIO()
            ao.solve(ten(), solver, log=stream, isolated=isolated)
            ao.solve(ten(), solver, log=tmp_path / "log", isolated=isolated)
            assert word in stream.getvalue()
            assert word in (tmp_path / "log").read_text()


def test_the_log_of_a_solver_without_one_says_what_was_done() -> None:
    stream = io.StringIO()
    answer = ao.solve(ten(), log=stream)
    first, *between, last = stream.getvalue().splitlines()
    assert first == answer.reason
    assert {"cost 70", "cost 54", "bound 54"} <= {line.partition(" s: ")[2] for line in between}
    assert last == str(answer)
    stream = io.StringIO()
    answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11)), log=stream)
    assert stream.getvalue() == f"{answer}\n"


def test_a_log_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"the log cannot be written to .*nowhere/log: No such file or directory"):
        ao.solve(ten(), "pattern/highs", log=tmp_path / "nowhere" / "log")
    with pytest.raises(BadInput, match=r"log is 3; it must be .*a stream with a `write`"):
        ao.solve(ten(), "pattern/highs", log=3)  # type: ignore[arg-type]
    closed = io.StringIO()
    closed.close()
    answer = ao.solve(ten(), "pattern/highs", log=closed)
    assert answer.cost == 54
    assert "the log could not be written to its end: I/O operation on closed file" in answer.run.notes


# ---- progress -----------------------------------------------------------------------------------------------------------------


def test_progress_has_the_solution_on_request() -> None:
    problem, seen = ten(), list[Progress]()
    ao.solve(problem, "pattern/highs", start=None, on_progress=seen.append)
    known = [progress for progress in seen if progress.cost is not None]
    assert known
    for progress in known:
        assert problem.violations(progress.solution()) == []
        assert problem.cost(progress.solution()) == progress.cost
    assert all(progress.solution() is None for progress in seen if progress.cost is None)


# ---- cancelling ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["pattern/highs", "assignment/cp-sat", "sifting", "near-patterns", "auto"])
def test_an_event_ends_a_run_with_the_best_that_is_known(solver: str) -> None:
    problem, cancel, begun, seen = hard(), threading.Event(), threading.Event(), list[Progress]()

    def listen(progress: Progress) -> None:
        seen.append(progress)
        if progress.cost is not None and progress.bound is not None:
            begun.set()

    canceller = once(begun, cancel.set)
    answer = ao.solve(problem, solver, time_limit=FAR, cancel=cancel, on_progress=listen)
    canceller.join()
    assert answer.stop is ao.Stop.CANCELLED
    assert answer.solution is not None
    assert problem.cost(answer.solution) == answer.cost == min(one.cost for one in seen if one.cost is not None)


def test_what_does_not_look_at_the_clock_is_interrupted(signalled: Callable[[], None]) -> None:
    problem = ten()
    solver, cancel = Working(), threading.Event()
    canceller = once(solver.begun, cancel.set)
    answer = ao.solve(problem, solver, cancel=cancel)
    canceller.join()
    assert (answer.stop, answer.cost) == (ao.Stop.CANCELLED, 54)
    solver = Working()
    canceller = once(solver.begun, signalled)
    answer = ao.solve(problem, solver)
    canceller.join()
    assert (answer.stop, answer.cost) == (ao.Stop.CANCELLED, 54)


def test_a_run_that_is_left_behind_has_kept_its_best_in_the_checkpoint(tmp_path: Path) -> None:
    problem, solver, cancel = ten(), Working(), threading.Event()
    canceller = once(solver.begun, cancel.set)
    answer = ao.solve(problem, solver, cancel=cancel, checkpoint=tmp_path / "kept")
    canceller.join()
    assert answer.cost == 54
    with Checkpoint(tmp_path / "kept", problem) as kept:
        assert kept.solution == answer.solution


def test_an_event_that_is_set_before_leaves_what_is_there_for_the_taking() -> None:
    cancel = threading.Event()
    cancel.set()
    for solver in ("auto", "pattern/highs", "assignment/cp-sat", "peel"):
        answer = ao.solve(hard(), solver, cancel=cancel, time_limit=FAR)
        assert answer.stop is ao.Stop.CANCELLED
        assert answer.solution is not None
        assert answer.problem.violations(answer.solution) == []


# ---- in this process ----------------------------------------------------------------------------------------------------------


def test_a_solver_may_run_in_this_process() -> None:
    code = (
        "import anoptima as ao\n"
        "from anoptima.solvers.backends.process import POOL\n"
        "problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))\n"
        "for solver in ('pattern/highs', 'assignment/cp-sat'):\n"
        "    answer = ao.solve(problem, solver, isolated=False, start=None)\n"
        "    assert (answer.claim.name, answer.cost) == ('OPTIMAL', 54), answer\n"
        "assert not POOL._all, 'a process was started'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with pytest.raises(BadInput, match=r"leave memory or isolated=False out"):
        ao.solve(ten(), "pattern/highs", isolated=False, memory=2**30)


def test_a_run_in_this_process_is_cancelled_too() -> None:
    for solver in ("pattern/highs", "assignment/cp-sat"):
        cancel, begun = threading.Event(), threading.Event()
        canceller = once(begun, cancel.set)
        answer = ao.solve(
            hard(),
            solver,
            cancel=cancel,
            isolated=False,
            on_progress=lambda progress: begun.set() if "searches" in progress.phase else None,  # noqa: B023
        )
        canceller.join()
        assert answer.stop is ao.Stop.CANCELLED


def test_a_second_opinion_is_not_given_the_first_solvers_options() -> None:
    answer = ao.solve(ten(), "pattern/highs", options={"mip_heuristic_effort": 0.1}, cross_check=True)
    assert answer.confirmed
