"""Better releases under diversity and equal closeness: single rows move between patterns, through groups that are not legal for a while.

The best releases have many small groups, which `repair` seldom finds: a new group needs ten rows or so of the right values at once, and
costs more than it saves until it has them; and programs over regions need minutes to go through a large table once. Here rows come one by
one. How far a group is from being legal has a price (`kernels.single_row_moves`), low at first and higher and higher, while costs may rise
by less and less (simulated annealing). In the end nearly all groups are legal; the rows of the others are placed anew (`releases.greedy`),
and `repair` or `regions` go on from there.

On several threads the patterns are dealt out anew every moment, and each thread moves rows between its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import fastest
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.kernels import single_row_moves as moves
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release, legal_part
from anoptima.solvers.exact.sifting.releases.release import Release
from anoptima.solvers.exact.sifting.releases.repair import threads_for
from anoptima.solvers.exact.sifting.rules.rule import Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation


class Course(NamedTuple):
    """How moves go on; all but moves are in units (`Instance.unit`).

    Attributes
    ----------
    heats
        How much costs may rise by in the beginning and in the end, on average.
    prices
        What a burden of one costs in the beginning and in the end.
    reach
        Arcs are left out that cost a release this much more, at least.
    most
        Moves tried for each row, if there is time.
    """

    heats: tuple[float, float]
    prices: tuple[float, float]
    reach: float
    most: int


CLOSE = Course((1.5, 0.2), (2.0, 20.0), 5.0, 200_000)
"""Moves under equal closeness, in units; the first heat is the most there is (`HEAT_BY_T`)."""
HEAT_BY_T = 0.15
"""The first heat under t-closeness, times t: the lower t, the more rows a group needs, many of which are dearer there. Of
3,000 census rows, t = 0.3, 10 s leave 6,213 stars, and 6,384 with 0.45; of 30,162, 60 s leave 43,346 and 44,387 (`benchmarks.tuned`)."""
DIVERSE = Course((0.7, 0.2), (0.3, 20.0), 0.1, 30_000)
"""Moves under diversity, in the same units. The bound is near the best release, so that reduced costs tell much more than under closeness,
and programs over regions come soon after. Of 30,162 census rows under recursive (2, 3)-diversity 10 s leave 17,501 stars, and 19,954
without moves (`benchmarks.tuned releases.move_rows.FEWEST_MOVES`)."""
WARM = 0.5
"""Where on the way from the first heat and price (0) to the last (1) a release begins that such moves have made before: from there on they
keep most of its groups. Chosen, not measured."""
SLOPE = 0.6
"""What each further row of a burden counts beside its root (`kernels.single_row_moves`)."""
FEWEST_MOVES = 100
"""If there is no time even for so many moves of each row, none are made. Of 30,162 census rows, t = 0.3, on a busy machine, 60 s leave
46,204 stars, and 46,945 with 2,000 (`benchmarks.tuned`)."""
UNHURRIED_MOVES = 20_000
"""Moves tried for each row where time has no limit: no more, since nothing else is found meanwhile."""
MOST_CELLS = 1 << 25
"""Patterns times rules times values: how many rows of each a pattern has is held in floats, 256 MB of them at most."""
DEALS = 200
"""So often at least are patterns dealt out anew, and heat and price changed."""
_TINY_S = 1e-9
"""Seconds that have passed at least, so that a rate is finite."""
_DRAWS = 1 << 16
"""How many rises of cost there are to draw from: as many as `kernels.single_row_moves._ROOM_BITS` can tell apart."""
_SEEDS = 1 << 31
"""States of the generator of moves."""


def serves(instance: Instance) -> bool:
    """Tell whether single rows may be moved: under rules that say what a group lacks, of values that are not too many."""
    rules = instance.rules
    is_known = all(rule.kind is not None and len(rule.asked) for rule in rules)
    return is_known and len(instance.arcs) * len(rules) * max(rule.values for rule in rules) <= MOST_CELLS


def course_of(instance: Instance) -> Course:
    """Return how moves go on under the rules."""
    limits = [Fraction(rule.c, rule.d) for rule in instance.rules if isinstance(rule, TotalVariation)]
    if not limits:
        return Course(*DIVERSE)
    close = Course(*CLOSE)
    hottest, last = close.heats
    first = HEAT_BY_T / max(float(min(limits)), HEAT_BY_T / hottest)
    return close._replace(heats=(max(first, last), last))


class RowMoves:
    """A release under rules, with k or without, row by row, and the patterns that each row may go to.

    `forced` is what using each arc costs a release at least.
    """

    def __init__(self, instance: Instance, release: Release, forced: Numbers) -> None:
        self._instance, unit = instance, instance.unit
        self._course = course_of(instance)
        arcs, rules = instance.arcs, instance.rules
        usable = forced <= self._course.reach * unit
        usable[release.arc] = True
        widest = int(np.argmax(instance.patterns.support))
        usable[arcs.start[widest] : arcs.start[widest + 1]] = True
        chosen = np.flatnonzero(usable)
        by_record = np.argsort(arcs.member[chosen], kind="stable")
        self._arc = arc = chosen[by_record]
        # Places are the numbers of arcs in `self._arc`.
        place = np.empty(len(arc), dtype=np.int64)
        place[by_record] = np.arange(len(arc))
        first = place[np.searchsorted(chosen, release.arc)]
        record = np.repeat(arcs.member[release.arc], release.count)
        at = np.repeat(arcs.patterns_of(release.arc), release.count)
        counts = np.zeros((len(arcs), len(rules), max(rule.values for rule in rules)))
        asked = np.zeros((len(rules), max(len(rule.asked) for rule in rules)))
        for j, rule in enumerate(rules):
            np.add.at(counts[:, j], (at, rule.value[record]), 1)
            asked[j, : len(rule.asked)] = rule.asked
        self.ground = moves.Ground(
            record=record.astype(np.int32),
            value=np.array([rule.value for rule in rules], dtype=np.int64),
            start=np.searchsorted(arcs.member[arc], np.arange(len(arcs.copies) + 1)).astype(np.int64),
            pattern=arcs.patterns_of(arc).astype(np.int32),
            cost=arcs.cost / unit,
            rises=-np.log((np.arange(_DRAWS) + 0.5) / _DRAWS),
            kind=np.array([rule.kind for rule in rules], dtype=np.int64),
            asked=asked,
            k=instance.k,
            slope=SLOPE,
        )
        self.state = moves.State(
            place=np.repeat(first, release.count),
            at=at.astype(np.int32),
            counts=counts,
            size=np.bincount(at, minlength=len(arcs)).astype(np.int64),
            burden=np.zeros(len(arcs)),
        )

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.state.at)

    def legal(self) -> Release:
        """Return the groups that are legal."""
        arc, count = np.unique(self._arc[self.state.place], return_counts=True)
        return legal_part(self._instance, Release(arc, count))

    def moment(
        self, threads: ThreadPoolExecutor, parts: int, tried: int, done: float, chance: np.random.Generator
    ) -> None:
        """Deal the patterns out, and try `tried` moves on each part; `done` says how far the whole has come."""
        heat, price = (first * (last / first) ** done for first, last in (self._course.heats, self._course.prices))
        owner = chance.integers(0, parts, len(self.state.size))
        of_row = owner[self.state.at]

        def run(own: int, seed: int) -> None:
            fastest(moves.shift_rows)(
                self.ground, self.state, np.flatnonzero(of_row == own), owner, own, tried, heat, price, seed
            )

        list(threads.map(run, range(parts), chance.integers(0, _SEEDS, parts).tolist()))

    def anneal(
        self,
        seconds: float,
        threads: int,
        is_over: Callable[[], bool],
        chance: np.random.Generator,
        begun: float = 0.0,
    ) -> Release | None:
        """Return another release, most often a better one; None if there is no time for that, or it is over before its end.

        `begun` says how far heat and price are on their way in the beginning: at 0 hardly anything of the release stays as it was.
        O(values) for each move, of which there are as many as `seconds` allow.
        """
        parts = threads_for(self.rows, threads)
        limited = seconds < np.inf
        wanted = (self._course.most if limited else min(self._course.most, UNHURRIED_MOVES)) * self.rows
        tried, done = 0, 0.0
        most = self.rows if limited else -(-wanted // (DEALS * parts))
        with ThreadPoolExecutor(parts) as pool:
            self.moment(pool, parts, 0, 0.0, chance)  # Loads what is compiled.
            began = time.monotonic()
            while done < 1:
                if is_over():
                    return None
                self.moment(pool, parts, most, begun + (1 - begun) * done, chance)
                tried += most * parts
                if not limited:
                    done = tried / wanted
                    continue
                passed = max(_TINY_S, time.monotonic() - began)
                if tried * seconds < FEWEST_MOVES * self.rows * passed:
                    return None
                done = max(tried / wanted, passed / seconds)
                most = min(2 * most, max(1, int(tried / passed * seconds / (DEALS * parts))))
        return greedy_release(self._instance, np.zeros(len(self._instance.arcs)), chance, self.legal())
