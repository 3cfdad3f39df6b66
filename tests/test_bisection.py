from __future__ import annotations

import numpy as np

from anoptima.bisection import Truth, Whole, largest_where, least_where


def test_each_place_finds_its_own_number_without_asking_for_the_one_at_the_end() -> None:
    chance = np.random.default_rng(5)
    for high_most in (0, 1, 2, 9, 1000):
        high = chance.integers(0, high_most + 1, 40)
        turns = chance.integers(-1, high_most + 2, 40)
        asked: list[Whole] = []

        def is_below(number: Whole, turns: Whole = turns, asked: list[Whole] = asked) -> Truth:
            asked.append(number)
            return np.asarray(number < turns)

        assert largest_where(is_below, high).tolist() == np.clip(turns - 1, 0, high).tolist()
        assert least_where(lambda number: ~is_below(number), high).tolist() == np.clip(turns, 0, high).tolist()
        assert len(asked) <= 2 * int(high_most).bit_length()
        assert all(((number >= 0) & (number <= high)).all() for number in asked)


def test_no_places_are_no_numbers() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert len(largest_where(lambda number: number > 0, nothing)) == 0
    assert len(least_where(lambda number: number > 0, nothing)) == 0
