"""The proof for groups under principles: never above the optimum whatever the worths are, and every tampering is caught."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from anoptima.errors import BadInput
from anoptima.instances.papers import ten_rows
from anoptima.principles import AtLeastValues, KAnonymity, LDiversity, TCloseness
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.records import named_columns, record_of_row
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.kernels import pricing
from anoptima.solvers.exact.sifting.proofs import proof_at
from anoptima.table import Table
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of


def proves(proof: GroupProof, problem: CellSuppression) -> bool:
    try:
        proof.proved(problem)
    except BadInput:
        return False
    return True


def best_proof(problem: CellSuppression, passes: int = 200) -> GroupProof:
    instance = instance_of(problem)
    priced = rule_pricing(instance, pricing.is_prepared())
    start = first_multipliers(instance.arcs, len(priced.steps))
    found = ascend(instance.arcs, priced, start, lambda: False, Course(passes, pace=priced.pace))
    proof = proof_at(instance, priced, found.at)
    assert proof is not None
    return proof


@each("seed", range(25))
def test_nothing_proves_more_than_the_optimum(seed: int) -> None:
    problem = problem_of(seed + 100, 7)
    above = optimum_of(problem) + Fraction(1, problem.cost_scale)
    good = best_proof(problem)
    assert good.proved(problem) == good.value
    chance = np.random.default_rng(seed)
    worth = np.array(good.worth)
    near = [worth + chance.integers(-by, by + 1, len(worth)) for by in (1, 50, 5000) for _ in range(3)]
    far = [chance.integers(-9000, 60000, len(worth)) for _ in range(6)]
    for changed in (worth, *near, *far):
        assert not proves(replace(good, value=above, worth=tuple(map(int, changed))), problem)


@each("seed", range(25))
def test_every_number_counts(seed: int) -> None:
    """What proves exactly its value proves less, or is refused, once it is changed."""
    problem = problem_of(seed)
    proof = best_proof(problem, 60)
    above = proof.value + Fraction(1, problem.cost_scale)
    wrong = [
        replace(proof, value=above),
        replace(proof, digest="0" * 64),
        replace(proof, principle=KAnonymity(7).as_json()),
        replace(proof, denominator=0),
        replace(proof, denominator=-1),
        replace(proof, worth=proof.worth[1:]),
        replace(proof, worth=(2**70, *proof.worth[1:])),
        replace(proof, worth=(2**61, *proof.worth[1:])),
        replace(proof, worth=tuple(-abs(worth) - 1 for worth in proof.worth), value=1),
    ]
    assert not any(proves(changed, problem) for changed in wrong)
    assert not proves(proof, problem_of(seed + 25))


def test_written_down_and_read() -> None:
    problem = problem_of(2)
    proof = best_proof(problem)
    again = GroupProof.from_json(json.loads(json.dumps(proof.as_json())))
    assert again == proof
    assert again.proved(problem) == proof.value


TABLE = Table.from_frame(pd.DataFrame({"a": [0, 0, 1, 1, 2], "s": list("xyxyx")}), ["a"], "s")
PROBLEM = CellSuppression(TABLE, LDiversity("5/3"))
PLAIN = GroupProof(0, TABLE.digest, PROBLEM.principle.as_json(), 2, (0, 1, 2, 1, 2))


def test_records_are_row_types_with_their_values() -> None:
    assert record_of_row(PROBLEM).tolist() == [0, 1, 2, 3, 4]
    assert record_of_row(CellSuppression(TABLE, KAnonymity(2))).tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("proof", "complaint"),
    [
        (replace(PLAIN, value=100), "the multipliers prove 1, not 100"),
        (replace(PLAIN, digest="abc"), "the proof is about another table, with digest abc..."),
        (replace(PLAIN, principle={}), "the proof is about another principle than frequency 5/3-diversity"),
        (replace(PLAIN, denominator=0), "the denominator is 0; it must be at least 1"),
        (replace(PLAIN, worth=(1,)), "there are 1 worths for 5 records"),
        (replace(PLAIN, worth=(2**61,) * 5), "too large for sums of them to be counted in 64 bits"),
    ],
)
def test_what_does_not_hold_is_said(proof: GroupProof, complaint: str) -> None:
    with pytest.raises(BadInput) as refused:
        proof.proved(PROBLEM)
    assert complaint in str(refused.value)


def test_it_is_about_cells_only() -> None:
    with pytest.raises(BadInput, match="the proof is about cell-suppression, and this is attribute-suppression"):
        PLAIN.proved(AttributeSuppression(TABLE, LDiversity("5/3")))


def test_a_limit_with_a_huge_denominator_is_priced_as_a_looser_one() -> None:
    problem = CellSuppression(TABLE, TCloseness("0.39999999999999999999"))
    proof = best_proof(problem)
    assert proof.proved(problem) <= optimum_of(problem)


def test_records_are_told_apart_by_a_column_of_which_nothing_is_asked() -> None:
    """A file that states an entropy of log 1 names the column, and so do the records of the two checkers that stand alone."""
    table = ten_rows()
    problem = CellSuppression(table, KAnonymity(2) & EntropyDiversity(1))
    assert named_columns(problem) == {*table.sensitive}
    assert EntropyDiversity(1).conditions(table) == [AtLeastValues(table.sensitive[0], 1)]
