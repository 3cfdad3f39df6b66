"""Who is for principles that groups may satisfy one by one and not together."""

from __future__ import annotations

from typing import Any

from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem


def why_not_merging(problem: Problem[Any], name: str) -> str | None:
    """Say that the solver called `name` relies on a merge-closed principle, where the problem has another; None where it may.

    >>> from anoptima import CellSuppression, KAnonymity, ten_rows
    >>> why_not_merging(CellSuppression(ten_rows(), KAnonymity(2)), "peel") is None
    True
    """
    if not isinstance(problem, TableProblem) or problem.is_merge_closed:
        return None
    return (
        f"{name} joins groups, and {problem.principle} is not merge-closed: two groups may satisfy it, and not together; "
        "for cell-suppression, subset-dp, lattice and peel ask every group that is published"
    )
