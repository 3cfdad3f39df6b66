"""Branching on patterns: a tree of cases, each closed by multipliers of its own, until the best release known is the best there is.

A case fixes some patterns as open (they have a group) or shut (they have none). With that, a shut pattern adds nothing to the Lagrangian
bound and an open one its value v_p whatever its sign, and all else stays as it was (`bound.ascent`). If every pattern is fixed, what is
left is a transport, whose vertices are whole, and every whole publication satisfies the cuts: a tree never has to decide on single arcs,
and it ends. What is proved at any time is the least bound of all cases that are left, and their multipliers are the proof.

The least proved case is taken up and followed down, on the side that seems to gain less, until each of what it falls into proves the next
cost that there could be: the tree as a whole then proves one such step after the other, and is left at any time with about the best proof
of its size. The core program changes by little from one case to the next. As many threads as there may be take cases up, each with a core
of its own; cuts, and what patterns have gained, they share.

Patterns are chosen by what deciding them has gained before, in this case or another (`tree.pseudo_costs`: a decision changes the solution
near it, whatever is decided elsewhere), and those without a past are tried out. Cuts are looked for where a decision has changed the
solution: first among those that were found anywhere in the tree, then new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import distinct
from anoptima.solvers.exact.sifting.arcs import TINY, Numbers
from anoptima.solvers.exact.sifting.bound.core import Core, Relaxed
from anoptima.solvers.exact.sifting.bound.cuts import LEAST_VIOLATION, Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.tree.cases import CaseOfPatterns, Fixed
from anoptima.solvers.exact.sifting.tree.pseudo_costs import OPEN, SHUT, PseudoCosts
from anoptima.solvers.exact.sifting.tree.tree import Tree

ROUNDS = 6
"""Times that a case's core is solved again, with what it lacked."""
CUT_ROUNDS, CUT_SHARE, CUT_LEAST = 2, 0.05, 1e-3
"""Rounds of cuts in a case; another round if the last has gained this share of what is still wanted, and at least this scaled cost."""
ENOUGH_KNOWN = 10
"""If at least this many known cuts are violated, new ones are not looked for."""
FIRST_TRIALS, TRIALS = 24, 1
"""Patterns without a past that are tried out before one is branched on, in the first case and later."""
TRIAL_ITERATIONS = 1000
"""Steps of the dual simplex method in a trial, which ends early rather than well."""
MOST_DECISIONS = 300
"""A case that says more is not taken further: documents have 500 levels at most, and Python about as many calls of a proof's writer. None
of a few hundred rows has come to 25 within half a minute."""
MOST_SLACK = 2
"""Cuts are taken out of the core once their number has grown by this factor."""


@dataclass(eq=False)
class Around:
    """What a tree asks of the run that it grows in, and tells it.

    Attributes
    ----------
    is_over
        Whether to leave the tree as it is, for now.
    wanted
        D times the bound that is enough.
    on_whole
        Is told, by one thread at a time, of solutions of a core in which every pattern is open or shut.
    separate
        Returns cuts that a solution violates, with sets of the records that it is told.
    hint
        Hears of the solutions of cases, by arc.
    """

    is_over: Callable[[], bool]
    wanted: Callable[[], int]
    on_whole: Callable[[Relaxed], None]
    separate: Callable[[Numbers, Numbers, NDArray[np.bool_]], list[Row]]
    hint: Callable[[Numbers], None]


class TreeByPattern(Tree[CaseOfPatterns]):
    """A search tree over the patterns of core programs, which nobody else uses: one for each thread."""

    def __init__(self, instance: Instance, kernels: ModuleType, cores: Sequence[Core], around: Around) -> None:
        super().__init__(around.is_over, lambda case: case.proved)
        self.instance, self.around = instance, around
        arcs = instance.arcs
        self._exact = arcs.times(instance.d)
        self.none = Terms(arcs, kernels)
        self.rows: list[Row] = list(cores[0].rows)
        """All cuts that a case may have prices for, in the order of its prices. They hold everywhere."""
        self._place = {id(row): place for place, row in enumerate(self.rows)}
        self.needed = np.logical_or.reduce([core.chosen() for core in cores])
        """The arcs that any of the cores has, or will have when its next case is taken up."""
        self.pseudo_costs = PseudoCosts(len(arcs.cost))
        nothing = np.zeros(len(arcs.copies), dtype=np.int64)
        self.leave(self.priced((), Multipliers(nothing, np.zeros(len(self.rows), dtype=np.int64))))
        self.branchers = [ByPattern(self, core) for core in cores]

    def go_on_from(self, rows: Sequence[Row], ends: Sequence[tuple[Fixed, Multipliers]]) -> None:
        """Begin with the cases of an earlier tree in place of the whole, each with its multipliers in parts of D, priced for `rows`."""
        self.enter([row for row in rows if id(row) not in self._place])
        places = [self._place[id(row)] for row in rows]
        self.cases.clear()
        for fixed, at in ends:
            prices = np.zeros(len(self.rows), dtype=np.int64)
            prices[places] = at.prices
            self.leave(self.priced(fixed, Multipliers(at.worth, prices)))
        decided = np.zeros(len(self._exact.cost), dtype=np.bool_)
        decided[[pattern for fixed, _ in ends for pattern, _ in fixed]] = True
        # A core can fix the patterns that it has arcs of.
        self.needed |= decided[self.instance.arcs.pattern_of]

    @property
    def wanted(self) -> int:
        """D times the bound that is enough."""
        return self.around.wanted()

    def target(self, case: CaseOfPatterns) -> int:
        """Return D times a bound that says more than the case does: the first above the next cost, or what is wanted."""
        step = self.instance.step_of_cost * self.instance.d
        return min(self.wanted, -(-case.proved // step) * step + 1)

    def enter(self, rows: Sequence[Row]) -> None:
        """Take new cuts in."""
        with self._turn:
            for row in rows:
                self._place[id(row)] = len(self.rows)
                self.rows.append(row)

    def tell_whole(self, relaxed: Relaxed) -> None:
        """Tell of a solution that is whole."""
        with self._turn:
            self.around.on_whole(relaxed)

    def valued(self, fixed: Fixed, at: Multipliers, rows: Sequence[Row]) -> CaseOfPatterns:
        """Return the case with the bound of multipliers in floats, whose prices are of these rows."""
        whole, prices = at.in_parts(self.instance.d), np.zeros(len(self.rows), dtype=np.int64)
        prices[[self._place[id(row)] for row in rows]] = whole.prices
        return self.priced(fixed, Multipliers(whole.worth, prices))

    def priced(self, fixed: Fixed, at: Multipliers) -> CaseOfPatterns:
        """Return the case with the bound that multipliers in parts of D prove of it."""
        arcs = self._exact
        priced = np.flatnonzero(at.prices)
        terms = self.none.of(self.rows[place] for place in priced)
        charge, surcharge = terms.charges(at.prices[priced])
        values, _ = terms.kernels.opened(arcs, at.worth, charge, surcharge)
        counted: Numbers = np.minimum(values, 0)
        for pattern, is_open in fixed:
            counted[pattern] = values[pattern] if is_open else 0
        total = int(arcs.copies @ at.worth) + int(counted.sum()) - int(terms.most @ at.prices[priced])
        return CaseOfPatterns(fixed, at, total)


class ByPattern:
    """Bounds cases of a tree and divides them, with a core of its own."""

    def __init__(self, tree: TreeByPattern, core: Core) -> None:
        self._tree = tree
        self._arcs, self._d = tree.instance.arcs, tree.instance.d
        self._core = core
        self._price_of_shortfall = 10.0 * float(self._arcs.cost.max(initial=1))
        self._most_rows = MOST_SLACK * len(core.rows) + 100
        self._opened: set[int] = set()
        self._before: tuple[float, float] | None = None
        """The value where a pattern was decided last, and how open that was."""
        self._seen = np.zeros(len(self._arcs.cost))
        core.add_shortfall(self._price_of_shortfall)
        core.expect_changes()

    def begin(self, case: CaseOfPatterns) -> None:
        """Add the arcs that anybody has needed, and the cuts that what is known of a case rests on."""
        self._before = None
        self._core.add_arcs(np.flatnonzero(self._tree.needed))
        self._core.add_cuts(self._lacking([self._tree.rows[place] for place in np.flatnonzero(case.at.prices)]))

    def examine(self, case: CaseOfPatterns, target: float) -> tuple[CaseOfPatterns, Relaxed | None]:
        """Bound a case better, with cuts; return it with the solution of the core, None if that was not found."""
        self._allow(case.fixed)
        case, relaxed = self._solved(case, target)
        for _ in range(CUT_ROUNDS):
            if relaxed is None or case.proved >= target or not self._cut(relaxed):
                break
            before = relaxed.value
            case, relaxed = self._solved(case, target)
            wanted = target / self._d - before
            if relaxed is None or relaxed.value - before < max(CUT_LEAST, CUT_SHARE * wanted):
                break
        return case, relaxed

    def divide(self, case: CaseOfPatterns, solution: Relaxed | None) -> list[CaseOfPatterns]:
        """Return the two sides of the pattern that is decided, first the one that seems to gain less."""
        if len(case.fixed) >= MOST_DECISIONS:
            return []
        tree, before, self._before = self._tree, self._before, None
        pattern = self._any_free(case.fixed)
        if solution is not None:
            tree.around.hint(solution.x)
            if before is not None:
                decided, is_open = case.fixed[-1]
                tree.pseudo_costs.note(decided, is_open, solution.value - before[0], before[1])
            chosen = self._choose(case.fixed, solution)
            if chosen is not None:
                pattern, self._before = chosen, (solution.value, float(solution.y[chosen]))
            else:
                # The solution is whole, so it is one of the problem, and its cost is what this case comes to.
                tree.tell_whole(solution)
                if tree.is_enough(case):
                    return []
        if pattern is None:
            return []
        sides = [tree.priced((*case.fixed, (pattern, is_open)), case.at) for is_open in (False, True)]
        if solution is not None:
            gains = tree.pseudo_costs.gains(np.array([pattern]), solution.y)
            if gains[OPEN, 0] < gains[SHUT, 0]:
                sides.reverse()
        return sides

    def _solved(self, case: CaseOfPatterns, target: float) -> tuple[CaseOfPatterns, Relaxed | None]:
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

    def _cut(self, relaxed: Relaxed) -> int:
        """Look for cuts where the solution is another one than when they were looked for last; return how many were added."""
        changed = np.abs(relaxed.y - self._seen) > TINY
        self._seen = relaxed.y
        near = np.zeros(len(self._arcs.copies), dtype=np.bool_)
        near[self._arcs.member[(relaxed.x > TINY) & changed[self._arcs.pattern_of]]] = True
        if not near.any():
            return 0
        # Those that were found before, anywhere in the tree.
        others = self._lacking(list(self._tree.rows))
        known = [row for row in others if row.slack(relaxed.x, relaxed.y) < -LEAST_VIOLATION]
        new = self._tree.around.separate(relaxed.x, relaxed.y, near) if len(known) < ENOUGH_KNOWN else []
        self._tree.enter(new)
        rows = known + new
        if rows and len(self._core.rows) > self._most_rows:
            self._core.drop_slack(relaxed.x, relaxed.y)
        self._core.add_cuts(rows)
        return len(rows)

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

    def _weigh(self, fixed: Fixed, relaxed: Relaxed) -> tuple[CaseOfPatterns, NDArray[np.int64]]:
        """Return what multipliers prove of a case, and the arcs that the core lacks for it."""
        at = relaxed.multipliers
        case = self._tree.valued(fixed, at, self._core.rows)
        if case.proved >= (relaxed.value - TINY) * self._d:
            return case, np.zeros(0, dtype=np.int64)
        look = self._tree.none.of(self._core.rows).look(self._arcs, at)
        counts = look.values < -TINY
        for pattern, is_open in fixed:
            counts[pattern] = is_open
        # Where a pattern is open anyway, its opening costs nothing more.
        beyond = look.reduced - np.maximum(look.values, 0)[self._arcs.pattern_of]
        return case, np.flatnonzero(counts[self._arcs.pattern_of] & (beyond <= TINY))

    def _any_free(self, fixed: Fixed) -> int | None:
        """Return some pattern of the core that is not fixed."""
        settled = {pattern for pattern, _ in fixed}
        patterns = distinct(self._arcs.pattern_of[self._core.chosen()])
        return next((int(p) for p in patterns if int(p) not in settled), None)

    def _choose(self, fixed: Fixed, relaxed: Relaxed) -> int | None:
        """Return the pattern whose two sides both raise the value most, by its past or tried out; None if all are whole."""
        pseudo_costs = self._tree.pseudo_costs
        undecided = np.flatnonzero(np.minimum(relaxed.y, 1 - relaxed.y) > TINY)
        if not len(undecided):
            return None
        weight = np.bincount(self._arcs.pattern_of, relaxed.x, len(relaxed.y))
        distance = np.minimum(relaxed.y, 1 - relaxed.y) * (1 + weight)
        order = undecided[np.argsort(-distance[undecided], kind="stable")]
        unknown = [p for p in order.tolist() if not pseudo_costs.knows(p)][: TRIALS if fixed else FIRST_TRIALS]
        self._prepare(unknown)
        for pattern in unknown:
            for is_open in (False, True):
                if self._tree.around.is_over():
                    break
                self._allow((*fixed, (pattern, is_open)))
                tried = self._core.glance(TRIAL_ITERATIONS)
                pseudo_costs.note(pattern, is_open, tried - relaxed.value, float(relaxed.y[pattern]))
        wanted = self._tree.wanted / self._d - relaxed.value
        return int(undecided[np.argmax(pseudo_costs.worthwhile(undecided, relaxed.y, wanted))])
