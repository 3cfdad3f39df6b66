"""One large question on many cores or machines: runs with seeds of their own, which exchange releases and proofs.

The work is cut into *legs*. A leg is one run of some seconds that continues from a checkpoint, and ends with a checkpoint of what it knows
by then. The results of legs go into a ledger: the release passes the problem's checker, the proof is proved anew, and whatever does not
hold is refused and noted. The next leg begins with the best release and the best proof so far. So legs need to share nothing but the files
that they are given, and losing one costs only its seconds.

A leg runs as a process of this machine, or wherever a `concurrent.futures` executor takes it, such as that of a Dask cluster.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from anoptima.answer import Answer, Budget, Origin, Stop
from anoptima.arguments import checked
from anoptima.documents.checkpoints import Checkpoint, checkpoint_bytes
from anoptima.errors import AnoptimaError, BadInput, NotApplicable
from anoptima.exact import Number
from anoptima.machine import usable_threads
from anoptima.origins import raised
from anoptima.problems.base import Problem
from anoptima.solvers.backends.interrupt import INTERRUPTING, Interrupts
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.listening import Hearing, OnProgress
from anoptima.solvers.lookup import get_solver
from anoptima.solvers.solving import solve

S = TypeVar("S")

LEG_S = 60.0
"""Seconds of a leg, unless somebody says otherwise: a leg of the census table spends the first ten on its first bound."""

LOOK_S = 0.2
"""Seconds between two looks at whether the run is to end."""

START_S = 2.0
"""Seconds before the end at which no leg begins any more: a process needs about that long to load."""

LATE_S = 30.0
"""Seconds after its limit at which a leg's process is ended: loading and writing take some of them."""

LAST_S = 2.0
"""Seconds that legs have to end and to hand in what they found when the run is over; then they are killed."""

LEG = "from anoptima.experiments.together import main; main()"
"""What the process of a leg runs."""

LOST = 3
"""The run ends after this number of legs lost in a row: whatever loses them will lose the next one, too."""


@dataclass(frozen=True)
class Leg(Generic[S]):
    """One run: from a checkpoint (none for the first), for some seconds, with a seed of its own."""

    problem: Problem[S]
    solver: str
    seed: int
    seconds: float
    threads: int
    checkpoint: bytes | None


def run_leg(leg: Leg[Any], folder: str | None = None, cancel: threading.Event | None = None) -> bytes:
    """Run a leg, and return the checkpoint that it ends with; it is in `folder` while it runs, if that is given."""
    with tempfile.TemporaryDirectory() if folder is None else nullcontext(folder) as place:
        file = Path(place, "checkpoint.json")
        if leg.checkpoint is not None:
            file.write_bytes(leg.checkpoint)
        solve(
            leg.problem,
            leg.solver,
            time_limit=leg.seconds,
            seed=leg.seed,
            threads=leg.threads,
            checkpoint=file,
            start=None,
            cancel=cancel,
        )
        return file.read_bytes()


@checked
def solve_together(
    problem: Problem[S],
    solvers: str | Sequence[str] = "sifting",
    *,
    at_once: int | None = None,
    time_limit: float | None = None,
    leg_seconds: float = LEG_S,
    gap: Number = 0,
    threads: int = 1,
    seed: int = 0,
    checkpoint: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
) -> Answer[S]:
    """Answer `problem` by runs side by side that exchange releases and proofs. For problems that have checkpoints.

    Parameters
    ----------
    solvers
        The solvers of the legs, in turn. They should go on from a release and from a proof, as `sifting` and `near-patterns` do.
    at_once
        How many legs run at a time (default: one per core of this machine). Give it together with an executor.
    leg_seconds
        How long a leg runs before it hears of what the others have found.
    threads
        Threads of each leg.
    seed
        The seed of the first leg; each has another one.
    checkpoint
        A file that keeps the best release and proof of all; if it is there, the run goes on from it.
    executor
        Any `concurrent.futures` executor, such as a Dask client's: problems and checkpoints travel through it.
    time_limit, gap, on_progress, cancel
        As in `solve`.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve_together(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), at_once=1)
    >>> answer.claim.name, answer.cost, answer.bound.value
    ('OPTIMAL', 54, 54)
    """
    named = [solvers] if isinstance(solvers, str) else list(solvers)
    if not named:
        raise BadInput("no solver is named; name at least one")
    budget = Budget.of(time_limit, gap, threads, None, seed)
    hands = max(1, usable_threads() // threads) if at_once is None else at_once
    if hands < 1 or leg_seconds <= 0:
        raise BadInput(f"at_once is {hands} and leg_seconds {leg_seconds}; both must be above 0")
    if budget.seconds is not None and budget.seconds <= START_S:
        # No leg would begin: the first solver answers here, alone.
        return solve(
            problem,
            named[0],
            time_limit=time_limit,
            gap=gap,
            threads=threads,
            seed=seed,
            checkpoint=checkpoint,
            on_progress=on_progress,
            cancel=cancel,
        )
    name = f"{' and '.join(dict.fromkeys(named))}, {hands} at once"
    ending = threading.Event()
    with tempfile.TemporaryDirectory() as folder, Checkpoint(checkpoint or Path(folder, "all.json"), problem) as saved:
        hearing = Hearing(on_progress, None, name)
        ledger: Ledger[S] = Ledger(problem, name, budget, saved.before(hearing))
        answer = ledger.open(saved.solution, saved.proof)
        if answer is not None:
            return answer
        for solver in (get_solver(one) for one in named if one != "auto"):
            if (why := solver.why_not(problem)) is not None:
                raise NotApplicable(f"{solver.name}: {why}")
        known = Path(folder, "arrived.json")
        interrupts = Interrupts()
        legs = _Legs(ledger, known, cancel or threading.Event(), interrupts)
        pool: AbstractContextManager[Executor] = (
            _OwnProcesses(hands, ending) if executor is None else nullcontext(executor)
        )
        with pool as workers, interrupts:
            try:
                stop = legs.run(
                    workers, hands, lambda number: _leg(problem, named, number, budget, leg_seconds, saved), ending
                )
            finally:
                ending.set()
        answer = ledger.answer(stop, reason=f"{legs.done} legs of at most {leg_seconds:g} s, {hands} at once")
        return replace(answer, run=replace(answer.run, notes=answer.run.notes + saved.notes))


def _leg(
    problem: Problem[S], solvers: Sequence[str], number: int, budget: Budget, seconds: float, saved: Checkpoint[S]
) -> Leg[S]:
    known = None if saved.solution is None else checkpoint_bytes(problem, saved.solution, saved.proof)
    return Leg(
        problem, solvers[number % len(solvers)], (budget.seed + number) % 2**31, seconds, budget.threads or 1, known
    )


class _Legs:
    """The legs under way, and what comes back from them."""

    def __init__(self, ledger: Ledger[Any], arrived: Path, cancel: threading.Event, interrupts: Interrupts) -> None:
        self._ledger = ledger
        self._interrupts = interrupts
        self._arrived = arrived
        self._cancel = cancel
        self.done = 0
        self._lost = 0
        self._idle = 0

    def run(self, workers: Executor, at_once: int, make: Callable[[int], Leg[Any]], ending: threading.Event) -> Stop:
        """Keep legs on the way until there is nothing left to do; say why it ended."""
        under_way: dict[Future[bytes], float] = {}
        begun = 0
        while not (self._is_over() or self._idle > at_once):
            while len(under_way) < at_once and self._has_time():
                leg = self._within_limit(make(begun))
                under_way[workers.submit(run_leg, leg)] = time.monotonic() + leg.seconds / 2
                begun += 1
            if not under_way:
                self._cancel.wait(LOOK_S)
            for future in wait(under_way, LOOK_S, FIRST_COMPLETED)[0]:
                self._take(future, is_early=time.monotonic() < under_way.pop(future))
        ending.set()
        for future in under_way:
            future.cancel()
        # Legs that are ended hand in what they have found; those that had to be killed, what they had saved.
        for future in wait(under_way, LAST_S + 2 * LOOK_S)[0]:
            self._take(future, is_early=False)
        return self._why()

    def _is_over(self) -> bool:
        return self._is_cancelled() or self._lost >= LOST or self._ledger.is_over()

    def _is_cancelled(self) -> bool:
        return self._cancel.is_set() or self._interrupts.asked

    def _why(self) -> Stop:
        if self._is_cancelled():
            return Stop.CANCELLED
        return Stop.FAILED if self._lost >= LOST else self._ledger.why_over(Stop.COMPLETE)

    def _has_time(self) -> bool:
        left = self._ledger.clock.left()
        return left is None or left > START_S

    def _within_limit(self, leg: Leg[Any]) -> Leg[Any]:
        left = self._ledger.clock.left()
        return leg if left is None else replace(leg, seconds=min(leg.seconds, left - START_S))

    def _take(self, future: Future[bytes], *, is_early: bool) -> None:
        before = self._ledger.cost, self._ledger.bound
        try:
            self._believe(future.result())
        except CancelledError:
            return
        except AnoptimaError as refusal:
            self._lose(f"what a leg brought is not believed: {refusal}")
        except Exception as error:  # noqa: BLE001  An executor may fail in any way of its own.
            self._lose(f"a leg was lost: {raised(error)}")
        else:
            self.done, self._lost = self.done + 1, 0
            # Solvers that end by themselves and bring nothing would go on like that for ever.
            news = (self._ledger.cost, self._ledger.bound) != before
            self._idle = 0 if news or not is_early else self._idle + 1

    def _lose(self, why: str) -> None:
        self._lost += 1
        self._ledger.notes.append(why)

    def _believe(self, content: bytes) -> None:
        """Take what a checkpoint holds, once it has been checked: the release by the problem, the proof in exact arithmetic."""
        self._arrived.write_bytes(content)
        with Checkpoint(self._arrived, self._ledger.problem) as brought:
            if brought.proof is not None:
                value = brought.proof.proved(self._ledger.problem)
                self._ledger.raise_bound(value, Origin.PROOF, "a leg", brought.proof)
            if brought.solution is not None:
                self._ledger.offer(brought.solution, "a leg")


class _OwnProcesses(ThreadPoolExecutor):
    """Legs as processes of this machine. One that is killed leaves what it had saved until then."""

    def __init__(self, at_once: int, ending: threading.Event) -> None:
        super().__init__(at_once)
        self._ending = ending

    def submit(self, do: Any, /, *given: Any, **named: Any) -> Future[Any]:
        """Begin a leg; what it does is always `run_leg`."""
        return super().submit(self._run, *given)

    def _run(self, leg: Leg[Any]) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "leg").write_bytes(pickle.dumps(leg))
            process = subprocess.Popen(
                [sys.executable, "-c", LEG, folder],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            ended = threading.Event()
            watch = threading.Thread(target=self._watch, args=(process, leg.seconds + LATE_S, ended), daemon=True)
            watch.start()
            try:
                said = process.communicate()[1].decode(errors="replace").strip().splitlines()
            finally:
                ended.set()
                watch.join()
            saved = Path(folder, "checkpoint.json")
            if not saved.exists() and self._ending.is_set():
                raise CancelledError
            if not saved.exists() or process.returncode > 0:
                raise RuntimeError(said[-1] if said else f"its process ended with exit code {process.returncode}")
            return saved.read_bytes()

    def _watch(self, process: subprocess.Popen[bytes], seconds: float, ended: threading.Event) -> None:
        """End a leg's process when the run ends, or when it is late."""
        passed = 0.0
        while not ended.wait(LOOK_S):
            passed += LOOK_S
            if self._ending.is_set() or passed > seconds:
                process.terminate()
                if not ended.wait(LAST_S):
                    process.kill()
                return


def main() -> None:
    """Run the leg in the folder that the command line names. A signal that asks it to end has it save what it has found."""
    folder, cancel = sys.argv[1], threading.Event()
    for one in INTERRUPTING:
        signal.signal(one, lambda number, frame: cancel.set())
    run_leg(pickle.loads(Path(folder, "leg").read_bytes()), folder, cancel)
