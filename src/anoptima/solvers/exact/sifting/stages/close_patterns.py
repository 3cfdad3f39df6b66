"""Closing the gap under rules: a search of the patterns that a better release could open, if there are few enough."""

from __future__ import annotations

import numpy as np

from anoptima.answer import Origin
from anoptima.models.conditions import why_not_stated
from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.exact.sifting import close
from anoptima.solvers.exact.sifting.kernels.pricing import TINY
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases.release import release_of
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules


class ClosePatterns(Stage[StandingUnderRules]):
    """Search among ever more patterns, each turn up to twice as many arcs.

    Many are too many in the first place; but without a limit on time, a search that ends is wanted in the end.
    """

    part = Part.CLOSING

    def __init__(self, standing: StandingUnderRules) -> None:
        super().__init__(standing)
        self._most_arcs = close.MOST_ARCS

    def run(self, limit: float) -> None:
        """Search; the run is done if nothing is left."""
        asked = self.standing.instance.asked
        unknown = why_not_stated(asked.principle, asked.table)
        if unknown is not None:
            self.standing.ledger.notes.append(f"what is left was not searched to its end: {unknown}")
        self.standing.is_done = unknown is not None or self._close()
        self._most_arcs *= 2

    def _close(self) -> bool:
        """Tell whether nothing is left to do."""
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
            least = close.least_cost(problem, patterns.only(chosen), standing.ledger, self._take)
            # Beyond these patterns everything costs at least L + reach.
            beyond = standing.point.value + reach
            scaled = -np.inf if least is None else float(least * problem.cost_scale)
            enough = search.cost - instance.step_of_cost + TINY
            if beyond > enough and least is not None:
                claimed = min(least, problem.unscale(search.cost))
                standing.ledger.raise_bound(claimed, Origin.BACKEND, close.BACKEND)
                return min(scaled, beyond) >= enough
            if least is None or scaled < search.cost:
                return False
            reach *= 2
        return True

    def _take(self, partition: Partition) -> None:
        standing = self.standing
        standing.ledger.offer(partition, close.BACKEND)
        standing.search.take(release_of(standing.instance.problem, standing.instance.patterns, partition))
