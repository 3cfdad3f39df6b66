"""One run of `sifting`: what is done in which order, and when it ends."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Origin
from anoptima.certificates.multipliers import MultiplierProof
from anoptima.patterns import Patterns, closed_patterns
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.approximate.greedy_patterns import GreedyPatterns
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers
from anoptima.solvers.exact.sifting.balance import Balance
from anoptima.solvers.exact.sifting.bound import packing_cuts as packing
from anoptima.solvers.exact.sifting.bound.ascent import PASSES, DualPoint, Multipliers, ascend, first_multipliers, look
from anoptima.solvers.exact.sifting.bound.averaged_rounds import AveragedRounds, Round
from anoptima.solvers.exact.sifting.bound.box_step import BoxStep
from anoptima.solvers.exact.sifting.bound.core import Core, Relaxed
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.sifting.bound.separation import violated
from anoptima.solvers.exact.sifting.proofs import (
    bound_in_integers,
    branched_proof_of,
    denominator_of,
    has_room,
    multipliers_of,
    proof_of,
    reduced_in_integers,
)
from anoptima.solvers.exact.sifting.releases.annealed_regions import PRICED, WHOLE_LEAST, AnnealedRegions
from anoptima.solvers.exact.sifting.releases.background import Background
from anoptima.solvers.exact.sifting.releases.pattern_annealing import PatternAnnealing, chains_of
from anoptima.solvers.exact.sifting.releases.program_near import ProgramNear
from anoptima.solvers.exact.sifting.releases.region_program import Region, improve
from anoptima.solvers.exact.sifting.releases.regions import SECONDS
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from anoptima.solvers.exact.sifting.releases.row_annealing import annealing_of
from anoptima.solvers.exact.sifting.second_opinion import agrees
from anoptima.solvers.exact.sifting.tree.by_pattern import A_MOMENT, TreeByPattern
from anoptima.solvers.ledger import Ledger
from anoptima.table import Table

CORE, ROOT = 0.1, 0.4
"""The core begins with the arcs of so much reduced cost, in units of the lightest column's weight, and so does that of a tree."""
MANY_ARCS, LEAST_PASSES = 20_000_000, 200
"""Over more arcs there are fewer passes to begin with, but so many at least."""
FEW_PASSES_ARCS, FEW_PASSES = 1_000, 60
"""Over at most so many arcs there are these passes: the core program of so few takes less time than more of them."""
GREEDY_SHARE, GREEDY_ARCS_A_SECOND = 0.3, 2e6
"""A greedy release is tried beside a start if it takes no more than this share of the time that is left, at so many arcs a second: annealed
releases are the better for it. Of 6,366 rows of six columns, k = 3, two seconds come to 2,320 from it, and to 2,374 from a quick start."""
DUAL_SHARE = 0.3
"""The part of the time that is left that the first passes may take: then there is still time for releases."""
SOON_ARCS, SECOND_STEP = 5_000_000, 0.05
"""Over so many arcs a search for releases begins after a quarter of the passes; and the first step of the others."""
ENOUGH = 1e-3
TINY = 1e-6
FEW, SHORT = 150, 0.01
"""Passes from a core's duals on, and their first step."""
WHOLE = 4000
"""Tables of so many records have a core program; larger ones have rounds of passes instead."""
WHOLE_PAIRS = 50_000
"""The same for k = 2: its core programs are solved in seconds."""
MIDDLING = 3_000
"""A search over so many arcs may come to an end in the first limit, one over twice as many in twice the time."""
FIRST_LIMIT = 20.0
SLOW = 10.0
"""Seconds for a search for cuts whose loops are not compiled."""
SOME_CUTS, MOST_CUTS, CUTS_SHARE = 400, 2000, 0.1
"""Cuts from one solution: of a core, and of the mean of passes over the whole table, which may be this share of its records."""
NEARBY_SHARE = 0.1
"""A search of the whole table, beside a companion, may take this share of the seconds that have passed."""
RESTING, BOXED_SHARE = 0.05, 0.2
"""Where a round raises the bound by fewer units, linear programs do better; one may take this share of the seconds that have passed."""
OFTEN = 0.01
SHORTEST_STEP, STEP_SHARE, CORE_SHARE = 0.5, 0.05, 0.2
"""A step of the search takes no more seconds than the first, or than this share of those that have passed; one of the core that one."""
FEW_ARCS = 300_000
"""Tables of so many arcs are branched on."""
SHARE_BESIDE_TREE = 0.25
"""What is tried beside branching may take this share of its seconds."""
PART = 30.0
"""Seconds after which what a tree proves is entered, and the release that was found beside it."""
TIRED, TIRED_OF_CHAINS = 0.25, 0.8
"""A search that has found nothing better for this share of the seconds rests while there is branching; if it anneals chains, the second."""
LARGE = 100
"""Tables of more records are worth annealing, and a second thread."""
MOST_ROWS = 5_000
ROUGH = 1e-3
"""How far a bound of HiGHS may be off."""
FINE = 3
"""A gap that is tried to be closed by search rather than by better multipliers."""
FEW_HALF_OPEN = 100
A_WHILE = 20.0
PATIENCE = 4
SOME, SETTLED = 0.01, 0.002
"""What share of the gap a round of cuts must close to be worth another, unless more than this share of the core's arcs were missing."""


def without_sensitive(problem: CellSuppression) -> CellSuppression:
    """Return the same question on the same rows without sensitive columns, so that records are row types."""
    table = problem.table
    if not table.sensitive:
        return problem
    weights = dict(zip(table.quasi, table.weights, strict=True))
    return CellSuppression(
        Table.from_frame(table.frame[list(table.quasi)], table.quasi, weights=weights), problem.principle
    )


class Run:
    """One run: arcs, the best multipliers and release so far, and the ledger.

    With the `proof` of an earlier run on the same table it begins with those multipliers and cuts.
    """

    def __init__(
        self, problem: CellSuppression, ledger: Ledger[Partition], proof: MultiplierProof | None = None
    ) -> None:
        assert isinstance(problem.principle, KAnonymity)
        self._problem = problem
        self._ledger = ledger
        self._plain = without_sensitive(problem)
        ledger.phase("listing patterns")
        self._patterns: Patterns = closed_patterns(self._plain)
        copies = self._patterns.table.records.multiplicity.astype(np.int64)
        self._arcs = Arcs(self._patterns.start, self._patterns.member, self._patterns.cost, copies, problem.principle.k)
        self._catalogue = Catalogue(self._arcs)
        self._kernels = kernels_here(kernels)
        self._chance = np.random.default_rng(ledger.budget.seed)
        weights = [int(weight) for weight in problem.table.scaled_weights if weight]
        self._unit = min(weights, default=1)
        self._step_of_cost = math.gcd(*weights) or 1
        self._proof = proof
        self._d = denominator_of(self._plain)
        self._over, self._asked = False, -math.inf
        self._terms = Terms(self._arcs, self._kernels)
        nothing = Multipliers(np.zeros(len(self._arcs.copies)), np.zeros(0))
        self._near = DualPoint(nothing, -np.inf, np.zeros(0), np.zeros(0))
        self._proved = -1
        self._tree: TreeByPattern | None = None
        self._until = -math.inf
        self._taken: Release | None = None
        self._search: AnnealedRegions | Background | None = None
        self._companion: Background | None = None
        self._chains: PatternAnnealing | None = None
        self._offered = -1
        ledger.log(f"{len(self._patterns):,} closed patterns, {self._patterns.arcs:,} arcs, {self._kernels.__name__}")

    @property
    def search(self) -> AnnealedRegions | Background:
        """The search for releases, once there is one to begin with; on a thread of its own where two may be used."""
        assert self._search is not None
        return self._search

    def _is_over(self) -> bool:
        """Ask the ledger, at most every `OFTEN` seconds: loops ask all the time, and it answers in fractions."""
        now = time.monotonic()
        if not self._over and now > self._asked + OFTEN:
            self._over, self._asked = self._ledger.is_over(), now
        return self._over

    def run(self, started: bool) -> None:
        """Go on until the ledger is over, or nothing is left to try."""
        left = self._ledger.clock.left()
        arcs = len(self._arcs.member)
        if not started or left is None or arcs <= GREEDY_SHARE * left * GREEDY_ARCS_A_SECOND:
            self._ledger.phase("a first release")
            self._ledger.offer(GreedyPatterns().partition(self._plain, self._is_over), "greedy-patterns")
        terms, at = self._first()
        passes = max(LEAST_PASSES, int(PASSES * min(1.0, MANY_ARCS / max(1, arcs))))
        if arcs <= FEW_PASSES_ARCS:
            passes = FEW_PASSES
        two_threads = len(self._arcs.copies) > LARGE and self._ledger.threads > 1
        self._ledger.phase("raising the bound")
        soon = passes // 4 if two_threads and len(self._arcs.member) > SOON_ARCS else passes
        left = self._ledger.clock.left()
        seconds = None if left is None else DUAL_SHARE * left
        first = ascend(self._arcs, terms, at, self._is_over, unit=self._unit, seconds=seconds, passes=soon)
        self._prove(first, terms)
        assert self._ledger.solution is not None
        release = release_of(self._plain, self._patterns, self._ledger.solution)
        chance = np.random.default_rng(self._ledger.budget.seed + 1)
        seed = self._ledger.budget.seed
        annealing = annealing_of(self._catalogue, self._unit, seed) if len(self._arcs.copies) > LARGE else None
        self._chains = chains_of(self._catalogue, self._unit, seed) if annealing is not None else None
        search = AnnealedRegions(
            self._catalogue,
            release,
            self._near,
            self._terms,
            chance,
            annealing=annealing,
            chains=self._chains,
            left=self._ledger.clock.left,
        )
        self._companion = Background(search, self._is_over) if two_threads else None
        self._search = search if self._companion is None else self._companion
        try:
            if soon < passes:
                at, passes = self._near.at, passes - soon
                better = ascend(
                    self._arcs, terms, at, self._is_over, unit=self._unit, passes=passes, first_step=SECOND_STEP
                )
                self._prove(better, terms)
            self._go_on()
        finally:
            if self._companion is not None:
                self._companion.stop()
                self._offer()

    def _go_on(self) -> None:
        most = WHOLE_PAIRS if self._arcs.k == 2 else WHOLE
        core = self._whole_core(self._is_over, CORE) if len(self._arcs.copies) <= most else None
        limit = FIRST_LIMIT
        while not self._is_over():
            if core is None:
                self._ledger.phase("cuts and releases")
                self._raise()
            elif self._tree is None:
                self._ledger.phase("core and cuts")
                self._sift(core)
            if self._is_over() or self._close(limit):
                return
            limit *= 2

    def _first(self) -> tuple[Terms, Multipliers]:
        """Return the multipliers to begin with, those of an earlier proof if there is one that fits, and the rows they are for."""
        if self._proof is not None:
            read = multipliers_of(self._proof, self._problem, self._patterns, self._catalogue)
            if read is not None:
                terms = Terms(self._arcs, self._kernels, read[0])
                self._prove(look(self._arcs, terms, read[1]), terms)
                return terms, read[1]
            self._ledger.log("the earlier proof is about another table or another k, and is left aside")
        return Terms(self._arcs, self._kernels), first_multipliers(self._arcs)

    def _whole_core(self, is_over: Callable[[], bool], reach: float) -> Core:
        core = Core(self._catalogue, is_over)
        core.add_arcs(np.flatnonzero(self._near.reduced <= reach * self._unit))
        core.add_arcs(self.search.release.arc)
        core.add_cuts(self._terms.rows)
        return core

    def _sift(self, core: Core) -> None:
        """Solve the core of the whole table again and again, with more arcs and cuts, as long as that closes some of the gap."""
        stale, balance = 0, Balance()
        while not self._is_over() and stale < PATIENCE:
            began, lower = time.monotonic(), self._near.value
            relaxed = core.solve(self._ledger.clock.left())
            if relaxed is None:
                return
            terms = Terms(self._arcs, self._kernels, core.rows)
            missing = self._prove(look(self._arcs, terms, relaxed.multipliers), terms)
            if relaxed.value > self._near.value + ENOUGH * self._unit:
                better = ascend(
                    self._arcs,
                    terms,
                    relaxed.multipliers,
                    self._is_over,
                    unit=self._unit,
                    passes=FEW,
                    first_step=SHORT,
                )
                missing = np.union1d(missing, self._prove(better, terms))
            added = core.add_arcs(missing)
            self._ledger.log(
                f"core of {core.size:,} arcs and {len(core.rows):,} cuts: {relaxed.value:,.2f}, {added:,} arcs were missing; "
                f"proved {self._near.value:,.2f}, {int((relaxed.y % 1 > ENOUGH).sum()):,} patterns half open"
            )
            balance.bound(self._near.value - lower, time.monotonic() - began)
            core.add_arcs(self._improve_release(core, relaxed, balance))
            rows = self._violated(relaxed.x, relaxed.y, thorough=stale > 0)
            core.drop_slack(relaxed.x, relaxed.y)
            core.add_cuts(rows)
            gap = self.search.cost - self._near.value
            gained = self._near.value - lower > max(ENOUGH * self._unit, SOME * gap)
            stale = 0 if gained or added > SETTLED * core.size else stale + 1
            if not rows and not added and stale > 1:
                return

    def _raise(self) -> None:
        """Raise the bound of a large table in rounds, and search for better releases, whichever gains more; until time is over.

        Beside a companion, what is searched here is the whole table near the last mean.
        """
        balance, rounds, nearby = Balance(), 0, ProgramNear(self._catalogue, self._unit)
        averaging = AveragedRounds(self._catalogue, self._separate, self._is_over, self._unit)
        boxed: BoxStep | None = None
        while not self._is_over() and self.search.cost - self._near.value > FINE * self._unit:
            began, lower = time.monotonic(), self._near.value
            if balance.is_bound_next() or (self._companion is not None and not nearby.is_ready):
                one = self._round(averaging, boxed)
                rounds += 1
                self._prove(one.look, one.terms)
                (self.search if self._companion is None else nearby).hint(one.x)
                if boxed is None and self._near.value - lower < RESTING * self._unit:
                    boxed = BoxStep(self._catalogue, self._unit)
                balance.bound(self._near.value - lower, time.monotonic() - began)
                self._ledger.log(
                    f"round {rounds:,}: {one.found:,} new cuts, {len(self._terms.rows):,} in force, proved {self._near.value:,.2f}"
                )
                self._offer()
            elif self._companion is None:
                self._search_a_turn(balance)
            else:
                gain = self._search_near(nearby)
                balance.release(gain, time.monotonic() - began)

    def _round(self, averaging: AveragedRounds, boxed: BoxStep | None) -> Round:
        """Go a round: by a linear program if averages have come to rest, unless that is too much, and by averages if not."""
        one = None
        if boxed is not None:
            seconds = self._seconds(BOXED_SHARE * max(FIRST_LIMIT, self._ledger.clock.seconds()))
            one = boxed.go_round(self._near, self._terms, self._separate, self._is_over, seconds)
        return one or averaging.go_round(self._near, self._terms)

    def _search_near(self, nearby: ProgramNear) -> int:
        """Search the whole table near the last mean; return by how much that is better than the release there was."""
        near, release = self._near, self._best()
        terms = self._terms.of_price(near.at.prices, PRICED * self._unit)
        seconds = self._seconds(max(WHOLE_LEAST, NEARBY_SHARE * self._ledger.clock.seconds()))
        found = nearby.search(release, near.reduced, terms, seconds, self._is_over)
        if found is None:
            return 0
        gain = self._cost_of(release) - self._cost_of(found)
        self._ledger.log(f"the whole table near the mean: {gain:,} less")
        if gain > 0:
            self._take(found)
        return max(0, gain)

    def _separate(self, x: Numbers, y: Numbers) -> list[Row]:
        return self._violated(x, y, most=max(MOST_CUTS, int(CUTS_SHARE * len(self._arcs.copies))))

    def _violated(
        self,
        x: Numbers,
        y: Numbers,
        among: NDArray[np.bool_] | None = None,
        most: int = SOME_CUTS,
        thorough: bool = False,
    ) -> list[Row]:
        """Return violated cuts: those that are found in arrays first, then those that loops search for."""
        found = packing.violated(self._catalogue, x, y, among, most) if self._kernels is kernels else []
        until = time.monotonic() + SLOW
        return found + violated(
            self._catalogue,
            x,
            y,
            self._chance,
            lambda: self._is_over() or (self._kernels is kernels and time.monotonic() > until),
            most=most,
            among=among,
            thorough=thorough,
        )

    def _prove(self, found: DualPoint, terms: Terms) -> NDArray[np.int64]:
        """Turn multipliers into a bound if they are the best so far, and return the arcs that a core lacks for them."""
        if found.value > self._near.value:
            # Rows that are free now may be worth a price after the next move of all.
            if len(terms.rows) > MOST_ROWS:
                terms = terms.of_price(found.at.prices)
                found = replace(found, at=Multipliers(found.at.worth, found.at.prices[found.at.prices > 0]))
            self._near, self._terms = found, terms
            if self._search is not None:
                self._search.guide_by(found, terms)
            if math.ceil(found.value) > self._proved:
                self._write()
        return np.flatnonzero(np.repeat(found.values < 0, np.diff(self._arcs.start)) & (found.reduced <= TINY))

    def _write(self) -> None:
        """Prove in whole numbers what the best multipliers prove."""
        scaled, whole = bound_in_integers(self._arcs, self._terms, self._near.at, self._d)
        if scaled > self._proved and has_room(self._plain, self._terms.rows, [whole], self._d):
            self._proved = scaled
            proof = proof_of(self._problem, self._patterns, self._d, scaled, self._terms.rows, whole)
            self._ledger.raise_bound(proof.value, Origin.CERTIFICATE, certificate=proof)

    def _improve_release(self, core: Core, relaxed: Relaxed, balance: Balance) -> NDArray[np.int64]:
        """Search until the bound is next; return the arcs of the release.

        What the core itself holds is seen first, if its solution is nearly whole.
        """
        half_open = int((np.abs(relaxed.y - np.rint(relaxed.y)) > ENOUGH).sum())
        if half_open > FEW_HALF_OPEN:
            self.search.hint(relaxed.x)
        else:
            region = Region(np.flatnonzero(core.chosen()), self._arcs.copies, rows=core.rows)
            seconds = self._seconds(min(A_WHILE, max(SHORTEST_STEP, CORE_SHARE * self._ledger.clock.seconds())))
            found, _, _ = improve(self._catalogue, region, self.search.release, seconds, self._is_over)
            if found is not None:
                self._take(found)
        self._offer()
        if self._companion is not None:
            return self.search.release.arc
        while not balance.is_bound_next() and not self._is_over():
            self._search_a_turn(balance)
        return self.search.release.arc

    def _search_a_turn(self, balance: Balance) -> None:
        began, cost = time.monotonic(), self.search.cost
        self._step()
        balance.release(cost - self.search.cost, time.monotonic() - began)

    def _step(self) -> None:
        """Search once, or let the companion search for a while."""
        if isinstance(self.search, Background):
            time.sleep(A_MOMENT)
        else:
            # On small tables a core is solved in no time: a step must not take longer than the bound does.
            most = max(SHORTEST_STEP, STEP_SHARE * self._ledger.clock.seconds())
            self.search.step(self._seconds(min(SECONDS, most)), self._is_over)
        self._offer()

    def _offer(self) -> None:
        """Enter the release in the ledger if it is another one than last time."""
        release = self.search.release
        cost = self._cost_of(release)
        if cost != self._offered:
            self._offered = cost
            self._ledger.offer(partition_of(self._patterns, release), "sifting")

    def _close(self, limit: float) -> bool:
        """Search the arcs that can still be part of something better: all whose reduced cost is at most what is left of the gap.

        Restricted to reduced costs up to d, an optimum UB_d is the optimum as soon as L + d >= UB_d - 1: counted in whole numbers, so that
        the claim rests on the search alone. Tell whether that was reached.
        Where it takes longer than `limit`, or there are too many arcs, regions are searched for as long. Beside a tree, which proves the
        same by certificate, both only get a share of it.
        """
        self._ledger.phase("proof by cases")
        self._branch(limit)
        self._ledger.phase("closing the gap")
        if self._tree is not None:
            limit *= SHARE_BESIDE_TREE
        proved, reduced = self._reduced()
        reach = self._d * self._unit
        while not self._is_over():
            reach = max(0, min(reach, self._wanted() - 1 - proved))
            arcs = np.union1d(np.flatnonzero(reduced <= reach), self._best().arc)
            if len(arcs) > MIDDLING * limit / FIRST_LIMIT or not self._search_arcs(arcs, proved + reach, limit):
                break
            if proved + reach >= self._wanted() - 1:
                self._settle(arcs, limit)
                return True
            reach *= 2
        until = time.monotonic() + limit
        while self._companion is None and time.monotonic() < until and not self._is_over():
            self._step()
        return False

    def _reduced(self) -> tuple[int, NDArray[np.int64]]:
        """Return D times the bound of the best multipliers, and D times the reduced cost of every arc, in whole numbers."""
        _, whole = bound_in_integers(self._arcs, self._terms, self._near.at, self._d)
        return reduced_in_integers(self._arcs, self._terms, whole, self._d)

    def _settle(self, arcs: NDArray[np.int64], seconds: float) -> None:
        """The release is the best there is, says HiGHS: ask for a certificate, which is worth more, or for a second word."""
        self._branch(seconds)
        if self._is_over():
            return
        region = Region(arcs, self._arcs.copies)
        second = agrees(self._plain, self._catalogue, region, self._best(), self._seconds(seconds), self._is_over)
        backends = "highs" if second is None else f"highs and {second}"
        self._ledger.notes.append(f"the last {len(arcs):,} arcs were searched by {backends}")
        self._claim(self._cost_of(self._best()), backends)

    def _branch(self, seconds: float) -> None:
        """Try to prove by cases that there is nothing better, for so many seconds, if the table is not too large for that.

        The tree stays, and grows with every call.
        """
        if self._tree is None:
            if len(self._arcs.member) > FEW_ARCS or self._is_over():
                return
            self._tree = self._rooted()
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._is_over():
            self._until = min(until, time.monotonic() + PART)
            self._grow(self._tree)
            self._offer()
            if self._tree.proved >= self._wanted():
                return

    def _grow(self, tree: TreeByPattern) -> None:
        """Let the tree grow for a while, on the search's thread, too, if that is tired; enter what it proves."""
        if self._companion is None:
            tree.run(self._ledger.threads)
        elif len(tree.open) > 1 and self._is_tired(self._companion):
            with self._companion.resting():
                tree.run(self._ledger.threads)
        else:
            tree.run(self._ledger.threads - 1)
        proved = tree.proved
        scaled = -(-proved // self._d)
        self._ledger.log(
            f"{len(tree.cases):,} cases, {len(tree.open):,} of them open, {len(tree.rows):,} cuts: "
            f"proved {proved / self._d:,.2f}"
        )
        if scaled > self._proved and has_room(self._plain, tree.rows, [case.at for case in tree.cases], self._d):
            self._proved = scaled
            proof = branched_proof_of(self._problem, self._patterns, self._d, scaled, tree.rows, tree.cases)
            self._ledger.raise_bound(proof.value, Origin.CERTIFICATE, certificate=proof)

    def _is_tired(self, companion: Background) -> bool:
        """Tell whether the search has found nothing better for so long that its thread is of more use for a tree."""
        share = TIRED if self._chains is None else TIRED_OF_CHAINS
        return time.monotonic() - companion.bettered > share * self._ledger.clock.seconds()

    def _rooted(self) -> TreeByPattern:
        """Return a tree of one case, on as many threads as there are."""

        def is_over() -> bool:
            return self._is_over() or time.monotonic() > self._until

        cores = [self._whole_core(is_over, ROOT) for _ in range(self._ledger.threads)]
        return TreeByPattern(
            self._catalogue,
            self._kernels,
            cores,
            is_over,
            self._wanted,
            self._take_whole,
            self._violated,
            self.search.hint,
            self._step_of_cost,
            self._d,
        )

    def _take_whole(self, relaxed: Relaxed) -> None:
        """Take the solution of a core in which every pattern is open or shut, if its copies are whole."""
        count = np.rint(relaxed.x).astype(np.int64)
        if np.abs(relaxed.x - count).max(initial=0) <= TINY:
            arcs = np.flatnonzero(count)
            self._take(Release(arcs, count[arcs]))

    def _take(self, release: Release) -> None:
        """Take a release in, at once: a companion takes it over after its next step."""
        self.search.take(release)
        self._ledger.offer(partition_of(self._patterns, release), "sifting")
        if self._taken is None or self._cost_of(release) < self._cost_of(self._taken):
            self._taken = release

    def _best(self) -> Release:
        """Return the best release that the search has come to or that has been taken in."""
        found = self.search.release
        if self._taken is not None and self._cost_of(self._taken) < self._cost_of(found):
            return self._taken
        return found

    def _cost_of(self, release: Release) -> int:
        return int(self._arcs.cost[self._catalogue.pattern_of[release.arc]] @ release.count)

    def _wanted(self) -> int:
        """Return D times a bound that proves the release: as soon as it is above the next better cost."""
        return (self._cost_of(self._best()) - self._step_of_cost) * self._d + 1

    def _search_arcs(self, arcs: NDArray[np.int64], others: int, seconds: float) -> bool:
        """Search among some arcs, with the cuts in force; tell whether that came to its end. Releases with others cost `others` / D."""
        self._ledger.log(
            f"a search over {len(arcs):,} arcs, with {self.search.cost - self._near.value:,.2f} to close; all others cost "
            f"{others / self._d:,.2f} or more"
        )
        found, done, bound = improve(
            self._catalogue,
            Region(arcs, self._arcs.copies, rows=self._terms.rows),
            self._best(),
            self._seconds(seconds),
            self._is_over,
            careful=True,
        )
        if found is not None:
            self._take(found)
        lowest = min(bound, others / self._d, float(self._cost_of(self._best())))
        if np.isfinite(lowest) and not done:
            self._claim(self._step_of_cost * math.ceil(lowest / self._step_of_cost - ROUGH), "highs")
        return done

    def _claim(self, scaled: int, by: str) -> None:
        """Raise the bound on the word of backends, which leaves in place what is proved."""
        self._ledger.raise_bound(self._problem.unscale(scaled), Origin.BACKEND, by)

    def _seconds(self, most: float) -> float:
        left = self._ledger.clock.left()
        return most if left is None else min(most, left)
