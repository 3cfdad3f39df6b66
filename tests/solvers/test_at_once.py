"""Several calls of `solve` at once, in threads and in processes: each gives what it gives alone, and none touches another."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Progress
from tests.processes import PATIENCE

SOLVERS = ("auto", "pattern/highs", "assignment/cp-sat", "subset-dp", "sifting", "near-patterns")
SEEDS = range(3)


def question(seed: int, rows: int = 9, columns: int = 3) -> ao.CellSuppression:
    values = np.random.default_rng(seed).integers(0, 3, (rows, columns)).astype(str)
    names = [f"c{number}" for number in range(columns)]
    return ao.CellSuppression(ao.Table.from_frame(pd.DataFrame(values, columns=names), quasi=names), ao.KAnonymity(3))


def answered(solver: str, seed: int, isolated: bool = True) -> tuple[Any, ...]:
    """Return what is claimed: the status, the cost, the bound, and where the bound is from."""
    answer = ao.solve(question(seed), solver, isolated=isolated)
    assert answer.verify()
    assert answer.bound is not None
    return answer.claim.name, answer.cost, answer.bound.value, answer.bound.origin.value


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Return what calls return that begin together, each in a thread of its own."""
    together = threading.Barrier(len(calls))

    def begin(call: Callable[[], Any]) -> Any:
        together.wait(PATIENCE)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begin, calls))


@pytest.mark.parametrize("isolated", [True, False])
def test_threads_answer_as_one_after_the_other(isolated: bool) -> None:
    hook = sys.unraisablehook
    asked = [(solver, seed) for solver in SOLVERS for seed in SEEDS]
    alone = [answered(*one, isolated) for one in asked]
    assert {claim for claim, *_ in alone} == {"OPTIMAL"}
    assert at_once([partial(answered, *one, isolated) for one in asked]) == alone
    assert sys.unraisablehook is hook


def test_tasks_of_asyncio_and_dask_answer_as_one_after_the_other() -> None:
    dask = pytest.importorskip("dask")
    asked = [(solver, seed) for solver in SOLVERS[:3] for seed in SEEDS]
    alone = [answered(*one) for one in asked]

    async def gathered() -> list[tuple[Any, ...]]:
        return await asyncio.gather(*(asyncio.to_thread(answered, *one) for one in asked))

    assert asyncio.run(gathered()) == alone
    assert [*dask.compute(*(dask.delayed(answered)(*one) for one in asked), scheduler="threads")] == alone


def test_processes_answer_as_one_after_the_other() -> None:
    code = (
        "import json, sys\n"
        "from tests.solvers.test_at_once import answered\n"
        "sys.stdin.readline()\n"
        "print(json.dumps([answered(solver, 0) for solver in sys.argv[1:]]))\n"
    )
    asked = [SOLVERS[:3], SOLVERS[3:]]
    command = [sys.executable, "-c", code]
    running = [
        subprocess.Popen([*command, *solvers], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for solvers in asked
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("begin\n")
        process.stdin.flush()
    said = [json.loads(process.communicate()[0]) for process in running]
    assert said == [[[*answered(solver, 0)] for solver in solvers] for solvers in asked]


@pytest.mark.parametrize("isolated", [True, False])
def test_cancelling_one_leaves_the_others_alone(isolated: bool) -> None:
    """The one that is cancelled works on a question that nobody settles within minutes; the others begin while it searches."""
    for solver in ("pattern/highs", "assignment/cp-sat", "sifting"):
        searching, cancel = threading.Event(), threading.Event()
        expected = [answered(solver, seed, isolated) for seed in SEEDS]

        def hear(progress: Progress, searching: threading.Event = searching) -> None:
            if progress.cost is not None:
                searching.set()

        def hard(solver: str = solver, cancel: threading.Event = cancel, hear: Any = hear) -> ao.Answer[Any]:
            return ao.solve(question(5, 80, 8), solver, cancel=cancel, on_progress=hear, isolated=isolated)

        def easy(
            seed: int, solver: str = solver, searching: threading.Event = searching, cancel: threading.Event = cancel
        ) -> tuple[Any, ...]:
            searching.wait(PATIENCE)
            if seed == SEEDS[-1]:
                cancel.set()
            return answered(solver, seed, isolated)

        first, *others = at_once([hard, *(partial(easy, seed) for seed in SEEDS)])
        assert first.stop is ao.Stop.CANCELLED
        assert first.problem.violations(first.solution) == []
        assert others == expected
