"""What is wrong with a rule, or with what the checker is told, of somebody else: nothing false is proved, and a sentence names it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import anoptima as ao
from anoptima.errors import PluginFailure
from anoptima.principles import AtLeastRows, Condition
from anoptima.proofs.group_pricing import Asked, Part, priced_by
from anoptima.proofs.views import Whole
from anoptima.solvers.exact.sifting.rules.of_conditions import rule_of
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers, Rule
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import optimum_of
from tests.solvers.exact.sifting.principles_from_outside import AtLeastOf, Needed, Witnessed
from tests.solvers.exact.sifting.test_principles_from_outside import problem_of


@dataclass(frozen=True)
class Halved(AtLeastOf):
    """Its rule prices groups at half of what they are worth."""


@dataclass(frozen=True)
class InFloats(AtLeastOf):
    """The checker is told prices in floats."""


@dataclass(frozen=True)
class OfOne(AtLeastOf):
    """The checker is told one price for all patterns."""


@dataclass(frozen=True)
class Priceless(AtLeastOf):
    """Its rule raises an error."""


@dataclass(frozen=True)
class By(Witnessed):
    """States one of these."""

    condition: type[AtLeastOf]

    def conditions(self, table: ao.Table) -> list[Condition]:
        return [AtLeastRows(self.k), self.condition("s", self.value, self.rows)]


class Half(Needed):
    def price(self, gain: Numbers, copies: Counts, value: NDArray[np.int32], least: int) -> tuple[Any, Numbers]:
        price, taken = super().price(gain, copies, value, least)
        return (price // 2 if gain.dtype == np.int64 else price / 2) if price > 0 else price, taken


class Silent(Needed):
    def price(self, gain: Numbers, copies: Counts, value: NDArray[np.int32], least: int) -> tuple[Any, Numbers]:
        raise KeyError("price")


def spoil_rule(condition: type[AtLeastOf], spoilt: type[Needed]) -> None:
    def made(condition: AtLeastOf, table: ao.Table) -> Rule | None:
        rule = rule_of.dispatch(AtLeastOf)(condition, table)
        assert isinstance(rule, Needed)
        return spoilt(rule.column, rule.value, rule.values, rule.needed, rule.rows)

    rule_of.register(condition)(made)


def spoil_prices(condition: type[AtLeastOf], spoil: Callable[[Whole], Any]) -> None:
    def made(condition: AtLeastOf, asked: Asked) -> Part | None:
        part = priced_by.dispatch(AtLeastOf)(condition, asked)
        assert part is not None
        return replace(part, price=lambda view, least: spoil(part.price(view, least)))

    priced_by.register(condition)(made)


spoil_rule(Halved, Half)
spoil_rule(Priceless, Silent)
spoil_prices(InFloats, lambda price: price * 1.0)
spoil_prices(OfOne, lambda price: price[:1])


@each("seed", range(3))
def test_a_rule_that_prices_too_low_proves_no_more_than_the_checker(seed: int) -> None:
    problem = problem_of(seed + 300, By(2, 0, 1, Halved))
    answer = ao.solve(problem, "sifting", time_limit=2)
    assert answer.bound is not None
    assert answer.bound.value <= optimum_of(problem)
    assert not answer.verify().wrong


@pytest.mark.parametrize("condition", [InFloats, OfOne])
def test_the_checker_takes_one_whole_number_a_pattern(condition: type[AtLeastOf]) -> None:
    with pytest.raises(ao.BadInput, match="an array of 64-bit whole numbers, one for each of"):
        ao.solve(problem_of(300, By(2, 0, 1, condition)), "sifting", time_limit=2)


def test_a_rule_that_raises_is_named() -> None:
    with pytest.raises(PluginFailure, match=r"the rule Silent \(of tests\): its price raises KeyError: 'price'"):
        ao.solve(problem_of(300, By(2, 0, 1, Priceless)), "sifting", time_limit=2)
