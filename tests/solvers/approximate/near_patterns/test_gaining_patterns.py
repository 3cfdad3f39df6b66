"""A walk finds all patterns that gain, each once, with what their best groups gain: against the full list, by any loop, on any threads."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.approximate.near_patterns import gaining_patterns
from anoptima.solvers.approximate.near_patterns.gaining_patterns import Gaining, Walk
from anoptima.solvers.compiling.loops import compiled
from anoptima.table import Counts
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of

WAYS = {"plain": ((lambda loop: loop), 1), "compiled": (compiled, 1), "three threads": (compiled, 3)}


def k_of(problem: CellSuppression) -> int:
    assert isinstance(problem.principle, KAnonymity)
    return problem.principle.k


def of_the_full_list(problem: CellSuppression, worth: Counts, d: int) -> dict[tuple[int, tuple[int, ...]], int]:
    """Return what the best group of each closed pattern gains, of those that gain, as one reckons it row by row."""
    _, full = arcs_of(problem)
    gains = {}
    for p, cost in enumerate(full.cost.tolist()):
        members = full.member[full.start[p] : full.start[p + 1]]
        each_row = sorted(np.repeat(worth[members] - d * cost, full.copies[members]).tolist(), reverse=True)
        k = k_of(problem)
        gain = sum(each_row[:k]) + sum(one for one in each_row[k:] if one > 0)
        if gain > 0:
            gains[cost, tuple(sorted(members.tolist()))] = gain
    return gains


def patterns_of(found: Gaining) -> list[tuple[int, tuple[int, ...]]]:
    parts = np.split(found.member, np.cumsum(found.length)[:-1])
    return [
        (cost, tuple(sorted(part.tolist())))
        for cost, part in zip(found.cost.tolist(), parts, strict=len(found.cost) > 0)
    ]


@pytest.mark.parametrize("way", WAYS)
@each("seed", range(60))
def test_all_patterns_that_gain_are_found(seed: int, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loop, threads = WAYS[way]
    monkeypatch.setattr(gaining_patterns, "fastest", loop)
    monkeypatch.setattr(gaining_patterns, "AT_ONCE", 1 + 3 * (seed % 5))
    problem, chance, d = problem_of(seed, rows=60 if seed % 3 else 12), np.random.default_rng(seed), 7
    most = d * int(problem.table.scaled_weights.sum())
    worth = chance.integers(-2, most + 2, len(problem.table.types))
    found = Walk(problem, k_of(problem), threads).gaining(worth, d, lambda: False)
    assert found is not None
    wanted = of_the_full_list(problem, worth, d)
    assert found.gain == sum(wanted.values())
    assert sorted(patterns_of(found)) == sorted(wanted)


def test_what_has_no_room_is_counted_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(3, rows=60)
    worth = np.full(len(problem.table.types), int(problem.table.scaled_weights.sum()))
    whole = Walk(problem, k_of(problem)).gaining(worth, 1, lambda: False)
    monkeypatch.setattr(gaining_patterns, "MOST_MEMBERS", -1)
    less = Walk(problem, k_of(problem)).gaining(worth, 1, lambda: False)
    assert whole is not None
    assert less is not None
    assert whole.gain == less.gain > 0
    assert len(whole.cost) > len(less.cost) == 0


def test_out_of_time_there_is_nothing() -> None:
    problem = problem_of(3, rows=60)
    assert Walk(problem, k_of(problem)).gaining(np.ones(len(problem.table.types), np.int64), 1, lambda: True) is None


def test_tables_that_take_too_much_room_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(3, rows=60)
    assert Walk.why_not(problem) is None
    monkeypatch.setattr(gaining_patterns, "MOST_ROOM", 1)
    assert str(Walk.why_not(problem)).endswith("columns take too much room")
