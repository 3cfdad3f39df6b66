from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.kernels.single_row_moves import Ground, burden_of
from anoptima.solvers.exact.sifting.rules.entropy import Entropy
from anoptima.solvers.exact.sifting.rules.outweighed import OutweighedMost
from anoptima.solvers.exact.sifting.rules.rule import Rule
from anoptima.solvers.exact.sifting.rules.shares import Shares
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.values import DifferentValues
from tests.loops import each

SLOPE = 0.6
NOTHING = np.zeros(0)
VALUES = "s", np.zeros(0, dtype=np.int32), 4
EVERY, FIRST = np.ones(4, dtype=np.bool_), np.arange(4) == 0


RULES: tuple[Rule, ...] = (
    Shares(*VALUES, Fraction(1, 3), 3, 1, EVERY, ~EVERY),
    Shares(*VALUES, Fraction(2, 5), 5, 2, EVERY, ~EVERY),
    Shares(*VALUES, Fraction(1, 5), 5, 1, FIRST, FIRST),
    DifferentValues(*VALUES, 3),
    TotalVariation(*VALUES, np.array([5, 3, 2, 1]), 1, 4),
    OutweighedMost(*VALUES, Fraction(2), 2, 1, 3, 3),
    OutweighedMost(*VALUES, Fraction(3, 2), 3, 2, 2, 2),
    OutweighedMost(*VALUES, Fraction(1, 2), 1, 2, 1, 1),
    Entropy(*VALUES, 3, 3.0, True),
    Entropy(*VALUES, 1, 1.0, False),
)


def ground_of(rules: tuple[Rule, ...], k: int) -> Ground:
    """Return rules over a record of each value."""
    kind, value = np.array([rule.kind for rule in rules]), np.array([np.arange(4)] * len(rules))
    asked = np.zeros((len(rules), 9))
    for its, rule in zip(asked, rules, strict=True):
        its[: len(rule.asked)] = rule.asked
    return Ground(NOTHING, value, NOTHING, NOTHING, NOTHING, NOTHING, kind, asked, k, SLOPE)


def burden(rules: tuple[Rule, ...], k: int, counts: NDArray[np.float64], size: int, v: int, more: float) -> float:
    # One column more than there are values, as where another rule has more.
    held = np.repeat(np.pad(counts, [(0, 0), (0, 1)])[:, None], len(rules), axis=1)
    found: float = burden_of(ground_of(rules, k), held, 0, size, v, more)
    return found


def drawn(seed: int) -> tuple[NDArray[np.float64], int, float]:
    """Return the rows of a group, and a value that it gets a row of, or loses one."""
    chance = np.random.default_rng(seed)
    counts = chance.integers(0, 6, (1, 4)).astype(float)
    v, more = int(chance.integers(4)), 1.0 if chance.random() < 0.5 else -1.0
    return counts, v, more if counts[0, v] + more >= 0 else 1.0


def after(counts: NDArray[np.float64], v: int, more: float) -> NDArray[np.int64]:
    changed = counts.astype(np.int64)
    changed[0, v] += int(more)
    return changed


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{type(rule).__name__} {rule.asked.tolist()}")
@each("seed", range(40))
def test_a_burden_is_that_of_the_group_as_it_would_be(seed: int, rule: Rule) -> None:
    counts, v, more = drawn(seed)
    k, changed = 1 + seed % 5, after(counts, v, more)
    size = int(changed.sum())
    lacking = max(float(rule.lacking(changed)[0]), k - size)
    expected = math.sqrt(lacking) + SLOPE * lacking if size and lacking > 1e-9 else 0.0
    assert burden((rule,), k, counts, size, v, more) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{type(rule).__name__} {rule.asked.tolist()}")
def test_what_is_no_burden_is_legal_by_the_rule(rule: Rule) -> None:
    told = set()
    for seed in range(200):
        counts, v, more = drawn(seed)
        changed = after(counts, v, more)
        if changed.sum():
            is_free = burden((rule,), 1, counts, int(changed.sum()), v, more) == 0
            assert is_free == (rule.lacking(changed)[0] == 0)
            told.add(bool(is_free))
    assert True in told


@each("seed", range(40))
def test_of_several_rules_the_one_that_lacks_most_counts(seed: int) -> None:
    counts, v, more = drawn(seed)
    size = int(after(counts, v, more).sum())
    chosen = tuple(RULES[i] for i in np.random.default_rng(seed).permutation(len(RULES))[:3])
    each_alone = [burden((rule,), 3, counts, size, v, more) for rule in chosen]
    assert burden(chosen, 3, counts, size, v, more) == max(each_alone)
