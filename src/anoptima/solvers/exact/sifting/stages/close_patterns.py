"""Closing the gap under rules: the pattern model over the patterns that a better release could open, if there are few enough, on HiGHS.

A pattern that is opened although its best group is worth F_p < 0 makes a release cost at least L - F_p. Restricted to patterns with
-F_p <= d, an optimum UB_d is the optimum as soon as L + d >= UB_d - 1 (in steps of cost). What the backend says is then proved by cases,
where these are few enough.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from anoptima.answer import Event, Incumbent, Log, Origin, Stop
from anoptima.exact import Exact
from anoptima.models.conditions import why_not_stated
from anoptima.models.pattern import BuiltPattern, size_of_program
from anoptima.patterns import Patterns
from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.exact.sifting.kernels.pricing import TINY
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases.release import release_of
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

MOST_ARCS = 60_000
"""Of the first search; each later one may have twice as many as the one before."""
BACKEND = "highs"


class ClosePatterns(Stage[StandingUnderRules]):
    """Search among ever more patterns, each turn up to twice as many arcs, and for twice as long.

    Many are too many in the first place; but without a limit on time, a search that ends is wanted in the end.
    """

    part = Part.CLOSING

    def __init__(self, standing: StandingUnderRules, branch: BranchBySize) -> None:
        super().__init__(standing)
        self._branch = branch
        self._most_arcs = MOST_ARCS

    def run(self, limit: float) -> None:
        """Search; the run is done if nothing is left."""
        asked = self.standing.instance.asked
        unknown = why_not_stated(asked.principle, asked.table)
        if unknown is not None:
            self.standing.ledger.notes.append(f"what is left was not searched to its end: {unknown}")
        self.standing.is_done = unknown is not None or self._close(limit)
        self._most_arcs *= 2

    def _close(self, limit: float) -> bool:
        """Tell whether nothing is left to do; prove what a search says for `limit` seconds at most."""
        standing, instance, search = self.standing, self.standing.instance, self.standing.search
        problem, patterns = instance.problem, instance.patterns
        lengths = np.diff(patterns.start)
        reach: float = instance.unit
        while not standing.is_over():
            best = standing.published
            search.take(best)
            gap = search.cost - standing.point.value
            reach = min(reach, gap)
            chosen = standing.forced <= reach + TINY
            chosen[np.unique(patterns.pattern_of_arc[best.arc])] = True
            arcs = int(lengths[chosen].sum())
            if arcs > self._most_arcs:
                return False
            standing.ledger.log(
                f"a search over {arcs:,} arcs that cost up to {reach:,.2f} more, with {gap:,.2f} to close"
            )
            least = self._least_cost(patterns.only(chosen), limit)
            # Beyond these patterns everything costs at least L + reach.
            beyond = standing.point.value + reach
            scaled = -np.inf if least is None else float(least * problem.cost_scale)
            enough = search.cost - instance.step_of_cost + TINY
            if beyond > enough and least is not None:
                if standing.uses(Part.TREE) and self._branch.why_not_settle() is None:
                    self._branch.settle(limit)
                claimed = min(least, problem.unscale(search.cost))
                standing.ledger.raise_bound(claimed, Origin.BACKEND, BACKEND)
                return min(scaled, beyond) >= enough
            if least is None or scaled < search.cost:
                return False
            reach *= 2
        return True

    def _take(self, partition: Partition) -> None:
        standing = self.standing
        standing.ledger.offer(partition, BACKEND)
        standing.search.take(release_of(standing.instance.problem, standing.instance.patterns, partition))

    def _least_cost(self, patterns: Patterns, limit: float) -> Exact | None:
        """Return a value that the backend says, in `limit` seconds, no release with these patterns is below; None if it says nothing.

        Takes what it finds. Starts from the ledger's release, whose patterns must be among them.
        """
        problem, ledger = self.standing.instance.problem, self.standing.ledger
        conditions = problem.principle.conditions(problem.table)
        built = BuiltPattern(problem, size_of_program(patterns, conditions), conditions, patterns)
        assert ledger.solution is not None

        def hear(event: Event) -> bool:
            if isinstance(event, Incumbent) and event.solution is not None:
                self._take(built.decode(np.asarray(event.solution, dtype=float)))
            elif isinstance(event, Log):
                ledger.log(event.line)
            return ledger.cancelled or ledger.is_closed()

        budget = replace(ledger.budget, seconds=self.standing.seconds(limit))
        outcome = get_backend(BACKEND).solve(built, budget, built.encode(ledger.solution), hear)
        if outcome.values is not None:
            self._take(built.decode(np.asarray(outcome.values, dtype=float)))
        built.discard()
        if outcome.bound is None or outcome.stop is Stop.FAILED:
            return None
        return problem.unscale(math.ceil(outcome.bound))
