"""Cuts under rules: what the engine proves by them is what the checker proves."""

from __future__ import annotations

import random

import numpy as np

from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.bound.rule_cuts import TermsUnderRules
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from tests.loops import each
from tests.proofs.test_group_cuts import random_proof
from tests.sizing import asked
from tests.solvers.exact.sifting.cases_under_rules import problem_of


def read(proof: GroupCutsProof, instance: Instance) -> tuple[TermsUnderRules, Multipliers]:
    words, priced = instance.words, rule_pricing(instance, True)
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
        assert -(-found // d) == proved
        in_parts = Multipliers(at.worth / d, at.prices / d)
        look = terms.look(instance.arcs, in_parts)
        assert np.isclose(look.value, terms.go(instance.arcs, in_parts).value)
        assert abs(look.value - terms.exactly(at, d) / d) <= len(instance.arcs) / d
