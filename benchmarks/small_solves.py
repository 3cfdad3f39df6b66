"""What a small solve costs beside the solver's own time: `python -m benchmarks.small_solves [--solves 10000] [--only TEXT]`.

Ten rows are solved again and again on HiGHS and on CP-SAT with one thread, in a process of the solver's own and in this one: as a model
that is built once (`backend`), and from Python as a user would write it (`solve`), where the model is built and the answer checked every
time. The solver's own time is that which passes while it runs, measured beside it. Prints milliseconds a solve, and what this process and
its workers hold (MiB, resident) after a tenth of the solves and after all of them. Exits 1 if the overhead of a backend is above 5 ms a
solve, or if memory grows by more than 16 MiB in between.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
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
MOST_MS, MOST_MIB = 5.0, 16.0


def main() -> int:
    """Solve, and print the table; return 1 if it costs too much."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--solves", type=int, default=10_000)
    parser.add_argument("--only", default="", help="text in the name of what is measured")
    options = parser.parse_args()
    rows, good = [], True
    for solver in SOLVERS:
        for isolated in (True, False):
            for kind in ("backend", "solve"):
                name = f"{solver}, {kind}, {'isolated' if isolated else 'in this process'}"
                if options.only in name:
                    cost, own, before, after = measured(solver, isolated, kind, options.solves)
                    POOL.close()
                    good = good and (kind == "solve" or cost - own <= MOST_MS) and after - before <= MOST_MIB
                    rows.append([name, *(f"{x:.2f}" for x in (cost, own, cost - own)), f"{before:.0f}", f"{after:.0f}"])
                    print(*rows[-1], sep="  ", flush=True)
    print_table(["what", "ms a solve", "solver's own", "overhead", "MiB after a tenth", "MiB after all"], rows)
    return 0 if good else 1


def measured(solver: str, isolated: bool, kind: str, solves: int) -> tuple[float, float, float, float]:
    """Return milliseconds a solve, those of the solver itself, and MiB held after a tenth of the solves and after all."""
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
    for _ in range(10):
        solve()
    began, own, early = time.perf_counter(), 0.0, 0.0
    for done in range(solves):
        if done == solves // 10:
            early = held()
        solve()
    seconds = time.perf_counter() - began
    del backend.solve  # type: ignore[misc]
    return 1e3 * seconds / solves, 1e3 * own / solves, early, held()


def one_solve(name: str, backend: Backend, *, whole: bool) -> Callable[[], None]:
    """Return what solves ten rows for k = 3 once: as a user would, or on the backend alone."""
    problem, model = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), models.get(name)
    solver, built = Modelled(model, backend), model.build(problem)

    def solve() -> None:
        assert ao.solve(problem, solver, start=None, threads=1).cost == 54

    def search() -> None:
        assert backend.solve(built, Budget(threads=1)).objective == 54

    return solve if whole else search


def held() -> float:
    """Return the MiB that this process and its idle workers hold."""
    processes = [os.getpid(), *(worker.pid for idle in POOL._idle.values() for worker in idle)]
    pages = sum(int(Path(f"/proc/{process}/statm").read_text().split()[1]) for process in processes)
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB


if __name__ == "__main__":
    sys.exit(main())
