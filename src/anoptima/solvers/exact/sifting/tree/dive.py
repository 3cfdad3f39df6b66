"""Following a case of a tree down (`tree.by_pattern`): on the side that seems to gain less, until what is left of it proves enough.

The core program then changes by little from one case to the next. Patterns are chosen by what deciding them has gained before, in this case
or another (`tree.pseudo_costs`: a decision changes the solution near it, whatever is decided elsewhere), and those without a past are tried
out. Cuts are looked for where a decision has changed the solution: first among those that were found anywhere in the tree, then new ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.bound.core import Core, Relaxed
from anoptima.solvers.exact.sifting.bound.cuts import Row
from anoptima.solvers.exact.sifting.bound.separation import LEAST_VIOLATION
from anoptima.solvers.exact.sifting.proofs import Case, Fixed
from anoptima.solvers.exact.sifting.tree.pseudo_costs import OPEN, SHUT, TINY, WHOLE

if TYPE_CHECKING:
    from anoptima.solvers.exact.sifting.tree.by_pattern import TreeByPattern

ROUNDS = 6
"""Times that a case's core is solved again, with what it lacked."""
CUT_ROUNDS = 2
"""Rounds of cuts in a case; the next one is worth it if the last has gained so much of what is wanted still, or so much at all:"""
CUT_SHARE, CUT_LEAST = 0.05, 1e-3
ENOUGH_KNOWN = 10
"""If so many cuts that were found before are violated, new ones are not looked for."""
FIRST_TRIALS, TRIALS = 24, 1
"""Patterns without a past that are tried out before one is branched on, in the first case and later."""
TRIAL_ITERATIONS = 1000
MOST_SLACK = 2
"""Cuts are taken out of the core once there are so many times as many as at first."""


class Dive:
    """Takes cases of a tree up, with a core of its own."""

    def __init__(self, tree: TreeByPattern, core: Core) -> None:
        self._tree = tree
        self._arcs = tree.catalogue.arcs
        self._core = core
        self._price_of_shortfall = 10.0 * float(self._arcs.cost.max(initial=1))
        self._most_rows = MOST_SLACK * len(core.rows) + 100
        self._opened: set[int] = set()
        self._seen = np.zeros(len(self._arcs.cost))
        core.add_shortfall(self._price_of_shortfall)
        core.expect_changes()

    def follow(self, case: Case, target: int) -> None:
        """Take a case up, then one side of it, and so on until one proves `target` or it is over; leave the other sides for later."""
        tree = self._tree
        self._catch_up(case)
        before: tuple[float, float] | None = None
        while True:
            case, relaxed = self._examine(case, target)
            if case.proved >= target or tree.around.is_over():
                tree.leave(case)
                return
            pattern = self._any_free(case.fixed)
            if relaxed is not None:
                tree.around.hint(relaxed.x)
                if before is not None:
                    decided, is_open = case.fixed[-1]
                    tree.past.note(decided, is_open, relaxed.value - before[0], before[1])
                chosen = self._choose(case.fixed, relaxed)
                if chosen is None:
                    # The solution is whole, so it is one of the problem, and its cost is what this case comes to.
                    tree.tell_whole(relaxed)
                    if case.proved >= tree.around.wanted():
                        pattern = None
                else:
                    pattern = chosen
                    before = relaxed.value, float(relaxed.y[pattern])
            if pattern is None:
                tree.close(case)
                return
            sides = [tree.priced((*case.fixed, (pattern, is_open)), case.at) for is_open in (False, True)]
            if relaxed is None:
                for side in sides:
                    tree.leave(side)
                return
            gains = tree.past.gains(np.array([pattern]), relaxed.y)
            first = int(gains[OPEN, 0] < gains[SHUT, 0])
            tree.leave(sides[1 - first])
            case = sides[first]

    def _examine(self, case: Case, target: int) -> tuple[Case, Relaxed | None]:
        """Bound a case better, with cuts; return it with the solution of the core, None if that was not found."""
        self._allow(case.fixed)
        case, relaxed = self._solved(case, target)
        for _ in range(CUT_ROUNDS):
            if relaxed is None or case.proved >= target or not self._cut(relaxed):
                break
            before = relaxed.value
            case, relaxed = self._solved(case, target)
            wanted = target / self._tree.d - before
            if relaxed is None or relaxed.value - before < max(CUT_LEAST, CUT_SHARE * wanted):
                break
        return case, relaxed

    def _solved(self, case: Case, target: int) -> tuple[Case, Relaxed | None]:
        """Solve the core, with what it lacks; return the case with the best multipliers, and the last solution."""
        relaxed = None
        for _ in range(ROUNDS):
            relaxed = self._core.solve()
            if relaxed is None:
                break
            found, missing = self._weigh(case.fixed, relaxed)
            if found.proved > case.proved:
                case = found
            self._tree.needed[missing] = True
            if case.proved >= target or not self._core.add_arcs(missing):
                break
            self._core.fix(dict(case.fixed))
        return case, relaxed

    def _catch_up(self, case: Case) -> None:
        """Add the arcs that anybody has needed, and the cuts that what is known of a case rests on."""
        self._core.add_arcs(np.flatnonzero(self._tree.needed))
        self._core.add_cuts(self._lacking([self._tree.rows[place] for place in np.flatnonzero(case.at.prices)]))

    def _cut(self, relaxed: Relaxed) -> int:
        """Look for cuts where the solution is another one than when they were looked for last; return how many were added."""
        changed = np.abs(relaxed.y - self._seen) > TINY
        self._seen = relaxed.y
        near = np.zeros(len(self._arcs.copies), dtype=np.bool_)
        near[self._arcs.member[(relaxed.x > TINY) & changed[self._tree.catalogue.pattern_of]]] = True
        if not near.any():
            return 0
        known = self._violated_before(relaxed)
        new = self._tree.around.separate(relaxed.x, relaxed.y, near) if len(known) < ENOUGH_KNOWN else []
        self._tree.enter(new)
        rows = known + new
        if rows and len(self._core.rows) > self._most_rows:
            self._core.drop_slack(relaxed.x, relaxed.y)
        self._core.add_cuts(rows)
        return len(rows)

    def _violated_before(self, relaxed: Relaxed) -> list[Row]:
        """Return cuts that were found before, are not in the core, and are violated."""
        others = self._lacking(list(self._tree.rows))
        return [row for row in others if row.slack(relaxed.x, relaxed.y) < -LEAST_VIOLATION]

    def _lacking(self, rows: Sequence[Row]) -> list[Row]:
        """Return those of the cuts that are not in the core."""
        there = {id(row) for row in self._core.rows}
        return [row for row in rows if id(row) not in there]

    def _allow(self, fixed: Fixed) -> None:
        """Set the core to a case."""
        self._prepare([pattern for pattern, is_open in fixed if is_open])
        self._core.fix(dict(fixed))

    def _prepare(self, patterns: Sequence[int]) -> None:
        """Let the groups of patterns that are to be opened for the first time stay too small, at a price."""
        opened = np.array([pattern for pattern in patterns if pattern not in self._opened], dtype=np.int64)
        if len(opened):
            self._opened.update(opened.tolist())
            self._core.add_shortfall(self._price_of_shortfall, opened)

    def _weigh(self, fixed: Fixed, relaxed: Relaxed) -> tuple[Case, NDArray[np.int64]]:
        """Return what multipliers prove of a case, and the arcs that the core lacks for it."""
        at = relaxed.multipliers
        case = self._tree.valued(fixed, at, self._core.rows)
        if case.proved >= (relaxed.value - TINY) * self._tree.d:
            return case, np.zeros(0, dtype=np.int64)
        terms = self._tree.none.of(self._core.rows)
        charge, surcharge = terms.charges(at.prices)
        values, least = terms.kernels.opened(self._arcs, at.worth, charge, surcharge)
        counts = values < -TINY
        for pattern, is_open in fixed:
            counts[pattern] = is_open
        lengths = np.diff(self._arcs.start)
        gain = at.worth[self._arcs.member] - np.repeat(self._arcs.cost, lengths)
        if surcharge is not None:
            gain -= surcharge
        return case, np.flatnonzero(
            np.repeat(counts, lengths) & (gain >= np.repeat(np.minimum(least, 0), lengths) - TINY)
        )

    def _any_free(self, fixed: Fixed) -> int | None:
        """Return some pattern of the core that is not fixed."""
        settled = {pattern for pattern, _ in fixed}
        patterns = np.unique(self._tree.catalogue.pattern_of[self._core.chosen()])
        return next((int(p) for p in patterns if int(p) not in settled), None)

    def _choose(self, fixed: Fixed, relaxed: Relaxed) -> int | None:
        """Return the pattern whose two sides both raise the value most, by its past or tried out; None if all are whole."""
        past = self._tree.past
        undecided = np.flatnonzero(np.minimum(relaxed.y, 1 - relaxed.y) > WHOLE)
        if not len(undecided):
            return None
        weight = np.bincount(self._tree.catalogue.pattern_of, relaxed.x, len(relaxed.y))
        distance = np.minimum(relaxed.y, 1 - relaxed.y) * (1 + weight)
        order = undecided[np.argsort(-distance[undecided], kind="stable")]
        unknown = [p for p in order.tolist() if not past.knows(p)][: TRIALS if fixed else FIRST_TRIALS]
        self._prepare(unknown)
        for pattern in unknown:
            for is_open in (False, True):
                self._allow((*fixed, (pattern, is_open)))
                tried = self._core.glance(TRIAL_ITERATIONS)
                past.note(pattern, is_open, tried - relaxed.value, float(relaxed.y[pattern]))
        wanted = self._tree.around.wanted() / self._tree.d - relaxed.value
        return int(undecided[np.argmax(past.worthwhile(undecided, relaxed.y, wanted))])
