"""Closeness on a tree in sums along it, held against matrices of edges and values; other distances between two trees."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Claim
from anoptima.principles import Close, CloseOnTree
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.rules import of_conditions, tree
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.spaces import Space
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.cases_under_rules import SQUARE, optimum_of, square_problem
from tests.solvers.exact.sifting.kernels.test_pricing import best_groups, drawn

HIERARCHY = ao.Hierarchical({"a": {"b": [*range(5)], "c": [5, 6]}, "d": {"e": [7, 8, 9], "f": [10, 11]}})


def rule_of(space: Space, t: str) -> tuple[Tree, np.ndarray[Any, Any]]:
    """Return a rule over twelve values, and its edges x values: 1 where the value is below the edge."""
    chance = np.random.default_rng(3)
    values = np.concatenate([np.arange(12), chance.integers(0, 12, 60)])
    table = ao.Table.from_frame(pd.DataFrame({"q": values % 3, "s": values}), ["q"], "s")
    (condition,) = ao.TCloseness(t, space=space).conditions(table)
    rule = of_conditions.rule_of(condition, table)
    assert isinstance(rule, Tree)
    place = np.argsort(rule.order)
    return rule, ((place >= rule.first[:, None]) & (place < rule.last[:, None])).astype(float)


def distances(rule: Tree, sides: Any, counts: Any) -> Any:
    return np.abs(counts @ sides.T - counts.sum(axis=1)[:, None] * (sides @ rule.shares)) @ rule.length


@pytest.mark.parametrize("space", [ao.Numeric(), HIERARCHY], ids=["numeric", "hierarchical"])
def test_sums_along_the_tree_are_those_of_its_matrix(space: Space) -> None:
    rule, sides = rule_of(space, "0.1")
    chance = np.random.default_rng(1)
    counts, theta = chance.integers(0, 9, (50, 12)), chance.normal(size=(50, len(sides)))
    assert np.allclose(rule.below, sides @ rule.shares)
    assert np.allclose(rule.potentials(theta), theta @ sides)
    over = distances(rule, sides, counts) - rule.t * counts.sum(axis=1)
    assert np.allclose(rule.lacking(counts), np.where(over > 1e-9, over, 0))


@pytest.mark.parametrize("space", [ao.Numeric(), HIERARCHY], ids=["numeric", "hierarchical"])
def test_what_is_cut_down_is_close_or_nothing(space: Space) -> None:
    rule, sides = rule_of(space, "0.1")
    chance = np.random.default_rng(4)
    counts = chance.integers(0, 30, (80, 12)) * (chance.random((80, 12)) < 0.7)
    kept = rule.cut_down(counts, np.full(80, 3))
    sizes = kept.sum(axis=1)
    assert (kept <= counts).all()
    assert (distances(rule, sides, kept) <= rule.t * sizes + 1e-9).all()
    assert ((sizes == 0) | (sizes >= 3)).all()
    assert ((sizes > 0) & (sizes < counts.sum(axis=1))).any()


@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize(("t", "group"), [("0", [4, 3, 2, 1]), ("1/10", [2, 1, 0, 1])])
def test_a_group_at_the_very_limit_is_close(
    t: str, group: list[int], is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_compiled:
        monkeypatch.setattr(tree, "is_ready", lambda *_, **__: False)
    table = ao.Table.from_frame(pd.DataFrame({"q": range(10), "s": list("vvvvwwwxxy")}), ["q"], "s")
    (condition,) = ao.TCloseness(t, space=ao.Ordered(list("vwxy"))).conditions(table)
    rule = of_conditions.rule_of(condition, table)
    assert isinstance(rule, Tree)
    counts = np.array([group])
    assert rule.lacking(counts).tolist() == [0]
    assert rule.cut_down(counts, np.ones(1, dtype=np.int64)).tolist() == [group]


def test_until_loops_are_compiled_groups_that_are_not_close_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "is_ready", lambda *_, **__: False)
    rule, sides = rule_of(ao.Numeric(), "0.1")
    counts = np.random.default_rng(4).integers(0, 30, (80, 12))
    kept, close = rule.cut_down(counts, np.full(80, 3)), distances(rule, sides, counts) <= rule.t * counts.sum(axis=1)
    assert (kept[close] == counts[close]).all()
    assert not kept[~close].any()
    assert close.any()
    # Few are cut down all the same.
    assert rule.cut_down(counts[~close][:5], np.full(5, 3)).any()


@pytest.mark.parametrize("t", ["0", "0.02", "0.05", "0.1"])
@pytest.mark.parametrize("order", ["wxyz", "wzyx"])
def test_no_close_group_is_of_a_size_that_could_not_be(order: str, t: str) -> None:
    values = list("wwwwwxxyyyz")
    table = ao.Table.from_frame(pd.DataFrame({"q": range(11), "s": values}), ["q"], "s")
    (condition,) = ao.TCloseness(t, space=ao.Ordered(list(order))).conditions(table)
    rule = of_conditions.rule_of(condition, table)
    assert isinstance(rule, Tree)
    place = np.argsort(rule.order)
    sides = ((place >= rule.first[:, None]) & (place < rule.last[:, None])).astype(float)
    everything = table.sensitive_column("s").counts
    counts = np.array([*product(*(range(count + 1) for count in everything))][1:])
    size = counts.sum(axis=1)
    close = set(size[distances(rule, sides, counts) <= rule.t * size + 1e-9].tolist())
    for least in range(1, 12):
        assert rule.smallest(everything[None, :], np.array([least])) <= min(its for its in close if its >= least)
    assert isinstance(condition, CloseOnTree)
    assert condition.least_from(1) > 1


@each("seed", range(24))
def test_between_two_trees_no_group_is_worth_more_than_is_said(seed: int) -> None:
    instance = instance_of(square_problem(seed))
    (rule,) = (rule for rule in instance.rules if isinstance(rule, Tree))
    assert rule.carrying is not None
    worth = drawn(instance, seed).astype(float)
    pricing = rule_pricing(instance, is_compiled=True)
    at = Multipliers(worth, np.full(len(instance.arcs), float(seed % 5)))
    assert (pricing.look(instance.arcs, at).values <= 1e-6 - np.array(best_groups(instance, worth))).all()


@each("seed", range(24))
def test_between_two_trees_groups_are_cut_down_to_close_ones(seed: int) -> None:
    problem = square_problem(seed, rows=40)
    instance = instance_of(problem)
    (rule,) = (rule for rule in instance.rules if isinstance(rule, Tree))
    counts = np.random.default_rng(seed).integers(0, 8, (60, 4))
    kept = rule.cut_down(counts, np.full(60, 2))
    assert (kept <= counts).all()
    assert (rule.lacking(kept) == 0).all()
    assert kept.any()
    whole = problem.table.sensitive_column("s").counts.tolist()
    metric = SQUARE.fit(problem.table.sensitive_column("s").values)
    closeness = next(one for one in instance.conditions if isinstance(one, Close))
    assert all(metric.emd(group, whole) <= closeness.limit for group in kept[kept.any(axis=1)].tolist())


@each("seed", range(asked(8, 24)))
def test_between_two_trees_the_optimum_is_found_and_something_proved(seed: int) -> None:
    problem = square_problem(seed)
    answer = ao.solve(problem, "sifting", time_limit=20)
    assert answer.claim is Claim.OPTIMAL
    assert answer.cost == optimum_of(problem)
    found = answer.verify()
    assert not found.wrong
    assert found.proved is not None
    assert 0 < found.proved.value <= answer.cost
