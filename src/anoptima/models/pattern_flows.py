"""The pattern program with closeness stated by flows, where the values hang in a tree and flows are not needed.

The program of `pattern`, except that t-closeness in an equal, ordered, numeric or hierarchical space is stated as in a space of any
distances (Liang and Yuan 2013, Theorem 9, in whole numbers). If a group has s rows, s_i of them with value i, and the table n rows, n_j of
them with value j, then with F_ij the flow from i to j, times s n:

    (flow out)  sum_j F_ij = n s_i
    (flow in)   sum_i F_ij = n_j s
    (limit)     sum_ij d_ij F_ij <= t n s

It has M^2 flows per pattern instead of one surplus per edge of the tree: it checks the leaner form, and does not
compete with it.

Size, for P closed patterns, A pairs r ~ p and M sensitive values: that of `pattern`, and for closeness P + A (M + 1) variables, P (M + 2)
+ 2 A rows and P (M + 2) + A (3 M + 4) coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.pattern import PatternModel
from anoptima.principles import CloseOnTree, Condition
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression


@models.register
class PatternFlowsModel(PatternModel):
    """Rows to closed patterns, and flows between distributions; for cell suppression under t-closeness on a tree."""

    name = "pattern-flows"

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression where it differs from the pattern model."""
        if isinstance(problem, CellSuppression) and not any(
            isinstance(condition, CloseOnTree) for condition in super().conditions(problem)
        ):
            return (
                "the pattern-flows model is for t-closeness in an equal, ordered, numeric or hierarchical space; "
                f"for {problem.principle} it is the pattern model"
            )
        return super().why_not(problem)

    def conditions(self, problem: CellSuppression) -> list[Condition]:
        """Return the principle's conditions, closeness by flow."""
        return [
            condition.by_flow() if isinstance(condition, CloseOnTree) else condition
            for condition in super().conditions(problem)
        ]
