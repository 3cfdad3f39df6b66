"""Shares of some values of a column: priced as by trying every group, solved as by trying every partition, and proved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import anoptima as ao
from anoptima.answer import Claim, Origin
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.proofs.group_pricing import is_priced
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.rules.of_conditions import rule_of
from anoptima.solvers.exact.sifting.rules.shares import Shares
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting import witnesses
from tests.solvers.exact.sifting.cases_under_rules import RARE, optimum_of, problem_of
from tests.solvers.exact.sifting.kernels.test_pricing import best_groups, drawn

SEEDS = range(24)


@pytest.mark.parametrize("is_compiled", [False, True])
@each("seed", SEEDS)
def test_the_best_group_is_found_as_by_trying_every_one(seed: int, is_compiled: bool) -> None:
    instance = instance_of(problem_of(seed, principles=RARE))
    worth = drawn(instance, seed)
    pricing = rule_pricing(instance, is_compiled)
    expected = np.array(best_groups(instance, worth))
    assert pricing.priced(instance.arcs, worth, everything=True).prices.tolist() == expected.tolist()
    found = pricing.priced(instance.arcs, worth)
    assert found.prices.tolist() == np.maximum(0, expected).tolist()
    witnessed, _ = witnesses.price_all(instance.rules[0], instance.arcs, worth, everything=False)
    assert found.prices.tolist() == witnessed.tolist()


@each("seed", SEEDS[: asked(8, 24)])
def test_the_optimum_is_found_and_proved(seed: int) -> None:
    problem = problem_of(seed, principles=RARE)
    answer = ao.solve(problem, "sifting", time_limit=20)
    assert answer.claim is Claim.OPTIMAL
    assert answer.cost == optimum_of(problem)
    assert answer.bound is not None
    assert answer.bound.origin in (Origin.PROOF, Origin.PROBLEM)
    assert not answer.verify().wrong


def test_a_limit_on_every_value_is_diversity() -> None:
    """The rule of all values named is that of none named, but for the least size, which it does not imply by itself."""
    table = ao.ten_rows()
    values = table.sensitive_column("disease").values
    (named,) = AlphaKAnonymity("1/2", 1, values=values).conditions(table)
    (every,) = AlphaKAnonymity("1/2", 1).conditions(table)
    one, other = rule_of(named, table), rule_of(every, table)
    assert one is not None
    assert other is not None
    assert one.numbers.tolist() == other.numbers.tolist()
    assert is_priced(named)
    costs = {
        ao.solve(ao.CellSuppression(table, principle), "sifting").cost
        for principle in (AlphaKAnonymity("1/2", 3, values=values), AlphaKAnonymity("1/2", 3))
    }
    assert costs == {64}


def test_others_are_spared_for_scarce_values() -> None:
    """As many rows of scarce values as can be, with as few others as make them half of the group; none without them."""
    scarce = np.array([True, False, False])
    rule = Shares("s", np.arange(3, dtype=np.int32), 3, Fraction(1, 2), 2, 1, np.ones(3, dtype=bool), scarce)
    found = rule.spared(np.array([[3, 5, 4], [0, 4, 4], [2, 1, 5]]), np.ones(3, dtype=np.int64))
    assert rule.spares
    assert found.tolist() == [[3, 3, 0], [0, 0, 0], [2, 1, 1]]
    assert not replace(rule, scarce=~scarce & scarce).spares
    assert not replace(rule, scarce=~scarce | scarce).spares


def test_a_release_is_the_better_for_sparing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ao.census("seven", "occupation")
    small = ao.Table.from_frame(table.frame.iloc[:1_000].reset_index(drop=True), table.quasi, "occupation")
    instance = instance_of(ao.CellSuppression(small, AlphaKAnonymity("1/5", 3, values=["Sales"])))

    def cost() -> int:
        release = greedy_release(instance, np.zeros(len(instance.arcs)), np.random.default_rng(0))
        return instance.programs.cost_of(release)

    spared = cost()
    monkeypatch.setattr(Shares, "spares", False)
    assert spared < cost()
