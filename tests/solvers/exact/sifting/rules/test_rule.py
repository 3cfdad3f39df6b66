"""What every rule promises of groups inside some counts, held against the condition that it stands for; and what a rule has by itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.principles import AtLeastEntropy, AtLeastValues, AtMostShare, AtMostShareOf, Close, Condition, Outweighed
from anoptima.solvers.exact.sifting.rules.of_conditions import rule_of
from anoptima.solvers.exact.sifting.rules.rule import Counts, Rule
from anoptima.solvers.exact.sifting.rules.shares import Shares
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.table import Table
from tests.loops import each
from tests.solvers.exact.sifting.one_pattern import drawn, priced
from tests.solvers.exact.sifting.principles_from_outside import Needed

TABLE = Table.from_frame(pd.DataFrame({"q": range(10), "s": list("vvvvwwwxxy")}), ["q"], "s")
SPACES = (ao.Ordered(list("vwxy")), ao.Hierarchical({"low": ["v", "y"], "high": ["w", "x", "unseen"]}))
CONDITIONS: tuple[Condition, ...] = (
    AtLeastValues("s", 3),
    AtMostShare("s", Fraction(1, 2)),
    AtMostShare("s", Fraction(2, 5)),
    AtMostShareOf("s", Fraction(1, 3), (0, 3)),
    Outweighed("s", Fraction(2), 3),
    Outweighed("s", Fraction(3, 2), 3),
    AtLeastEntropy("s", Fraction(5, 2)),
    AtLeastEntropy("s", Fraction(2)),
    *(ao.TCloseness(t).conditions(TABLE)[0] for t in ("0", "1/10", "1/4")),
    *(ao.TCloseness(t, space=space).conditions(TABLE)[0] for space in SPACES for t in ("1/10", "1/4")),
)
GROUPS = np.array(list(np.ndindex(5, 4, 3, 2)), dtype=np.int64)[1:]
"""Every group of rows of the table, by how many there are of each value."""


def rule_for(condition: Condition) -> Rule:
    rule = rule_of(condition, TABLE)
    assert rule is not None
    return rule


def legal_of(condition: Condition) -> np.ndarray:
    """Tell which groups satisfy the condition, by itself."""
    value = TABLE.records.sensitive[:, 0]
    rank = np.array([np.count_nonzero(value[:row] == its) for row, its in enumerate(value)])
    labels = (rank >= GROUPS[:, value]).astype(np.int64)
    labels[(labels > 0).all(axis=1)] = 0
    return np.array([condition.holds_each(TABLE.groups(its))[0] for its in labels])


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: type(condition).__name__)
@each("least", (1, 2, 4, 7))
def test_sizes_and_groups_are_those_that_the_condition_allows(condition: Condition, least: int) -> None:
    rule, legal, sizes = rule_for(condition), legal_of(condition), GROUPS.sum(axis=1)
    assert ((rule.lacking(GROUPS) == 0) == legal).all()
    many = np.full(len(GROUPS), least)
    smallest, kept = rule.smallest(GROUPS, many), rule.cut_down(GROUPS, many)
    is_group = kept.any(axis=1)
    assert ((kept >= 0) & (kept <= GROUPS)).all()
    assert (kept.sum(axis=1)[is_group] >= least).all()
    assert not rule.lacking(kept[is_group]).any()
    # Sums of floats may put a group at the very limit on either side.
    nearer = (
        replace(condition, limit=condition.limit * Fraction(99, 100)) if isinstance(condition, Close) else condition
    )
    stays = legal_of(nearer) if isinstance(rule, Tree) else legal
    inside = (GROUPS[None] <= GROUPS[:, None]).all(axis=2) & legal & (sizes >= least)
    for some, size, its_kept, its in zip(inside, smallest, kept, GROUPS, strict=True):
        assert not some.any() or 0 < size <= sizes[some].min()
        assert some.any() or not its_kept.any()
        assert size == 0 or size >= least
        if stays[(its == GROUPS).all(axis=1)] and its.sum() >= least:
            assert its_kept.tolist() == its.tolist()


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: type(condition).__name__)
def test_a_group_stays_legal_where_rows_are_spared(condition: Condition) -> None:
    rule, legal = rule_for(condition), GROUPS[legal_of(condition)]
    least = np.minimum(legal.sum(axis=1), 3)
    kept = rule.spared(legal, least)
    some = kept.any(axis=1)
    assert ((kept >= 0) & (kept <= legal)).all()
    assert not rule.lacking(kept[some]).any()
    assert (kept.sum(axis=1) >= least)[some].all()
    if not rule.spares:
        assert isinstance(rule, Shares) or kept is legal


def test_counts_are_those_of_each_group() -> None:
    rule = rule_for(AtLeastValues("s", 2))
    chance = np.random.default_rng(0)
    group, record, count = chance.integers(0, 3, 40), chance.integers(0, 10, 40), chance.integers(0, 4, 40)
    expected = np.zeros((4, rule.values), dtype=np.int64)
    for one, its, rows in zip(group, record, count, strict=True):
        expected[one, rule.value[its]] += rows
    found = rule.counts(group, record, count, 4)
    assert found.tolist() == expected.tolist()
    assert found.dtype == np.int64
    assert rule.counts(group[:0], record[:0], count[:0], 0).shape == (0, rule.values)


class Anything(Rule):
    """What asks for nothing, and says no more than it must."""

    def smallest(self, counts: Counts, least: Counts) -> Counts:
        return least

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        return counts

    def lacking(self, counts: Counts) -> Counts:
        return np.zeros(len(counts), dtype=np.int64)


def test_a_rule_without_a_loop_must_price_groups_by_itself() -> None:
    lots = drawn(1)
    rule = Anything("s", lots.value.astype(np.int32), lots.values)
    assert (rule.kind, rule.scale, rule.spares, rule.numbers.tolist()) == (None, 1, False, [0, 0])
    with pytest.raises(NotImplementedError, match="Anything has neither a kernel nor a way to price groups"):
        priced(rule, lots, 1, plain=True)


@pytest.mark.parametrize("is_plain", [False, True])
@each("seed", range(60))
def test_one_that_does_is_asked_for_the_best_group_by_falling_gain(seed: int, is_plain: bool) -> None:
    lots = drawn(seed)
    rule = Needed("s", lots.value.astype(np.int32), lots.values, 0, 2)
    legal = (lots.counts[:, 0] >= 2) & (lots.counts.sum(axis=1) >= 3)
    if not legal.any():
        return
    found, taken = priced(rule, lots, 3, plain=is_plain)
    assert found == lots.gains[legal].max() == taken @ lots.gain
    assert priced(rule, lots, 3, plain=is_plain, everything=False)[0] == max(0, found)
