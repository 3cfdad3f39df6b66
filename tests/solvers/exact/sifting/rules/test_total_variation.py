"""Equal closeness: what is filled, sized, cut down and lacking, held against every group inside the counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from anoptima.solvers.exact.sifting.rules.rule import Counts
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from tests.loops import each
from tests.sizing import asked

SEEDS = range(asked(80, 800))
LIMITS = [Fraction(limit) for limit in ("0", "1/10", "1/6", "1/4", "1/3", "1/2")]


def case_of(seed: int) -> tuple[TotalVariation, Counts]:
    """A rule for a table whose values are in up to six rows each, and counts inside it."""
    chance = np.random.default_rng(seed)
    whole, limit = chance.integers(1, 7, 4), LIMITS[seed % len(LIMITS)]
    counts = np.minimum(whole, chance.integers(0, 7, 4)) if seed % 5 else whole
    return TotalVariation("s", np.zeros(1, dtype=np.int32), 4, whole, *limit.as_integer_ratio()), counts


def groups_inside(counts: Counts) -> Counts:
    """Every group inside the counts but the empty one."""
    return np.array(list(np.ndindex(*(counts + 1))), dtype=np.int64)[1:].reshape(-1, len(counts))


def distances(rule: TotalVariation, groups: Counts) -> list[Fraction]:
    """By how much each group's shares differ from the table's, in all: half of the sum over the values."""
    whole = [Fraction(int(count), rule.rows) for count in rule.whole]
    shares = [[Fraction(int(count), int(group.sum())) for count in group] for group in groups]
    return [sum((abs(one - other) for one, other in zip(its, whole, strict=True)), Fraction(0)) / 2 for its in shares]


def sizes_of(rule: TotalVariation, counts: Counts) -> list[int]:
    """The sizes of all legal groups inside the counts."""
    groups = groups_inside(counts)
    near = [distance <= Fraction(rule.c, rule.d) for distance in distances(rule, groups)]
    return sorted(set(groups[near].sum(axis=1).tolist()))


@each("seed", SEEDS)
def test_the_group_that_is_filled_is_the_nearest_of_its_size(seed: int) -> None:
    rule, counts = case_of(seed)
    groups = groups_inside(counts)
    apart, sizes = np.array(distances(rule, groups), dtype=object), groups.sum(axis=1)
    for size in range(1, int(counts.sum()) + 1):
        (filled,) = rule.fill(counts[None], np.array([size]))
        assert filled.sum() == size
        assert ((filled >= 0) & (filled <= counts)).all()
        nearest = min(apart[sizes == size])
        assert distances(rule, filled[None]) == [nearest]
        is_legal = nearest <= Fraction(rule.c, rule.d)
        assert rule.legal_of_size(counts[None], np.array([size])).tolist() == [is_legal]
    too_many = np.array([counts.sum() + 1])
    assert rule.fill(counts[None], too_many).tolist() == [counts.tolist()]
    assert not rule.legal_of_size(counts[None], too_many).any()


@each("seed", SEEDS)
def test_the_sizes_of_legal_groups_are_found(seed: int) -> None:
    rule, counts = case_of(seed)
    legal, total = sizes_of(rule, counts), int(counts.sum())
    (largest,) = rule.largest_size(counts[None])
    assert max(legal, default=0) <= largest <= total
    limit = Fraction(rule.c, rule.d)
    for size in range(1, total + 1):
        own = sum(
            min(Fraction(int(have)), size * Fraction(int(of), rule.rows))
            for have, of in zip(counts, rule.whole, strict=True)
        )
        assert (own >= (1 - limit) * size) == (size <= largest)
    for least in range(total + 2):
        smallest = min((size for size in legal if size >= least), default=0)
        assert rule.smallest(counts[None], np.array([least])).tolist() == [smallest]


@each("seed", range(asked(400, 4000)))
def test_what_is_cut_down_is_the_largest_legal_group(seed: int) -> None:
    rule, counts = case_of(seed)
    least = int(np.random.default_rng(seed).integers(0, 9))
    sizes = np.arange(max(1, least), counts.sum() + 1)
    legal = sizes[rule.legal_of_size(np.tile(counts, (len(sizes), 1)), sizes)]
    (kept,) = rule.cut_down(counts[None], np.array([least]))
    assert (kept <= counts).all()
    assert kept.sum() == legal.max(initial=0)
    assert not kept.any() or distances(rule, kept[None])[0] <= Fraction(rule.c, rule.d)


@each("seed", SEEDS[:20])
def test_groups_lack_as_many_rows_as_are_over_what_they_share(seed: int) -> None:
    rule, counts = case_of(seed)
    groups = groups_inside(counts)
    found = rule.lacking(groups)
    for group, distance, lacking in zip(groups, distances(rule, groups), found, strict=True):
        assert abs(lacking - max(Fraction(0), (distance - Fraction(rule.c, rule.d)) * int(group.sum()))) < 1e-9
    assert not rule.lacking(np.zeros((1, 4), dtype=np.int64)).any()


def test_many_patterns_are_cut_down_and_sized_at_once_and_large_ones_in_few_steps() -> None:
    whole = np.array([4_000, 3_000, 3_000])
    rule = TotalVariation("s", np.zeros(1, dtype=np.int32), 3, whole, 1, 10)
    counts = np.array([[4_000, 3_000, 3_000], [4_000, 100, 100], [0, 0, 0], [0, 500, 500], [2_000, 900, 30]])
    kept = rule.cut_down(counts, np.ones(5, dtype=np.int64))
    assert kept[0].tolist() == whole.tolist()
    assert kept.any(axis=1).tolist() == [True, True, False, False, True]
    assert (kept <= counts).all()
    for one, its in zip(kept, counts, strict=True):
        assert one.tolist() == rule.cut_down(its[None], np.ones(1, dtype=np.int64))[0].tolist()
    assert all(distance <= Fraction(1, 10) for distance in distances(rule, kept[kept.any(axis=1)]))
    assert rule.smallest(counts, np.array([10, 1, 1, 1, 3])).tolist() == [
        int(rule.smallest(its[None], np.array([least]))[0]) for its, least in zip(counts, (10, 1, 1, 1, 3), strict=True)
    ]
