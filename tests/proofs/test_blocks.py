"""The proof by blocks of columns: never above the optimum, and every part of it counts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.errors import BadInput
from anoptima.principles import KAnonymity, LDiversity, Principle
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.blocks import Block, BlockProof
from anoptima.proofs.kinds import proof_as_json, proof_from_json
from anoptima.proofs.own_bound import OwnBound
from anoptima.table import Table
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.cases import every_release, near_bound, problem_of, proves


def blocks_of(problem: CellSuppression, chance: np.random.Generator, reach: int = 3) -> BlockProof:
    """Cut the columns at random, and prove each block by its patterns of few stars."""
    names = [*problem.table.quasi]
    of = chance.integers(0, 2, len(names))
    cut = [tuple(name for name, b in zip(names, of, strict=True) if b == block) for block in (0, 1)]
    parts = [CellSuppression(problem.table.restricted(part), problem.principle) for part in cut if part]
    return BlockProof.of(problem, [Block(part.table.quasi, near_bound(part, reach)) for part in parts])


@each("seed", range(asked(15, 40)))
def test_blocks_prove_a_bound_and_no_more_than_the_optimum(seed: int) -> None:
    problem = problem_of(seed)
    best = min(cost for cost, _ in every_release(problem))
    chance = np.random.default_rng(seed)
    for reach in range(1, 5):
        proof = blocks_of(problem, chance, reach)
        assert proof.proved(problem) == proof.value <= best
        above = best + Fraction(1, problem.cost_scale)
        assert not proves(replace(proof, value=above), problem)


@each("seed", range(20))
def test_blocks_cost_together_at_most_what_the_whole_costs(seed: int) -> None:
    problem = problem_of(seed + 100, rows=6)
    optimum = min(cost for cost, _ in every_release(problem))
    names = problem.table.quasi
    for cut in range(1, len(names)):
        parts = [
            CellSuppression(problem.table.restricted(part), problem.principle) for part in (names[:cut], names[cut:])
        ]
        assert sum(min(cost for cost, _ in every_release(part)) for part in parts) <= optimum


@pytest.mark.parametrize("principle", [LDiversity(2), KAnonymity(2) & LDiversity(2, version="distinct")])
def test_they_hold_under_other_principles(principle: Principle) -> None:
    frame = pd.DataFrame(
        {"a": [0, 0, 1, 1, 2, 2], "b": [0, 1, 1, 2, 2, 0], "c": [0, 1, 2, 0, 1, 2], "ill": [*"xyxyxy"]}
    )
    problem = CellSuppression(Table.from_frame(frame, ["a", "b", "c"], "ill"), principle)
    parts = [CellSuppression(problem.table.restricted(names), principle) for names in (["a", "b"], ["c"])]
    proof = BlockProof.of(problem, [Block(part.table.quasi, OwnBound(part.lower_bound())) for part in parts])
    assert proof.proved(problem) == proof.value <= min(cost for cost, _ in every_release(problem))


def wide() -> CellSuppression:
    chance = np.random.default_rng(5)
    kind = chance.integers(0, 5, 40)
    columns = {f"q{j}": np.where(chance.random(40) < 0.7, kind, chance.integers(0, 5, 40)) for j in range(6)}
    return CellSuppression(
        Table.from_frame(pd.DataFrame(columns), list(columns), weights={"q0": 2, "q5": "1/3"}), KAnonymity(3)
    )


def test_every_part_counts() -> None:
    problem = wide()
    proof = blocks_of(problem, np.random.default_rng(1), 6)
    assert proof.proved(problem) == proof.value > 0
    first, second = proof.blocks
    wrong = [
        replace(proof, value=proof.value + Fraction(1, 3)),
        replace(proof, digest="0" * 64),
        replace(proof, blocks=(first,)),
        replace(proof, blocks=(first, first)),
        replace(proof, blocks=(first, replace(second, columns=first.columns))),
        replace(proof, blocks=(first, replace(second, columns=second.columns[1:]))),
        replace(proof, blocks=(first, replace(second, columns=second.columns[::-1]))),
        replace(proof, blocks=(first, replace(second, proof=replace(second.proof, value=second.proof.value + 1)))),
    ]
    assert not any(proves(bad, problem) for bad in wrong)
    # Groups of four rows have three, so what is proved for k = 3 holds for k = 4, and not the other way round.
    assert proves(proof, CellSuppression(problem.table, KAnonymity(4)))
    assert not proves(proof, CellSuppression(problem.table, KAnonymity(2)))


def test_refusals_say_what_does_not_hold() -> None:
    problem = CellSuppression(ao.ten_rows(), KAnonymity(3))
    names, digest = problem.table.quasi, problem.table.digest
    half = Block(names[:4], OwnBound(17))
    for blocks, message in (
        ((half, half), r"^column 'zip1' is in two blocks$"),
        ((Block((), OwnBound(0)),), r"^block 0 has no column$"),
        ((Block(("wages",), OwnBound(0)),), r"^block 0 names 'wages', which is no quasi-identifying column$"),
        ((Block(names[:1], OwnBound(99)),), r"^block 0 \(zip1\): the problem's own arithmetic proves \d+, not 99$"),
        ((half,), r"^the blocks prove 17, not 45$"),
    ):
        with pytest.raises(BadInput, match=message):
            BlockProof(45, digest, blocks).proved(problem)
    with pytest.raises(BadInput, match=r"^the proof is about another table, with digest 0{12}\.\.\.$"):
        BlockProof(0, "0" * 64, ()).proved(problem)
    with pytest.raises(BadInput, match=r"^the proof is about cell-suppression, and this is identifying-columns$"):
        BlockProof(0, digest, ()).proved(ao.IdentifyingColumns(problem.table))


def test_it_travels_as_json() -> None:
    proof = blocks_of(wide(), np.random.default_rng(1))
    data = proof_as_json(proof)
    assert proof_from_json(data) == proof
    data["blocks"][0]["proof"]["kind"] = "blocks"
    with pytest.raises(
        BadInput, match=r"^'proof' in number 0 of 'blocks' in the proof is of kind 'blocks'; it must be one of near"
    ):
        proof_from_json(data)
