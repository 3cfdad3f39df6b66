"""The proof by patterns of few stars: never above the optimum whatever the numbers are, and every number in it counts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from anoptima.errors import BadInput
from anoptima.principles import KAnonymity
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.near import NearProof
from anoptima.table import Table
from tests.loops import each
from tests.solvers.exact.sifting.cases import every_release, near_bound, problem_of, proves


@each("seed", range(40))
def test_nothing_proves_more_than_the_optimum(seed: int) -> None:
    problem = problem_of(seed)
    assert isinstance(problem.principle, KAnonymity)
    above = min(cost for cost, _ in every_release(problem)) + Fraction(1, problem.cost_scale)
    chance = np.random.default_rng(seed)
    types, total = len(problem.table.types), int(problem.table.scaled_weights.sum())
    for _ in range(30):
        reach = int(chance.integers(0, total + 2))
        worth = tuple(int(w) for w in chance.integers(0, 12 * (reach + 2), types))
        assert not proves(NearProof(above, problem.table.digest, problem.principle.k, 12, reach, worth), problem)


@each("seed", range(40, 60))
def test_bounds_are_proved_at_every_reach(seed: int) -> None:
    problem = problem_of(seed)
    best = min(cost for cost, _ in every_release(problem))
    for reach in range(int(problem.table.scaled_weights.sum()) + 2):
        proof = near_bound(problem, reach)
        assert proof.proved(problem) == proof.value <= best


def wide() -> CellSuppression:
    chance = np.random.default_rng(5)
    kind = chance.integers(0, 5, 60)
    columns = {f"q{j}": np.where(chance.random(60) < 0.7, kind, chance.integers(0, 5, 60)) for j in range(9)}
    return CellSuppression(Table.from_frame(pd.DataFrame(columns), list(columns)), KAnonymity(3))


def test_every_number_counts() -> None:
    problem = wide()
    proof = near_bound(problem, 4)
    assert proof.proved(problem) == proof.value
    assert any(worth > 4 * proof.denominator for worth in proof.worth)
    wrong = [
        replace(proof, value=proof.value + 1),
        replace(proof, k=proof.k + 1),
        replace(proof, digest="0" * 64),
        replace(proof, denominator=0),
        replace(proof, denominator=2 * proof.denominator),
        replace(proof, reach=-1),
        replace(proof, reach=proof.reach - 1),
        replace(proof, worth=proof.worth[1:]),
        replace(proof, worth=(2**70, *proof.worth[1:])),
    ]
    for t, worth in enumerate(proof.worth):
        less = [*proof.worth]
        less[t] = worth - 100 * proof.denominator
        wrong.append(replace(proof, worth=tuple(less)))
        if worth > proof.reach * proof.denominator:
            more = [*proof.worth]
            more[t] = worth + 9 * proof.denominator
            wrong.append(replace(proof, worth=tuple(more)))
    assert not any(proves(bad, problem) for bad in wrong)


def test_no_worth_can_be_changed_so_that_more_is_proved_than_holds() -> None:
    problem = problem_of(3)
    proof = near_bound(problem, 2)
    best = min(cost for cost, _ in every_release(problem))
    chance = np.random.default_rng(0)
    for _ in range(200):
        worth = [*proof.worth]
        worth[int(chance.integers(len(worth)))] += int(chance.integers(-6000, 6000))
        above = replace(proof, value=best + Fraction(1, problem.cost_scale), worth=tuple(worth))
        assert not proves(above, problem)


def test_refusals_say_what_does_not_hold() -> None:
    problem = wide()
    proof = near_bound(problem, 3)
    lonely = next(t for t, worth in enumerate(proof.worth) if worth > 3 * proof.denominator)
    greedy = [*proof.worth]
    greedy[lonely] = 9 * proof.denominator
    with pytest.raises(
        BadInput,
        match=rf"^row type {lonely} is not lonely: \d+ rows are nearer than the 9 it is to be worth, and k = 3$",
    ):
        replace(proof, worth=tuple(greedy)).proved(problem)
    with pytest.raises(BadInput, match=r"^the multipliers prove \d+, not 1,000$"):
        replace(proof, value=1000).proved(problem)
    with pytest.raises(BadInput, match=r"^there are 1 worths for \d+ row types$"):
        replace(proof, worth=(0,)).proved(problem)
    with pytest.raises(BadInput, match=r"^the denominator must be at least 1, and the reach at least 0$"):
        replace(proof, denominator=0).proved(problem)
    with pytest.raises(BadInput, match=r"the proof needs a smaller denominator$"):
        replace(proof, worth=(2**62, *proof.worth[1:])).proved(problem)
    with pytest.raises(BadInput, match=r"^the proof is about cell-suppression, and this is attribute-suppression$"):
        proof.proved(AttributeSuppression(problem.table, KAnonymity(3)))


def test_it_travels_as_json() -> None:
    proof = near_bound(wide(), 3)
    assert NearProof.from_json(proof.as_json()) == proof
