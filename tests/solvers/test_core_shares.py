"""Solves that run at once divide the cores, whoever starts them: threads, asyncio, processes, a Dask cluster."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from typing import Any

import pytest

import anoptima as ao
from anoptima.answer import Budget, Progress
from anoptima.machine import THREADS_VARIABLE, usable_cores, usable_threads
from anoptima.solvers import core_shares
from anoptima.solvers.core_shares import sharing_cores
from tests.processes import PATIENCE
from tests.sizing import asked
from tests.solvers.test_at_once import answered, question


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(THREADS_VARIABLE, raising=False)
    for name in ("usable_cores", "usable_threads"):
        monkeypatch.setattr(core_shares, name, lambda: 8)


def test_one_alone_is_not_limited() -> None:
    with sharing_cores(Budget()) as budget:
        assert budget.threads is None


def test_each_takes_its_share_when_it_begins_and_keeps_what_it_is_told() -> None:
    with sharing_cores(Budget()), sharing_cores(Budget()) as second, sharing_cores(Budget(threads=7)) as third:
        assert (second.threads, third.threads) == (4, 7)
        with sharing_cores(Budget()) as fourth:
            assert fourth.threads == 2
    with sharing_cores(Budget()) as budget:
        assert budget.threads is None


def test_nobody_is_left_without_a_thread() -> None:
    running = [sharing_cores(Budget()) for _ in range(20)]
    shares = [one.__enter__().threads for one in running]
    for one in running:
        one.__exit__(None, None, None)
    assert shares == [None, *(max(1, 8 // number) for number in range(2, 21))]


def test_a_solve_that_fails_gives_its_share_back() -> None:
    def failing() -> None:
        with sharing_cores(Budget()):
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    with sharing_cores(Budget()) as budget:
        assert budget.threads is None


def test_the_environment_limits_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    cores = usable_cores()
    for said, threads in (
        ("1", 1),
        ("1,4", 1),
        ("999", cores),
        ("0", cores),
        ("", cores),
        ("many", cores),
        ("²", cores),
    ):
        monkeypatch.setenv(THREADS_VARIABLE, said)
        assert usable_threads() == threads, said
    monkeypatch.setattr(core_shares, "usable_threads", lambda: 3)
    with sharing_cores(Budget()) as first, sharing_cores(Budget()) as second:
        assert (first.threads, second.threads) == (3, 1)


def test_solves_in_threads_are_told_their_shares() -> None:
    """The second begins while the first runs, and both say what they were given."""
    searching, over = threading.Event(), threading.Event()
    given: dict[str, int | None] = {}

    def hold(_: Progress) -> bool:
        searching.set()
        over.wait(PATIENCE)
        return True

    def first() -> None:
        given["first"] = ao.solve(question(5, 60, 6), "local-search", on_progress=hold).run.budget.threads

    thread = threading.Thread(target=first)
    thread.start()
    searching.wait(PATIENCE)
    given["second"] = ao.solve(question(0), "subset-dp").run.budget.threads
    over.set()
    thread.join()
    assert given == {"first": None, "second": 4}


def test_asyncio_answers_as_one_after_the_other() -> None:
    questions = [(solver, seed) for solver in ("pattern/highs", "assignment/cp-sat", "subset-dp") for seed in (0, 1)]
    expected = [answered(*one) for one in questions]

    async def all_at_once() -> list[Any]:
        return list(await asyncio.gather(*(asyncio.to_thread(answered, *one) for one in questions)))

    assert asyncio.run(all_at_once()) == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks a process")
def test_a_forked_child_begins_alone() -> None:
    with sharing_cores(Budget()):
        child = os.fork()
        if child == 0:
            with sharing_cores(Budget()) as budget:
                os._exit(0 if budget.threads is None else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def answered_on_a_worker(solver: str) -> tuple[Any, int]:
    """Return what is claimed, and how many threads the worker may use."""
    return answered(solver, 0), usable_threads()


ON_A_CLUSTER = """
import sys
from distributed import Client, LocalCluster
from tests.solvers.test_core_shares import answered_on_a_worker
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        print(client.gather(client.map(answered_on_a_worker, sys.argv[1:])))
"""


def test_workers_of_a_dask_cluster_use_a_thread_each() -> None:
    pytest.importorskip("distributed")
    # One with a process of its own, and one without: each loads its packages on the workers, and CP-SAT has shares of its own above.
    solvers = ("pattern/highs", "subset-dp", "assignment/cp-sat", "sifting")[: asked(2, 4)]
    command = [sys.executable, "-c", ON_A_CLUSTER, *solvers]
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    assert said == f"{[(answered(solver, 0), 1) for solver in solvers]}\n"
