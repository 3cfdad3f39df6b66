"""What the checker says groups within t of the table are worth, held against every group that there is."""

from __future__ import annotations

import itertools

import numpy as np

from anoptima.proofs.equality import Equality
from anoptima.proofs.views import View, Whole
from tests.loops import each

NOTHING = -(2**60)
MANY = 500


def of_one_pattern(chance: np.random.Generator) -> tuple[Equality, View]:
    whole = chance.integers(1, 6, 4)
    d = int(chance.integers(2, 8))
    records = 5
    value = chance.integers(0, 4, records)
    gain = np.sort(chance.integers(-20, 40, records))[::-1]
    view = View(np.zeros(records, dtype=np.int64), gain, chance.integers(1, 4, records), value, 1)
    return Equality(whole, int(chance.integers(1, d)), d), view


def best_of_all(rule: Equality, view: View, least: int, most: int) -> int:
    """Return n d times what the best legal group of `least` to `most` rows is worth, of all that there are."""
    n, best = rule.rows, NOTHING
    for amounts in itertools.product(*(range(copies + 1) for copies in view.copies.tolist())):
        size = sum(amounts)
        if least <= size <= most:
            counts = np.bincount(view.value, amounts, len(rule.whole)).astype(np.int64)
            if rule.d * np.maximum(0, n * counts - size * rule.whole).sum() <= rule.c * n * size:
                best = max(best, n * rule.d * int(view.gain @ np.array(amounts)))
    return best


def sizes_of(rule: Equality, view: View, chance: np.random.Generator) -> tuple[Whole, Whole] | None:
    top = rule.largest_of(view)
    least = np.minimum(rule.smallest(view, np.ones(1, dtype=np.int64)) + chance.integers(0, 3, 1), top)
    return (least, np.minimum(top, least + chance.integers(0, 4, 1))) if least[0] > 0 else None


@each("seed", range(60))
def test_in_cases_the_best_group_is_priced_at_what_it_is_worth(seed: int) -> None:
    chance = np.random.default_rng(seed)
    for _ in range(5):
        rule, view = of_one_pattern(chance)
        sizes = sizes_of(rule, view, chance)
        if sizes is None:
            continue
        least, top = sizes
        best = best_of_all(rule, view, int(least[0]), int(top[0]))
        assert rule.price_within(view, least, top, np.array([NOTHING]), MANY).tolist() == [best]
        assert rule.price_within(view, least, top, np.array([NOTHING]), 1)[0] >= best
        assert rule.price_within(view, least, top, np.array([0]), MANY).tolist() == [max(best, 0)]


def test_patterns_are_priced_together_as_they_are_alone() -> None:
    chance = np.random.default_rng(1)
    rule, _ = of_one_pattern(chance)
    several = [of_one_pattern(chance)[1] for _ in range(12)]
    sizes = [sizes_of(rule, view, chance) for view in several]
    some = [(view, its) for view, its in zip(several, sizes, strict=True) if its is not None]
    assert len(some) > 1
    alone = [rule.price_within(view, *its, np.array([NOTHING]), MANY)[0] for view, its in some]
    gain, copies, value = (
        np.concatenate([getattr(view, name) for view, _ in some]) for name in ("gain", "copies", "value")
    )
    together = View(np.repeat(np.arange(len(some)), 5), gain, copies, value, len(some))
    least, top = (np.concatenate([its[i] for _, its in some]) for i in range(2))
    assert rule.price_within(together, least, top, np.full(len(some), NOTHING), MANY).tolist() == alone
