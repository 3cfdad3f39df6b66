"""Every pattern is priced at least as high as by trying every group, and as high where the rule is exact."""

from __future__ import annotations

import itertools
from types import ModuleType

import numpy as np
import pytest

from anoptima.principles import LDiversity
from anoptima.solvers.exact.engine.compiling import kernels_here
from anoptima.solvers.exact.engine.principled import pricing
from anoptima.solvers.exact.engine.principled.dual import Dual, dual_of
from anoptima.solvers.exact.engine.principled.greedy import legal_groups
from anoptima.solvers.exact.engine.principled.setting import Setting, setting_of
from tests.solvers.exact.engine.principled.cases import problem_of

SEEDS = range(50)


def best_groups(setting: Setting, worth: np.ndarray) -> list[float]:
    """What the best legal group of each pattern is worth, by trying every one."""
    arcs, found = setting.arcs, []
    for p in range(len(arcs)):
        record = arcs.member[arcs.start[p] : arcs.start[p + 1]].astype(np.int64)
        choices = np.array(list(itertools.product(*(range(arcs.copies[r] + 1) for r in record))))
        label = np.repeat(np.arange(len(choices)), len(record))
        legal = legal_groups(setting, label, np.tile(record, len(choices)), choices.ravel(), len(choices))
        found.append(max((choices @ (worth[record] - arcs.cost[p]))[legal], default=-np.inf))
    return found


def drawn(setting: Setting, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(-2, 9, len(setting.arcs.copies))


@pytest.mark.parametrize("kernels", [pricing, kernels_here(pricing)])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_group_is_worth_more_than_its_price(seed: int, kernels: ModuleType) -> None:
    problem = problem_of(seed)
    setting = setting_of(problem)
    worth = drawn(setting, seed)
    priced = dual_of(setting, kernels).priced(worth, everything=True)
    expected = np.array(best_groups(setting, worth))
    assert (priced.prices >= expected * priced.scale).all()
    if all(isinstance(part, LDiversity) for part in problem.principle.parts):
        assert len(problem.principle.parts) > 1 or (expected > -np.inf).all()
        assert (priced.prices.tolist() == (expected * priced.scale).tolist()) or len(setting.rules) > 1


@pytest.mark.parametrize("seed", SEEDS)
def test_compiled_as_in_numpy(seed: int) -> None:
    setting = setting_of(problem_of(seed))
    for worth in (
        drawn(setting, seed),
        drawn(setting, seed) + np.random.default_rng(seed).random(len(setting.arcs.copies)),
    ):
        for everything in (False, True):
            one, other = (
                Dual(setting.arcs, setting.rules, kernels).priced(worth, everything=everything)
                for kernels in (pricing, kernels_here(pricing))
            )
            assert one.prices == pytest.approx(np.where(everything | (one.prices > 0), other.prices, 0))
            assert other.prices.dtype == worth.dtype


@pytest.mark.parametrize("kernels", [pricing, kernels_here(pricing)])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_used_is_a_slope(seed: int, kernels: ModuleType) -> None:
    """L is concave in the worths where one rule prices, with the copies minus what is used as a supergradient."""
    setting = setting_of(problem_of(seed))
    if len(setting.rules) > 1:
        return
    dual = Dual(setting.arcs, setting.rules, kernels)
    here, there = drawn(setting, seed).astype(float), drawn(setting, seed + 1000) + 0.3
    value, used = dual.at(here)
    assert dual.at(there)[0] <= value + (setting.arcs.copies - used) @ (there - here) + 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_a_pattern_that_is_left_out_holds_no_group_and_sizes_are_least(seed: int) -> None:
    problem = problem_of(seed)
    setting = setting_of(problem)
    for p in range(len(setting.arcs)):
        record = setting.arcs.member[setting.arcs.start[p] : setting.arcs.start[p + 1]].astype(np.int64)
        choices = np.array(list(itertools.product(*(range(setting.arcs.copies[r] + 1) for r in record))))
        label = np.repeat(np.arange(len(choices)), len(record))
        legal = legal_groups(setting, label, np.tile(record, len(choices)), choices.ravel(), len(choices))
        sizes = choices.sum(axis=1)[legal]
        assert (sizes >= setting.arcs.least[p]).all()
