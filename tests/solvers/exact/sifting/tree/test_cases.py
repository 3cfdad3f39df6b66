"""Cases of trees, whatever was decided: every release is in just one of them, and costs no less than that one proves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, replace
from typing import TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.releases.release import release_of
from anoptima.solvers.exact.sifting.tree.by_size import TreeBySize
from anoptima.solvers.exact.sifting.tree.cases import At, CaseOfPatterns, Decision
from tests.loops import each
from tests.proofs.test_group_cases import ALONG_EDGES, DIVERSE, EQUAL, problem_by_cases
from tests.sizing import asked
from tests.solvers.exact.sifting.cases import every_release, problem_of
from tests.solvers.exact.sifting.tree.test_by_pattern import tree_of

D = TypeVar("D")
NEVER = 10**15


def ends_of(draw: Callable[[], tuple[D, D]], depth: int, so_far: tuple[D, ...] = ()) -> Iterator[tuple[D, ...]]:
    """Yield all that is decided at the ends of a tree whose forks are drawn."""
    if depth == 0:
        yield so_far
        return
    for side in draw():
        yield from ends_of(draw, depth - 1, (*so_far, side))


def counts_of(instance: Instance, partition: Partition) -> tuple[NDArray[np.int64], int]:
    """Return how many rows of each value the group of each pattern has, and what the release costs."""
    release, arcs, rule = release_of(instance.problem, instance.patterns, partition), instance.arcs, instance.rules[0]
    counts = np.zeros((len(arcs), rule.values), dtype=np.int64)
    pattern = arcs.pattern_of[release.arc]
    np.add.at(counts, (pattern, rule.value[arcs.member[release.arc]]), release.count)
    return counts, int(arcs.cost[pattern] @ release.count)


def holds(decision: Decision, counts: NDArray[np.int64]) -> bool:
    own = counts[decision.pattern]
    rows = own.sum() if decision.value is None else own[decision.value]
    return bool(rows <= decision.most) == decision.is_low


@each("number", range(asked(12, 36)))
def test_every_release_is_in_one_case_of_sizes_and_costs_what_that_proves_or_more(number: int) -> None:
    problem = problem_by_cases(100 + number // 3, (EQUAL, DIVERSE, ALONG_EDGES[1:])[number % 3])
    instance, chance = instance_of(problem), np.random.default_rng(number)
    arcs, values = instance.arcs, instance.rules[0].values
    first, pricing = first_multipliers(arcs).worth, rule_pricing(instance, is_compiled=True)

    def draw() -> tuple[Decision, Decision]:
        """Only closeness bounds sizes: under diversity patterns are open or not."""
        value = int(chance.integers(values)) if chance.random() < 0.5 else None
        most = int(chance.integers(0, 4)) if instance.is_close or value is not None else 0
        low = Decision(int(chance.integers(len(arcs))), value, most, True)
        return low, replace(low, is_low=False)

    def at(decisions: tuple[Decision, ...]) -> At:
        cells = {(its.pattern, its.value): chance.normal() for its in decisions if its.value is not None}
        return At(first + chance.normal(size=len(first)), cells)

    tree = TreeBySize(instance, pricing, first, lambda: NEVER, lambda release: None, lambda: False)
    tree.go_on_from((decisions, at(decisions)) for decisions in ends_of(draw, 4))
    cases = list(tree.cases)
    assert len(cases) == 16
    for _, partition in every_release(problem):
        counts, cost = counts_of(instance, partition)
        [case] = [case for case in cases if all(holds(decision, counts) for decision in case.decisions)]
        assert case.proved <= cost + 1e-6
        sizes = counts.sum(axis=1)
        assert (sizes <= case.sizes.most).all()
        assert ((sizes >= case.sizes.least) | (sizes == 0) & ~case.sizes.opened).all()
        assert all(low <= counts[cell] <= high for cell, (low, high) in case.between.items())


@each("seed", range(600, asked(612, 640)))
def test_every_release_is_in_one_case_of_patterns_and_costs_what_that_proves_or_more(seed: int) -> None:
    problem, chance = problem_of(seed, rows=7), np.random.default_rng(seed)
    tree = tree_of(problem, NEVER)
    instance = tree.instance
    first = first_multipliers(instance.arcs).worth

    def draw() -> tuple[tuple[int, bool], tuple[int, bool]]:
        pattern = int(chance.integers(len(instance.arcs)))
        return (pattern, True), (pattern, False)

    def at() -> Multipliers:
        return Multipliers(first + chance.normal(size=len(first)), np.zeros(0)).in_parts(instance.d)

    tree.go_on_from([], [(fixed, at()) for fixed in ends_of(draw, 4)])
    cases = list(tree.cases)
    assert len(cases) == 16
    for _, partition in every_release(problem):
        counts, cost = counts_of(instance, partition)
        is_open = counts.sum(axis=1) > 0
        [case] = [case for case in cases if all(is_open[pattern] == opened for pattern, opened in case.fixed)]
        assert case.proved <= cost * instance.d


def test_decisions_are_told_by_what_they_say_and_cases_by_themselves() -> None:
    """Multipliers are arrays, so cases cannot be compared, and may be looked for among others all the same."""
    one = Decision(3, None, 2, True)
    others = {replace(one, is_low=False), replace(one, value=0), replace(one, most=1), replace(one, pattern=0)}
    assert one not in others
    assert {one, Decision(3, None, 2, True), *others} == {one, *others}
    assert len(others) == 4
    at = Multipliers(np.zeros(2), np.zeros(2))
    case, same = CaseOfPatterns(((1, True),), at, 5), CaseOfPatterns(((1, True),), at, 5)
    assert case in [same, case]
    assert case not in [same]
    with pytest.raises(FrozenInstanceError):
        case.proved = 6  # type: ignore[misc]
