"""Sifting: cell suppression of tables with tens of thousands of rows, with a bound that is proved and a release close to it.

The program is that of the pattern model, over all closed patterns, but it is never written down. Its Lagrangian dual is raised by passes
over the arcs, and by cuts that fractional solutions violate; every improvement becomes a proof in whole numbers. Releases come from a
greedy start, from annealing along arcs of small reduced cost, and from solving parts of a release again. On small tables a tree of cases
follows. `plan` has the stages in order, each of which says what it does, and docs/engine.md the way through.

References
----------
G. L. Nemhauser and L. A. Wolsey: A recursive procedure to generate all cuts for 0-1 mixed integer programs. Mathematical Programming
46 (1990), for mixed-integer rounding; the cuts are derived in `bound.cuts`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from anoptima.arguments import checked
from anoptima.models.conditions import WITHOUT_CONDITIONS
from anoptima.packages import loading
from anoptima.patterns import why_too_many
from anoptima.principles import rows_alone
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.exact.sifting.lightened import sift_lightened, unit_of
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.rules.of_conditions import why_no_rule
from anoptima.solvers.exact.sifting.searchers import Searcher
from anoptima.solvers.exact.sifting.searchers import searchers as registered
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.starts import INSURANCE_SHARE, quick_start, start_clock

SMALL, PATIENCE = 64, 1.0
"""Tables of at most this many row types are solved before compiled loops are loaded; if that takes longer than these seconds, the loops
are loaded."""
TINY_LOOKS = 256
"""So are, under other principles, where loops have more to do, tables of at most this many pairs of a column set and a record."""


@algorithms.register
class Sifting(Algorithm[Partition]):
    """Optimal cell suppression by multipliers, cuts, a core program and search; its bound has a proof.

    A study may leave parts of the method out: `Sifting(without={Part.CUTS})`. The searchers of plug-ins take turns with its own search,
    or those that are given instead: `Sifting(searchers=[])`.
    """

    name = "sifting"
    family = "sifting"
    kind = Kind.EXACT
    gives_proofs = True
    uses_start = True

    @checked
    def __init__(self, without: Collection[Part] = frozenset(), searchers: Sequence[Searcher] | None = None) -> None:
        self._without = frozenset(without)
        self._searchers = searchers

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression under conditions that rules are known for, of tables whose patterns can be listed."""
        if not isinstance(problem, CellSuppression):
            return f"{self.name} is for cell-suppression, not for {problem.name}"
        unknown = why_no_rule(problem.plain.principle, problem.table)
        if unknown is not None:
            return f"{self.name} prices groups by rules, and {unknown}; {WITHOUT_CONDITIONS}"
        return why_too_many(problem)

    def seeks_proof(self, problem: Problem[Any]) -> bool:
        """It goes on to multipliers where the table is small: a proof that people can read, as good as at hand."""
        return isinstance(problem, CellSuppression) and len(problem.table.records) <= SMALL

    def search(self, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Find the best release and the best proved bound that time allows."""
        unit = unit_of(problem)
        if unit > 1:
            sift_lightened(problem, unit, ledger, lambda problem, ledger: self._run(problem, ledger, started=True))
        else:
            self._run(problem, ledger, started=start is not None)

    def _run(self, problem: CellSuppression, ledger: Ledger[Partition], *, started: bool) -> None:
        # HiGHS is imported by those who need it only.
        from anoptima.solvers.compiling.loops import KERNELS, PRINCIPLED, is_ready, loops
        from anoptima.solvers.compiling.turns import in_turns

        with loading():
            from anoptima.solvers.exact.sifting.run import run

        # A release that comes with a proof is one that an earlier run was content with.
        resumed = started and ledger.proof is not None
        table, is_of_size = problem.table, rows_alone(problem.principle.conditions(problem.table)) is not None
        small = len(table.types) <= SMALL if is_of_size else len(table.records) << len(table.quasi) <= TINY_LOOKS

        def turn(again: bool) -> None:
            run(
                problem,
                ledger,
                started=again or started,
                resumed=resumed,
                without=self._without,
                searchers=registered.all() if self._searchers is None else self._searchers,
            )

        modules = KERNELS if is_of_size else PRINCIPLED
        if not (started or small or is_ready(*(loop.function for loop in loops(modules)), at_hand=True)):
            # Loading takes seconds, and on a busy machine ten times as many: a release must not wait for that.
            clock = start_clock(ledger.clock, problem, share=INSURANCE_SHARE)
            quick_start(problem, ledger.budget, clock, tell=ledger.offer)
        in_turns(ledger, modules, turn, patience=PATIENCE if small else 0.0)
