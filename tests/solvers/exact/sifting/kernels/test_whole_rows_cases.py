"""Cases of values that are over: prices hold for all groups of a case, and all cases say what the best legal group gains."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.kernels.whole_rows import best_rows, split_rows, weighed, whole_groups
from anoptima.solvers.exact.sifting.rules.total_variation import MOST_CASES
from tests.loops import each
from tests.solvers.exact.sifting.kernels.test_whole_rows import SEEDS, TYPES, Drawn, sides_of


@TYPES
@each("seed", SEEDS)
def test_prices_hold_for_all_groups_of_a_case_and_say_what_the_best_is_worth_once_all_is_decided(
    seed: int, kind: Any
) -> None:
    drawn = Drawn(seed, kind)
    scale = drawn.n * drawn.asked.d
    for side in sides_of(drawn):
        worths = scale * drawn.gains[drawn.is_in(side) & drawn.is_legal]
        fits, most, legal, is_legal, low, high, weight, decided = weighed(
            drawn.rows, drawn.size, drawn.asked, kind(0), False, True, side, drawn.room
        )
        assert fits or not len(worths)
        if not fits:
            continue
        assert most >= worths.max(initial=-(2**50)) - 1e-6
        assert 0 <= weight <= 1
        assert low <= high
        assert not is_legal or legal in worths
        assert decided < 0 or side[decided] == 0
        if side.all():
            assert is_legal
            assert decided == -1
            assert most == pytest.approx(worths.max())


@TYPES
@each("seed", SEEDS)
def test_by_cases_a_size_is_worth_what_its_best_legal_group_gains(seed: int, kind: Any) -> None:
    drawn = Drawn(seed, kind)
    scale, side = drawn.n * drawn.asked.d, np.zeros(drawn.values, np.int64)
    worths = scale * drawn.gains[drawn.is_legal]
    best, asked = worths.max(initial=-(2**50)), (drawn.rows, drawn.size, drawn.asked)
    found = {cases: whole_groups(*asked, kind(0), False, cases, side, drawn.room) for cases in (1, 3, MOST_CASES)}
    assert [its[0] for its in found.values()][-1] == (len(worths) > 0)
    if not len(worths):
        return
    assert found[MOST_CASES][1] == pytest.approx(best)
    assert found[1][1] + 1e-6 >= found[3][1] >= best - 1e-6
    for enough in (best - 1, best, best + 1):
        some, most, *_ = whole_groups(*asked, kind(enough), True, MOST_CASES, side, drawn.room)
        assert some == (enough < best)
        assert most == pytest.approx(max(best, enough))


@pytest.mark.parametrize("cases", [1, MOST_CASES])
@each("seed", SEEDS)
def test_groups_on_both_sides_of_the_best_price_mix_to_what_slots_allow(seed: int, cases: int) -> None:
    drawn, side = Drawn(seed, np.float64), np.full(3, 9)
    if not drawn.is_legal.any():
        return
    asked = drawn.rows, drawn.size, drawn.asked
    some, most, low, high, weight = whole_groups(*asked, 0.0, False, cases, side[: drawn.values], drawn.room)
    assert some
    used, bound, _ = split_rows(*asked, side[: drawn.values], drawn.room)
    drawn.taken[:] = 0
    mixed = bound
    for price, share in ((low, 1 - weight), (high, weight)):
        _, slots = best_rows(drawn.rows, drawn.size, price, drawn.n, used, drawn.room, share, 0)
        mixed += share * slots
    assert drawn.asked.d * mixed <= drawn.asked.c * drawn.n * drawn.size + 1e-6
    assert drawn.taken.sum() == pytest.approx(drawn.size)
    assert (drawn.taken <= drawn.copies + 1e-9).all()
    assert drawn.n * drawn.asked.d * (drawn.rows.gain @ drawn.taken) == pytest.approx(most)
