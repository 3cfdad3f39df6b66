"""What a small solve costs beside the solver's own time: `python -m benchmarks.small_solves [--solves 10000] [--only TEXT]`.

Ten rows are solved again and again on HiGHS and on CP-SAT with one thread, in a process of the solver's own and in this one: as a model
that is built once (`backend`), and from Python as a user would write it (`solve`), where the model is built and the answer checked every
time. For comparison, a loop of OR-Tools alone solves the same program for CP-SAT, and another one builds it without solving. The solver's
own time is that which passes while it runs, measured beside it. Prints milliseconds a solve, the CPU milliseconds of this process
(of an isolated solver, what a solve costs beside it on a busy machine, too), and what this process and its workers hold
(MiB, resident) after a tenth of the solves and after all of them; `used` is what is left once the C library has given back what it keeps
for later (`malloc_trim`, in this process alone). Exits 1 if the overhead of a backend is above 5 ms a solve, or if what is used grows by
more than 4 MiB in between, or what is held by more than 16.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anoptima as ao
from anoptima.answer import Budget, Listener
from anoptima.models import models
from anoptima.models.base import BuiltModel, Values
from anoptima.solvers.backends.base import Backend, Outcome
from anoptima.solvers.backends.process import POOL
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.modelled import Modelled
from benchmarks.measure import MIB, print_table

SOLVERS = ("pattern/highs", "assignment/cp-sat")
MOST_MS, MOST_MIB, MOST_USED_MIB = 5.0, 16.0, 4.0
WARMING = 10
"""Solves before anything is measured."""
ALONE, BUILT = "OR-Tools alone", "building alone"


def main() -> int:
    """Solve, and print the table; return 1 if it costs too much."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--solves", type=int, default=10_000)
    parser.add_argument("--only", default="", help="text in the name of what is measured")
    options = parser.parse_args()
    rows, good = [], True
    for name, measure in measures():
        if options.only in name:
            cost, own, used, before, after = measure(options.solves)
            POOL.close()
            is_ours = "backend" in name
            good = good and (not is_ours or cost - own <= MOST_MS)
            good = good and after.resident - before.resident <= MOST_MIB and after.used - before.used <= MOST_USED_MIB
            held = (before.resident, after.resident, before.used, after.used)
            rows.append([name, *(f"{x:.2f}" for x in (cost, own, cost - own, used)), *(f"{x:.0f}" for x in held)])
            print(*rows[-1], sep="  ", flush=True)
    what = [
        "what",
        "ms a solve",
        "solver's own",
        "overhead",
        "CPU of this process",
        "MiB after a tenth",
        "after all",
        "used after a tenth",
        "after all",
    ]
    print_table(what, rows)
    return 0 if good else 1


@dataclass(frozen=True)
class Held:
    """MiB that this process and its idle workers hold, before and after the C library has given back what is free."""

    resident: float
    used: float


Measured = tuple[float, float, float, Held, Held]
"""Milliseconds a solve, those of the solver, CPU milliseconds of the calling thread; what is held after a tenth and after all."""


def measures() -> Iterator[tuple[str, Callable[[int], Measured]]]:
    """Yield what can be measured, by name."""
    for solver in SOLVERS:
        for isolated in (True, False):
            for kind in ("backend", "solve"):
                name = f"{solver}, {kind}, {'isolated' if isolated else 'in this process'}"
                yield name, partial(measured, solver, isolated, kind)
    yield ALONE, partial(compared, solving=True)
    yield BUILT, partial(compared, solving=False)


def compared(solves: int, *, solving: bool) -> Measured:
    """Return the same of a loop that only solves a program with OR-Tools, or that only builds it."""
    from ortools.sat.python import cp_model

    problem, model = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), models.get("assignment")
    program, own = model.build(problem).program, 0.0

    def solve() -> None:
        nonlocal own
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        began = time.perf_counter()
        assert solver.solve(program) == cp_model.OPTIMAL
        own += time.perf_counter() - began

    for _ in range(WARMING):
        solve()
    own = 0.0
    milliseconds, used, early = repeated(solve if solving else lambda: [model.build(problem)], solves)
    return milliseconds, 1e3 * own / solves, used, early, held()


def measured(solver: str, isolated: bool, kind: str, solves: int) -> Measured:
    """Measure one way to solve."""
    model, _, name = solver.partition("/")
    backend = get_backend(name) if isolated else get_backend(name).in_this_process()
    own, search = 0.0, type(backend).solve

    def timed(
        model: BuiltModel[Any], budget: Budget, start: Values | None = None, listener: Listener | None = None
    ) -> Outcome:
        nonlocal own
        outcome = search(backend, model, budget, start, listener)
        own += outcome.solver_seconds
        return outcome

    backend.solve = timed  # type: ignore[method-assign]
    solve = one_solve(model, backend, whole=kind == "solve")
    for _ in range(WARMING):
        solve()
    own = 0.0
    milliseconds, used, early = repeated(solve, solves)
    del backend.solve
    return milliseconds, 1e3 * own / solves, used, early, held()


def repeated(solve: Callable[[], object], solves: int) -> tuple[float, float, Held]:
    """Solve again and again; return milliseconds a solve, CPU milliseconds of this thread, and what is held after a tenth of them."""
    early = held()
    began, used = time.perf_counter(), time.process_time()
    for done in range(solves):
        if done == solves // 10:
            early = held()
        solve()
    return 1e3 * (time.perf_counter() - began) / solves, 1e3 * (time.process_time() - used) / solves, early


def one_solve(name: str, backend: Backend, *, whole: bool) -> Callable[[], None]:
    """Return what solves ten rows for k = 3 once: as a user would, or on the backend alone."""
    problem, model = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), models.get(name)
    solver, built = Modelled(model, backend), model.build(problem)

    def solve() -> None:
        assert ao.solve(problem, solver, start=None, threads=1).cost == 54

    def search() -> None:
        assert backend.solve(built, Budget(threads=1)).objective == 54

    return solve if whole else search


def held() -> Held:
    """Return the MiB that this process and its idle workers hold."""
    before = resident()
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return Held(before, resident())


def resident() -> float:
    """Return the MiB of this process and its idle workers that are in memory."""
    processes = [os.getpid(), *(worker.pid for idle in POOL._idle.values() for worker in idle)]
    pages = sum(int(Path(f"/proc/{process}/statm").read_text().split()[1]) for process in processes)
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB


if __name__ == "__main__":
    sys.exit(main())
