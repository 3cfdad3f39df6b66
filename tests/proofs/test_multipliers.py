"""The proof by multipliers: never above the optimum whatever the numbers are, and no number can be changed for the better."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.errors import BadInput
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.case_bounds import Cases, Ended, Said
from anoptima.proofs.cuts import Cut, Term
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.solvers.exact.sifting.algorithm import Sifting
from anoptima.table import Table
from tests.loops import each
from tests.solvers.exact.sifting.cases import every_release, problem_of


def proves(proof: MultiplierProof, problem: CellSuppression) -> bool:
    try:
        proof.proved(problem)
    except BadInput:
        return False
    return True


def random_proof(
    problem: CellSuppression, value: Fraction | int, chance: np.random.Generator, divisor: int = 0
) -> MultiplierProof:
    """Return a proof with cuts whose divisors are up to `divisor`, k if that is 0."""
    assert isinstance(problem.principle, KAnonymity)
    types, k, names = len(problem.table.types), problem.principle.k, problem.table.quasi
    cuts = []
    for _ in range(int(chance.integers(0, 4)) if k > 1 else 0):
        inside = np.flatnonzero(chance.random(types) < 0.6)
        terms = []
        for _ in range(int(chance.integers(0, 3))):
            kept = frozenset(name for name in names if chance.random() < 0.4)
            example = int(chance.integers(types))
            positions = [names.index(name) for name in kept]
            members = np.flatnonzero(
                (problem.table.types[:, positions] == problem.table.types[example, positions]).all(axis=1)
            )
            side = bool(chance.random() < 0.5)
            able = [int(t) for t in members if (t in inside) == side and chance.random() < 0.7]
            terms.append(Term(kept, example, side, tuple(able)))
        cuts.append(Cut(tuple(map(int, inside)), int(chance.integers(2, (divisor or k) + 1)), tuple(terms)))
    prices = tuple(int(price) for price in chance.integers(0, 30, len(cuts)))
    worth = tuple(int(w) for w in chance.integers(-10, 60, types))
    return MultiplierProof(value, problem.table.digest, k, 12, worth, tuple(cuts), prices)


@each("seed", range(60))
def test_nothing_proves_more_than_the_optimum(seed: int) -> None:
    problem = problem_of(seed)
    best = min(cost for cost, _ in every_release(problem))
    above = best + Fraction(1, problem.cost_scale)
    chance = np.random.default_rng(seed)
    assert not any(proves(random_proof(problem, above, chance), problem) for _ in range(20))


@each("seed", range(30))
def test_divisors_above_k_prove_no_more_and_sums_fit(seed: int) -> None:
    problem, chance = problem_of(seed), np.random.default_rng(seed)
    best = min(cost for cost, _ in every_release(problem))
    above = best + Fraction(1, problem.cost_scale)
    for _ in range(20):
        proof = random_proof(problem, above, chance, problem.table.rows)
        assert not proves(proof, problem)
        try:
            plain, scaled = (multipliers_of(problem, proof, many).least() for many in (1, 2**35))
        except BadInput:  # Cuts that are none, or that round nothing.
            continue
        assert scaled == 2**35 * plain


@each("seed", range(12))
def test_sums_fit_as_long_as_there_is_room(seed: int) -> None:
    """With all numbers multiplied by c, as large as the checker takes them, it counts c times as much: no sum is too large."""
    problem, chance = problem_of(seed), np.random.default_rng(seed)
    reached = []
    for _ in range(6):
        proof = random_proof(problem, 0, chance)
        try:
            plain = multipliers_of(problem, proof, 1).least()
        except BadInput:  # Cuts that are none, or that round nothing.
            continue
        for doubled in range(1, 80, 3):
            try:
                scaled = multipliers_of(problem, proof, 2**doubled)
            except BadInput:
                reached.append(doubled)
                break
            assert scaled.least() == 2**doubled * plain
    assert reached
    assert min(reached) > 40


def multipliers_of(problem: CellSuppression, proof: MultiplierProof, many: int) -> Cases:
    """Return what a proof multiplies by, all of it so many times."""
    worth = [many * number for number in proof.worth]
    prices = [many * price for price in proof.prices]
    return Cases(problem, Said(many * proof.denominator, proof.cuts), [Ended(worth, prices)])


def test_cuts_of_a_large_table_have_room() -> None:
    """A million rows, and cuts whose prices add up to what those of a hundred thousand do: each charges a few classes only."""
    frame = pd.DataFrame({"a": np.arange(1_000_000) // 4, "b": 0})
    problem = CellSuppression(Table.from_frame(frame, ["a", "b"]), KAnonymity(5))
    chance = np.random.default_rng(0)
    cuts = [Cut(tuple(chance.choice(200_000, 4, replace=False).tolist()), 3) for _ in range(1_000)]
    prices = [100 * 5040] * len(cuts)
    Cases(problem, Said(5040, tuple(cuts)), [Ended([5040] * 250_000, prices)])


def test_every_number_counts() -> None:
    """Whatever is changed in a proof that is tight, it proves less, or the checker says what does not hold."""
    tight = 0
    for seed in range(16):
        problem = problem_of(seed)
        answer = Sifting().solve(problem)
        proof = answer.proof
        if not isinstance(proof, MultiplierProof):
            continue
        assert proof.proved(problem) == proof.value
        tight += 1
        assert answer.cost is not None
        above = answer.cost + Fraction(1, problem.cost_scale)
        wrong = [
            replace(proof, value=above),
            replace(proof, k=proof.k + 1),
            replace(proof, digest="0" * 64),
            replace(proof, denominator=0),
            replace(proof, worth=proof.worth[1:]),
            replace(proof, worth=(2**70, *proof.worth[1:])),
            replace(proof, worth=(2**60, *proof.worth[1:])),
            replace(proof, prices=(*proof.prices, 1)),
        ]
        for number in range(len(proof.cuts)):
            prices = [*proof.prices]
            prices[number] = -prices[number]
            wrong.append(replace(proof, prices=tuple(prices)))
        assert not any(proves(changed, problem) for changed in wrong)
        for changed in perturbed(proof):
            # It may prove as much; more than the optimum it cannot.
            assert not proves(replace(changed, value=above), problem)
    assert tight >= 4


def perturbed(proof: MultiplierProof) -> list[MultiplierProof]:
    """Return proofs with one worth, price, divisor or set changed."""
    found = [
        replace(proof, worth=(*proof.worth[:t], proof.worth[t] + by, *proof.worth[t + 1 :]))
        for t in range(len(proof.worth))
        for by in (-proof.denominator, -1, 1, proof.denominator)
    ]
    for number, (cut, price) in enumerate(zip(proof.cuts, proof.prices, strict=True)):
        before, after = proof.cuts[:number], proof.cuts[number + 1 :]
        found.append(replace(proof, prices=(*proof.prices[:number], 2 * price, *proof.prices[number + 1 :])))
        found += [
            replace(proof, cuts=(*before, changed, *after))
            for changed in (
                replace(cut, divisor=cut.divisor + 1),
                replace(cut, divisor=cut.divisor - 1),
                replace(cut, types=cut.types[1:]),
                replace(cut, terms=()),
                replace(cut, terms=cut.terms[1:]),
            )
        ]
    return found


TABLE = Table.from_frame(pd.DataFrame({"a": [0, 0, 1, 1, 2], "b": [0, 1, 0, 1, 0]}), ["a", "b"])
PROBLEM = CellSuppression(TABLE, KAnonymity(2))
PLAIN = MultiplierProof(0, TABLE.digest, 2, 2, (2,) * 5)


@pytest.mark.parametrize(
    ("proof", "complaint"),
    [
        (replace(PLAIN, value=100), "the multipliers prove 5, not 100"),
        (replace(PLAIN, k=3), "the proof is for groups of at least k = 3 rows, and the problem allows groups of 2"),
        (replace(PLAIN, digest="abc"), "the proof is about another table, with digest abc..."),
        (replace(PLAIN, denominator=0), "the denominator is 0; it must be at least 1"),
        (replace(PLAIN, worth=(1,)), "there are 1 worths for 5 row types"),
        (replace(PLAIN, cuts=(Cut((0, 1, 2), 2),)), "there must be one price a cut, and none below 0"),
        (replace(PLAIN, cuts=(Cut((0, 1, 2), 2),), prices=(-1,)), "there must be one price a cut, and none below 0"),
        (replace(PLAIN, cuts=(Cut((0, 1), 2),), prices=(1,)), "cut 0 rounds nothing"),
        (replace(PLAIN, cuts=(Cut((0, 1, 2), 6),), prices=(1,)), "it must be from 2 to 5, the number of rows"),
        (replace(PLAIN, cuts=(Cut((0, 1, 2), 1),), prices=(1,)), "it must be from 2 to 5, the number of rows"),
        (replace(PLAIN, cuts=(Cut((0, 0, 2), 2),), prices=(1,)), "cut 0 names no set of row types"),
        (replace(PLAIN, cuts=(Cut((0, 1, 5), 2),), prices=(1,)), "cut 0 names no set of row types"),
        (
            replace(PLAIN, cuts=(Cut((0, 1, 2), 2, (Term(frozenset("a"), 0, True, (3,)),)),), prices=(1,)),
            "a term with a row type on the wrong side",
        ),
        (
            replace(PLAIN, cuts=(Cut((0, 1, 2), 2, (Term(frozenset("a"), 0, True, (2,)),)),), prices=(1,)),
            "a row type that the pattern does not match",
        ),
        (
            replace(PLAIN, cuts=(Cut((0, 1, 2), 2, (Term(frozenset("a"), 0, True, (0, 0)),)),), prices=(1,)),
            "cut 0 has a term with no set of row types",
        ),
        (
            replace(PLAIN, cuts=(Cut((0, 1, 2), 2, (Term(frozenset("x"), 0, True, ()),)),), prices=(1,)),
            "a pattern with a column or a row type that is not there",
        ),
        (
            replace(PLAIN, cuts=(Cut((0, 1, 2), 2, (Term(frozenset("a"), 0, True, (0,)),) * 2),), prices=(1,)),
            "names two terms for a pattern",
        ),
    ],
)
def test_what_does_not_hold_is_said(proof: MultiplierProof, complaint: str) -> None:
    with pytest.raises(BadInput) as refused:
        proof.proved(PROBLEM)
    assert complaint in str(refused.value)


def test_weights_that_are_no_whole_numbers_scale_the_bound() -> None:
    table = Table.from_frame(TABLE.frame, ["a", "b"], weights={"a": Fraction(1, 2), "b": Fraction(1, 3)})
    problem = CellSuppression(table, KAnonymity(2))
    proof = MultiplierProof(Fraction(5, 3), table.digest, 2, 1, (2,) * 5)
    assert problem.cost_scale == 6
    assert proof.proved(problem) == Fraction(5, 3)
    with pytest.raises(BadInput, match="the multipliers prove 5/3, not 11/6"):
        replace(proof, value=Fraction(11, 6)).proved(problem)


def test_what_a_proof_explains_is_its_own_table() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    proof = ao.solve(problem, "sifting").proof
    assert isinstance(proof, MultiplierProof)
    table = problem.table
    other = ao.CellSuppression(
        ao.Table.from_frame(table.frame.iloc[:4], table.quasi, table.sensitive), ao.KAnonymity(3)
    )
    for ask in (proof.row_prices, proof.simplified, lambda about: proof.explain([0, 1, 2], about)):
        with pytest.raises(ao.BadInput, match="about another table"):
            ask(other)
    for group in ([99], []):
        with pytest.raises(ao.BadInput):
            proof.explain(group, problem)
    assert proof.explain(iter([7, 8, 9]), problem) == proof.explain([7, 8, 9], problem)
