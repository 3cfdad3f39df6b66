"""A checker that accepts is right: whoever searches for multipliers, even for nonsensical cuts, never gets above the optimum."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.branched import BranchedProof
from anoptima.proofs.cuts import Cut, Term
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.solvers.exact.sifting.algorithm import Sifting
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.cases import every_release, problem_of

SAID = re.compile(r"the multipliers prove (-?[\d,]*\d)(?:/([\d,]*\d))?, not")
TURNS = 120


def proved_by(proof: MultiplierProof | BranchedProof, problem: CellSuppression) -> Exact | None:
    """The most that a proof proves, rounded up to what a release can cost; None if something in it is refused."""
    try:
        replace(proof, value=10**9).proved(problem)
    except BadInput as refused:
        said = SAID.search(str(refused))
        return None if said is None else Fraction("/".join(part.replace(",", "") for part in said.groups(default="1")))
    raise AssertionError


@each("seed", range(asked(12, 30)))
def test_a_search_for_better_multipliers_never_gets_above_the_optimum(seed: int) -> None:
    problem = problem_of(seed + 400)
    assert isinstance(problem.principle, KAnonymity)
    best = min(cost for cost, _ in every_release(problem))
    chance = np.random.default_rng(seed)
    found = Sifting().solve(problem).proof
    # Where a good proof is known, cuts are added to it: one that takes too much is then above the optimum at once.
    worth = found.worth if isinstance(found, MultiplierProof) else (0,) * len(problem.table.types)
    scale = found.denominator if isinstance(found, MultiplierProof) else 12
    cuts = [cut for _ in range(30) if (cut := random_cut(problem, chance)) is not None][:4]
    prices = tuple(int(price) for price in chance.integers(0, scale, len(cuts)))
    proof = MultiplierProof(0, problem.table.digest, problem.principle.k, scale, worth, tuple(cuts), prices)
    best_known = proved_by(proof, problem)
    assert best_known is not None
    for _ in range(TURNS):
        changed = moved(proof, chance)
        value = proved_by(changed, problem)
        if value is not None:
            assert value <= best
            if value >= best_known:
                proof, best_known = changed, value


def random_cut(problem: CellSuppression, chance: np.random.Generator) -> Cut | None:
    """Draw a cut with a term of either type for several patterns, valid or not; None if it rounds nothing."""
    assert isinstance(problem.principle, KAnonymity)
    table, k = problem.table, problem.principle.k
    inside = np.flatnonzero(chance.random(len(table.types)) < 0.4)
    divisor = int(chance.integers(2, k + 1)) if k > 1 else 2
    if k == 1 or not table.multiplicity[inside].sum() % divisor:
        return None
    terms: dict[tuple[object, ...], Term] = {}
    for _ in range(8):
        kept = [j for j in range(len(table.quasi)) if chance.random() < 0.5]
        example = int(chance.choice(inside))
        members = np.flatnonzero((table.types[:, kept] == table.types[example, kept]).all(axis=1))
        side = bool(chance.random() < 0.5)
        able = [int(t) for t in members if (t in inside) == side and chance.random() < (0.8 if side else 0.3)]
        term = Term(frozenset(table.quasi[j] for j in kept), example, side, tuple(able))
        terms[tuple(kept), members.tobytes()] = term
    return Cut(tuple(map(int, inside)), divisor, tuple(terms.values()))


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
