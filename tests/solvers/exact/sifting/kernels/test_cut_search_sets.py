"""Sets of records that grow and shrink by single ones: their violation is that of the definition, and each move is the best of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.bound.separation import Support
from anoptima.solvers.exact.sifting.kernels.cut_search import MOST_RECORDS, Marks, Taken, best_term, grow
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of
from tests.solvers.exact.sifting.kernels.test_cut_search import KINDS

SEEDS = range(200, 230)
NONE = -1e9
"""What a set is violated by whose rows the divisor divides."""


def drawn(seed: int) -> tuple[Taken, int, int, np.random.Generator]:
    """Draw what patterns take, a divisor, and the least size of groups; some patterns take nothing."""
    _, arcs = arcs_of(problem_of(seed, rows=9))
    chance, k = np.random.default_rng(seed), max(2, arcs.k)
    y = chance.random(len(arcs)) * (chance.random(len(arcs)) < 0.8)
    x = chance.random(len(arcs.member)) * (y[arcs.pattern_of] * arcs.copies[arcs.member])
    return Support(Catalogue(arcs), x, y).taken, int(chance.integers(2, k + 1)), k, chance


def violation(taken: Taken, some: set[int], d: int, k: int) -> float:
    """What the best terms of all patterns that a set meets come to, above what they may."""
    inside = np.isin(np.arange(len(taken.copies)), list(some))
    whole, rest = divmod(int(taken.copies[inside].sum()), d)
    ends = zip(taken.start[:-1].tolist(), taken.start[1:].tolist(), taken.y, strict=True)
    found: float = -whole + sum(
        best_term(first, last, taken.record, taken.x, y, taken.copies, k, d, rest, inside)[0]
        for first, last, y in ends
        if inside[taken.record[first:last]].any()
    )
    return found


def near(taken: Taken, some: set[int], barred: Any) -> list[set[int]]:
    """Every set with one record more, that some pattern takes beside one of the set, or one less."""
    own = [set(taken.record[a:b].tolist()) for a, b in zip(taken.start[:-1], taken.start[1:], strict=True)]
    beside = set().union(*(its for its in own if its & some)) - some
    fewer = [some - {record} for record in some] if len(some) > 1 else []
    return [some | {record} for record in beside if not barred[record]] + fewer


def marks_of(taken: Taken, barred: Any) -> Marks:
    return Marks(np.zeros(len(taken.copies), np.bool_), barred, np.zeros(len(taken.y), np.int64))


@KINDS
@each("seed", SEEDS)
def test_what_grows_is_violated_as_it_is_said_and_avoids_what_is_barred(made: Any, seed: int) -> None:
    taken, d, k, chance = drawn(seed)
    barred = chance.random(len(taken.copies)) < 0.2
    marks, search = marks_of(taken, barred), made(grow)
    for start in np.flatnonzero(~barred).tolist():
        before = NONE
        for moves in (0, 2, 20):
            found, value = search(np.array([start]), d, k, taken, marks, moves, moves, 30)
            assert not marks.inside.any()
            assert not barred[found].any()
            assert len(set(found.tolist())) == len(found) > 0
            assert value >= before
            before = value
            rows = int(taken.copies[found].sum())
            assert (value == NONE) == (rows % d == 0)
            assert value == NONE or value == pytest.approx(violation(taken, set(found.tolist()), d, k))
            again, same = search(np.array([start]), d, k, taken, marks, moves, moves, 30)
            assert (again.tolist(), same) == (found.tolist(), value)


@each("seed", SEEDS)
def test_one_move_is_the_best_of_all(seed: int) -> None:
    taken, d, k, chance = drawn(seed)
    barred = chance.random(len(taken.copies)) < 0.2
    some = np.flatnonzero((chance.random(len(taken.copies)) < 0.4) & ~barred)
    if not len(some):
        return
    _, value = grow(some, d, k, taken, marks_of(taken, barred), 1, 9, 99)
    begun = set(some.tolist())

    def counted(its: set[int]) -> float:
        return violation(taken, its, d, k) if taken.copies[list(its)].sum() % d else NONE

    # A set whose rows the divisor divides may be moved to, though it makes no cut.
    moves = [(violation(taken, its, d, k), counted(its)) for its in near(taken, begun, barred)]
    most = max((at for at, _ in moves), default=NONE)
    likely = {round(max(counted(begun), its), 6) for at, its in moves if at > most - 1e-9}
    assert round(value, 6) in likely or (not moves and value == counted(begun))


@KINDS
def test_sets_stay_below_the_most_records_that_are_tried(made: Any) -> None:
    records = MOST_RECORDS + 9
    every, one = np.arange(records), np.ones(records, np.int64)
    start, share = np.array([0, records]), np.full(records, 0.9)
    taken = Taken(one, start, every, share, np.ones(1), np.zeros(records, np.int64), every, np.arange(records + 1))
    marks = marks_of(taken, np.zeros(records, np.bool_))
    found, _ = made(grow)(every, 3, 3, taken, marks, 0, 1, 10)
    assert found.tolist() == every[:MOST_RECORDS].tolist()
    found, value = made(grow)(every, 3, 3, taken, marks, 30, 30, 10)
    assert len(set(found.tolist())) == len(found) <= MOST_RECORDS
    assert value == pytest.approx(violation(taken, set(found.tolist()), 3, 3))
    assert not marks.inside.any()
