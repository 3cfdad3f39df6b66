"""One run of `near-patterns`: what is done in which order, and when it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Budget, Clock, Origin
from anoptima.deadline import check_time
from anoptima.patterns import Patterns
from anoptima.principles import rows_alone
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.proofs.worths import groups_of
from anoptima.solvers.approximate.local_search import LocalSearch
from anoptima.solvers.approximate.mondrian import RelaxedMondrian
from anoptima.solvers.approximate.near_patterns.ceiling_dual import CeilingDual, proof_of_radii
from anoptima.solvers.approximate.near_patterns.duals import Duals
from anoptima.solvers.approximate.near_patterns.gaining_patterns import MOST_LOOKS, Walk
from anoptima.solvers.approximate.near_patterns.generated_patterns import GeneratedPatterns, masks_of
from anoptima.solvers.approximate.near_patterns.greedy_publisher import GreedyPublisher
from anoptima.solvers.approximate.near_patterns.group_bound import GroupBound
from anoptima.solvers.approximate.near_patterns.nearest_types import NearestTypes, nearest
from anoptima.solvers.compiling.loops import is_ready, kernels_here
from anoptima.solvers.exact.least_groups.bound import LeastGroups
from anoptima.solvers.exact.least_groups.pricing import Pricing, why_not_priced
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.arcs import Arcs, arcs_of
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.instance import without_others
from anoptima.solvers.exact.sifting.kernels import row_moves
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.annealing import row_annealing_of
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.regions import SECONDS, Guide
from anoptima.solvers.exact.sifting.releases.release import partition_of, release_of
from anoptima.solvers.exact.sifting.whole_numbers import usual_weight
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.starts import quick_start, start_clock
from anoptima.table import Counts

NEIGHBOURS, STARTS = 48, 24
"""How many neighbours of a row type are found, and from how many of them, with itself, grow patterns."""
FOR_NEIGHBOURS, FOR_PATTERNS, FOR_GROUPS, FOR_THE_BOUND = 0.3, 0.3, 0.3, 0.5
"""Parts of the time that is left."""
FOR_MOVES, FOR_MOVES_IN_TURN = 0.2, 0.5
"""The same for moves of single rows: at first, so that a release is good even if the bound takes the rest, and in turn with regions."""
SHRINKS = 0.9
"""What is left over begins anew among itself if it is at most such a part of what it was."""
ANNEALED_TYPES = 10_000
"""Of more row types than this rows are annealed over the patterns first if there is time, which gains more than moves to any group: of
`cells wide-30000x12`, k = 5, 30 s leave 71,902 stars and 73,456 without, 60 s 71,386 and 71,542 (`python -m benchmarks.tuned
anoptima.solvers.approximate.near_patterns.run.ANNEALED_TYPES 0 1000000000 --solver near-patterns --limits 30,60`). Of fewer rows either
may be better."""
LEAST_TURN_S = 1.0
"""Seconds that regions have before what they gain is compared with what moves of rows did. On 3,000 rows of 100 columns with few values
other than 0, k = 5, moves gain 130 stars a second after some seconds, and regions 4."""
_TINY_S = 1e-9
"""Seconds that have passed at least, so that a rate is finite."""
PAIRS = 32
"""A walk may look at a row type for every so many pairs of rows that prices of groups would compare on a column; else those are asked for.
Of 30,000 rows of 24 columns walks prove as much as prices of groups, and their proofs take many minutes to check."""
FAILURES = 40
"""After this many regions in a row without a gain, patterns are looked for again."""


class Run:
    """One run: neighbours, the pool of patterns, and the ledger."""

    def __init__(self, problem: CellSuppression, ledger: Ledger[Partition]) -> None:
        self._problem = problem
        self._plain = without_others(problem)
        self._ledger = ledger
        principle = problem.plain.principle
        self._k = principle.least_size(problem.table)
        self._is_alone = rows_alone(principle.conditions(problem.table)) is not None
        """Whether groups of k rows will do: then patterns of near rows are groups, and not only part of a bound."""
        self._weights: list[int] = problem.table.scaled_weights.tolist()
        self._unit = usual_weight(self._plain)
        self._chance = np.random.default_rng(ledger.budget.seed)
        self._duals = Duals(ledger, kernels_here(kernels), len(problem.table.types), self._unit, sum(self._weights))

    def run(self, started: bool) -> None:
        """Go on until the ledger is over, or nothing is left to try."""
        if not started:
            ledger = self._ledger
            quick = quick_start(
                self._problem, ledger.budget, start_clock(ledger.clock, self._problem), tell=ledger.offer
            )
            if quick is None and RelaxedMondrian().why_not(self._problem) is None:
                # Of a large table none was done in its share of the time; this one is soon.
                ledger.offer(RelaxedMondrian().partition(self._problem, ledger.is_over), "a quick approximation")
        table = self._problem.table
        self._ledger.phase("looking for near rows")
        around = self._neighbours(table.types, table.multiplicity)
        self._radius = around.radius
        proof = proof_of_radii(self._problem, self._radius)
        self._ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)
        self._ledger.log(f"{around.done:,} of {len(table.types):,} row types have neighbours")
        pool = GeneratedPatterns(self._plain, self._k, self._ledger.budget.seed)
        self._ledger.phase("finding a release")
        if self._is_alone:
            looked = pool.look_around(around.near[: around.done], STARTS, self._ledger.until(FOR_PATTERNS))
            self._ledger.log(f"patterns around {looked:,} row types")
            self._release(pool, np.arange(len(table.types)))
        is_time = self._ledger.clock.share_of_left(FOR_MOVES) > self._duals.took and is_ready(row_moves.anneal)
        if self._is_alone and len(table.types) > ANNEALED_TYPES and is_time:
            self._regions(pool, FOR_MOVES)()
        else:
            self._move_rows(FOR_MOVES)
        self._ledger.phase("raising the bound")
        self._raise_bound(pool)
        self._ledger.phase("improving the release")
        if self._is_alone:
            self._improve(pool)
        self._move_rows(1.0, is_patient=True)

    # ---- the bound --------------------------------------------------------------------------------------------------------------

    def _raise_bound(self, pool: GeneratedPatterns) -> None:
        """Prove what the patterns do that are found to gain, from those of the pool on; of very many columns, what groups of near rows do.

        Under principles that ask for more than a size, groups of the least size are priced instead where rows are few enough: that proves
        as much as all patterns would, and `group-prices` does it under the others.
        """
        problem, ledger, is_over = self._problem, self._ledger, self._ledger.until(FOR_THE_BOUND)
        k, kinds, why_not = groups_of(problem)
        if why_not and why_not_priced(problem, k) is None:
            LeastGroups(problem, ledger, Pricing(problem, k, kinds, ledger.threads)).raise_bound(is_over)
            return
        is_large = why_not_priced(problem, k) is not None and len(pool) > 0 and GroupBound.why_not(problem) is None
        groups = GroupBound(problem, ledger.threads) if is_large else None
        dual = CeilingDual(problem, ledger, kernels_here(kernels), self._radius)
        if len(pool):
            arcs = arcs_of(pool.patterns(), problem.table.multiplicity, self._k)
            dual.begin(arcs, self._duals.over(arcs).at.worth)
        most = MOST_LOOKS if groups is None else min(MOST_LOOKS, groups.pairs // PAIRS)
        is_long = Walk.why_not(problem) is not None or dual.raise_bound(is_over, most)
        if groups is not None and is_long:
            self._price_groups(groups, pool, is_over)

    def _price_groups(self, bound: GroupBound, pool: GeneratedPatterns, is_over: Callable[[], bool]) -> None:
        """Prove what rows are worth by the patterns of the pool, less what groups gain; add those groups, as long as there is time."""
        table, clock = self._problem.table, self._ledger.clock
        end, took = clock.seconds() + clock.share_of_left(FOR_THE_BOUND), bound.seconds
        while not is_over() and clock.seconds() + took <= end:
            began = clock.seconds()
            arcs = arcs_of(pool.patterns(), table.multiplicity, self._k)
            dual = self._duals.over(arcs)
            proof, groups = bound.proof(dual.at.worth, is_over)
            self._ledger.log(f"{len(pool):,} patterns are worth {dual.value:,.0f}, and prove {proof.value}")
            self._ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)
            took = clock.seconds() - began
            if not len(groups):
                break
            members = table.type_of_row[groups].astype(np.int32)
            pool.add(masks_of(~bound.pricing.far(groups)), members.ravel(), np.full(len(groups), self._k))

    # ---- the release ------------------------------------------------------------------------------------------------------------

    def _release(self, pool: GeneratedPatterns, types: Counts) -> None:
        """Publish rows by the patterns of the pool, and what is left over by patterns of its own, again and again."""
        publisher = GreedyPublisher(self._plain, self._k)
        while len(pool):
            arcs = _arcs_among(pool.patterns(), types, publisher.left[types], self._k)
            publisher.cover(arcs, types, self._duals.over(arcs).at.worth, self._ledger.until(FOR_GROUPS))
            before, types = int(publisher.left[types].sum()), np.flatnonzero(publisher.left)
            left = int(publisher.left.sum())
            self._ledger.log(f"{left:,} rows are left over")
            few = left < 2 * self._k or left > SHRINKS * self._problem.table.rows or before == left
            if few or self._ledger.is_over():
                break
            around = self._neighbours(self._problem.table.types[types], publisher.left[types])
            pool = GeneratedPatterns(self._plain, self._k, self._ledger.budget.seed, publisher.left)
            pool.look_around(
                types[around.near[: around.done]].astype(np.int32), STARTS, self._ledger.until(FOR_PATTERNS)
            )
        if not self._ledger.is_over():
            self._ledger.offer(publisher.partition(), "near-patterns")

    def _improve(self, pool: GeneratedPatterns) -> None:
        """Let moves of single rows and regions take turns, as long as both gain."""
        before = None
        while not self._ledger.is_over() and before != self._ledger.cost:
            before = self._ledger.cost
            self._search_regions(pool, self._move_rows(FOR_MOVES_IN_TURN))

    def _move_rows(self, share: float, is_patient: bool = False) -> float:
        """Move single rows for a share of the time that is left; return what that gained a second."""
        if self._ledger.is_over():
            return 0.0
        gains = self._gains()
        left = self._ledger.clock.left()
        budget = Budget(None if left is None else share * left, seed=self._ledger.budget.seed)
        search = LocalSearch(is_patient)
        found = search.solve(self._problem, budget, self._ledger.solution, lambda _: self._ledger.is_over())
        self._ledger.offer(found.require_solution(), found.solver)
        return gains()

    def _gains(self) -> Callable[[], float]:
        """Return what tells how much a second has been gained from now on."""
        cost, began = self._ledger.cost or 0, self._ledger.clock.seconds()
        return lambda: float(cost - (self._ledger.cost or 0)) / max(_TINY_S, self._ledger.clock.seconds() - began)

    def _search_regions(self, pool: GeneratedPatterns, rate: float) -> None:
        """Solve regions over the patterns of the pool and those of the release, until some in a row gain nothing.

        Where time is limited and moves of rows gained more a second, regions end after a while for them to go on.
        """
        step = self._regions(pool, 1.0)
        failures, gains, clock = 0, self._gains(), self._ledger.clock
        compared = inf if clock.left() is None else clock.seconds() + LEAST_TURN_S
        while failures < FAILURES and not self._ledger.is_over():
            if clock.seconds() > compared and gains() < rate:
                return
            failures = 0 if step() else failures + 1

    def _regions(self, pool: GeneratedPatterns, share: float) -> Callable[[], bool]:
        """Return what takes a step of a search in a share of the time that is left: rows are annealed some times, then regions are solved.

        A step tells whether it has made the release better.
        """
        assert self._ledger.solution is not None
        pool.add_groups(self._plain, self._ledger.solution)
        check_time()
        patterns = pool.patterns()
        arcs = arcs_of(patterns, self._problem.table.multiplicity, self._k)
        guide = Guide(self._duals.over(arcs).reduced)
        check_time()
        release = release_of(self._plain, patterns, self._ledger.solution)
        check_time()
        ledger = self._ledger
        within = Clock(None if ledger.clock.left() is None else ledger.clock.share_of_left(share))
        search = AnnealedRegions(
            Programs(Catalogue(arcs), self._plain),
            release,
            guide,
            self._chance,
            row_annealing=row_annealing_of(arcs, self._unit, ledger.budget.seed),
            share_of_left=within.share_of_left,
        )

        def step() -> bool:
            better = search.step(min(SECONDS, within.share_of_left(1.0)), lambda: within.is_over() or ledger.is_over())
            if better:
                ledger.offer(partition_of(patterns, search.release), "near-patterns")
            return better

        return step

    # ---- what both need ---------------------------------------------------------------------------------------------------------

    def _neighbours(self, types: NDArray[np.int32], copies: Counts) -> NearestTypes:
        is_over, threads = self._ledger.until(FOR_NEIGHBOURS), self._ledger.threads
        return nearest(types, copies, self._weights, self._k, NEIGHBOURS, is_over, threads)


def _arcs_among(patterns: Patterns, types: Counts, copies: Counts, k: int) -> Arcs:
    """Return the arcs of patterns that match none but these row types, which are numbered from 0."""
    number = np.full(len(patterns.table.types), -1, dtype=np.int32)
    number[types] = np.arange(len(types), dtype=np.int32)
    return replace(arcs_of(patterns, copies, k), member=number[patterns.member])
