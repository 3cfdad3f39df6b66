"""Closeness on a tree in loops: as they are written they price as compiled."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.kernels import pricing
from anoptima.solvers.exact.sifting.rules.tree import Tree
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import problem_of


@each("seed", [16, 17, 18, 23, 41, 42, 43, 48])
def test_compiled_as_it_is(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = instance_of(problem_of(seed))
    arcs, chance = instance.arcs, np.random.default_rng(seed)
    (rule,) = (rule for rule in instance.rules if isinstance(rule, Tree))
    worth, lam = chance.random(len(arcs.copies)) * 2 * arcs.cost.max(), chance.random(len(arcs))
    for everything in (False, True):
        at = lam.copy()
        compiled = pricing.price_tree_all(rule, at, arcs, worth, everything)
        monkeypatch.setattr(pricing, "compiled", lambda loop: loop)
        other = lam.copy()
        plain = pricing.price_tree_all(rule, other, arcs, worth, everything)
        monkeypatch.undo()
        assert at == pytest.approx(other)
        for one, same in zip(compiled, plain, strict=True):
            assert one == pytest.approx(same)


@each("seed", [16, 17, 18, 23, 41, 42, 43, 48])
def test_sizes_of_before_change_nothing_but_the_time(seed: int) -> None:
    instance = instance_of(problem_of(seed))
    arcs, chance = instance.arcs, np.random.default_rng(seed)
    (rule,) = (rule for rule in instance.rules if isinstance(rule, Tree))
    lam, sizes = chance.random(len(arcs)), np.zeros(len(arcs), dtype=np.int64)
    for _ in range(5):
        worth = chance.random(len(arcs.copies)) * 2 * arcs.cost.max()
        guided = pricing.price_tree_all(rule, lam.copy(), arcs, worth, True, 2, sizes)
        for one, same in zip(guided, pricing.price_tree_all(rule, lam.copy(), arcs, worth, True), strict=True):
            assert one == pytest.approx(same)
    assert sizes.any()


@each("seed", [16, 17, 18, 23, 41, 42, 43, 48])
def test_what_gains_nothing_is_said_to_be_worth_no_less_than_it_is(seed: int) -> None:
    instance = instance_of(problem_of(seed))
    arcs, chance = instance.arcs, np.random.default_rng(seed)
    (rule,) = (rule for rule in instance.rules if isinstance(rule, Tree))
    worth = chance.random(len(arcs.copies)) * arcs.cost.min()
    prices, taken, _, _ = pricing.price_tree_all(rule, np.zeros(len(arcs)), arcs, worth, True)
    for p in range(len(arcs)):
        own = slice(arcs.start[p], arcs.start[p + 1])
        gains = np.repeat(worth[arcs.member[own]] - arcs.cost[p], arcs.copies[arcs.member[own]])
        assert prices[p] == pytest.approx(np.sort(gains)[::-1][: arcs.least[p]].sum())
        assert taken[own].sum() == min(arcs.least[p], len(gains))
