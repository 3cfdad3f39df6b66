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
