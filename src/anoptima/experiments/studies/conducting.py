"""A study under way: the remaining runs go to an executor; each is recorded as it comes back, and reported to a listener."""

from __future__ import annotations

import heapq
import os
import queue
import threading
import time
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from anoptima.arguments import checked
from anoptima.errors import AnoptimaError, BadInput, NotApplicable, SolverFailure
from anoptima.exact import Exact
from anoptima.experiments.studies.frame import SOLVED, exact_of
from anoptima.experiments.studies.keeper import CAN_FORK, Keeper
from anoptima.experiments.studies.running import Done, do_task, repeated, unsupported
from anoptima.experiments.studies.store import Store
from anoptima.experiments.studies.study import Study, uses_limit
from anoptima.experiments.studies.task import Task
from anoptima.machine import usable_cores

BESIDE_S = 2.0
"""Seconds that a run usually takes beyond its time limit: to start a process, import packages and load a table."""

LOOK_S = 1.0
"""Seconds between two looks at the runs under way, while none of them ends."""

FAILED = ("time", "memory", "crashed", "lied")
"""Statuses of runs that failed."""


@dataclass(frozen=True)
class Plan:
    """The runs of a study: its tasks, those that do not apply, and those that are done."""

    tasks: Mapping[str, Task]
    refused: Mapping[str, str]
    done: frozenset[str]
    lost: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    """Runs that are left, and known from a shorter limit under which the solver ended by itself: they are recorded without being made."""

    @property
    def left(self) -> list[Task]:
        """The remaining runs in the order in which they are done, so that many results come early and an unfinished study is balanced.

        Short limits come first; under each, one seed of every solver, solvers that end by themselves before those that use the whole limit,
        and small questions before large ones.
        """
        places = {seed: place for place, seed in enumerate(dict.fromkeys(task.seed for task in self.tasks.values()))}
        return sorted(
            (task for key, task in self.tasks.items() if key not in self.done and key not in self.refused),
            key=lambda task: (task.seconds, places[task.seed], uses_limit(task.solver), task.rows),
        )

    def most_seconds(self, jobs: int) -> float:
        """Return how long the rest usually takes at most, with this number of runs at a time: each begins where one ends first."""
        ends = [0.0] * jobs
        for task in self.left:
            if task.key not in self.known:
                heapq.heapreplace(ends, ends[0] + task.seconds + BESIDE_S)
        return max(ends)


@dataclass(frozen=True)
class Standing:
    """The progress of a study, reported after every run.

    `gap` is the median of (cost - bound) / cost over the runs that have ended with a solution, the bound a checked one: the run's own or
    the library's. None before the first.
    """

    runs: int
    done: int
    failed: int
    running: int
    seconds: float
    seconds_left: float
    last: Mapping[str, Any] = field(default_factory=dict)
    gap: Exact | None = None


@checked
def plan(study: Study, folder: str | Path) -> Plan:
    """Return the runs of a study, and those that its folder has. Loads every table, and runs nothing."""
    store = Store(Path(folder))
    tasks: dict[str, Task] = {}
    refused: dict[str, str] = {}
    for task, refusal in study.tasks():
        tasks[task.key] = task
        if refusal:
            refused[task.key] = refusal
    done = frozenset(key for key in tasks if store.has(key))
    known = frozenset(
        key
        for key, task in tasks.items()
        if key not in done and key not in refused and _from_a_shorter(study, store, task) is not None
    )
    return Plan(tasks, refused, done, frozenset(store.lost()) & set(tasks), known)


def _from_a_shorter(study: Study, store: Store, task: Task) -> Done | None:
    """Return the record of a run as that of one under a shorter limit says it; None if it must be made."""
    paced = uses_limit(task.solver)
    found = (repeated(task, store.record(key), uses_limit=paced) for key in study.shorter(task))
    return next((done for done in found if done is not None), None)


@checked
def run_study(
    study: Study,
    folder: str | Path,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    on_standing: Callable[[Standing], object] = lambda standing: None,
    stop: threading.Event | None = None,
) -> Plan:
    """Do every run of a study that its folder has no record of, and return the plan as it stands afterwards.

    Parameters
    ----------
    jobs
        Runs at a time; by default, one for every `study.threads` cores. Each run is kept to its own cores.
    executor
        Any `concurrent.futures` executor, such as that of a Dask client: it is handed runs, and keeps `jobs` of them on the way. It must
        see the study's files under the same names.
    stop
        Once it is set, runs under way are ended and discarded; records stay.

    Nothing is run twice and nothing is lost: a run that is ended with the machine has no record, and is done again.

    Examples
    --------
    >>> import anoptima as ao, tempfile
    >>> study = Study("small", instances=("ten-rows-k3",), solvers=("peel",), seconds=(5.0,))
    >>> folder = tempfile.mkdtemp()
    >>> plan = run_study(study, folder)
    >>> len(plan.done), len(plan.left)
    (1, 0)
    >>> ao.study_frame(folder)[["solver", "status", "cost"]].values.tolist()
    [['peel', 'feasible', '58']]
    """
    if not hasattr(os, "waitid"):
        raise NotApplicable("runs are kept within their limits by means that Linux and macOS have; run the study there")
    ending = stop or threading.Event()
    at_once = jobs_for(study, jobs, executor)
    store = Store(Path(folder))
    with store.alone():
        planned = plan(study, folder)
        for key, why in planned.refused.items():
            if key not in planned.done:
                store.put(unsupported(planned.tasks[key], why))
        told = _Teller(planned, at_once, on_standing)
        try:
            with _hands(executor, at_once, study.threads, ending) as hands:
                try:
                    _Runs(store, hands, study, told).do(planned.left, at_once, ending)
                except BaseException:
                    ending.set()
                    raise
        finally:
            if ending.is_set():
                for key in store.lost():
                    store.give_up(key)
    return plan(study, folder)


def _hands(
    executor: Executor | None, at_once: int, threads: int, ending: threading.Event
) -> AbstractContextManager[Executor]:
    """Return the executor of the runs: the given one, which stays open, or the cores of this machine."""
    return _OwnCores(at_once, threads, ending) if executor is None else nullcontext(executor)


class _OwnCores(ThreadPoolExecutor):
    """Runs on this machine, each on cores of its own, or on any core where the system cannot pin processes."""

    def __init__(self, at_once: int, threads: int, ending: threading.Event) -> None:
        super().__init__(at_once)
        self._ending = ending
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._keepers = [Keeper(threads) for _ in range(at_once)]
        self._free: queue.Queue[tuple[tuple[int, ...], Keeper]] = queue.Queue()
        for number, keeper in enumerate(self._keepers):
            self._free.put((tuple(cores[number * threads : (number + 1) * threads]), keeper))

    def submit(self, do: Any, /, *given: Any, **named: Any) -> Future[Any]:
        """Begin a run as soon as cores are free."""
        return super().submit(self._on_cores, do, *given, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes that fork runs, too."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        for keeper in self._keepers:
            keeper.close()

    def _on_cores(self, do: Callable[..., Done | None], *given: Any) -> Done | None:
        cores, keeper = self._free.get()
        begin: Callable[..., Done | None] = keeper.do if CAN_FORK else do
        try:
            return begin(*given, cores or None, self._ending)
        finally:
            self._free.put((cores, keeper))


class _Runs:
    """The runs under way, and their results."""

    def __init__(self, store: Store, hands: Executor, study: Study, told: _Teller) -> None:
        self._store, self._hands, self._study, self._told = store, hands, study, told
        self._folder = str(study.folder.resolve())
        self._under_way: dict[Future[Done | None], Task] = {}

    def do(self, tasks: Sequence[Task], at_once: int, ending: threading.Event) -> None:
        """Keep `at_once` runs under way until none is left."""
        waiting = list(reversed(tasks))
        while (waiting or self._under_way) and not ending.is_set():
            while waiting and len(self._under_way) < at_once:
                task = waiting.pop()
                if not self._repeat(task):
                    self._under_way[self._begin(task)] = task
            self._told.running = len(self._under_way)
            wait(self._under_way, LOOK_S, FIRST_COMPLETED)
            # Asked of each: `wait` overlooks those that an executor cancels without a word when its cluster is gone.
            for future in [future for future in self._under_way if future.done()]:
                self._end(future, self._under_way.pop(future))

    def _repeat(self, task: Task) -> bool:
        """Record a run that is known from one under a shorter limit; False if it must be made."""
        done = _from_a_shorter(self._study, self._store, task)
        if done is not None:
            self._store.put(done)
            self._told.tell(done.record)
        return done is not None

    def _begin(self, task: Task) -> Future[Done | None]:
        self._store.begin(task.key)
        try:
            return self._hands.submit(do_task, task, self._folder)
        except Exception as error:
            self._store.give_up(task.key)
            raise SolverFailure(
                "executor", f"takes no more runs: {error}; what is done is kept, and the next run goes on"
            ) from error

    def _end(self, future: Future[Done | None], task: Task) -> None:
        try:
            done = future.result()
        except (AnoptimaError, KeyboardInterrupt):
            raise
        except (Exception, CancelledError) as error:  # noqa: BLE001  An executor may fail in any way of its own.
            # The run was lost with its worker: it stays without a record, and the next `run_study` does it.
            self._told.lose(task, error)
        else:
            if done is not None:
                self._store.put(done)
                self._told.tell(done.record)


class _Teller:
    """Counts finished runs, and reports to a listener."""

    def __init__(self, planned: Plan, at_once: int, listen: Callable[[Standing], object]) -> None:
        self._planned, self._at_once, self._listen = planned, at_once, listen
        self._began = time.monotonic()
        self._left = {task.key: task.seconds + BESIDE_S for task in planned.left if task.key not in planned.known}
        self._counts: Counter[str] = Counter()
        self._gaps: list[Exact] = []
        self._done = len(planned.done | set(planned.refused))
        self.running = 0

    def tell(self, record: Mapping[str, Any]) -> None:
        """Count a run that has its record."""
        self._done += 1
        self._counts["failed"] += record["status"] in FAILED
        if (gap := gap_of(record)) is not None:
            insort(self._gaps, gap)
        self._say(str(record["key"]), record)

    def lose(self, task: Task, error: BaseException) -> None:
        """Count a run that was lost with its worker."""
        self._counts["failed"] += 1
        self._say(task.key, {"key": task.key, "task": task.as_json(), "status": "lost", "why": str(error)})

    def _say(self, key: str, record: Mapping[str, Any]) -> None:
        self._left.pop(key, None)
        passed = time.monotonic() - self._began
        self._listen(
            Standing(
                len(self._planned.tasks),
                self._done,
                self._counts["failed"],
                self.running,
                passed,
                sum(self._left.values()) / self._at_once,
                record,
                median(map(Fraction, self._gaps)) if self._gaps else None,
            )
        )


def gap_of(record: Mapping[str, Any]) -> Exact | None:
    """Return (cost - bound) / cost of a run with a solution, by the best bound that a check has passed; None without either.

    >>> gap_of({"status": "feasible", "cost": 8, "proved": 5, "library": {"bound": 6, "best": 7}})
    Fraction(1, 4)
    """
    cost = exact_of(record, "cost")
    bounds = [exact_of(record, "proved"), exact_of(record.get("library", {}), "bound")]
    known = [bound for bound in bounds if bound is not None]
    if record["status"] not in SOLVED or cost is None or not known:
        return None
    return Fraction(cost - max(known)) / cost if cost else 0


def jobs_for(study: Study, jobs: int | None, executor: Executor | None = None) -> int:
    """Return how many runs go on at a time, and refuse more than there are cores for."""
    cores = usable_cores()
    if jobs is not None and jobs < 1:
        raise BadInput(f"jobs is {jobs}; it must be at least 1")
    if executor is None and jobs is not None and jobs * study.threads > cores:
        raise BadInput(
            f"{jobs} runs of {study.threads} threads would disturb one another on {cores} cores; "
            f"at most {max(1, cores // study.threads)} can run at a time"
        )
    return jobs or max(1, cores // study.threads)


def in_all(records: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many runs have each status.

    >>> in_all([{"status": "proved"}, {"status": "time"}, {"status": "proved"}])
    {'proved': 2, 'time': 1}
    """
    return dict(sorted(Counter(str(record["status"]) for record in records).items()))
