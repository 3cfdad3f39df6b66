"""The best group at equal distance: split slots held against ranks, whole rows against every group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.kernels import total_variation as kernel
from anoptima.solvers.exact.sifting.kernels.total_variation import best_equal, filled_slots
from anoptima.solvers.exact.sifting.kernels.whole_rows import Asked, Room, room_for
from anoptima.solvers.exact.sifting.rules.rule import Counts
from anoptima.solvers.exact.sifting.rules.total_variation import MOST_CASES, NO_GROUP, TotalVariation
from tests.loops import each
from tests.sizing import asked as wanted
from tests.solvers.exact.sifting.one_pattern import Lots, drawn, priced

SEEDS = range(wanted(100, 1000))
LIMITS = [(0, 1), (1, 10), (1, 4), (1, 3), (1, 2), (3, 5)]


def case_of(seed: int) -> tuple[Lots, TotalVariation, int]:
    """Records of one pattern, closeness to a table that has more rows than the pattern of most values, and a least size."""
    lots, chance = drawn(seed, values=4, records=6, most=2), np.random.default_rng(seed)
    have = lots.counts_of(lots.copies[None])[0]
    whole = have + chance.integers(0, 4, 4) if seed % 3 else np.maximum(1, have)
    c, d = LIMITS[seed % len(LIMITS)]
    return lots, TotalVariation("s", lots.value.astype(np.int32), 4, whole, c, d), int(chance.integers(0, 5))


def asked(rule: TotalVariation) -> Asked:
    return Asked(rule.whole, rule.c, rule.d, rule.rows)


def room(lots: Lots) -> Room:
    return room_for(lots.values, len(lots.gain), np.full(len(lots.gain), 9.0))  # type: ignore[no-any-return]


def over(rule: TotalVariation, counts: Counts) -> Counts:
    """By how many rows, times the rows of the table, groups have more of values than their share."""
    sizes = counts.sum(axis=1)[:, None]
    above: Counts = np.maximum(0, rule.rows * counts - sizes * rule.whole).sum(axis=1)
    return above


def best_of_all(lots: Lots, rule: TotalVariation, least: int, most: int = 99) -> int | None:
    sizes = lots.counts.sum(axis=1)
    legal = (rule.d * over(rule, lots.counts) <= rule.c * rule.rows * sizes) & (sizes >= max(1, least))
    legal &= sizes <= most
    return int(lots.gains[legal].max()) if legal.any() else None


def best_split(lots: Lots, rule: TotalVariation, size: int) -> int | None:
    """What the best `size` rows gain that may be split, times the scale; None if too many common slots are needed.

    Parts of rows that fit are independent sets of a matroid: what each record adds to the rank of those before is taken of it.
    """

    def rank(records: int) -> int:
        have = rule.scale * lots.counts_of((lots.copies * (np.arange(len(lots.copies)) < records))[None])[0]
        own = int(np.minimum(have, size * rule.d * rule.whole).sum())
        return min(size * rule.scale, own + min(size * rule.c * rule.rows, int(have.sum()) - own))

    ranks = np.array([rank(records) for records in range(len(lots.gain) + 1)])
    return int(np.diff(ranks) @ lots.gain) if ranks[-1] == size * rule.scale else None


@each("seed", SEEDS)
def test_split_slots_hold_the_best_rows_of_every_size(seed: int) -> None:
    lots, rule, _ = case_of(seed)
    its, gains = room(lots), []
    for size in range(int(lots.copies.sum()) + 2):
        fits, gain = filled_slots(lots.rows, size, asked(rule), its)
        expected = best_split(lots, rule, size)
        assert fits == (expected is not None)
        assert gain == its.taken @ lots.gain
        whole = best_of_all(lots, rule, size, size)
        if expected is not None:
            assert gain == expected
            assert its.taken.sum() == size * rule.scale
            gains.append(expected)
            assert whole is None or whole * rule.scale <= expected
        else:
            assert whole is None
    assert (np.diff(gains, 2) <= 0).all()


def found_by(lots: Lots, rule: TotalVariation, least: int, **options: Any) -> tuple[int, Any]:
    """Return what the loop finds, and what it takes."""
    its = room(lots)
    most, cases = options.get("most", 99), options.get("cases", MOST_CASES)
    found = best_equal(lots.rows, least, most, asked(rule), options.get("everything", True), cases, its)
    return int(found), its.taken


@each("seed", SEEDS)
def test_by_cases_the_best_group_is_that_of_all_groups(seed: int) -> None:
    lots, rule, least = case_of(seed)
    for most in (99, least + 2):
        best = best_of_all(lots, rule, least, most)
        found, taken = found_by(lots, rule, least, most=most)
        if best is None:
            assert found == (0 if best_split(lots, rule, max(1, least)) is None else NO_GROUP)
            assert not taken.any()
        else:
            assert found == best * rule.scale
            assert taken @ lots.gain == pytest.approx(found)
        found, taken = found_by(lots, rule, least, most=most, everything=False)
        assert found == max(0, best or 0) * rule.scale
        assert found == 0 or taken @ lots.gain == pytest.approx(found)


@each("seed", SEEDS)
def test_one_case_of_a_size_says_no_less_and_split_slots_no_less_than_that(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lots, rule, least = case_of(seed)
    best, (one, _) = best_of_all(lots, rule, least), found_by(lots, rule, least, cases=1)
    assert best is None or one >= best * rule.scale
    monkeypatch.setattr(kernel, "MOST_SIZES", 0)
    split, taken = found_by(lots, rule, least)
    assert split >= one
    sizes = range(max(1, least), int(lots.copies.sum()) + 1)
    worth = [gain for size in sizes if (gain := best_split(lots, rule, size)) is not None]
    assert split == max(worth, default=0)
    assert taken @ lots.gain == pytest.approx(split)


@pytest.mark.parametrize("is_plain", [False, True])
@each("seed", SEEDS)
def test_patterns_are_priced_so_whether_compiled_or_not(seed: int, is_plain: bool) -> None:
    lots, rule, least = case_of(seed)
    for everything in (True, False):
        expected, group = found_by(lots, rule, least, cases=1, everything=everything)
        found, taken = priced(rule, lots, least, plain=is_plain, everything=everything)
        assert found == expected
        assert np.allclose(taken * rule.scale, group) or not (everything or found)
