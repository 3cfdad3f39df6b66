"""Better releases under closeness: many small changes, at first also such that raise the cost, then fewer and fewer of those.

`kernels.repair_moves` says what a change is. Legal groups of one pattern are legal together, and what is left of a release when whole
groups are taken out of it is legal, too: so on several threads the groups are dealt out anew every moment, each thread changes its own, and
what comes out is put together. In one of two halves of the rows a change finds only half of its partners, but the rows are halved in
another way each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat

import numpy as np

from anoptima.deadline import check_time
from anoptima.exact import floor_within
from anoptima.principles import AtLeastRows, AtMostShare, Close, CloseOnTree
from anoptima.solvers.compiling.loops import fastest
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.kernels import repair_moves as moves
from anoptima.solvers.exact.sifting.kernels.repair_board import COST, LENGTH, MARKS, Board
from anoptima.solvers.exact.sifting.releases.release import NOBODY, Release, together
from anoptima.solvers.exact.sifting.rules.of_conditions import MOST_UNITS
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Tree

ROWS = 12
"""How many rows are let go at a time, on average. In an order (census, 500 rows, t = 0.2, 8 s of CPU, one seed) 749 stars, with 6 rows 751
and with 24 rows 754."""
HEAT = 1.2
"""How much more than before a change may cost in the beginning, on average, in units (`Instance.unit`). In an order, as above: with
half of it 751 stars, with twice as much 752."""
LIFT = 0.5
"""How much more rows are worth than the dual says when patterns take them, on average, in units."""
TRIALS_A_RECORD = 300
"""Changes tried for each record, where there is time."""
SECONDS = 0.3
"""How long changes are tried between looks at the clock."""
DEAL, FEWEST_DEALS, DEALS = 2.0, 20, 200
"""The groups are dealt out anew after this number of seconds, at least this often, and exactly this often without a time limit, so that
nothing depends on the clock then."""
FEWEST_ROWS = 1_000
"""The least rows of a thread, on average; with fewer rows there are fewer threads."""
EXACT = 1 << 53
"""Whole numbers below this are the same in floats, in which rules have the lengths of edges."""
_MOST_AT_ONCE = 1 << 12
"""How many changes are tried between two looks at the clock, where they are quick."""
_DRAWS = 1 << 20
"""How many random numbers a board goes round in: 8 MB; a change takes some dozen."""


class Repair:
    """A release under closeness, with k or l or without, or a part of one, and the changes that are tried on it."""

    def __init__(self, instance: Instance, worth: Numbers, chance: np.random.Generator) -> None:
        rule, closeness = _closeness_of(instance)
        values, arcs = _Values.of(rule, closeness), instance.arcs
        shares_asked = [condition.share for condition in instance.conditions if isinstance(condition, AtMostShare)]
        share = min(shares_asked, default=Fraction(1))
        pattern, (order, record_start) = arcs.pattern_of, arcs.by_record
        records, patterns, rows = len(arcs.copies), len(arcs), int(arcs.copies.sum())
        whole = np.int64
        shares, parts = np.divmod(np.arange(moves.LISTED_SIZES + 1)[:, None] * values.whole, rows)
        room = {
            "own free loose": records,
            "taken next_of_record next_of_pattern last_of_pattern listed listed_record": len(arcs.member),
            "size chosen fresh hopeful": patterns,
            "first": patterns + 2,
            "changed change_of": 2 * rows + 2,
            "able take": rule.values,
            "marks": MARKS,
        }
        self._unit = instance.unit
        self._at_once = 1
        self.board = Board(
            start=arcs.start,
            member=arcs.member.astype(whole),
            pattern=pattern,
            cost=arcs.cost,
            least=arcs.least,
            value=values.place[rule.value],
            record_start=record_start,
            record_arc=order,
            record_pattern=pattern[order],
            position=arcs.position,
            worth=worth.copy(),
            whole=values.whole,
            limits=np.array([values.c, values.d, rows, instance.k, *share.as_integer_ratio()], dtype=whole),
            shares=shares,
            parts=parts,
            edges=values.edges,
            first_of_record=np.full(records, -1, dtype=whole),
            first_of_pattern=np.full(patterns, -1, dtype=whole),
            counts=np.zeros((patterns, rule.values), dtype=whole),
            is_loose=np.zeros(records, dtype=np.bool_),
            place=np.full(patterns, -1, dtype=whole),
            score=np.zeros(patterns),
            draws=chance.random(_DRAWS),
            **{name: np.zeros(length, dtype=whole) for names, length in room.items() for name in names.split()},
        )

    @property
    def cost(self) -> int:
        """The scaled cost of what is published."""
        return int(self.board.marks[COST])

    @property
    def release(self) -> Release:
        """What is published."""
        arc = np.flatnonzero(self.board.taken)
        return Release(arc, self.board.taken[arc])

    def load(self, release: Release) -> None:
        """Take a release over, or whole groups of one."""
        self.improve(0, 0.0, 0.0, release)

    def improve(self, trials: int, rows: float, heat: float, anew: Release | None = None) -> int:
        """Try changes, `anew` from another release if one is given; return how many lowered the cost."""
        start, lift = anew or NOBODY, float(LIFT * self._unit)
        arguments = (self.board, anew is not None, start.arc, start.count, trials, float(rows), float(heat), lift)
        return int(fastest(moves.try_often)(*arguments))

    def run_for(self, seconds: float, most: int, heat: float, is_over: Callable[[], bool]) -> int:
        """Try changes for some seconds, `most` at most; return how many were tried."""
        tried = 0
        moment = min(SECONDS, seconds / 4)
        last = began = time.monotonic()
        while tried < most and last - began < seconds and not is_over():
            trials = min(self._at_once, most - tried)
            self.improve(trials, ROWS, heat * self._unit)
            tried += trials
            now = time.monotonic()
            self._at_once = min(_MOST_AT_ONCE, 2 * self._at_once) if now - last < moment else max(1, self._at_once // 2)
            last = now
        return tried


def improve(
    boards: list[Repair],
    release: Release,
    seconds: float,
    is_over: Callable[[], bool],
    offer: Callable[[Release], None],
    chance: np.random.Generator,
) -> None:
    """Try changes to a release, on a thread for each board, for at most `seconds`; offer what is better.

    O(rows let go x patterns that match one) for each change, most of it to see which patterns those rows can go to.
    """
    costs, records = boards[0].board.cost[boards[0].board.pattern], len(boards[0].board.free)
    wanted, tried = TRIALS_A_RECORD * records, 0
    best = int(costs[release.arc] @ release.count)
    limited = seconds < np.inf
    began = last = time.monotonic()
    with ThreadPoolExecutor(len(boards)) as threads:
        while tried < wanted and last - began < seconds and not is_over():
            done = max(tried / wanted, (last - began) / seconds)
            for board, part in zip(boards, _dealt(release, boards, chance), strict=True):
                board.load(part)
            most = -(-(wanted - tried if limited else wanted // DEALS) // len(boards))
            until = np.inf if not limited else min(DEAL, seconds / FEWEST_DEALS, seconds - (last - began))
            heat = HEAT * (1 - done)
            tried += sum(
                threads.map(Repair.run_for, boards, repeat(until), repeat(most), repeat(heat), repeat(is_over))
            )
            release = boards[0].release
            for board in boards[1:]:
                release = together(release, board.release)
            cost = sum(board.cost for board in boards)
            if cost < best:
                best = cost
                offer(release)
            last = time.monotonic()


def boards_for(instance: Instance, worth: Numbers, chance: np.random.Generator, threads: int) -> list[Repair]:
    """Return a board for each thread, of which there are no more than there is work for."""
    boards: list[Repair] = []
    for _ in range(threads_for(int(instance.arcs.copies.sum()), threads)):
        check_time()
        boards.append(Repair(instance, worth, chance))
    return boards


def threads_for(rows: int, threads: int) -> int:
    """Return on how many threads so many rows are worked at."""
    return max(1, min(threads, rows // FEWEST_ROWS))


def serves(instance: Instance) -> bool:
    """Tell whether closeness is all that is asked for, perhaps with k and a largest share of its values, and in numbers that fit.

    Distances that are not those of a tree are replaced by those along one that is nowhere shorter, and a t of large terms by the next
    smaller one of few digits, whatever larger one its rule asks for.
    """
    asked = [condition for condition in instance.conditions if not isinstance(condition, AtLeastRows)]
    close = [condition for condition in asked if isinstance(condition, Close)]
    if len(close) != 1 or any(
        type(one) is not AtMostShare or one.column != close[0].column for one in asked if one not in close
    ):
        return False
    rule, closeness = _closeness_of(instance)
    if isinstance(rule, TotalVariation):
        return True
    values = _Values.of(rule, closeness)
    return max(values.d * int(values.edges[LENGTH].sum()), values.c) * instance.problem.table.rows**2 < EXACT


def _closeness_of(instance: Instance) -> tuple[TotalVariation | Tree, CloseOnTree]:
    """Return the rule of closeness that groups are repaired by, and the condition that states it."""
    for rule, number in zip(instance.rules, instance.stated_by, strict=True):
        closeness = instance.conditions[number]
        if isinstance(rule, TotalVariation | Tree) and isinstance(closeness, Close):
            if isinstance(rule, Tree) and rule.carrying is not None:
                rule = rule.carrying.stricter
            return rule, closeness.along_trees[1]
    raise AssertionError("it serves closeness")


@dataclass(frozen=True)
class _Values:
    """The place of each value, the table's counts by place, its tree (`kernels.repair_board`), and t, in its lengths, as c / d.

    T is at most the one asked for, and the same where its denominator is at most `MOST_UNITS`.
    """

    place: Counts
    whole: Counts
    edges: Counts
    c: int
    d: int

    @classmethod
    def of(cls, rule: TotalVariation | Tree, closeness: CloseOnTree) -> _Values:
        limit = floor_within(closeness.limit, MOST_UNITS)
        if isinstance(rule, TotalVariation):
            no_edges = np.zeros((4, 0), dtype=np.int64)
            return cls(np.arange(rule.values), rule.whole, no_edges, limit.numerator, limit.denominator)
        whole = np.array(closeness.whole, dtype=np.int64)
        numbers = np.rint([rule.length * closeness.scale, rule.below * whole.sum()]).astype(np.int64)
        return cls(
            np.argsort(rule.order),
            whole[rule.order],
            np.array([rule.first, rule.last, *numbers]),
            limit.numerator * closeness.scale,
            limit.denominator,
        )


def _dealt(release: Release, boards: list[Repair], chance: np.random.Generator) -> list[Release]:
    """Deal the groups of a release out at random."""
    if len(boards) == 1:
        return [release]
    board = boards[0].board
    of_group = chance.integers(0, len(boards), len(board.cost))
    of_arc = of_group[board.pattern[release.arc]]
    return [Release(release.arc[of_arc == i], release.count[of_arc == i]) for i in range(len(boards))]
