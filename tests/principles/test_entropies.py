"""The entropy of large groups."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pytest

from anoptima.principles import AtLeastEntropy, entropies
from tests.cases import seeded
from tests.loops import each


def has_entropy(counts: list[int], equal: Fraction) -> bool:
    """Decide it from the definition."""
    n = sum(counts)
    return bool(Fraction(n) ** n >= equal**n * prod(count**count for count in counts))


@each("seed", range(20))
def test_large_groups_have_the_entropy_that_powers_say(seed: int) -> None:
    chance = seeded(seed)
    counts = [chance([0, 1, 3, 700, 900, 1_500]) for _ in range(4)] + [2_001]
    n = sum(counts)
    # The entropy itself, to fifteen digits, and something well off.
    itself = float(np.exp(sum(-count / n * np.log(count / n) for count in counts if count)))
    for equal in (Fraction(itself), Fraction(itself) * Fraction(99, 100), Fraction(int(itself) + 1)):
        assert AtLeastEntropy("ill", equal).holds(counts) == has_entropy(counts, equal)


@pytest.mark.parametrize(
    ("counts", "equal", "has_it"),
    [
        ([10**6] * 3, Fraction(3), True),
        ([10**6, 10**6, 10**6 - 1], Fraction(3), False),
        ([10**6, 10**6, 10**6 - 1, 0], Fraction(2_999_999, 1_000_000), True),
        ([10**6, 0], Fraction(1), True),
        # log 4, with half the rows of one value.
        ([4_000, 1_000, 1_000, 1_000, 1_000], Fraction(4), True),
        ([4_000, 1_000, 1_000, 1_000, 999], Fraction(4), False),
    ],
)
def test_powers_are_for_what_is_near_alone(
    counts: list[int], equal: Fraction, has_it: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    powers: list[int] = []

    def power(number: int) -> int:
        powers.append(number)
        return int(number**number)

    monkeypatch.setattr(entropies, "_power", power)
    assert AtLeastEntropy("ill", equal).holds(counts) is has_it
    assert max(powers, default=0) < 10**6
