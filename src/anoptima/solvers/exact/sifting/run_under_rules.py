"""One run of `sifting` under principles other than k-anonymity alone: what is done in which order, and when it ends."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from anoptima.answer import Origin
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import close as closing
from anoptima.solvers.exact.sifting.bound.ascent_under_rules import FIRST_STEP, ascend, dual_of, first_worths
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.proofs_under_rules import proof_at, proof_by_cases
from anoptima.solvers.exact.sifting.releases import move_rows as shifting
from anoptima.solvers.exact.sifting.releases import repair as settling
from anoptima.solvers.exact.sifting.releases.background_under_rules import Shared, beside
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.releases.region_program_under_rules import Program, Region, Relaxed
from anoptima.solvers.exact.sifting.releases.regions import SECONDS
from anoptima.solvers.exact.sifting.releases.regions_under_rules import CloseSearch, Search
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from anoptima.solvers.exact.sifting.releases.whole_group_dive import dive, not_in
from anoptima.solvers.exact.sifting.rules import pricing
from anoptima.solvers.exact.sifting.rules import size_limited as within
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.solvers.exact.sifting.tree.by_size import TreeBySize
from anoptima.solvers.ledger import Ledger

DUAL_SHARE = 0.3
"""The part of the time that the first ascent may take."""
FURTHER_SHARE, SHORTER = 0.1, 0.3
"""The part of what is left that each further one may take, and how much shorter its first step is than that of the one before."""
SHIFT_SHARES, SETTLE_SHARE = (0.1, 0.5), 0.9
"""The parts of what is left then that moves of single rows may take under equal closeness, and small changes after them."""
CORE_SHARE, RELAXED_SHARE = 0.3, 0.3
"""The parts of what is left that a program of the whole table may take, and its linear relaxation."""
A_WHILE = 300.0
SMALL_CORE = 4_000
"""Closeness to the table makes large programs: a core has not many more arcs."""
REACH, WIDE = 0.3, 0.6
"""Up to which reduced cost, in units, arcs are in the core program, and in that of what does not come out whole."""
ALONE_SHARE = 0.5
"""A release that is begun with may take this part of the seconds that have passed to become better than another one."""
ROUNDS = 8
FEW = 0.02
"""If no more than this part of the rows is not in whole groups, cores are solved as a whole, up to these reduced costs."""
WHOLE = (REACH, WIDE, 1.05)
MOST_PATIENCE = 400
"""After so many regions without a gain, the search for a proof is tried."""
BRANCHED_ARCS = 100_000
"""Tables of no more arcs are branched on under equal closeness, for so many seconds first, twice as many each time, in turns with
a search that takes a part of that."""
TURN, SEARCH_TURN = 10.0, 0.2
TINY, ENOUGH = 1e-6, 0.25


def turn_of(seconds: float, left: float | None, cases: int, pace: float, checking: float) -> float:
    """Return for how long to branch next, `seconds` at most, so that the proof is made in the time that is left.

    Its checker takes `checking` seconds for each of the cases there are, and of those that follow, `pace` in a second. 0 or less if there
    is no time for that.

    >>> turn_of(20.0, None, 500, 5.0, 0.1), turn_of(20.0, 80.0, 500, 5.0, 0.1), turn_of(20.0, 30.0, 500, 5.0, 0.1)
    (20.0, 20.0, -13.333333333333334)
    """
    return seconds if left is None else min(seconds, (left - checking * cases) / (1 + checking * pace))


class Run:
    """One run: the setting, the best worths and release so far, and the ledger."""

    def __init__(self, problem: CellSuppression, ledger: Ledger[Partition]) -> None:
        self._problem = problem
        self._ledger = ledger
        self._instance = instance_of(problem)
        self._dual = dual_of(self._instance, kernels_here(pricing), ledger.threads)
        self._chance = np.random.default_rng(ledger.budget.seed)
        weights = [int(weight) for weight in problem.table.scaled_weights if weight]
        self._unit = float(min(weights, default=1))
        self._step_of_cost = math.gcd(*weights) or 1
        self._lower = -np.inf
        self._offered: Release | None = None
        self._close_to_table = any(isinstance(rule, TotalVariation | Tree) for rule in self._instance.rules)
        self._reduced = np.zeros(len(self._instance.arcs.member))
        self._opened = self._forced = np.zeros(len(self._instance.arcs))
        ledger.log(
            f"{len(self._instance.patterns):,} closed patterns that can hold a group, {self._instance.patterns.arcs:,} arcs, "
            f"{self._dual.kernels.__name__}"
        )

    def run(self) -> None:
        """Go on until the ledger is over, or nothing is left to try."""
        even = np.zeros(len(self._instance.arcs))
        self._offer(greedy_release(self._instance, even, self._chance), "greedy")
        self._ledger.phase("raising the bound")
        self._raise()
        if self._ledger.is_over():
            return
        self._ledger.phase("improving the release")
        self._offer(greedy_release(self._instance, self._opened, self._chance), "greedy")
        # Uncompiled, millions of moves take too long.
        moves = settling.serves(self._instance) and self._dual.kernels is not pricing
        if moves:
            self._shift()
            self._settle()
        release = self._released
        kind = CloseSearch if self._close_to_table else Search
        search = self._searching(kind, release)
        few = self._instance.patterns.arcs <= BRANCHED_ARCS
        if moves and few and self._branch(search):
            return
        shared = Shared(search.release, self._reduced)
        others = [] if few else [self._searching(kind, search.release) for _ in range(self._ledger.threads - 1)]
        try:
            with beside(shared, others, self._ledger.is_over):
                self._ledger.phase("bound and releases")
                if self._close_to_table:
                    self._core(search, shared)
                    self._raise_further(shared)
                else:
                    self._sift(search, shared)
                self._search(search, shared)
        finally:
            self._offer(shared.release, "sifting")

    @property
    def _released(self) -> Release:
        """The best release: groups may have more in common than the patterns they were found for, and the ledger publishes that."""
        assert self._ledger.solution is not None
        return release_of(self._instance.problem, self._instance.patterns, self._ledger.solution)

    def _searching(self, kind: type[Search], release: Release) -> Search:
        """Return a search from a release on, with chances of its own."""
        return kind(self._instance, release, self._reduced, self._chance.spawn(1)[0])

    def _search(self, search: Search, shared: Shared) -> None:
        """Search regions, and what is left when they find nothing any more, in turns."""
        most_arcs = closing.MOST_ARCS
        while not self._ledger.is_over():
            patience = 1 if search.is_whole else min(MOST_PATIENCE, len(search.release.arc))
            stale = 0
            while not self._ledger.is_over() and stale < patience:
                stale += 1
                if shared.step(search, self._seconds(SECONDS), self._ledger.is_over):
                    self._offer(search.release, "sifting")
                    stale = 0
            if self._close(search, most_arcs):
                return
            # Too many in the first place; but without a limit on time, a search that ends is wanted in the end.
            most_arcs *= 2

    def _raise(self) -> None:
        """Raise the bound by passes, then prove it."""
        left = self._ledger.clock.left()
        lower, worth = ascend(
            self._dual,
            first_worths(self._instance.arcs),
            self._ledger.is_over,
            unit=self._unit,
            seconds=None if left is None else DUAL_SHARE * left,
            first_step=self._first_step,
        )
        self._prove(lower, worth)

    def _raise_further(self, shared: Shared) -> None:
        """Raise the bound from the best worths on, by shorter and shorter steps, as long as that gains something."""

        def is_over() -> bool:
            self._offer(shared.release, "sifting")
            return self._ledger.is_over()

        step = self._first_step
        while not is_over():
            before, step = self._lower, SHORTER * step
            found = ascend(
                self._dual, self._worth, is_over, unit=self._unit, seconds=self._share(FURTHER_SHARE), first_step=step
            )
            self._prove(*found)
            shared.reduced = self._reduced
            if self._lower < before + ENOUGH * self._step_of_cost:
                return

    @property
    def _first_step(self) -> float:
        """Under closeness worths are far from the first ones."""
        if settling.serves(self._instance):
            return 6 * FIRST_STEP
        return 3 * FIRST_STEP if self._close_to_table else FIRST_STEP

    def _prove(self, lower: float, worth: Numbers) -> None:
        """Turn worths into a bound and its proof, and keep their reduced costs, if they are the best."""
        if lower <= self._lower:
            return
        self._lower = lower
        self._worth = worth
        proof = proof_at(self._problem, self._instance, self._dual, worth)
        if proof is not None:
            self._ledger.raise_bound(proof.value, Origin.CERTIFICATE, certificate=proof)
        self._reduced, self._opened, self._forced = self._reduced_costs(worth)
        self._ledger.log(f"proved {lower:,.2f}")

    def _reduced_costs(self, worth: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return a price of using each arc; which patterns are worth opening; and what forcing each open costs.

        The first is 0 for arcs in the best groups. It is the price of forcing the pattern open, and what the arc's gain is below the
        least that would be taken: of its own value if some gain of that is left out, of any value but for 0 otherwise. It guides only; the
        last is proved: a release that opens a pattern costs at least that more than L.
        """
        arcs, rule = self._instance.arcs, self._instance.rules[0]
        priced = self._dual.priced(worth, everything=True)
        values = priced.prices / priced.scale
        pattern = self._instance.patterns.pattern_of_arc
        gain = worth[arcs.member] - arcs.cost[pattern]
        cell = pattern * rule.values + rule.value[arcs.member]
        cells, cell = np.unique(cell, return_inverse=True)
        threshold = np.zeros(len(arcs))
        some = priced.taken > TINY
        np.minimum.at(threshold, pattern[some], gain[some])
        out = arcs.copies[arcs.member] - priced.taken > TINY
        left_out = np.full(len(cells), -np.inf)
        np.maximum.at(left_out, cell[out], gain[out])
        least = np.maximum(threshold[pattern], left_out[cell])
        reduced = np.maximum(0, -values)[pattern] + np.maximum(0, least - gain)
        worth_it = (values > -1e-3 * self._unit).astype(float)
        return np.where(some & (values[pattern] > -TINY), 0, reduced), worth_it, np.maximum(0, -values)

    def _shift(self) -> None:
        """Move single rows, for a short time first."""
        for share in SHIFT_SHARES:
            left = self._ledger.clock.left()
            release = shifting.shift(
                self._instance,
                self._released,
                self._forced,
                self._unit,
                np.inf if left is None else share * left,
                self._ledger.threads,
                self._ledger.is_over,
                self._chance,
            )
            if release is None:
                return
            self._offer(release, "sifting")
            self._ledger.log(f"shifted to {self._ledger.cost}")

    def _settle(self) -> None:
        """Try many small changes to the release."""
        release = self._released
        left = self._ledger.clock.left()
        settling.settle(
            settling.boards_for(self._instance, self._worth, self._chance, self._unit, self._ledger.threads),
            release,
            np.inf if left is None else SETTLE_SHARE * left,
            self._ledger.is_over,
            lambda found: self._offer(found, "sifting"),
            self._chance,
        )
        self._ledger.log(f"settled at {self._ledger.cost}")

    def _branch(self, search: Search) -> bool:
        """Branch, and search for better releases in between, until cases come to their end or are too many; tell whether it is over."""
        instance = self._instance

        def take(release: Release) -> None:
            search.take(release)
            self._offer(release, "sifting")

        tree = TreeBySize(
            instance,
            kernels_here(within),
            self._worth,
            lambda: float(search.cost - self._step_of_cost),
            take,
            self._ledger.is_over,
            self._step_of_cost,
        )
        seconds, pace, checking = TURN, 0.0, 0.0
        while not self._ledger.is_over():
            turn = turn_of(seconds, self._ledger.clock.left(), len(tree.cases), pace, checking)
            if turn <= 0:
                break
            before, began = len(tree.cases), time.monotonic()
            tree.run(turn)
            pace = (len(tree.cases) - before) / (time.monotonic() - began)
            self._ledger.log(
                f"{len(tree.cases):,} cases, {len(tree.open):,} of them open: {tree.lower:,.2f} of {search.cost:,}"
            )
            if tree.lower > self._lower:
                self._lower, began = tree.lower, time.monotonic()
                proof = proof_by_cases(self._problem, instance, tree.cases)
                checking = (time.monotonic() - began) / len(tree.cases)
                if proof is not None:
                    self._ledger.raise_bound(proof.value, Origin.CERTIFICATE, certificate=proof)
            if tree.is_done or tree.is_full:
                break
            until = time.monotonic() + SEARCH_TURN * seconds
            while time.monotonic() < until and not search.is_whole and not self._ledger.is_over():
                if search.step(self._seconds(SECONDS), self._ledger.is_over):
                    self._offer(search.release, "sifting")
            seconds *= 2
        return self._ledger.is_over()

    def _core(self, search: Search, shared: Shared) -> None:
        """Solve the cheapest arcs of the whole table as one program, if they are few."""
        count = min(SMALL_CORE, len(self._reduced))
        limit = np.partition(self._reduced, count - 1)[count - 1] if count else 0.0
        limit = min(limit, self._unit)
        arcs = np.union1d(np.flatnonzero(self._reduced <= limit), search.release.arc)
        if len(arcs) > 2 * SMALL_CORE:
            return
        self._ledger.log(f"a core of {len(arcs):,} arcs of reduced cost up to {limit:,.2f}")
        began = time.monotonic()
        program = Program(self._instance, Region(arcs, self._instance.arcs.copies))
        found = program.solve(self._share(CORE_SHARE), self._ledger.is_over, search.release)
        if found.release is not None:
            search.take(found.release)
            self._offer(shared.meet(search), "sifting")
        self._ledger.log(f"the core took {time.monotonic() - began:.0f} s: {found.value:,.1f}")

    def _sift(self, search: Search, shared: Shared) -> None:
        """Solve the core as a linear program, again with the arcs that it lacks as long as that could prove more; release what is whole.

        If hardly any rows are left by that, the core is solved as an integer program, too.
        """
        instance = self._instance
        core = np.union1d(np.flatnonzero(self._reduced <= REACH * self._unit), search.release.arc)
        rounded, rest = np.inf, np.inf
        for turn in range(ROUNDS):
            relaxed = self._relaxed(Region(core, instance.arcs.copies))
            if relaxed is None:
                break
            worth = self._worth.copy()
            worth[relaxed.records] = relaxed.worth
            lower = self._dual.at(worth)[0]
            self._ledger.log(f"a core of {len(core):,} arcs: {relaxed.value:,.2f}, and {lower:,.2f} over all")
            if lower > self._lower:
                self._prove(lower, worth)
                shared.reduced = self._reduced
            if relaxed.value < rounded - ENOUGH * self._unit:
                rounded, rest = relaxed.value, self._dive(search, shared, core, relaxed.x)
            if not turn:
                self._raise_further(shared)
            if self._ledger.is_over() or relaxed.value < self._lower + ENOUGH * self._step_of_cost:
                break
            missing = np.setdiff1d(np.flatnonzero(self._reduced_costs(worth)[0] <= TINY), core)
            if not len(missing):
                break
            core = np.union1d(core, missing)
        if rest < FEW * self._problem.table.rows:
            self._solve_whole(search, shared)

    def _relaxed(self, region: Region) -> Relaxed | None:
        """Return a solution of a linear program, or None if there is none in the time that it may take."""
        return Program(self._instance, region).relax(self._share(RELAXED_SHARE), self._ledger.is_over)

    def _solve_whole(self, search: Search, shared: Shared) -> None:
        """Solve cores of the whole table as integer programs, each with more arcs, as far as time allows."""
        everything = np.ones(len(self._instance.arcs.copies), dtype=np.bool_)
        for reach in WHOLE:
            done = self._again(search, shared, everything, reach, CORE_SHARE)
            self._ledger.log(
                f"arcs of reduced cost up to {reach} as a whole: {search.cost:,}, {'' if done else 'not '}to the end"
            )
            if self._ledger.is_over() or not done:
                return

    def _again(self, search: Search, shared: Shared, chosen: np.ndarray, reach: float, share: float) -> bool:
        """Solve the groups of chosen records again, in a share of the time that is left; tell whether that came to its end."""
        seconds = self._share(share)
        done = shared.turn(search, lambda: search.again(chosen, reach, seconds, self._ledger.is_over))
        self._offer(search.release, "sifting")
        return done

    def _dive(self, search: Search, shared: Shared, core: Counts, x: Numbers) -> float:
        """Begin anew with the whole groups of a fractional release; return how many rows are in none of them.

        The new release has some time to become better than that of the others by itself: those rows are badly placed at first, and regions
        find room for them quickly.
        """
        instance = self._instance
        others = np.flatnonzero(self._reduced <= WIDE * self._unit)
        begun = dive(instance, core, x, others, self._relaxed, self._ledger.log)
        release = greedy_release(instance, self._opened, self._chance, begun)
        self._ledger.log(
            f"from whole groups: {search.cost_of(release):,}, and by regions {search.cost_of(shared.release):,}"
        )
        search.take(release)
        until = time.monotonic() + ALONE_SHARE * self._ledger.clock.seconds()
        while search.cost > search.cost_of(shared.release) and time.monotonic() < until and not self._ledger.is_over():
            search.step(self._seconds(SECONDS), self._ledger.is_over)
        self._offer(shared.meet(search), "sifting")
        return float(not_in(instance, begun).sum())

    def _close(self, search: Search, most_arcs: int) -> bool:
        """Search the patterns that a better release could open, if there are few enough; tell whether there is nothing left to do."""
        problem, patterns = self._instance.problem, self._instance.patterns
        lengths = np.diff(patterns.start)
        reach = self._unit
        while not self._ledger.is_over():
            best = self._released
            search.take(best)
            gap = search.cost - self._lower
            reach = min(reach, gap)
            chosen = self._forced <= reach + TINY
            chosen[np.unique(patterns.pattern_of_arc[best.arc])] = True
            arcs = int(lengths[chosen].sum())
            if arcs > most_arcs:
                return False
            self._ledger.log(f"a search over {arcs:,} arcs that cost up to {reach:,.2f} more, with {gap:,.2f} to close")
            least = closing.least_cost(problem, closing.only(patterns, chosen), self._ledger, self._take_in(search))
            # Beyond these patterns everything costs at least L + reach.
            beyond = self._lower + reach
            proved = min(-np.inf if least is None else float(least * self._problem.cost_scale), beyond)
            if beyond > search.cost - self._step_of_cost + TINY and least is not None:
                self._ledger.raise_bound(
                    min(least, self._problem.unscale(search.cost)), Origin.BACKEND, closing.BACKEND
                )
                return proved >= search.cost - self._step_of_cost + TINY
            if least is None or least * self._problem.cost_scale < search.cost:
                return False
            reach *= 2
        return True

    def _take_in(self, search: Search) -> Callable[[Partition], None]:
        def take(partition: Partition) -> None:
            self._ledger.offer(partition, closing.BACKEND)
            search.take(release_of(self._instance.problem, self._instance.patterns, partition))

        return take

    def _offer(self, release: Release, by: str) -> None:
        """Enter a release in the ledger if it is another one than last time."""
        if release is self._offered:
            return
        self._offered = release
        self._ledger.offer(partition_of(self._instance.patterns, release), by)

    def _share(self, part: float) -> float:
        """Return this part of the seconds that are left; a while where there is no limit."""
        left = self._ledger.clock.left()
        return A_WHILE if left is None else part * left

    def _seconds(self, most: float) -> float:
        left = self._ledger.clock.left()
        return most if left is None else min(most, left)
