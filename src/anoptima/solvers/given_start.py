"""The start that a caller gives: a solution of the problem, or something that shows one, such as a release."""

from __future__ import annotations

from typing import Any, TypeVar

from anoptima.answer import Answer
from anoptima.argument_kinds import described
from anoptima.arguments import kind_of
from anoptima.errors import BadInput
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import Partition
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.read_back import read_back

S = TypeVar("S")

_FORMS = "an answer, a release as a DataFrame, or a partition as a list of groups of row numbers"


def given_start(problem: Problem[S], start: Any) -> S:
    """Return the solution that `start` is or shows; `BadInput` says what is wrong with one that is not feasible.

    A release may have its rows in any order: its stars, and the rows that are published alike, make the solution.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(5))
    >>> given_start(problem, [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]).labels.tolist()
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> given_start(problem, [[0], [1, 2, 3, 4, 5, 6, 7, 8, 9]])
    Traceback (most recent call last):
    anoptima.errors.BadInput: start is no solution of this problem: the group of row 1: k = 5 but there is only 1 row
    """
    solution = _shown_by(problem, start)
    if problem.why_infeasible() is None:
        wrong = problem.violations(solution)
        if wrong:
            raise BadInput(f"start is no solution of this problem: {wrong[0]}")
    return solution


def _shown_by(problem: Problem[S], start: Any) -> S:
    kind = kind_of(type(problem).violations, "solution")
    given = start
    if isinstance(start, Answer):
        if start.solution is None:
            raise BadInput(f"start is an answer without a solution: {start}")
        given = start.solution
    elif isinstance(start, pd.DataFrame) and isinstance(problem, TableProblem):
        found = read_back(problem.table, start)
        if found.wrong:
            raise BadInput(f"start is no release of this table: {found.wrong[0]}")
        given = problem.solution_of_release(found.release)
    elif isinstance(start, list | tuple) and kind is not None and kind.ours is Partition:
        try:
            given = Partition.from_groups(list(start), problem.size()["rows"])
        except BadInput as error:
            raise BadInput(f"start is no partition of this table's rows: {error}") from None
    if kind is not None and not kind.takes(given):
        raise BadInput(f"start is {described(start)}; it must be a solution ({kind.words}), {_FORMS}")
    return given  # type: ignore[no-any-return]
