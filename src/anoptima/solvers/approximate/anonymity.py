"""What the approximations of k-anonymity share: what they are for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from anoptima.principles import Splitting
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.approximate.approximation import CellApproximation


class AnonymityApproximation(CellApproximation):
    """An approximation of cell suppression under k-anonymity alone, with any weights."""

    def why_not(self, problem: Any) -> str | None:
        """It is for cell suppression under what comes to k-anonymity."""
        reason = super().why_not(problem)
        if reason is None and problem.plain.principle.splitting is not Splitting.ANYWHERE:
            return f"{self.name} is for k-anonymity alone, not for {problem.principle}"
        return reason


def least_size(problem: Problem[Any]) -> int:
    """Return k.

    >>> from anoptima import KAnonymity, ten_rows
    >>> least_size(CellSuppression(ten_rows(), KAnonymity(3) & KAnonymity(2)))
    3
    """
    assert isinstance(problem, CellSuppression)
    return problem.plain.principle.least_size(problem.table)


def harmonic(x: int) -> Fraction:
    """Return H_x = 1 + 1/2 + ... + 1/x.

    >>> harmonic(3)
    Fraction(11, 6)
    """
    return sum((Fraction(1, i) for i in range(1, x + 1)), start=Fraction(0))
