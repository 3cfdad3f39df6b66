"""Terms of conditions are tamed: a rule asks the same of groups of the table's rows, and prices as if no more were asked."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import anoptima as ao
from anoptima.principles import AtMostShare, AtMostShareOf, CloseOnTree, Outweighed
from anoptima.solvers.exact.sifting.rules.of_conditions import MOST_PARTS, MOST_UNITS, rule_of
from anoptima.solvers.exact.sifting.rules.outweighed import OutweighedMost
from anoptima.solvers.exact.sifting.rules.rule import Counts
from anoptima.solvers.exact.sifting.rules.shares import Shares
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.table import Table
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.rules.test_of_conditions import table_of

SEEDS = range(asked(100, 1000))


def groups_of(table: Table) -> Counts:
    """Every group of the table's rows, by how many there are of each value of s."""
    whole = table.sensitive_column("s").counts
    return np.array(list(np.ndindex(*(np.array(whole) + 1))), dtype=np.int64)[1:]


def drawn(seed: int) -> tuple[Fraction, Table]:
    """A share with terms of some thousands, near those that decide in small groups, which a row of the table may have; and the table."""
    chance = np.random.default_rng(seed)
    near = Fraction(int(chance.integers(1, 7)), int(chance.integers(7, 12)))
    share = near + Fraction(int(chance.integers(-2, 3)), int(chance.integers(50, 5000)))
    table = table_of("".join(chance.choice(list("wxyz"), int(chance.integers(4, 11)))) + "wx")
    return max(share, Fraction(1, table.rows)), table


def is_next(priced: Fraction, wanted: Fraction) -> bool:
    """Tell whether no fraction of few parts is nearer to what is wanted from below."""
    parts = range(1, MOST_PARTS + 1)
    return priced.denominator in parts and priced == max(Fraction(wanted * b // 1, b) for b in parts)


@each("seed", SEEDS)
def test_a_share_is_that_of_groups_and_is_priced_as_one_that_asks_no_more(seed: int) -> None:
    share, table = drawn(seed)
    groups, values = groups_of(table), len(table.sensitive_column("s").values)
    for condition in (AtMostShare("s", share), AtMostShareOf("s", share, (0,))):
        rule = rule_of(condition, table)
        assert isinstance(rule, Shares)
        assert rule.share.denominator <= table.rows
        assert rule.limited.tolist() == [isinstance(condition, AtMostShare) or code == 0 for code in range(values)]
        legal = [max(group[rule.limited].tolist()) <= share * int(group.sum()) for group in groups]
        assert (rule.lacking(groups) == 0).tolist() == legal
        assert is_next(Fraction(rule.whole, rule.parts), 1 / rule.share)
        if isinstance(condition, AtMostShareOf):
            assert rule.scarce.tolist() == rule.limited.tolist()


def test_a_share_of_many_parts_is_priced_as_one_of_few() -> None:
    rule = rule_of(AtMostShare("s", Fraction(13, 14)), table_of("w" * 13 + "x" * 7))
    assert isinstance(rule, Shares)
    assert rule.share == Fraction(13, 14)
    assert Fraction(rule.whole, rule.parts) == 1


@each("seed", SEEDS)
def test_a_factor_is_that_of_groups_and_is_priced_as_one_that_asks_no_more(seed: int) -> None:
    share, table = drawn(seed)
    condition = Outweighed("s", 1 / share if seed % 2 else share, 3)
    rule, groups = rule_of(condition, table), groups_of(table)
    assert isinstance(rule, OutweighedMost)
    assert rule.factor.denominator <= table.rows
    assert (rule.lacking(groups) == 0).tolist() == [condition.holds(group.tolist()) for group in groups]
    assert is_next(Fraction(rule.below, rule.above), 1 / rule.factor)
    assert (rule.first, rule.different) == (3, condition.values)


@each("seed", SEEDS)
def test_a_limit_at_equal_distance_is_that_of_groups(seed: int) -> None:
    share, table = drawn(seed)
    (found,) = ao.TCloseness("1/2", column="s").conditions(table)
    assert isinstance(found, CloseOnTree)
    condition = CloseOnTree("s", found.metric, found.whole, share)
    rule, groups, whole = rule_of(condition, table), groups_of(table), np.array(found.whole)
    assert isinstance(rule, TotalVariation)
    assert rule.whole.tolist() == found.whole
    apart = np.abs(groups * table.rows - groups.sum(axis=1)[:, None] * whole).sum(axis=1)
    legal = [
        int(its) <= 2 * share * table.rows * int(size) for its, size in zip(apart, groups.sum(axis=1), strict=True)
    ]
    assert (rule.lacking(groups) == 0).tolist() == legal


def test_a_limit_with_many_units_is_priced_as_the_next_larger_one_with_fewer() -> None:
    table = table_of("w" * 60 + "x" * 41)
    (found,) = ao.TCloseness("1/2", column="s").conditions(table)
    assert isinstance(found, CloseOnTree)
    for limit in (Fraction(1, 10_007), Fraction(3_333, 10_199), Fraction(10_198, 10_199)):
        rule = rule_of(CloseOnTree("s", found.metric, found.whole, limit), table)
        assert isinstance(rule, TotalVariation)
        assert rule.d <= MOST_UNITS
        assert 0 <= Fraction(rule.c, rule.d) - limit <= Fraction(1, MOST_UNITS)
    exact = rule_of(CloseOnTree("s", found.metric, found.whole, Fraction(1, 10_000)), table)
    assert isinstance(exact, TotalVariation)
    assert (exact.c, exact.d) == (1, 10_000)
