"""Rows left out to make a group close on a tree: the same plain and compiled, and step by step the value that helps most."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.solvers.compiling.loops import compiled
from anoptima.solvers.exact.sifting.kernels import tree_cutting
from anoptima.solvers.exact.sifting.kernels.tree_cutting import leave_out
from anoptima.spaces import Space
from tests.solvers.exact.sifting.rules.test_tree import HIERARCHY, distances, rule_of

SPACES = pytest.mark.parametrize("space", [ao.Numeric(), HIERARCHY], ids=["numeric", "hierarchical"])


def some_counts(most: int) -> Any:
    chance = np.random.default_rng(2)
    return chance.integers(0, most, (60, 12)) * (chance.random((60, 12)) < 0.6)


@SPACES
@pytest.mark.parametrize("t", ["0.02", "0.1"])
@pytest.mark.parametrize("most", [2, 7, 900])
def test_the_value_that_is_left_out_helps_most(
    space: Space, most: int, t: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_cutting, "MOST_STEPS", 1)
    rule, sides = rule_of(space, t)
    counts = some_counts(most)
    left = counts.copy()
    leave_out(left, rule.order, rule.tree, rule.t)
    for before, after in zip(counts, left, strict=True):
        size = int(before.sum())
        if size == 0 or distances(rule, sides, before[None])[0] <= rule.t * size + 1e-9:
            assert (after == before).all() or distances(rule, sides, before[None])[0] > rule.t * size - 1e-9
            continue
        tried = np.repeat(before[None], 12, axis=0)
        amount = np.minimum(max(1, size // 50), before)
        tried[np.arange(12), np.arange(12)] -= amount
        over = np.where(amount > 0, distances(rule, sides, tried) - rule.t * tried.sum(axis=1), np.inf)
        [chosen] = np.flatnonzero(after != before)
        assert before[chosen] - after[chosen] == amount[chosen]
        assert over[chosen] <= over.min() + 1e-9


@SPACES
def test_compiled_and_plain_loops_leave_the_same(space: Space) -> None:
    rule, _ = rule_of(space, "0.1")
    plain, fast = some_counts(40), some_counts(40)
    leave_out(plain, rule.order, rule.tree, rule.t)
    compiled(leave_out)(fast, rule.order, rule.tree, rule.t)
    assert (plain == fast).all()
