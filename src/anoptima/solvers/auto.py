"""What `auto` chooses: by what a problem asks and how large it is, never by its name; the figures are those of `benchmarks.auto`.

Cell suppression of a dozen rows goes to `subset-dp`, which is done at once. Larger tables go to `sifting`, which has the best bounds
under every principle that it is for, each with a proof. Beside it, small questions go to the pattern program on HiGHS, which proves
some optima that sifting does not reach, and tables of few rows and many columns to `group-prices` and `subset-dp`. Where listing the
patterns takes much of the time, a search runs beside sifting. Where they cannot be listed in time, tables go to `group-prices` with
`near-patterns` beside it; under other principles, or if rows are many, to `near-patterns` alone; or to `local-search`, where single rows
may be groups, with `simplex-matching` beside it where groups of two and three are enough. Everything else goes to an exact algorithm that
is for it, or to the first model that fits, on the first backend that is here.
"""

from __future__ import annotations

from typing import Any, TypeVar

from anoptima.answer import Budget, Clock
from anoptima.machine import usable_threads
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.choices.asked import Asked
from anoptima.solvers.choices.cells import choose_for_cells
from anoptima.solvers.choices.choice import Choice
from anoptima.solvers.choices.others import choose_proving, choose_that_fits
from anoptima.solvers.starts import half

S = TypeVar("S")


def choose(problem: Problem[S], budget: Budget, clock: Clock, proof: bool | None) -> Choice[S]:
    """Return what answers `problem` best in the time that `clock` has left.

    `proof` is that of `solve`: True asks for solvers whose bounds come with proofs, where there is one.

    >>> import anoptima as ao
    >>> choose(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), Budget(), Clock(), True).reason
    'auto chose subset-dp: it proves optimality at once, by trying every partition of so few rows'
    """
    threads = usable_threads() if budget.threads is None else budget.threads
    chosen: Choice[Any] | None = None
    if isinstance(problem, CellSuppression):
        chosen = choose_for_cells(Asked(problem, clock.left(), threads, proof))
    if chosen is None and proof:
        chosen = choose_proving(problem)
    return choose_that_fits(problem, budget, half(clock)) if chosen is None else chosen


def comes_to(problem: Problem[Any]) -> str:
    """Say what a problem's principle amounts to, if that is less than it says; '' if not.

    >>> import anoptima as ao
    >>> comes_to(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3) & ao.KAnonymity(2)))
    '3-anonymity and 2-anonymity amount to 3-anonymity'
    """
    if not isinstance(problem, TableProblem) or problem.plain is problem:
        return ""
    amounts = "amount" if len(problem.principle.parts) > 1 else "amounts"
    return f"{problem.principle} {amounts} to {problem.plain.principle}"
