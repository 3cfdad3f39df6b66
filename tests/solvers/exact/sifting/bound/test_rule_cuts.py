"""Cuts under rules: what the engine proves by them is what the checker proves, and what they raise the bound to is read back."""

from __future__ import annotations

import random

import numpy as np

import anoptima as ao
from anoptima.answer import Budget
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.bound.rule_cuts import TermsUnderRules
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.kernels import pricing
from anoptima.solvers.exact.sifting.proofs import proof_with_cuts
from anoptima.solvers.exact.sifting.read_back import read_back_worths
from anoptima.solvers.exact.sifting.stages.ascend import AscendWorths
from anoptima.solvers.exact.sifting.stages.cut_worths import CutWorths
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from anoptima.solvers.exact.sifting.words import words_of_records
from anoptima.solvers.ledger import Ledger
from benchmarks.census import sampled
from tests.loops import each
from tests.proofs.test_group_cuts import random_proof
from tests.sizing import asked
from tests.solvers.exact.sifting.cases_under_rules import problem_of


def read(proof: GroupCutsProof, instance: Instance) -> tuple[TermsUnderRules, Multipliers]:
    words, priced = words_of_records(instance), rule_pricing(instance, True)
    rows = [instance.catalogue.row(words.read_cut(cut)) for cut in proof.cuts]
    assert None not in rows
    terms = TermsUnderRules(instance.arcs, priced, [row for row in rows if row is not None])
    worth = words.read_worth(proof.worth).astype(np.int64)
    return terms, Multipliers(worth, np.array(proof.prices, dtype=np.int64))


@each("seed", range(asked(50, 75)))
def test_the_engine_and_the_checker_count_the_same(seed: int) -> None:
    problem, chance = problem_of(seed, 7), random.Random(seed)
    instance = instance_of(problem)
    if instance.is_of_size or rule_pricing(instance, True).trees:
        return
    for _ in range(3):
        proof = random_proof(problem, chance)
        try:
            terms, at = read(proof, instance)
        except (KeyError, IndexError):
            # A term is for a pattern that can have no group: the checker leaves it aside, and so does the engine, which never names it.
            continue
        d = proof.denominator
        found, proved = terms.exactly(at, d), proof.proves(problem)
        assert -(-found // d) <= proved
        # At equal distance the engine rounds up what each pattern gains, the checker what all do.
        if all(rule.scale == 1 for rule in instance.rules):
            assert -(-found // d) == proved
        assert proved <= -(-(found + len(instance.arcs)) // d)
        in_parts = Multipliers(at.worth / d, at.prices / d)
        look = terms.look(instance.arcs, in_parts)
        assert np.isclose(look.value, terms.go(instance.arcs, in_parts).value)
        assert abs(look.value - terms.exactly(at, d) / d) <= len(instance.arcs) / d


def standing_of(problem: CellSuppression, seconds: float = 100_000) -> StandingUnderRules:
    ledger = Ledger(problem, "mine", Budget(seconds=seconds))
    ledger.offer(problem.trivial(), "the start")
    return StandingUnderRules(instance_of(problem), ledger, pricing.is_prepared())


def test_cuts_prove_more_and_are_read_back() -> None:
    problem = CellSuppression(sampled(ao.census("seven", "occupation"), 150, 0), ao.LDiversity(3))
    standing = standing_of(problem)
    AscendWorths(standing, None).run(1.0)
    before, cuts = standing.point.value, CutWorths(standing, None)
    assert cuts.why_not() is None
    cuts.run(1.0)
    assert standing.point.value > before + 0.1
    assert cuts.why_not() == "rounds have come to rest"
    proof = standing.ledger.proof
    if not isinstance(proof, GroupCutsProof):
        # The bound was rounded up to as much before.
        proof = proof_of(standing, cuts)
    assert proof.proved(problem) == proof.value
    again = standing_of(problem)
    earlier = read_back_worths(proof, again.instance)
    assert earlier is not None
    assert len(earlier.rows) == len(proof.cuts) > 0
    terms = TermsUnderRules(again.instance.arcs, again.pricing, earlier.rows)
    value = terms.look(again.instance.arcs, Multipliers(earlier.worth, earlier.prices)).value
    assert abs(value - standing.point.value) < 0.01


def proof_of(standing: StandingUnderRules, cuts: CutWorths) -> GroupCutsProof:
    assert cuts.reached is not None
    point, terms = cuts.reached
    proof = proof_with_cuts(standing.instance, terms, point.at)
    assert proof is not None
    return proof


def test_it_says_what_it_is_not_for() -> None:
    standing = standing_of(CellSuppression(ao.ten_rows(), ao.TCloseness("0.3")))
    assert "under closeness" in str(CutWorths(standing, None).why_not())
    standing.is_compiled = False
    assert "plain loops" in str(CutWorths(standing, None).why_not())
