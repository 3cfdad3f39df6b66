"""The weaker and the stricter question around one whose principle has no pricing rule: both can be priced."""

from __future__ import annotations

from collections.abc import Callable

from anoptima.implied_principles import stricter_principle, weaker_principle
from anoptima.principles import Principle, rows_alone
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.rules.of_conditions import why_no_rule
from anoptima.table import Table


def why_not_between(problem: CellSuppression, name: str) -> str | None:
    """Return why a solver called `name`, for principles that have no rule and imply one that has, is not for a problem; None if it is."""
    principle, table = problem.plain.principle, problem.table
    if why_no_rule(principle, table) is None:
        return f"{name} is for principles without a rule of pricing, and sifting prices {principle} as it is"
    if rows_alone(weaker_question(problem.plain).principle.conditions(table)) == 1:
        return f"{name} looks at what a principle implies, and of {principle} nothing is known to follow"
    return None


def is_priced(part: Principle, table: Table) -> bool:
    """Tell whether sifting prices what a part of a principle asks."""
    return why_no_rule(part, table) is None


def weaker_question(
    problem: CellSuppression, is_known: Callable[[Principle, Table], bool] = is_priced
) -> CellSuppression:
    """Return the question under what the principle implies of parts that are known: its bounds hold here.

    >>> from anoptima import EntropyDiversity, ten_rows
    >>> print(weaker_question(CellSuppression(ten_rows(), EntropyDiversity(2)), lambda part, table: False).principle)
    distinct 2-diversity of disease
    """
    table = problem.table
    return CellSuppression(table, weaker_principle(problem.principle, table, lambda part: is_known(part, table)))


def stricter_question(problem: CellSuppression) -> CellSuppression | None:
    """Return the question under a principle that implies this one: its releases hold here. None if there is none, or no solution of it."""
    principle = stricter_principle(problem.principle, problem.table, lambda part: is_priced(part, problem.table))
    if principle is None or why_no_rule(principle, problem.table) is not None:
        return None
    stricter = CellSuppression(problem.table, principle)
    return stricter if stricter.why_infeasible() is None else None
