"""Whether k rows gain: against all groups of k rows; and short proofs by worths, against brute force and two other checkers."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima.documents.pages import table_text
from anoptima.documents.proofs import proof_document, proof_text
from anoptima.proofs import check_anoptima
from anoptima.proofs.least_groups import LeastGroups
from anoptima.proofs.worths import WorthEnd, WorthFork, WorthProof
from anoptima.testing.examples import optimum
from tests.loops import each
from tests.proof_agreement import Proved
from tests.proofs.javascript import Checker

HUGE = 1 << 70
"""A factor with which numbers fit no array of 64 bits."""


def table(chance: random.Random, rows: int, columns: int = 4) -> ao.Table:
    data = {f"c{j}": [chance.choice("abc") for _ in range(rows)] for j in range(columns)}
    data["ill"] = chance.sample(("1234" * rows)[:rows], rows)
    weights = {f"c{j}": chance.choice((1, 2, "1/2")) for j in range(columns)} if chance.random() < 0.5 else None
    return ao.Table.from_frame(pd.DataFrame(data), [f"c{j}" for j in range(columns)], "ill", weights=weights)


def gains(problem: ao.CellSuppression, k: int, kinds: list[int], worth: list[int], d: int) -> list[int]:
    """Return what each group of k rows of different kinds gains."""
    codes, weights = problem.table.types[problem.table.type_of_row], problem.table.scaled_weights
    return [
        sum(worth[row] for row in group) - d * k * int((codes[list(group)] != codes[group[0]]).any(axis=0) @ weights)
        for group in itertools.combinations(range(problem.table.rows), k)
        if len({kinds[row] for row in group}) == k
    ]


@pytest.mark.parametrize("factor", [1, HUGE])
@each("seed", range(80))
def test_some_rows_gain_exactly_if_one_of_all_groups_does(seed: int, factor: int) -> None:
    chance = random.Random(seed)
    k, d = chance.choice((1, 2, 3, 4, 5)), chance.choice((1, 2, 3))
    problem = ao.CellSuppression(table(chance, chance.randrange(5, 10)), ao.KAnonymity(k))
    kinds = [chance.randrange(5) for _ in range(problem.table.rows)] if seed % 2 else list(range(problem.table.rows))
    groups, found = LeastGroups(problem, k, kinds), set[bool]()
    for most in (0, 1, 2, 4, 6, 9, 200):
        worth = [chance.randrange(-1, most * d + 1) for _ in kinds]
        expected = max(gains(problem, k, kinds, worth, d), default=0) > 0
        assert groups.some_gain([one * factor for one in worth], d * factor) == expected
        found.add(expected)
    assert found == {False, True} or len(set(kinds)) < k


PRINCIPLES: list[Any] = [
    ao.KAnonymity(2),
    ao.KAnonymity(3),
    ao.LDiversity(2),
    ao.LDiversity(3),
    ao.LDiversity("3/2"),
    ao.LDiversity(2, version="distinct"),
    ao.KAnonymity(3) & ao.LDiversity(2),
    ao.TCloseness("1/3"),
    ao.KAnonymity(2) & ao.TCloseness("1/2"),
    ao.EntropyDiversity(2),
    ao.RecursiveDiversity(2, 2),
]


@pytest.mark.parametrize("principle", PRINCIPLES, ids=str)
def test_short_proofs_hold_exactly_if_no_group_gains_and_three_checkers_agree(principle: Any, tmp_path: Path) -> None:
    """No bound is above the optimum; the best one of some worths is accepted, and one more is not."""
    said = set[str]()
    with Checker() as node:
        for seed in range(12):
            chance = random.Random(seed)
            problem = ao.CellSuppression(table(chance, 7), principle)
            best = optimum(problem)
            if best is None:
                continue
            for most in (1, 2, 3, 5, 9):
                worth = tuple(chance.randrange(most + 1) for _ in range(7))
                value = Fraction(-(-sum(worth) // 2), problem.cost_scale)
                for claimed in (value, value + Fraction(1, problem.cost_scale)):
                    proof = WorthProof(claimed, 2, WorthEnd(worth))
                    try:
                        proof.proved(problem)
                        verdict = "verified"
                    except ao.BadInput:
                        verdict = "rejected"
                    assert verdict == "rejected" or claimed <= best
                    (tmp_path / "t.csv").write_text(table_text(problem.table))
                    answer: Any = Proved(problem, proof)
                    (tmp_path / "p.json").write_text(proof_text(proof_document(answer)))
                    assert node.says(table=tmp_path / "t.csv", proof=tmp_path / "p.json")[0] == verdict
                    assert verdict_of(tmp_path) == verdict
                    said.add(verdict)
    assert said == {"verified", "rejected"}


def verdict_of(folder: Path) -> str:
    """Return what `check_anoptima.py` says."""
    try:
        check_anoptima.check(str(folder / "t.csv"), str(folder / "p.json"))
    except check_anoptima.Refused as refused:
        return refused.verdict.lower()
    return "verified"


def test_hundreds_of_rows_have_short_proofs_alone() -> None:
    """Where groups of up to 2k - 1 rows are too many, there can be no cases, no odd sets, and no gain that is taken off."""
    chance = random.Random(0)
    problem = ao.CellSuppression(table(chance, 300, 6), ao.KAnonymity(3))
    end = WorthEnd((0,) * 300)
    assert WorthProof(0, 1, end).proved(problem) == 0
    with pytest.raises(ao.BadInput, match="the proof is about every group of 300 rows, which are too many"):
        WorthProof(0, 1, WorthFork((0, 1), end, end)).proved(problem)
    with pytest.raises(ao.BadInput, match="the proof is about every group of 300 rows, which are too many"):
        WorthProof(0, 1, WorthEnd(end.worth, (0,)), ((0,),)).proved(problem)
    with pytest.raises(ao.BadInput, match="3 rows gain; the proof is about every group of 300 rows"):
        WorthProof(0, 1, WorthEnd((9,) * 300)).proved(problem)
