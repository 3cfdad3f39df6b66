"""Starts: the best that quick approximations find in their share of the time, for a search to begin with."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar, cast

from anoptima.answer import Budget, Clock
from anoptima.deadline import current_deadline, within
from anoptima.errors import OutOfTime
from anoptima.principles import rows_alone
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.registry import at_fault, is_for, leave_out
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.approximation import CellApproximation
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.ledger import Ledger

S = TypeVar("S")

LEAST_S, LEAST_WAIT_S, MOST_S = 0.06, 0.3, 5.0
"""A start may take the first number of a processor's seconds whatever the time limit is, even 0: with reading 30,162 records and checking
what is found that makes a tenth of a second. Where other work keeps the processor busy, it may wait until the second number of seconds has
passed. It may take the third one where there is time for more."""
SHARE = 0.1
"""The part of the time limit that a start may take."""
INSURANCE_SHARE = 0.03
"""The same for a search that has its own first release soon: on a busy machine, or while loops are being prepared or loaded, that is long
in coming. Of 30,162 rows a tenth of 2 s finds no better start, and the release then is half a percent worse."""
_IMPROVING = {"local-search": (0.5, MOST_S), "near-patterns": (SHARE, 1.0)}
"""The same for a start that is improved, by improver, and the most seconds. Local search gains for longer than near patterns do."""
_FEW_ROWS = 15
"""Tables of so few rows are solved before a start is improved: ten census rows, t = 0.3, take the pattern program on CP-SAT 0.18 s, and
0.51 s with a start that local search has improved; 15 rows 0.86 s and 1.36 s (`python -m benchmarks.warm_starts --few`)."""
_PEELED_A_SECOND, _PEELED_COLUMNS, _RECORDS_A_SET = 1e8, 14, 5_000
"""`peel` looks at this many pairs of a column set and a record in a second, where a set takes as long as the third number of records does
by itself. With more than the second number of columns residues are better: of 10,000 made rows of 14 columns, k = 5, peeling leaves 42,759
stars and residues 67,400, and of 16 columns 132,689 and 88,165."""
_SLOWLY_PEELED = 50_000
"""Of more records than this residues are tried before peeling, unless groups need a size alone: of 200,000 made rows, l = 3, they leave
1,262,302 stars after half a second, peeling 1,381,470 after two; with k = 5 peeling leaves 152,973 after that time, residues none."""
_LARGE_RECORDS, _PEELING_SHARE, _SURELY_PEELED_A_SECOND = 50_000, 0.2, 1e7
"""Of more records than the first number, peeling looks at no more pairs in a second than the third number where rows are nearly all
different, and a start may have the seconds that it needs up to the second number as a part of the time: of `large-uniform-100000x8`, k = 3,
15 s leave 413,113 stars, and 425,207 without (`python -m benchmarks.tuned anoptima.solvers.starts._LARGE_RECORDS 50000 1000000000 --solver
auto --limits 15`)."""
_ENDS_SHARE = 0.75
"""A start that can be cut short is, after this part of what is left: then there is time to count what it has, and for another. On
a quiet machine it makes no difference; on a busy one residues of `large-uniform-50000x24` were not done in time, and nothing was left."""
_PAIRS_A_SECOND = 1.5e8
"""How many pairs of row types and columns `clustering` compares in a second."""


def quick_solvers(problem: Problem[Any]) -> list[Solver[Any]]:
    """Return the approximations that are for `problem` and cheap enough to make a start, the cheapest first.

    >>> from anoptima import CellSuppression, LDiversity, ten_rows
    >>> [solver.name for solver in quick_solvers(CellSuppression(ten_rows(), LDiversity(2)))]
    ['residue', 'peel', 'mondrian-relaxed', 'clustering']
    """
    places = {solver.name: solver.quick for solver in algorithms.all() if solver.quick is not None}
    able = [solver for solver in algorithms.all() if solver.name in places and is_for(solver, problem)]
    return sorted(able, key=lambda solver: (places[solver.name], solver.name))


def quick_start(
    problem: Problem[S], budget: Budget, clock: Clock, improver: str = "", tell: Callable[[S], object] | None = None
) -> S | None:
    """Run the quick approximations, each from what the ones before it found, while `clock` allows; return the best solution.

    Those that would surely not come to an end in time are left out: cut short, they find nothing. What they found the solver called
    `improver`, if there is one, makes better in the rest of the time. None if the problem has no solution, or there was no time for any.
    """
    best: S | None = None
    is_past = current_deadline()

    def is_over() -> bool:
        return clock.is_over() or is_past()

    if problem.why_infeasible() is None:
        for solver in quick_solvers(problem):
            if not is_over() and _fits(solver, problem, clock):
                try:
                    found = _better(problem, best, _found(solver, problem, budget, clock, best))
                    if tell is not None and found is not None and found is not best:
                        tell(found)
                    best = found
                except (Exception, SystemExit) as error:  # noqa: BLE001  (a start less is no reason to give up)
                    leave_out(*at_fault(solver, error, "asked for a start"))
        improves = algorithms.get(improver) if improver and not _is_tiny(problem) else None
        if improves is not None and best is not None and not is_over() and is_for(improves, problem):
            best = improves.improver(problem).solve(problem, replace(budget, seconds=clock.left()), best).solution
    return best


def _found(solver: Solver[S], problem: Problem[S], budget: Budget, clock: Clock, best: S | None) -> S | None:
    """Return what an approximation finds in time, checked; our own are asked for solutions alone: bounds take time, too."""
    if not isinstance(solver, Algorithm):
        return solver.solve(problem, replace(budget, seconds=clock.left()), best).solution
    ledger: Ledger[S] = Ledger(problem, solver.name, replace(budget, seconds=clock.left()))
    end = clock.seconds() + clock.share_of_left(_ENDS_SHARE)
    with suppress(OutOfTime), within(clock.is_over):
        if isinstance(solver, CellApproximation) and isinstance(problem, CellSuppression):
            found = solver.partition(problem.plain, lambda: clock.seconds() >= end)
            return None if found is None or problem.violations(found) else cast("S", found)
        solver.search(problem.plain, ledger, best)
    return ledger.solution


def _better(problem: Problem[S], best: S | None, found: S | None) -> S | None:
    """Return the cheaper one of two solutions."""
    if found is None:
        return best
    return found if best is None or problem.cost(found) < problem.cost(best) else best


def _is_tiny(problem: Problem[Any]) -> bool:
    return isinstance(problem, CellSuppression) and problem.table.rows <= _FEW_ROWS


class QuickApproximations(Algorithm[Any]):
    """All quick approximations, one after the other: for large tables, beside what has its first release late."""

    name = "quick approximations"
    problems = (CellSuppression,)
    kind = Kind.APPROXIMATE

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Offer what each finds."""
        quick_start(problem, ledger.budget, ledger.clock, tell=ledger.offer)


def start_clock(clock: Clock, problem: Problem[Any], improver: str = "", share: float = SHARE) -> Clock:
    """Return a clock for what a start may take of the time that is left: a share, but `LEAST_S` at least, and `MOST_S` at most.

    A start that an `improver` makes better has a share of its own. A large table has the time to be peeled, if that is no more than
    `_PEELING_SHARE` of what is left. A share of 0 is the least time, also where there is no limit.
    """
    left, (share, most) = clock.left(), _IMPROVING.get(improver, (share, MOST_S))
    if share:
        peeled = _seconds_to_peel(problem)
        most = max(most, peeled)
        share = share if not left else max(share, min(_PEELING_SHARE, peeled / left))
    if not share or (left is not None and share * left <= LEAST_S):
        # Loading the approximations is not counted.
        algorithms.all()
        return _LeastClock()
    return Clock(most if left is None else min(most, share * left))


class _LeastClock(Clock):
    """Counts the processor's seconds of the thread that made it, from 0 to `LEAST_S`; and waiting, so that it ends after `LEAST_WAIT_S`."""

    def __init__(self) -> None:
        super().__init__(LEAST_S)
        self._used = time.thread_time()

    def seconds(self) -> float:
        """Return the seconds that have passed, as they are counted here."""
        return max(time.thread_time() - self._used, super().seconds() * LEAST_S / LEAST_WAIT_S)


def half(clock: Clock) -> Clock:
    """Return a clock for half of what is left: preparing a search must not eat it up."""
    left = clock.left()
    return Clock(None if left is None else left / 2)


def _seconds_to_peel(problem: Problem[Any]) -> float:
    """Return in how many seconds a large table is surely peeled; 0 for others, and where peeling is not tried."""
    if not isinstance(problem, CellSuppression) or len(problem.table.quasi) > _PEELED_COLUMNS:
        return 0.0
    is_large = len(problem.table.records) > _LARGE_RECORDS
    return _looks(problem) / _SURELY_PEELED_A_SECOND if is_large else 0.0


def _looks(problem: CellSuppression) -> int:
    """Return how many pairs of a column set and a record peeling looks at, at most."""
    return (len(problem.table.records) + _RECORDS_A_SET) << len(problem.table.quasi)


def _fits(solver: Solver[Any], problem: Problem[Any], clock: Clock) -> bool:
    left = clock.left()
    if not isinstance(problem, CellSuppression):
        return True
    columns = len(problem.table.quasi)
    can_peel = columns <= _PEELED_COLUMNS and (left is None or _looks(problem) < left * _PEELED_A_SECOND)
    if solver.name == "peel":
        return columns <= _PEELED_COLUMNS
    if solver.name == "mending":
        return can_peel
    if solver.name == "residue":
        is_of_sizes = rows_alone(problem.plain.principle.conditions(problem.table)) is not None
        return not can_peel or (len(problem.table.records) > _SLOWLY_PEELED and not is_of_sizes)
    return left is None or (
        solver.name != "clustering" or len(problem.table.types) ** 2 * columns < left * _PAIRS_A_SECOND
    )
