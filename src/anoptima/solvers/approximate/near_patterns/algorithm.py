"""Near patterns: cell suppression of tables with too many columns for patterns to be listed, with a proven bound.

Releases come from patterns grown on demand around every row type and its nearest ones (`near_patterns.generated_patterns`): the dual over
those says what each row is worth, rows are published by the patterns that are worth most to them (`near_patterns.greedy_publisher`), and
what is left over begins anew among itself. Then moves of single rows (`local-search`) and regions solved as integer programs
(`releases.regions`) take turns.

The bound begins with the radii of row types, how far it is to enough others, or, where that is more, with the problem's own, of the sizes
that groups can have (`problems.levels`), which proves most small tables. Then it is the dual over those patterns, less what all patterns
gain that are not among them: a walk through the column sets finds these, and they are added (`near_patterns.ceiling_dual`). Of very many
columns a walk takes too long; there, groups of k rows that gain are looked for instead (`near_patterns.group_bound`).

Other principles that ask for groups of two rows or more have the bound for groups of that size, by prices of such groups (`least_groups`)
where rows are few enough, and releases by moves of single rows.
"""

from __future__ import annotations

from typing import Any

from anoptima.principles import rows_alone
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.local_search import LocalSearch
from anoptima.solvers.base import Kind
from anoptima.solvers.exact.sifting.whole_numbers import why_too_heavy
from anoptima.solvers.ledger import Ledger


@algorithms.register
class NearPatterns(Algorithm[Partition]):
    """Cell suppression by patterns of near rows, for many rows and many columns; its bound has a proof.

    No ratio is promised; the bound that comes with an answer says how good it is. O(T^2 m) to find neighbours of T row types.
    """

    name = "near-patterns"
    problems = (CellSuppression,)
    family = "sifting"
    gives_proofs = True
    kind = Kind.APPROXIMATE
    uses_start = True

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression in groups of two rows or more."""
        if not isinstance(problem, CellSuppression):
            return super().why_not(problem)
        principle = problem.plain.principle
        if rows_alone(principle.conditions(problem.table)) is None and principle.least_size(problem.table) < 2:
            return f"{self.name} has a bound for groups of two rows or more, and {principle} allows single rows"
        return LocalSearch().why_not(problem) or why_too_heavy(problem)

    def search(self, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Find the best release and the best proved bound that time allows."""
        from anoptima.solvers.approximate.near_patterns.run import Run
        from anoptima.solvers.compiling.loops import KERNELS, LEAST_GROUPS, NEAR
        from anoptima.solvers.compiling.turns import in_turns

        in_turns(
            ledger,
            (*KERNELS, *LEAST_GROUPS, *NEAR),
            lambda again: Run(problem, ledger).run(started=again or start is not None),
        )
