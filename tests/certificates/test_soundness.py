"""A checker that accepts is right: whoever searches for multipliers, even for nonsensical cuts, never gets above the optimum."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from anoptima.certificates.multipliers import Cut, MultiplierProof
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting import Sifting
from tests.certificates.test_multipliers import random_proof
from tests.solvers.exact.engine.cases import every_release, problem_of

SAID = re.compile(r"the multipliers prove (-?\d+)(?:/(\d+))?, not")
TURNS = 120


def proved_by(proof: MultiplierProof, problem: CellSuppression) -> Exact | None:
    """The most that a proof proves, rounded up to what a release can cost; None if something in it is refused."""
    try:
        replace(proof, value=10**9).proved(problem)
    except BadInput as refused:
        said = SAID.search(str(refused))
        return None if said is None else Fraction(int(said[1]), int(said[2] or 1))
    raise AssertionError


@pytest.mark.parametrize("seed", range(24))
def test_a_search_for_better_multipliers_never_gets_above_the_optimum(seed: int) -> None:
    problem = problem_of(seed + 400)
    assert isinstance(problem.principle, KAnonymity)
    best = min(cost for cost, _ in every_release(problem))
    chance = np.random.default_rng(seed)
    found = Sifting().solve(problem).certificate
    proof = random_proof(problem, 0, chance)
    for _ in range(20):
        if proved_by(proof, problem) is not None and (proof.cuts or problem.principle.k == 1):
            break
        proof = random_proof(problem, 0, chance)
    if isinstance(found, MultiplierProof):
        # Where a good proof is known, the cuts of another are added to it: any one that takes too much goes through the roof.
        scale = found.denominator
        proof = replace(
            proof, denominator=scale, worth=found.worth, prices=tuple(p * scale // 12 for p in proof.prices)
        )
    best_known = proved_by(proof, problem)
    for _ in range(TURNS):
        changed = moved(proof, chance)
        value = proved_by(changed, problem)
        if value is not None:
            assert value <= best
            if best_known is None or value >= best_known:
                proof, best_known = changed, value


def moved(proof: MultiplierProof, chance: np.random.Generator) -> MultiplierProof:
    """Change some worths or prices, or one thing in one cut."""
    d = proof.denominator
    draw = chance.random()
    if draw < 0.4 or not proof.cuts:
        by = chance.integers(-d // 2, d // 2 + 1, len(proof.worth)) * (chance.random(len(proof.worth)) < 0.3)
        return replace(proof, worth=tuple(int(w + b) for w, b in zip(proof.worth, by, strict=True)))
    number = int(chance.integers(len(proof.cuts)))
    if draw < 0.7:
        prices = [*proof.prices]
        prices[number] = max(0, prices[number] + int(chance.integers(-d // 2, d // 2 + 1)))
        return replace(proof, prices=tuple(prices))
    cut = proof.cuts[number]
    return replace(proof, cuts=(*proof.cuts[:number], _other(cut, len(proof.worth), chance), *proof.cuts[number + 1 :]))


def _other(cut: Cut, types: int, chance: np.random.Generator) -> Cut:
    draw = chance.random()
    if draw < 0.3:
        return replace(cut, divisor=cut.divisor + int(chance.integers(-1, 2)))
    if draw < 0.6 or not cut.terms:
        return replace(cut, types=tuple(sorted({*cut.types} ^ {int(chance.integers(types))})), terms=())
    number = int(chance.integers(len(cut.terms)))
    term = cut.terms[number]
    if draw < 0.8:
        new = replace(term, types=tuple(t for t in term.types if chance.random() < 0.7))
    else:
        new = replace(term, example=int(chance.integers(types)), inside=bool(chance.random() < 0.5))
    return replace(cut, terms=(*cut.terms[:number], new, *cut.terms[number + 1 :]))
