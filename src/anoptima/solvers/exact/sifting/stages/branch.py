"""Branching on patterns: a tree of cases, which proves one cost after the other."""

from __future__ import annotations

import math
import time

import numpy as np

from anoptima.errors import OutOfTime
from anoptima.solvers.exact.sifting.arcs import TINY
from anoptima.solvers.exact.sifting.bound.core import Relaxed
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.proofs import branched_proof_of, has_room
from anoptima.solvers.exact.sifting.read_back import Earlier
from anoptima.solvers.exact.sifting.releases.release import Release
from anoptima.solvers.exact.sifting.stages.separate import violated
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize
from anoptima.solvers.exact.sifting.tree.by_pattern import Around, TreeByPattern

MOST_ARCS = 300_000
"""Tables of no more arcs are branched on."""
ROOT_REACH_UNITS = 0.4
"""The cores of a tree begin with the arcs of at most this reduced cost."""
PART_S = 30.0
"""Seconds after which what a tree proves is entered, and the release that was found beside it."""
TIRED_SHARE, TIRED_SHARE_OF_CHAINS = 0.25, 0.8
"""A search that found nothing better for this share of the seconds rests while there is branching; the second if it anneals patterns."""


class Branch(Stage[StandingUnderSize]):
    """Let the tree grow in turns, as long as it proves less than is wanted; it stays from one turn to the next.

    It is rooted in the cases of an `earlier` run, if there were any.
    """

    part = Part.TREE

    def __init__(self, standing: StandingUnderSize, earlier: Earlier | None) -> None:
        super().__init__(standing)
        self._earlier = earlier
        self._until = -math.inf

    def why_not(self) -> str | None:
        """The table is too large for a tree, or every case has come to its end."""
        if len(self.standing.instance.arcs.member) > MOST_ARCS:
            return "its tree would be too large"
        tree = self.standing.tree
        return "nothing is left to decide" if tree is not None and tree.is_done else None

    def run(self, limit: float) -> None:
        """Branch for `limit` seconds, or until what is wanted is proved."""
        standing = self.standing
        standing.ledger.phase("proof by cases")
        if standing.tree is None:
            standing.tree = self._rooted()
        until = time.monotonic() + limit
        while time.monotonic() < until and not standing.is_over():
            self._until = min(until, time.monotonic() + PART_S)
            self._grow(standing.tree)
            standing.offer(standing.release)
            if standing.tree.is_done or standing.tree.proved >= standing.wanted:
                return

    def _rooted(self) -> TreeByPattern:
        """Return a tree of one case, or of those of an earlier run, on as many threads as there are."""
        standing = self.standing

        def is_over() -> bool:
            return standing.is_over() or time.monotonic() > self._until

        around = Around(
            is_over,
            lambda: standing.wanted,
            self._take_whole,
            lambda x, y, among: violated(standing, x, y, among),
            standing.shared.hint if standing.uses(Part.PROGRAM_NEAR) else lambda x: None,
        )
        cores = [standing.core(is_over, ROOT_REACH_UNITS) for _ in range(standing.ledger.threads)]
        tree = TreeByPattern(standing.instance, standing.kernels, cores, around)
        if self._earlier is not None and self._earlier.has_cases:
            tree.go_on_from(self._earlier.rows, self._earlier.ends)
        return tree

    def _grow(self, tree: TreeByPattern) -> None:
        """Let the tree grow for a while, on the search's thread, too, if that is tired; enter what it proves, also where time ends it."""
        standing = self.standing
        try:
            if not standing.shared.is_in_background:
                tree.run(standing.ledger.threads)
            elif tree.cases.open > 1 and self._is_tired():
                with standing.shared.resting():
                    tree.run(standing.ledger.threads)
            else:
                tree.run(standing.ledger.threads - 1)
        except OutOfTime:
            if tree.is_whole:
                self._enter(tree)
            raise
        self._enter(tree)

    def _enter(self, tree: TreeByPattern) -> None:
        """Enter what the tree proves."""
        standing, instance = self.standing, self.standing.instance
        proved = tree.proved
        scaled = -(-proved // instance.d)
        standing.ledger.log(
            f"{len(tree.cases):,} cases, {tree.cases.open:,} of them open, {len(tree.rows):,} cuts: "
            f"proved {proved / instance.d:,.2f}"
        )
        if scaled > standing.proved and has_room(instance, tree.rows, [case.at for case in tree.cases]):
            standing.proved = scaled
            standing.enter(branched_proof_of(instance, scaled, tree.rows, list(tree.cases)))

    def _is_tired(self) -> bool:
        """Tell whether the search has found nothing better for so long that its thread is of more use for a tree."""
        shared = self.standing.shared
        share = TIRED_SHARE_OF_CHAINS if shared.anneals_patterns else TIRED_SHARE
        return time.monotonic() - shared.bettered > share * self.standing.ledger.clock.seconds()

    def _take_whole(self, relaxed: Relaxed) -> None:
        """Take the solution of a core in which every pattern is open or shut, if its copies are whole."""
        count = np.rint(relaxed.x).astype(np.int64)
        if np.abs(relaxed.x - count).max(initial=0) <= TINY:
            arcs = np.flatnonzero(count)
            self.standing.take(Release(arcs, count[arcs]))
