"""The process around a native solver: limits kept, crashes named, nothing left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from anoptima.answer import BoundRaised, Budget, Event, Log, Started, StartFate, Stop
from anoptima.errors import FalseClaim, NotApplicable, SolverFailure
from anoptima.solvers.backends import process, running
from anoptima.solvers.backends.base import Backend, Outcome
from anoptima.solvers.backends.interrupt import INTERRUPTING, Interrupts
from anoptima.solvers.backends.messages import Request
from anoptima.solvers.backends.process import POOL, WorkerProcess
from anoptima.testing import programs
from anoptima.testing.workers import make_ready
from tests.clocks import Clock
from tests.processes import PATIENCE, children, wait_until, wait_until_gone
from tests.solvers.backends import plugins

ROOT = Path(__file__).parents[3]
ENOUGH = Budget(seconds=3600)
"""Nothing comes near it; what must reach its limit puts the clock forward."""


def pid_of_worker() -> int:
    objective = plugins.Pid().solve(programs.linear([1], []), ENOUGH).objective
    assert isinstance(objective, int)
    return objective


def solve(backend: Backend, budget: Budget = ENOUGH, costs: tuple[int, ...] = (1,)) -> Outcome:
    return backend.solve(programs.linear(list(costs), []), budget)


def test_a_worker_needs_no_folder_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    POOL.close()
    assert solve(plugins.Pid()).objective is not None


@pytest.mark.parametrize("number", INTERRUPTING)
def test_a_signal_that_means_the_end_is_a_question(number: signal.Signals) -> None:
    before = signal.signal(number, signal.default_int_handler)
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(number)
            assert interrupts.asked
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
        assert signal.getsignal(number) is signal.default_int_handler
        signal.signal(number, signal.SIG_IGN)
        with Interrupts() as interrupts:
            signal.raise_signal(number)
            assert not interrupts.asked, "whoever has set another handler is left alone"
    finally:
        signal.signal(number, before)


def test_a_worker_leaves_it_to_its_parent_to_end_a_run() -> None:
    worker = pid_of_worker()
    for number in (signal.SIGTERM, signal.SIGHUP):
        os.kill(worker, number)
    assert pid_of_worker() == worker


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def limit_passes_at_once(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the limit be reached as soon as a worker has been told what to solve."""
    request = WorkerProcess.request

    def send(worker: WorkerProcess, what: Request) -> None:
        request(worker, what)
        clock.forward(ENOUGH.seconds or 0)

    monkeypatch.setattr(WorkerProcess, "request", send)


@pytest.fixture
def nobody_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give solvers that stop when asked the time for it, on a machine however busy."""
    monkeypatch.setattr(running, "GRACE", PATIENCE)


class TestGoodBehaviour:
    def test_two_methods_make_a_backend(self) -> None:
        outcome = plugins.Zeros().solve(programs.linear([1, 1], [], constant=4), ENOUGH, np.ones(2))
        assert outcome.stop is Stop.PROVED
        assert outcome.objective == outcome.bound == 4
        assert outcome.start is StartFate.UNUSED
        assert outcome.versions == {}

    def test_a_worker_is_used_again(self) -> None:
        assert pid_of_worker() == pid_of_worker() != os.getpid()

    def test_prints_are_kept_out_of_the_talk(self, capfd: pytest.CaptureFixture[str]) -> None:
        outcome = plugins.Noisy().solve(programs.linear([1], []), ENOUGH)
        assert outcome.objective == 0
        assert capfd.readouterr() == ("", "")

    @pytest.mark.usefixtures("limit_passes_at_once", "nobody_is_killed")
    def test_it_is_told_when_time_is_up_and_answers_itself(self) -> None:
        outcome = solve(plugins.Patient())
        assert (outcome.stop, outcome.objective, outcome.bound, outcome.notes) == (Stop.TIME, 5, 1, ())

    @pytest.mark.usefixtures("nobody_is_killed")
    def test_it_keeps_its_limit_itself(self) -> None:
        make_ready(plugins.Patient())
        outcome = solve(plugins.Patient(), Budget(seconds=0.1))
        assert outcome.stop is Stop.TIME

    @pytest.mark.usefixtures("nobody_is_killed")
    def test_it_is_told_to_stop_and_answers_itself(self) -> None:
        outcome = plugins.Patient().solve(
            programs.linear([1], []), ENOUGH, None, lambda event: not isinstance(event, Started)
        )
        assert (outcome.stop, outcome.objective, outcome.notes) == (Stop.CANCELLED, 5, ())


class TestBadBehaviour:
    """Each leaves the backend usable: the next solve is answered, by a new process where need be."""

    @pytest.mark.usefixtures("limit_passes_at_once")
    def test_hanging(self) -> None:
        outcome = solve(plugins.Hanging())
        assert (outcome.stop, outcome.values) == (Stop.TIME, None)
        assert outcome.notes == ("hanging did not stop when asked and was killed, and it had not reported anything",)

    def test_hanging_with_something_in_hand(self, clock: Clock) -> None:
        def pass_the_limit(event: Event) -> None:
            if isinstance(event, BoundRaised):
                clock.forward(3600)

        backend = plugins.HangingWithSolution()
        outcome = backend.solve(programs.linear([1], []), ENOUGH, None, pass_the_limit)
        assert (outcome.stop, outcome.objective, outcome.bound) == (Stop.TIME, 7, 2)
        assert "killed" in outcome.notes[0]

    def test_hanging_when_cancelled(self) -> None:
        outcome = plugins.Hanging().solve(programs.linear([1], []), ENOUGH, None, lambda event: True)
        assert (outcome.stop, outcome.values) == (Stop.CANCELLED, None)

    @pytest.mark.usefixtures("limit_passes_at_once")
    def test_holding_the_interpreter_while_it_hangs(self) -> None:
        outcome = solve(plugins.Deaf())
        assert outcome.stop is Stop.TIME
        assert outcome.notes[0].startswith("deaf did not stop when asked and was killed")

    def test_aborting(self) -> None:
        with pytest.raises(SolverFailure, match=r"(?s)^aborting: .*SIGABRT.*this is the end") as caught:
            solve(plugins.Aborting())
        assert caught.value.solver == "aborting"
        assert caught.value.partial is None

    def test_aborting_with_something_in_hand(self) -> None:
        with pytest.raises(SolverFailure, match="SIGABRT") as caught:
            solve(plugins.AbortingWithSolution())
        partial = caught.value.partial
        assert isinstance(partial, Outcome)
        assert (partial.stop, partial.objective) == (Stop.FAILED, 7)

    def test_segfault(self) -> None:
        with pytest.raises(SolverFailure, match="segfaulting: its process was killed by SIGSEGV"):
            solve(plugins.Segfaulting())

    def test_leaving(self) -> None:
        with pytest.raises(SolverFailure, match="leaving: its process ended with exit code 3"):
            solve(plugins.Leaving())

    def test_quitting(self) -> None:
        with pytest.raises(SolverFailure, match="quitting: its process ended"):
            solve(plugins.Quitting())

    def test_quitting_in_this_process(self) -> None:
        with pytest.raises(SolverFailure, match="quitting: SystemExit: enough"):
            solve(plugins.Quitting().in_this_process())

    def test_raising(self) -> None:
        with pytest.raises(SolverFailure, match="raising: ValueError: the moon is not right"):
            solve(plugins.Raising())

    def test_missing_package(self) -> None:
        availability = plugins.Missing().availability()
        assert not availability
        assert availability.why == "no_such_package_here is not installed (pip install no-such-distribution)"
        with pytest.raises(NotApplicable, match="missing cannot be used here: no_such_package_here is not installed"):
            solve(plugins.Missing())

    def test_package_that_does_not_load(self) -> None:
        with pytest.raises(NotApplicable, match=r"importless cannot be used here: libmoon\.so"):
            solve(plugins.Importless())

    def test_memory(self) -> None:
        outcome = solve(plugins.Greedy(), Budget(seconds=3600, memory=2**30))
        assert (outcome.stop, outcome.objective) == (Stop.MEMORY, 9)
        assert "memory" in outcome.notes[0]

    def test_killed_from_outside_and_alive_the_next_time(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ANOPTIMA_TEST_MARK", str(tmp_path / "mark"))
        with pytest.raises(SolverFailure, match="suicidal: its process was killed by SIGKILL"):
            solve(plugins.Suicidal())
        assert plugins.Suicidal().solve(programs.linear([1], []), ENOUGH).objective == 0

    def test_killed_while_idle(self) -> None:
        pid = pid_of_worker()
        os.kill(pid, signal.SIGKILL)
        wait_until_gone(pid)
        assert pid_of_worker() != pid

    @pytest.mark.parametrize(
        ("lie", "said"),
        [
            (1, "claimed an optimum without a solution"),
            (2, "claimed the bound 4 beside a solution with objective 3"),
            (3, "claimed that the model is infeasible after it had found a solution"),
            (5, "claimed a solution with the objective nan"),
        ],
    )
    def test_lying(self, lie: int, said: str) -> None:
        with pytest.raises(FalseClaim, match=said):
            solve(plugins.Liar(), costs=(lie,))

    @pytest.mark.parametrize(
        ("how", "said"),
        [
            (1, "its run returns None; it must return a Result"),
            (2, "an objective or a bound is None; it must be a number"),
            (3, "an objective or a bound is '0'; it must be a number"),
            (4, "the stop of a result is None; it must be a Stop"),
            (5, "the notes of a result are None; they must be texts in a tuple"),
            (6, "an objective or a bound is '0'; it must be a number"),
        ],
    )
    @pytest.mark.parametrize("isolated", [True, False])
    def test_saying_what_means_nothing(self, how: int, said: str, *, isolated: bool) -> None:
        backend = plugins.Speechless() if isolated else plugins.Speechless().in_this_process()
        with pytest.raises(SolverFailure, match=f"speechless: .*{said}"):
            solve(backend, costs=(how,))

    def test_numbers_that_no_float_holds(self) -> None:
        assert solve(plugins.Speechless(), costs=(7,)).objective == 10**400

    def test_an_optimum_within_a_tolerance_is_none(self) -> None:
        outcome = plugins.Tolerant().solve(programs.linear([1], []), ENOUGH)
        assert (outcome.stop, outcome.objective, outcome.bound) == (Stop.GAP, 8, 7)

    def test_a_class_that_no_process_can_import(self) -> None:
        class Local(plugins.Zeros):
            name = "local"

        with pytest.raises(NotApplicable, match="defined in a function"):
            solve(Local())


class TestProcesses:
    def test_a_listener_that_raises_leaves_no_process(self) -> None:
        seen: list[int] = []

        def failing(event: Event) -> bool:
            if isinstance(event, Log):
                seen.append(int(event.line.split()[1]))
                raise ZeroDivisionError
            return False

        with pytest.raises(ZeroDivisionError):
            plugins.Deaf().solve(programs.linear([1], []), ENOUGH, None, failing)
        wait_until_gone(seen[0])

    @pytest.mark.usefixtures("nobody_is_killed")
    def test_solves_at_once_have_workers_of_their_own(self) -> None:
        outcomes: list[Stop] = []
        all_at_work = threading.Barrier(3)

        def stop(event: Event) -> bool:
            if not isinstance(event, BoundRaised):
                return False
            all_at_work.wait(PATIENCE)
            return True

        def run() -> None:
            outcomes.append(plugins.Patient().solve(programs.linear([1], []), ENOUGH, None, stop).stop)

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert outcomes == [Stop.CANCELLED] * 3
        assert len(POOL._idle["tests.solvers.backends.plugins", "Patient"]) == process.MOST_IDLE

    def test_a_fork_has_workers_of_its_own(self) -> None:
        mine = pid_of_worker()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                theirs = pid_of_worker()
                os.write(writing, str(theirs).encode())
                POOL.close()
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            theirs = int(pipe.read())
        os.waitpid(child, 0)
        assert theirs != mine
        assert pid_of_worker() == mine
        wait_until_gone(theirs)

    def test_start_up_takes_the_time_of_the_limit_and_no_more(
        self, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        held = tmp_path / "held"
        held.touch()
        wait = f"import os, time\nwhile os.path.exists({str(held)!r}):\n    time.sleep(0.01)\n"
        take = POOL.take

        def take_until_the_limit(key: tuple[str, str], memory: int | None = None) -> WorkerProcess:
            worker = take(key, memory)
            clock.forward(3600)
            return worker

        POOL.close()
        with monkeypatch.context() as patches:
            patches.setattr(process, "_BOOT", wait + process._BOOT)
            patches.setattr(POOL, "take", take_until_the_limit)
            outcome = solve(plugins.Zeros())
        assert (outcome.stop, outcome.values) == (Stop.TIME, None)
        assert "starting" in outcome.notes[0]
        assert 0 < outcome.start_seconds <= outcome.seconds
        held.unlink()
        assert solve(plugins.Zeros()).objective == 0

    def test_a_worker_that_cannot_start(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "_BOOT", "raise SystemExit('no interpreter today')")
        POOL.close()
        with pytest.raises(SolverFailure, match=r"(?s)zeros: its process ended with exit code 1.*no interpreter today"):
            solve(plugins.Zeros())

    def test_packages_are_loaded_while_a_worker_comes_up(self) -> None:
        assert solve(plugins.Loaded()).objective == 1

    def test_a_run_under_a_memory_limit_has_its_memory_to_itself(self) -> None:
        POOL.close()
        outcomes = [solve(plugins.Leaking(), Budget(seconds=3600, memory=500_000_000)) for _ in range(4)]
        assert [outcome.stop for outcome in outcomes] == [Stop.PROVED] * 4
        assert len({outcome.objective for outcome in outcomes}) == 4, "each had a worker of its own"

    def test_a_worker_that_holds_too_much_is_not_kept(self) -> None:
        POOL.close()
        first, *_, last = (solve(plugins.Leaking()).objective for _ in range(4))
        assert first != last, "300 MB had leaked after three runs"

    def test_an_idle_worker_ends_by_itself(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "PATIENCE", 0.0)
        POOL.close()
        pid = pid_of_worker()
        wait_until_gone(pid)
        assert pid_of_worker() != pid

    def test_a_worker_that_ends_as_it_is_asked_is_replaced(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "PATIENCE", 0.0)
        POOL.close()
        pid = pid_of_worker()
        wait_until_gone(pid)
        monkeypatch.setattr(WorkerProcess, "is_alive", lambda _: True)
        assert pid_of_worker() != pid

    def test_a_worker_that_was_started_ahead_waits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "PATIENCE", 0.0)
        POOL.close()
        ahead = make_ready(plugins.Pid())
        assert pid_of_worker() == ahead

    def test_files_are_closed(self) -> None:
        def open_files() -> int:
            return len(list(Path("/proc/self/fd").iterdir()))

        with pytest.raises(SolverFailure):
            solve(plugins.Aborting())
        before = open_files()
        for _ in range(3):
            with pytest.raises(SolverFailure):
                solve(plugins.Aborting())
        assert open_files() == before


SCRIPT = """
import os, sys, threading, time
sys.path.insert(0, {root!r})
from anoptima.answer import Budget, Log
from anoptima.solvers.backends import running
from anoptima.solvers.backends.interrupt import Interrupts
from anoptima.solvers.backends.process import POOL, WorkerProcess
from anoptima.solvers.backends.messages import Request
from anoptima.testing import programs
from tests.clocks import Clock
from tests.processes import PATIENCE, children, wait_until, wait_until_gone
from tests.solvers.backends import plugins

def tell(event):
    print(event.line if isinstance(event, Log) else type(event).__name__, flush=True)

running.GRACE = {patience}

{body}
"""


@contextlib.contextmanager
def script(body: str) -> Iterator[subprocess.Popen[str]]:
    """Run a script without a `__main__` guard, as a person would write it."""
    text = SCRIPT.format(root=str(ROOT), patience=PATIENCE, body=textwrap.dedent(body))
    source = str(ROOT / "src")
    with subprocess.Popen(
        [sys.executable, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
    ) as run:
        assert run.stdin is not None
        run.stdin.write(text)
        run.stdin.close()
        last_resort = threading.Timer(PATIENCE, run.kill)
        last_resort.start()
        try:
            yield run
        finally:
            last_resort.cancel()
            run.kill()


def read_until(run: subprocess.Popen[str], wanted: str) -> str:
    assert run.stdout is not None
    for line in run.stdout:
        if wanted in line:
            return line
    raise AssertionError(f"{wanted} was never printed")


class TestWholePrograms:
    def test_a_plain_script_ends_by_itself(self) -> None:
        with script(
            """
            print(plugins.Pid().solve(programs.linear([1], []), Budget(seconds=3600)).objective)
            """
        ) as run:
            pid = int(read_until(run, ""))
            assert run.wait(PATIENCE) == 0
        wait_until_gone(pid)

    def test_control_c_gives_the_best_so_far(self) -> None:
        with script(
            """
            from anoptima.solvers.backends.registry import get_backend
            from anoptima.testing.programs import market_split
            o = get_backend("highs").solve(market_split(), Budget(seconds=3600), None, tell)
            print("stop", o.stop.name, o.objective is not None)
            """
        ) as run:
            read_until(run, "Incumbent")
            run.send_signal(signal.SIGINT)
            assert read_until(run, "stop").split() == ["stop", "CANCELLED", "True"]
            assert run.wait(PATIENCE) == 0

    def test_control_c_on_a_terminal_reaches_the_workers_too(self) -> None:
        with script(
            """
            o = plugins.Patient().solve(programs.linear([1], []), Budget(seconds=3600), None, tell)
            print("stop", o.stop.name, o.objective, o.notes)
            """
        ) as run:
            read_until(run, "BoundRaised")
            for child in children(run.pid):
                os.kill(child, signal.SIGINT)
            run.send_signal(signal.SIGINT)
            assert read_until(run, "stop").strip() == "stop CANCELLED 5 ()"

    def test_a_second_control_c_raises(self) -> None:
        with script(
            """
            hear = Interrupts._hear
            def hear_and_tell(*arguments):
                hear(*arguments)
                os.write(1, b"heard\\n")
            Interrupts._hear = hear_and_tell
            def slow(event):
                print("event", flush=True)
                time.sleep(3600)
            try:
                plugins.Patient().solve(programs.linear([1], []), Budget(seconds=3600), None, slow)
            except KeyboardInterrupt:
                print("interrupted")
            """
        ) as run:
            read_until(run, "event")
            run.send_signal(signal.SIGINT)
            read_until(run, "heard")
            run.send_signal(signal.SIGINT)
            read_until(run, "interrupted")
            assert run.wait(PATIENCE) == 0

    def test_control_c_afterwards_is_python_s_own(self) -> None:
        with script(
            """
            plugins.Zeros().solve(programs.linear([1], []), Budget(seconds=3600))
            try:
                print("now", flush=True)
                time.sleep(3600)
            except KeyboardInterrupt:
                print("interrupted")
            """
        ) as run:
            read_until(run, "now")
            run.send_signal(signal.SIGINT)
            read_until(run, "interrupted")

    @pytest.mark.parametrize("plugin", ["Hanging", "Deaf"])
    def test_no_orphan_outlives_a_parent_that_is_killed(self, plugin: str) -> None:
        with script(f"plugins.{plugin}().solve(programs.linear([1], []), Budget(seconds=3600), None, tell)") as run:
            read_until(run, "Started")
            (worker,) = wait_until(lambda: children(run.pid), "a worker was started")
            if plugin == "Deaf":
                read_until(run, "pid")
            run.kill()
            run.wait()
            wait_until_gone(worker)

    def test_a_hanging_solver_does_not_keep_the_parent_from_leaving(self) -> None:
        with script(
            """
            def solve(): plugins.Hanging().solve(programs.linear([1], []), Budget(seconds=3600), None, tell)
            threading.Thread(target=solve, daemon=True).start()
            while not any(worker.ready for worker in tuple(POOL._all)):
                time.sleep(0.01)
            print("leaving", *[worker.pid for worker in POOL._all], flush=True)
            """
        ) as run:
            workers = read_until(run, "leaving").split()[1:]
            run.wait(PATIENCE)
        assert workers
        for worker in workers:
            wait_until_gone(int(worker))

    def test_a_class_in_a_script_is_refused_in_words(self) -> None:
        with script(
            """
            class Mine(plugins.Zeros):
                name = "mine"
            try:
                Mine().solve(programs.linear([1], []), Budget())
            except Exception as error:
                print("said:", type(error).__name__, error)
            """
        ) as run:
            assert "said: NotApplicable the backend class Mine is defined in a script or notebook" in read_until(
                run, "said"
            )
