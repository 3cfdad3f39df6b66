"""Pricing by rules in blocks of patterns, on threads or one by one: the same prices, until the time is up."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.deadline import within
from anoptima.errors import OutOfTime
from anoptima.solvers.exact.sifting.bound import rule_pricing as by_rules
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.kernels.pricing import Charges
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import problem_of
from tests.solvers.exact.sifting.kernels.test_pricing import COMPILED, SEEDS, drawn


@pytest.mark.parametrize("is_compiled", COMPILED)
@each("seed", SEEDS[:10])
def test_on_threads_as_on_one(seed: int, is_compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_rules, "FEWEST_ARCS", 1)
    instance = instance_of(problem_of(seed))
    worth = drawn(instance, seed)
    one, other = (
        rule_pricing(instance, is_compiled, threads).priced(instance.arcs, worth, everything=True) for threads in (1, 3)
    )
    assert one.prices.tolist() == other.prices.tolist()
    assert one.taken.tolist() == other.taken.tolist()


@pytest.mark.parametrize("is_compiled", COMPILED)
@each("seed", SEEDS[:10])
def test_many_arcs_are_priced_block_by_block_until_the_time_is_up(
    seed: int, is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = instance_of(problem_of(seed))
    worth = drawn(instance, seed)
    whole = rule_pricing(instance, is_compiled).priced(instance.arcs, worth, everything=True)
    monkeypatch.setattr(by_rules, "FEWEST_ARCS", 1)
    monkeypatch.setattr(by_rules, "MOST_ARCS", 3)
    for threads in (1, 2):
        pricing = rule_pricing(instance, is_compiled, threads)
        found = pricing.priced(instance.arcs, worth, everything=True)
        assert found.prices.tolist() == whole.prices.tolist()
        assert found.taken.tolist() == whole.taken.tolist()
        with within(lambda: True), pytest.raises(OutOfTime):
            pricing.priced(instance.arcs, worth, everything=True)


@pytest.mark.parametrize("is_compiled", COMPILED)
@each("seed", SEEDS[:10])
def test_charges_are_dealt_out_to_threads_with_their_patterns(
    seed: int, is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance, chance = instance_of(problem_of(seed)), np.random.default_rng(seed)
    arcs = instance.arcs
    charges = Charges(chance.normal(size=len(arcs)), chance.normal(size=len(arcs.member)))
    monkeypatch.setattr(by_rules, "FEWEST_ARCS", 1)
    one, other = (
        rule_pricing(instance, is_compiled, threads).priced(arcs, drawn(instance, seed), charges=charges)
        for threads in (1, 4)
    )
    assert one.prices.tolist() == other.prices.tolist()
    assert one.taken.tolist() == other.taken.tolist()
