"""Closed patterns: small tables look at all column sets at once, and find the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from anoptima import patterns
from tests.cases import make_case

T = TypeVar("T")


def test_all_column_sets_at_once_give_the_same_patterns_in_the_same_order() -> None:
    compared = 0
    for seed in range(150):
        chance = random.Random(seed)

        def choose(options: Sequence[T], chance: random.Random = chance) -> T:
            return chance.choice(options)

        problem = make_case(choose, 9, 5).cells()
        if problem.why_infeasible() is not None:
            continue
        one, other = patterns._at_once(problem), patterns._enumerate(problem)
        for name in ("kept", "cost", "start", "member"):
            found, expected = getattr(one, name), getattr(other, name)
            assert found.dtype == expected.dtype, (seed, name)
            assert np.array_equal(found, expected), (seed, name)
        compared += len(one) > 0
    assert compared > 80
