"""Branching under rules: cases by the sizes of groups and by their rows of a value, until the best release known is the best.

A case says of some patterns that their group has at most, or at least, a given number of rows (none, or some), and the same of rows of
one value. A size decides which groups are priced; a limit on a value has a multiplier, which is added to what the pattern's rows of it
are worth. So every case has a Lagrangian bound of its own, over whole groups; what is proved is the least of all cases, and their
multipliers are the proof (`proofs.group_cases`). The multipliers of a case are the duals of a linear program over groups
(`bound.group_program`), to which pricing adds groups until there is nothing to add that could lift the bound by a step of costs. Worths
are held near those of the best bound so far (a trust region, of box steps: Marsten, Hogan and Blankenship 1975), for far away nothing is
learned about them.

Where every pattern is open or shut and all numbers of rows of a value are whole, so is some publication of the same cost: the mean of
groups that are within t is within t, and what is left is a transport. So a tree ends, once every decision is taken at the latest. The
same goes for diversity, under which cases only decide whether a pattern has a group, and on its rows of a value. Closeness along edges of
a line or a tree of values is priced by going through the values (`kernels.by_value`); prices of edges say which patterns and sizes can be
left out.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.bound.group_program import GroupProgram, Mixed
from anoptima.solvers.exact.sifting.bound.rule_pricing import RulePricing
from anoptima.solvers.exact.sifting.instance import Instance, counts_of
from anoptima.solvers.exact.sifting.kernels.pricing import NOTHING, Charges, price_all, price_tree_all
from anoptima.solvers.exact.sifting.releases.region_program import Region
from anoptima.solvers.exact.sifting.releases.release import NOBODY, Release
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import NO_GROUP, Sizes, TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Tree as TreeRule
from anoptima.solvers.exact.sifting.tree.by_value import ByValue
from anoptima.solvers.exact.sifting.tree.cases import At, CaseOfSizes, Decision
from anoptima.solvers.exact.sifting.tree.dive import dive
from anoptima.solvers.exact.sifting.tree.tree import Tree
from anoptima.solvers.exact.sifting.whole_numbers import DENOMINATOR

MOST_CHECKED = 3_000_000
"""A tree has no more cases than that, for each arc of the table, since all must be checked again: some 20 to 50 microseconds of CPU for an
arc of a case, by slots or by values (census, 100 and 200 rows, t = 0.2), and a minute or two in all."""
MOST_DECISIONS = 150
"""A case that says more is not taken further."""
ROUNDS = 400
"""So often at most is the program of a case solved."""
ROUGH = 0.02
"""By how much, in steps of cost, bounds in floats must be above what is wanted."""
WHOLE, TINY, HALF = 1e-5, 1e-7, 0.5
"""How near to whole parts of groups are that count as whole, how small they are to count as nothing, and what is open rather than shut."""
PROGRAM_SECONDS, PROGRAM_SHARE = 2.0, 0.15
"""How long a program over the patterns of a case may take, and all of them together, as a part of the time that has passed."""
DIVE = 8
"""One case in this many is followed down until it is closed: that finds releases."""
WIDTH, NARROWER = 0.5, 0.8
"""How far what records are worth may move at first from where the bound was best, in units (`Instance.unit`); and by what that
shrinks each time the bound does not rise, and grows when it does. Of 300 census rows, tree closeness at 0.2, the whole is bounded in 10 s;
in 17 s if it only shrinks, and without a width 22 s leave 820 of 872."""
SOME = 0.05
"""Patterns that are open by less are left out of the first such program."""


class TreeBySize(Tree[CaseOfSizes]):
    """A search tree, of one thread. `wanted` says the bound that is enough; `on_release` is told of releases."""

    def __init__(
        self,
        instance: Instance,
        pricing: RulePricing,
        worth: Numbers,
        wanted: Callable[[], float],
        on_release: Callable[[Release], None],
        is_over: Callable[[], bool],
    ) -> None:
        super().__init__(is_over, lambda case: (round(case.proved, 2), -len(case.decisions)))
        self._instance, self._priced, rule = instance, _Priced(instance, pricing), instance.rules[0]
        self._wanted = wanted
        self.branchers = [self]
        self._program = GroupProgram(instance)
        self._releases = _Releases(instance, on_release)
        self._chance = np.random.default_rng(0)
        self._turns = 0
        self._began = self._spent = 0.0
        largest = np.zeros(len(instance.arcs), dtype=np.int64)
        for block, counts in counts_of(instance.patterns, rule):
            by_slots = isinstance(rule, TotalVariation) and instance.is_equal_closeness
            largest[block] = rule.largest_size(counts) if by_slots else counts.sum(axis=1)  # type: ignore[attr-defined]
        sizes = Sizes(instance.arcs.least, largest, np.zeros(len(instance.arcs), dtype=np.bool_))
        self._whole = CaseOfSizes((), At(worth, {}), -np.inf, sizes, {})
        self.cases.leave(self._whole)

    def go_on_from(self, ends: Iterable[tuple[tuple[Decision, ...], At]]) -> None:
        """Begin with the cases of an earlier tree in place of the whole, each with its multipliers."""
        self.cases.clear()
        for decisions, at in ends:
            case = replace(self._whole, at=at, proved=0.0)
            for decision in decisions:
                case = self._decided(case, decision)
            self.leave(case if np.isinf(case.proved) else replace(case, proved=self._bound(case, at)[0]))

    def begin_with(self, release: Release) -> None:
        """Let the groups of a release in, so that the first duals are sensible: no way out is taken that is dear."""
        pattern = self._priced.pattern[release.arc]
        for p in distinct(pattern).tolist():
            self._program.add(p, release.arc[pattern == p], release.count[pattern == p].astype(float))

    @property
    def wanted(self) -> float:
        """The bound that is enough."""
        return self._wanted() + ROUGH * self._instance.step_of_cost

    @property
    def is_full(self) -> bool:
        """Tell whether more cases would take too long to be checked."""
        return len(self.cases) * self._instance.patterns.arcs > MOST_CHECKED

    def is_followed(self) -> bool:
        """Follow one case in `DIVE`."""
        self._turns += 1
        return self._turns % DIVE == 1

    def run(self, threads: int = 1, seconds: float = math.inf) -> None:
        """Branch, and know how long that has taken in all."""
        self._began = time.monotonic() - self._spent
        super().run(threads, seconds)
        self._spent = time.monotonic() - self._began

    def begin(self, case: CaseOfSizes) -> None:
        """Do nothing: the program is restricted to each case."""

    def divide(self, case: CaseOfSizes, solution: Mixed) -> list[CaseOfSizes]:
        """Return a case's two halves, the likelier first; search for releases on the way."""
        if not case.decisions and self._instance.is_by_value:
            self._releases.tell(self.dive(self._until))
        decision = self._choose(case, solution)
        if solution.missing <= WHOLE:
            # Where all is whole there is a release of the case's cost, which a program over its patterns does not miss.
            most = PROGRAM_SHARE * (time.monotonic() - self._began) + PROGRAM_SECONDS if decision else math.inf
            self._releases.search(solution.y, decision, most, self.is_late)
        if decision is None or self.is_enough(case) or len(case.decisions) == MOST_DECISIONS:
            return []
        return [
            self._decided(case, replace(decision, is_low=is_low)) for is_low in (decision.is_low, not decision.is_low)
        ]

    def _decided(self, case: CaseOfSizes, decision: Decision) -> CaseOfSizes:
        """Return a case with one more decision; nothing is wanted of it if that leaves a pattern that must be open no group."""
        p, most = decision.pattern, decision.most
        decisions = (*case.decisions, decision)
        if decision.value is not None:
            cell = (p, decision.value)
            low, high = case.between.get(cell, (0, int(self._instance.arcs.copies.sum())))
            limits = (low, min(high, most)) if decision.is_low else (max(low, most + 1), high)
            return replace(case, decisions=decisions, between={**case.between, cell: limits})
        sizes = case.sizes
        least, largest, opened = sizes.least.copy(), sizes.most.copy(), sizes.opened.copy()
        if decision.is_low:
            largest[p] = min(largest[p], most)
        else:
            least[p], opened[p] = max(least[p], most + 1), True
        is_possible = not (opened & (least > largest)).any()
        proved = case.proved if is_possible else np.inf
        return replace(case, decisions=decisions, proved=proved, sizes=Sizes(least, largest, opened))

    def examine(self, case: CaseOfSizes, target: float) -> tuple[CaseOfSizes, Mixed]:
        """Return a case with the best bound that was found, and an optimum of its program."""
        self._program.restrict(case.sizes, case.between)
        centre = case.at
        if np.isinf(case.proved):
            # The whole: what is worth most where the bound was raised to is a start.
            lower, taken = self._bound(case, centre)
            case = replace(case, proved=lower)
            self._add(taken, np.zeros(len(self._instance.arcs)), centre)
        width, step = WIDTH * self._instance.unit, self._instance.step_of_cost
        mixed = self._program.solve_near(centre.worth, width)
        for _ in range(ROUNDS):
            there = At(mixed.worth, {cell: mixed.prices[cell] for cell in case.between})
            lower, taken = self._bound(case, there)
            if lower > case.proved:
                centre, case, width = there, replace(case, at=there, proved=lower), width / NARROWER
            else:
                width *= NARROWER
            if self.is_enough(case) or self.is_late():
                break
            added = self._add(taken, mixed.rent, there)
            is_free = mixed.missing <= WHOLE
            if is_free and (not added or math.ceil(case.proved / step - ROUGH) >= math.ceil(mixed.value / step - TINY)):
                break
            if not added:
                centre, width = there, 2 * width
            self._program.forget()
            mixed = self._program.solve_near(centre.worth, width)
        if not case.decisions:
            self._whole = case
        return case, mixed

    @property
    def is_bounded(self) -> bool:
        """Tell whether the whole has been bounded by whole groups."""
        return self._whole.proved > -np.inf

    def dive(self, until: float, staying: Release = NOBODY) -> Release:
        """Return a release that the program leads to, near the worths that bound the whole best; some groups may be `staying`."""
        arcs, sizes, worth = self._instance.arcs, self._whole.sizes, self._whole.at.worth
        self._program.restrict(sizes, {})

        def add_groups(left: Counts) -> int:
            mixed = self._program.solve()
            there = At(mixed.worth, {})
            own = replace(arcs, copies=left)
            _, taken = self._priced.within(own, there.worth, np.zeros(len(arcs.member)), sizes)
            return self._add(taken, mixed.rent, there)

        def is_over() -> bool:
            return self._is_over() or time.monotonic() > until

        return dive(self._instance, self._program, add_groups, worth, self._chance, is_over, staying)

    def _bound(self, case: CaseOfSizes, at: At) -> tuple[float, Numbers]:
        """Return L of a case, and what the best groups take."""
        arcs = self._instance.arcs
        prices, taken = self._priced.within(arcs, at.worth, self._shift(at), case.sizes)
        limits = sum(
            price * (case.between[cell][0] if price > 0 else case.between[cell][1])
            for cell, price in at.prices.items()
            if cell in case.between
        )
        return float(arcs.copies @ at.worth) - float(prices.sum()) + limits, taken

    def _shift(self, at: At) -> Numbers:
        """Return by how much a row is worth more along each arc."""
        values = self._priced.rule.values
        shift = np.zeros(len(self._instance.arcs) * values)
        for (p, v), price in at.prices.items():
            shift[p * values + v] = price
        return np.asarray(shift[self._priced.cell])

    def _add(self, taken: Numbers, rent: Numbers, there: At) -> int:
        """Add the groups that gain more than their pattern's `rent`; return how many they are."""
        arcs = self._instance.arcs
        gain = there.worth[arcs.member] - arcs.cost[self._priced.pattern]
        gain += self._shift(there)
        gained = np.bincount(self._priced.pattern, gain * taken, len(arcs))
        some = np.bincount(self._priced.pattern, taken, len(arcs)) > TINY
        added = 0
        for p in np.flatnonzero(some & (gained > rent + TINY)).tolist():
            own = arcs.start[p] + np.flatnonzero(taken[arcs.start[p] : arcs.start[p + 1]] > TINY)
            added += self._program.add(p, own, taken[own])
        return added

    def _choose(self, case: CaseOfSizes, mixed: Mixed) -> Decision | None:
        """Return what to decide next, on the likelier side; None if all is whole.

        First which patterns are open, then how large groups are where they differ, then how often values come.
        """
        size = np.bincount(self._priced.pattern, mixed.x, len(mixed.y))
        half_open = np.minimum(mixed.y, 1 - mixed.y) * ~case.sizes.opened
        if half_open.max(initial=0) > WHOLE:
            p = int(np.argmax(half_open * (1 + size)))
            return Decision(p, None, 0, bool(mixed.y[p] < HALF))
        rows = self._by_value(mixed).ravel()
        broken = np.abs(rows - np.rint(rows))
        if broken.max(initial=0) <= WHOLE:
            return None
        # Diversity alone is priced without a largest size.
        spread = mixed.spread * (mixed.y > HALF) * self._instance.is_close
        p = int(np.argmax(spread))
        if spread[p] > WHOLE:
            most = int(np.clip(np.floor(size[p] + WHOLE), case.sizes.least[p], case.sizes.most[p] - 1))
            return Decision(p, None, most, bool(size[p] < most + HALF))
        at = int(np.argmax(broken))
        most = int(np.floor(rows[at]))
        return Decision(
            at // self._priced.rule.values, at % self._priced.rule.values, most, bool(rows[at] < most + HALF)
        )

    def _by_value(self, mixed: Mixed) -> Numbers:
        """Return how many rows of each value patterns take: patterns x values."""
        rows = np.bincount(self._priced.cell, mixed.x, len(mixed.y) * self._priced.rule.values)
        return rows.reshape(len(mixed.y), self._priced.rule.values)


class _Priced:
    """What groups are worth within limits on sizes, or, where the rule knows no largest size, on whether there are any."""

    def __init__(self, instance: Instance, pricing: RulePricing) -> None:
        self.rule, self._pricing = instance.rules[0], pricing
        self.pattern = instance.arcs.pattern_of
        self.cell = self.pattern * self.rule.values + self.rule.value[instance.arcs.member]
        """The pattern and value of each arc, as one number."""
        self.by_value = ByValue(instance.conditions, int(instance.arcs.copies.sum())) if instance.is_by_value else None
        """What prices closeness along edges, and closeness with diversity."""
        self._lam = np.zeros(len(instance.arcs))
        self._found: dict[int, Counts] = {}
        """Of patterns by number: the copies in the best group of whole rows that was found last."""

    def within(self, arcs: Arcs, worth: Numbers, shift: Numbers, sizes: Sizes) -> tuple[Numbers, Numbers]:
        """Return F_p of every pattern, `shift` added to the worths along each arc, and what its best group takes of each arc.

        The `arcs` are those of the table, with all copies of each record or some.
        """
        if self.by_value is not None:
            return self._of_whole_rows(self.by_value, arcs, worth, shift, sizes)
        if isinstance(self.rule, TotalVariation):
            charges = NOTHING._replace(arc=-shift)
            prices, taken = price_all(self.rule, arcs, worth, charges=charges, sizes=sizes)
            return prices / self.rule.scale, taken
        charges = Charges(np.zeros(len(arcs)), -shift)
        found = self._pricing.priced(arcs, worth, everything=True, charges=charges)
        counts = (sizes.most > 0) & (sizes.opened | (found.prices > 0))
        return np.where(counts, found.prices, 0), np.where(counts[self.pattern], found.taken, 0)

    def _of_whole_rows(
        self, by_value: ByValue, arcs: Arcs, worth: Numbers, shift: Numbers, sizes: Sizes
    ) -> tuple[Numbers, Numbers]:
        """Price whole rows, in whole numbers, the patterns that some record gains by."""
        prices, taken = np.zeros(len(arcs)), np.zeros(len(arcs.member), dtype=np.int64)
        whole = np.rint((worth[arcs.member] + shift - arcs.cost[self.pattern]) * DENOMINATOR).astype(np.int64)
        promised, lifts = self._promised(arcs, worth)
        # The loops know nothing of limits.
        is_limited = np.logical_or.reduceat(shift != 0, arcs.start[:-1])
        lifts[is_limited] = 0
        hopeful = sizes.opened | (np.maximum.reduceat(whole, arcs.start[:-1]) > 0) & (is_limited | (promised > 0))
        for p in np.flatnonzero(hopeful & (sizes.least <= sizes.most)).tolist():
            check_time()
            own, allowed = slice(int(arcs.start[p]), int(arcs.start[p + 1])), (int(sizes.least[p]), int(sizes.most[p]))
            gain, member, its = whole[own], arcs.member[own], taken[own]
            known, copies, fewest = self._found.get(p, its), arcs.copies[member], NO_GROUP if sizes.opened[p] else 0
            # The group that was best the last time leaves little to look for.
            is_group = allowed[0] <= known.sum() <= allowed[1] and (known <= copies).all() and gain @ known >= fewest
            if is_group:
                fewest = int(gain @ known)
            found = by_value.best(gain, copies, self.rule.value[member], lifts[p], allowed, fewest, its)
            if its.any():
                self._found[p] = its
            elif is_group:
                its[:] = known
            prices[p] = found / DENOMINATOR
        return prices, taken.astype(float)

    def _promised(self, arcs: Arcs, worth: Numbers) -> tuple[Numbers, Counts]:
        """Return what the prices of edges prove of each pattern, of split rows, and what they lift the gains of each value by."""
        number = next(iter(self._pricing.trees), None)
        if number is None:
            return np.full(len(arcs), np.inf), np.zeros((len(arcs), self.rule.values), dtype=np.int64)
        rule = self._pricing.rules[number]
        assert isinstance(rule, TreeRule)
        prices, _, _, theta = price_tree_all(rule, self._lam, arcs, worth, False)
        lift = rule.potentials(theta) + (self._lam * rule.t - theta @ rule.below)[:, None]
        return prices, np.ceil(lift * DENOMINATOR).astype(np.int64) + 1


class _Releases:
    """Looks for releases with the patterns that cases have open, each set of them once; `tell` is told of what is found."""

    def __init__(self, instance: Instance, tell: Callable[[Release], None]) -> None:
        self._instance, self.tell = instance, tell
        self._tried: set[bytes] = set()
        self._spent = 0.0

    def search(self, y: Numbers, decision: Decision | None, most: float, is_over: Callable[[], bool]) -> None:
        """Look in the beginning, and where all patterns are open or shut, if that has taken `most` seconds or less so far.

        `y` says how open patterns are, and `decision` what is decided next.
        """
        is_first, decided = not self._tried, decision is None or decision.most > 0 or decision.value is not None
        chosen = y > (HALF if decided else SOME)
        if not (is_first or decided) or chosen.tobytes() in self._tried or self._spent > most:
            return
        self._tried.add(chosen.tobytes())
        began = time.monotonic()
        arcs = np.flatnonzero(chosen[self._instance.arcs.pattern_of])
        region = Region(arcs, self._instance.arcs.copies)
        found = self._instance.programs.improve(region, None, PROGRAM_SECONDS, is_over).release
        self._spent += time.monotonic() - began
        if found is not None:
            self.tell(found)
