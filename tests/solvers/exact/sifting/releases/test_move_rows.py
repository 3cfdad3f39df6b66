"""Single rows moved through groups that are not legal: what comes out is legal, the books are right, compiled or not."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Any

import numpy as np
import pandas as pd
import pytest

from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.principles.recursive_diversity import RecursiveDiversity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.compiling.loops import compiled, fastest
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.kernels import single_row_moves
from anoptima.solvers.exact.sifting.releases import move_rows, repair
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.table import Table
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import (
    CLOSE,
    ENTROPY,
    OUTWEIGHED,
    RARE,
    close_problem,
    optimum_of,
    problem_of,
)

NOT_OVER = lambda: False  # noqa: E731

DIVERSE = [
    LDiversity(2),
    LDiversity("3/2") & KAnonymity(5),
    LDiversity(3, version="distinct"),
    RecursiveDiversity(2, 3),
    EntropyDiversity(2),
    AlphaKAnonymity("1/2", 3, "s", ["v"]),
]
"""Diversity of each kind, with k and without."""
SEVERAL = [
    LDiversity(2) & RecursiveDiversity(2, 3),
    TCloseness("0.3") & EntropyDiversity(2),
    LDiversity(3, version="distinct") & EntropyDiversity(2) & KAnonymity(4),
]
"""Several rules at once, with k and without."""


def begun(instance: Instance) -> Release:
    return greedy_release(instance, np.zeros(len(instance.arcs)), np.random.default_rng(1))


def cost_of(instance: Instance, release: Release) -> int:
    return int(instance.arcs.cost[instance.arcs.pattern_of[release.arc]] @ release.count)


def annealed(instance: Instance, seed: int, threads: int = 1, seconds: float = np.inf) -> Release | None:
    forced = np.zeros(len(instance.arcs.member))
    chance = np.random.default_rng(seed)
    return move_rows.RowMoves(instance, begun(instance), forced).anneal(seconds, threads, NOT_OVER, chance)


@pytest.fixture(autouse=True)
def few_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_rows, "UNHURRIED_MOVES", 2_000)
    monkeypatch.setattr(repair, "FEWEST_ROWS", 20)


@pytest.mark.parametrize("principle", [*CLOSE, *DIVERSE, *SEVERAL], ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_releases_are_legal(threads: int, principle: Principle) -> None:
    for seed in range(3):
        asked = close_problem(seed, principle)
        instance = instance_of(asked)
        assert move_rows.serves(instance)
        release = annealed(instance, seed, threads)
        assert release is not None
        assert not asked.violations(partition_of(instance.patterns, release))


def is_never_below_the_optimum(asked: CellSuppression, seed: int) -> bool:
    """Tell whether rows move under the principle at all; what they lead to is legal and costs no less than the optimum."""
    instance = instance_of(asked)
    if not move_rows.serves(instance):
        return False
    release = annealed(instance, seed)
    assert release is not None
    assert not asked.violations(partition_of(instance.patterns, release))
    assert cost_of(instance, release) >= optimum_of(asked) * asked.cost_scale
    return True


@each("seed", range(9, 49))
def test_never_below_the_optimum(seed: int) -> None:
    is_never_below_the_optimum(problem_of(seed), seed)


@pytest.mark.parametrize("principles", [RARE, OUTWEIGHED, ENTROPY], ids=["rare", "outweighed", "entropy"])
def test_never_below_the_optimum_of_other_diversity(principles: tuple[Principle, ...]) -> None:
    assert {is_never_below_the_optimum(problem_of(seed, 7, principles), seed) for seed in range(10)} >= {True}


def test_better_than_what_it_began_with() -> None:
    # The greedy release takes groups that are as large as can be.
    before = after = 0
    for seed in range(4):
        instance = instance_of(close_problem(seed, TCloseness("0.3")))
        release = annealed(instance, seed)
        assert release is not None
        before, after = before + cost_of(instance, begun(instance)), after + cost_of(instance, release)
    assert after < 0.95 * before


@pytest.mark.parametrize("principle", CLOSE[:-1], ids=str)
def test_the_books_are_right(principle: Principle) -> None:
    instance = instance_of(close_problem(5, principle))
    rule = instance.rules[0]
    assert isinstance(rule, TotalVariation)
    moves = move_rows.RowMoves(instance, begun(instance), np.zeros(len(instance.arcs.member)))
    ground, state = moves.ground, moves.state
    everyone, owner = np.arange(moves.rows), np.zeros(len(instance.arcs), dtype=np.int64)
    assert fastest(single_row_moves.shift_rows)(ground, state, everyone, owner, 0, 20_000, 2.0, 1.0, 7)
    assert (ground.pattern[state.place] == state.at).all()
    assert np.isin(state.place, np.arange(len(ground.pattern))).all()
    assert (ground.start[ground.record] <= state.place).all()
    assert (state.place < ground.start[ground.record + 1]).all()
    counts = np.zeros((len(instance.arcs), rule.values), dtype=np.int64)
    np.add.at(counts, (state.at, rule.value[ground.record]), 1)
    assert (counts == state.counts[:, 0]).all()
    size = counts.sum(axis=1)
    assert (size == state.size).all()
    excess = np.maximum(0, rule.rows * counts - size[:, None] * rule.whole).sum(axis=1) / rule.rows
    above = np.maximum(excess - rule.c / rule.d * size, np.where(size > 0, instance.k - size, 0))
    above = np.where(above > single_row_moves.TINY, above, 0)
    np.testing.assert_allclose(state.burden, np.sqrt(above) + move_rows.SLOPE * above, atol=1e-4)
    legal = moves.legal()
    held = instance.arcs.pattern_of[legal.arc]
    assert set(np.unique(held).tolist()) == set(np.flatnonzero((size > 0) & (above == 0)).tolist())


def test_rows_stay_with_their_thread() -> None:
    instance = instance_of(close_problem(6, TCloseness("0.3")))
    moves = move_rows.RowMoves(instance, begun(instance), np.zeros(len(instance.arcs.member)))
    before = moves.state.at.copy()
    owner = np.arange(len(instance.arcs)) % 2
    own = np.flatnonzero(owner[before] == 0)
    assert fastest(single_row_moves.shift_rows)(moves.ground, moves.state, own, owner, 0, 20_000, 2.0, 1.0, 7)
    changed = moves.state.at != before
    assert (owner[moves.state.at[changed]] == 0).all()
    assert (owner[before[changed]] == 0).all()


def test_compiled_as_it_is() -> None:
    instance = instance_of(close_problem(1, TCloseness("0.3"), 40))
    found = []
    for shift_rows in (compiled(single_row_moves.shift_rows), single_row_moves.shift_rows):
        moves = move_rows.RowMoves(instance, begun(instance), np.zeros(len(instance.arcs.member)))
        owner = np.zeros(len(instance.arcs), dtype=np.int64)
        rows = np.arange(moves.rows)
        made = shift_rows(moves.ground, moves.state, rows, owner, 0, 3_000, 1.0, 2.0, 5)
        found.append((made, moves.state.at.tolist(), moves.state.burden.tolist()))
    assert found[0] == found[1]


def test_dear_patterns_are_left_out() -> None:
    instance = instance_of(close_problem(2, TCloseness("0.3")))
    forced = np.full(len(instance.arcs.member), 100.0)
    moves = move_rows.RowMoves(instance, begun(instance), forced)
    widest = int(np.argmax(instance.patterns.support))
    used = np.union1d(instance.arcs.pattern_of[begun(instance).arc], widest)
    assert np.unique(moves.ground.pattern).tolist() == used.tolist()


def test_without_a_limit_nothing_depends_on_the_clock() -> None:
    instance = instance_of(close_problem(3, TCloseness("0.3")))
    one, other = (annealed(instance, 3, threads=2) for _ in range(2))
    assert one is not None
    assert other is not None
    assert (one.arc.tolist(), one.count.tolist()) == (other.arc.tolist(), other.count.tolist())


def test_too_little_time_is_not_begun_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_rows, "FEWEST_MOVES", 10**9)
    assert annealed(instance_of(close_problem(4, TCloseness("0.3"))), 4, seconds=0.2) is None


def test_what_is_over_ends() -> None:
    instance = instance_of(close_problem(4, TCloseness("0.3")))
    forced, chance = np.zeros(len(instance.arcs.member)), np.random.default_rng(0)
    assert move_rows.RowMoves(instance, begun(instance), forced).anneal(np.inf, 1, lambda: True, chance) is None


def test_a_release_of_an_earlier_run_is_not_melted(monkeypatch: pytest.MonkeyPatch) -> None:
    moment, far = move_rows.RowMoves.moment, []

    def noted(self: move_rows.RowMoves, threads: Any, parts: int, tried: int, done: float, chance: Any) -> None:
        far.append(done)
        moment(self, threads, parts, tried, done, chance)

    monkeypatch.setattr(move_rows.RowMoves, "moment", noted)
    instance = instance_of(close_problem(0, CLOSE[0]))
    for first in (0.0, move_rows.WARM):
        far.clear()
        chance, forced = np.random.default_rng(0), np.zeros(len(instance.arcs.member))
        release = begun(instance)
        assert move_rows.RowMoves(instance, release, forced).anneal(np.inf, 1, NOT_OVER, chance, first) is not None
        # The first moment of all moves nothing.
        assert far[1] == first
        assert far[1:] == sorted(far[1:])
        assert far[-1] < 1


def test_the_lower_t_the_hotter_moves_begin() -> None:
    def first_heat(*principles: Principle) -> float:
        return move_rows.course_of(instance_of(close_problem(4, reduce(and_, principles)))).heats[0]

    hottest, coldest = move_rows.CLOSE.heats
    heats = [first_heat(TCloseness(t)) for t in (0, "0.1", "0.3", "0.6", "0.9")]
    assert heats == sorted(heats, reverse=True)
    assert heats == pytest.approx([hottest, hottest, hottest / 3, hottest / 6, coldest])
    assert first_heat(TCloseness("0.3"), LDiversity(2)) == heats[2]
    assert first_heat(LDiversity(2)) == move_rows.DIVERSE.heats[0]


def test_rules_may_be_of_several_columns() -> None:
    # Legal in both columns, whose values are of different numbers.
    chance = np.random.default_rng(5)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 3, 3, 6], (90, 5)), columns=list("abcst"))
    both = LDiversity(2, column="s") & LDiversity(3, version="distinct", column="t")
    asked = CellSuppression(Table.from_frame(frame, list("abc"), ["s", "t"]), both)
    instance = instance_of(asked)
    assert move_rows.serves(instance)
    for seed in range(3):
        release = annealed(instance, seed)
        assert release is not None
        assert not asked.violations(partition_of(instance.patterns, release))


def test_tables_of_too_many_values_are_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = instance_of(close_problem(4, LDiversity(2)))
    assert move_rows.serves(instance)
    monkeypatch.setattr(move_rows, "MOST_CELLS", len(instance.arcs) * instance.rules[0].values - 1)
    assert not move_rows.serves(instance)
