"""Branching on the sizes of groups and their rows of a value: under equal closeness in turns with dives for better releases.

Under other closeness along edges, and closeness with diversity, a tree of a small table has one turn of half the time: whole groups
often prove the optimum without a decision (`benchmarks.proved_share`). Under diversity, a tree grows early (`BranchSoon`), which is all
that most small tables need, and again before and after what is left is searched (`stages.close`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anoptima.proofs.group_cases import has_cases
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.proofs import proof_by_cases
from anoptima.solvers.exact.sifting.read_back import EarlierWorths
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from anoptima.solvers.exact.sifting.tree.by_size import TreeBySize
from anoptima.solvers.exact.sifting.tree.dive import let_go

MOST_ARCS, MOST_ARCS_BY_VALUE = 100_000, 20_000
"""Tables of no more arcs are branched on; the second number is for groups that are priced by going through the values. For an arc that
takes some 30 microseconds of CPU, by slots half a one (census, 100 and 200 rows, t = 0.2): half a second for a pass over the largest
tables, or 50 ms."""
TURN_S, DIVING_SHARE, SETTLING_SHARE = 10.0, 1.0, 0.7
"""Seconds of the first turn, doubled each time up to the longest; dives have their turn in between, of this share of them: of 300 census
rows, t = 0.3, a minute leaves 895 and 889 stars in two runs, and with a fifth 902 and 904 (`benchmarks.tuned`).

To prove what a search says, a tree may take this share of what is left, and so may a first turn, since nothing is known yet of how long
checking takes: the rest is for that.
"""
LONGEST_TURN_S, TIMES_CHECKING = 60.0, 10.0
"""No turn is longer than the first number of seconds, or than this many times what checking its cases takes: until a turn ends nobody
hears of what it proves, and a run that is cancelled in it loses that. Not measured.
"""
ONCE_SHARE = 0.5
"""The same of a tree that has one turn before other stages, to begin with: half, so that these have as much. Not measured."""

ROWS = 100
"""How many rows a dive lets go. Of 300 census rows, tree closeness at 0.2, a minute leaves 893 stars; with 60 or 150 rows 895."""
PATIENCE = 60
"""After so many dives that have gained nothing, other stages have their turn."""

SOON_SHARE, SOON_LEAST_S, SOON_MOST_SHARE = 1.0, 1.0, 0.3
"""An early turn takes this share of the seconds that have passed, and these at least, but no more than the last share of what is left."""
SOON_ARCS, SOON_ARCS_OF_CLOSE = 20_000, 5_000
"""Of tables of more arcs, other stages prove more in the time: `docs/figures.md`, "A tree first". The second number is for closeness."""


def turn_of(seconds: float, left: float | None, cases: int, pace: float, checking: float) -> float:
    """Return for how long to branch next, `seconds` at most, so that the proof is made in the time that is left.

    Its checker takes `checking` seconds for each of the cases there are, and of those that follow, `pace` in a second. 0 or less if there
    is no time for that.

    >>> turn_of(20.0, None, 500, 5.0, 0.1), turn_of(20.0, 80.0, 500, 5.0, 0.1), turn_of(20.0, 30.0, 500, 5.0, 0.1)
    (20.0, 20.0, -13.333333333333334)
    """
    return seconds if left is None else min(seconds, (left - checking * cases) / (1 + checking * pace))


class BranchBySize(Stage[StandingUnderRules]):
    """Branch, and search for better releases in between, until cases come to their end or are too many.

    The tree is rooted in the cases of an `earlier` run, if there were any.
    """

    def __init__(self, standing: StandingUnderRules, earlier: EarlierWorths | None) -> None:
        super().__init__(standing)
        self._ends = [] if earlier is None else earlier.ends
        self._proved = -np.inf
        """What the tree has been seen to prove."""
        self._pace = self._checking = 0.0
        """How many cases came in a second of the last turn, and for how many seconds a case was checked."""

    part = Part.TREE

    def why_not(self) -> str | None:
        """Other principles are not branched on in turns, nor large tables."""
        standing = self.standing
        turns = standing.instance.is_equal_closeness and standing.is_repaired
        if not turns and not (standing.instance.is_by_value and standing.is_compiled):
            return "it is for closeness along edges, in compiled loops"
        return self._why_too_large()

    def why_not_dive(self) -> str | None:
        """Nothing is close, or the table is large, or its tree is not begun, or done."""
        instance = self.standing.instance
        if not (instance.is_by_value or instance.is_equal_closeness) or self._why_too_large() is not None:
            return "it is for small tables under closeness"
        if "tree" not in vars(self) or not self.tree.is_bounded:
            return "nothing bounds whole groups yet"
        return "there is nothing better to be found" if self.tree.is_done else None

    def why_not_settle(self) -> str | None:
        """There are no proofs by cases of what is asked for, or of sizes alone, or the table is large."""
        instance = self.standing.instance
        if not (has_cases(instance.conditions) and instance.rules[0].column):
            return "there are no proofs by cases of it"
        return self._why_too_large()

    def _why_too_large(self) -> str | None:
        instance = self.standing.instance
        most = MOST_ARCS_BY_VALUE if instance.is_by_value else MOST_ARCS
        return None if instance.patterns.arcs <= most else "its tree would be too large"

    def settle(self, limit: float) -> None:
        """Branch for `limit` seconds at most, and prove what that comes to."""
        self.grow(min(limit, self.standing.share_of_left(SETTLING_SHARE)))

    @property
    def proved(self) -> float:
        """What is proved so far, by the tree or before it."""
        return max(self.standing.point.value, self._proved)

    def grow(self, seconds: float) -> None:
        """Let the tree grow for some seconds, and prove what that comes to."""
        self.standing.ledger.phase("proof by cases")
        tree = self.tree
        before, began = len(tree.cases), time.monotonic()
        tree.run(seconds=seconds)
        self._pace = (len(tree.cases) - before) / (time.monotonic() - began)
        self._prove()

    def run(self, limit: float) -> None:
        """Let the tree grow in turns; where other stages are as good, once."""
        standing = self.standing
        if standing.instance.is_by_value:
            self.grow(standing.share_of_left(ONCE_SHARE, limit))
            return
        tree, seconds = self.tree, TURN_S
        while not standing.is_over():
            turn = turn_of(seconds, standing.ledger.clock.left(), len(tree.cases), self._pace, self._checking)
            if turn <= 0:
                return
            self.grow(turn if self._checking else min(turn, standing.share_of_left(SETTLING_SHARE)))
            if tree.is_done or tree.is_full:
                return
            if standing.uses(Part.DIVING):
                self.dive(DIVING_SHARE * seconds)
            seconds = min(2 * seconds, max(LONGEST_TURN_S, TIMES_CHECKING * self._checking * len(tree.cases)))

    def dive(self, limit: float) -> None:
        """Dive for `limit` seconds, as long as that gains something now and then; equals are taken, for they lead elsewhere."""
        standing, tree = self.standing, self.tree
        until, stale, release = time.monotonic() + standing.seconds(limit), 0, standing.published
        programs = standing.instance.programs
        cost = programs.cost_of(release)
        while stale < PATIENCE and time.monotonic() < until and not standing.is_over():
            stale += 1
            found = tree.dive(until, let_go(standing.instance, release, ROWS, standing.chance))
            its = programs.cost_of(found)
            if its <= cost:
                stale = stale if its == cost else 0
                release, cost = found, its
                standing.take(release)

    @cached_property
    def tree(self) -> TreeBySize:
        """The tree, which stays from one turn to the next."""
        standing = self.standing
        tree = TreeBySize(
            standing.instance,
            standing.pricing,
            standing.point.at.worth,
            lambda: float(standing.cost - standing.instance.step_of_cost),
            standing.take,
            standing.is_over,
        )
        if self._ends:
            tree.go_on_from(self._ends)
            self._proved = tree.proved
        if standing.instance.is_by_value:
            tree.begin_with(standing.release)
        return tree

    def _prove(self) -> None:
        """Prove what the tree does if that is more than before, and note how long that takes for a case."""
        standing, tree = self.standing, self.tree
        standing.ledger.log(
            f"{len(tree.cases):,} cases, {tree.cases.open:,} of them open: {tree.proved:,.2f} of {standing.cost:,}"
        )
        if tree.proved <= self.proved:
            return
        began, self._proved = time.monotonic(), tree.proved
        standing.enter(proof_by_cases(standing.instance, list(tree.cases)))
        self._checking = (time.monotonic() - began) / len(tree.cases)


@dataclass(eq=False)
class BranchSoon(Stage[StandingUnderRules]):
    """Let the tree of `branch` grow as long as each turn closes half of what the bound lacked, under diversity and equal closeness.

    Cuts, and moves of single rows, take a second or more however few rows there are; a tree of a few cases proves most such optima in a
    fraction of one. Where it gets nowhere it loses about as much time as has passed.
    """

    part = Part.TREE

    branch: BranchBySize

    def why_not(self) -> str | None:
        """A tree is grown soon anyway, or takes too long, or there are no proofs by cases of what is asked for."""
        standing, instance = self.standing, self.standing.instance
        if instance.is_by_value:
            return "its tree is grown before rows are moved anyway"
        if not standing.is_compiled:
            return "plain loops take too long"
        if instance.patterns.arcs > (SOON_ARCS_OF_CLOSE if instance.is_close else SOON_ARCS):
            return "a turn that leads nowhere would take too long"
        return self.branch.why_not_settle()

    def run(self, limit: float) -> None:
        """Grow, turn after turn."""
        standing, branch, lacking = self.standing, self.branch, np.inf
        while lacking > 0 and not (standing.is_over() or branch.tree.is_done or branch.tree.is_full):
            before = branch.proved
            branch.grow(min(standing.share_of_spent(SOON_SHARE, SOON_LEAST_S), standing.share_of_left(SOON_MOST_SHARE)))
            lacking = standing.cost - standing.instance.step_of_cost - branch.proved
            if lacking > branch.proved - before:
                return


@dataclass(eq=False)
class Dive(Stage[StandingUnderRules]):
    """Dive again and again, from the tree that bounds the whole table (`tree.dive`)."""

    part = Part.DIVING

    branch: BranchBySize

    def why_not(self) -> str | None:
        """There is no tree of whole groups, with a bound of the whole."""
        return self.branch.why_not_dive()

    def run(self, limit: float) -> None:
        """Dive as long as that gains something."""
        self.standing.ledger.phase("diving")
        self.branch.dive(limit)
