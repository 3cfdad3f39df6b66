"""Proofs for groups of two and three: optima against all releases, random prices, and what is refused."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.documents.pages import table_text
from anoptima.proofs import check_anoptima
from anoptima.proofs.matching import MatchingProof, proves
from anoptima.testing.examples import optimum
from tests.loops import each
from tests.proofs.javascript import Checker


def problem_of(seed: int, rows: int | None = None) -> ao.CellSuppression:
    chance = random.Random(seed)
    count = rows or chance.randrange(4, 8)
    frame = pd.DataFrame({f"c{j}": [chance.choice("abc") for _ in range(count)] for j in range(chance.randrange(2, 5))})
    quasi = [str(name) for name in frame]
    frame["ill"] = [chance.choice("123") for _ in range(count)]
    table = ao.Table.from_frame(frame, quasi, "ill", weights={"c0": chance.choice((1, 2, "1/2"))})
    return ao.CellSuppression(table, (ao.KAnonymity(2), ao.LDiversity(2))[seed % 2])


@each("seed", range(60))
def test_what_simplex_matching_proves_is_true(seed: int) -> None:
    problem = problem_of(seed)
    if problem.why_infeasible() is not None:
        return
    answer, best = ao.solve(problem, "simplex-matching"), optimum(problem)
    assert best is not None
    assert answer.cost == best
    if isinstance(answer.proof, MatchingProof):
        assert answer.proof.proved(problem) == answer.proof.value <= answer.cost
        with pytest.raises(ao.BadInput, match=r"^the worths prove"):
            replace(answer.proof, value=best + Fraction(1, problem.cost_scale)).proved(problem)


@each("seed", range(60))
def test_any_worths_and_prices_prove_no_more_than_the_optimum(seed: int) -> None:
    problem = problem_of(seed)
    if problem.why_infeasible() is not None:
        return
    best, chance, rows = optimum(problem), random.Random(seed), problem.table.rows
    for _ in range(20):
        d = chance.choice((1, 2, 3))
        worth = [chance.randrange(-1, 5 * d) for _ in range(rows)]
        sets = [sorted(chance.sample(range(rows), chance.choice((1, 3)))) for _ in range(chance.randrange(3))]
        prices = [chance.randrange(3 * d) for _ in sets]
        assert Fraction(proves(problem, d, worth, sets, prices), problem.cost_scale) <= best  # type: ignore[operator]


@pytest.mark.parametrize("principle", [ao.KAnonymity(2), ao.LDiversity(2)], ids=str)
def test_wide_tables_have_a_proof_that_all_three_checkers_verify(principle: Any, tmp_path: Path) -> None:
    """An odd number of rows, so that a set of all of them has a price."""
    codes = np.random.default_rng(5).integers(0, 3, (31, 18))
    frame = pd.DataFrame(codes).rename(columns=lambda j: f"q{j}").assign(ill=np.arange(31) % 4)
    problem = ao.CellSuppression(ao.Table.from_frame(frame, [f"q{j}" for j in range(18)], "ill"), principle)
    answer = ao.solve(problem, "simplex-matching")
    assert answer.claim is ao.Claim.OPTIMAL
    assert isinstance(answer.proof, MatchingProof)
    assert answer.proof.value == answer.cost
    assert answer.proof.sets
    ao.save_proof(answer, tmp_path / "proof.json")
    assert ao.read_proof(tmp_path / "proof.json").proved(problem) == answer.cost
    (tmp_path / "table.csv").write_text(table_text(problem.table))
    assert check_anoptima.check(str(tmp_path / "table.csv"), str(tmp_path / "proof.json")).startswith("VERIFIED")
    with Checker() as node:
        assert node.says(table=tmp_path / "table.csv", proof=tmp_path / "proof.json")[0] == "verified"


TEN = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
PROOF = MatchingProof(0, 1, (0,) * 10, ((0, 1, 2),), (1,))


def test_numbers_of_any_size_are_added_exactly() -> None:
    large = MatchingProof(30, 10**30, (3 * 10**30,) * 10)
    assert large.proved(TEN) == 30
    with pytest.raises(ao.BadInput, match=r"^the worths prove"):
        replace(large, value=100).proved(TEN)


@pytest.mark.parametrize(
    ("proof", "said"),
    [
        (replace(PROOF, denominator=0), "a worth for each of 10 rows is needed"),
        (replace(PROOF, worth=(0,) * 9), "a worth for each of 10 rows is needed"),
        (replace(PROOF, prices=(-1,)), "a price of 0 or more for each set"),
        (replace(PROOF, prices=()), "a price of 0 or more for each set"),
        (replace(PROOF, sets=((0, 1),)), "set 0 must have an odd number of the 10 rows, none twice"),
        (replace(PROOF, sets=((0, 1, 1),)), "set 0 must have an odd number of the 10 rows, none twice"),
        (replace(PROOF, sets=((0, 1, 10),)), "set 0 must have an odd number of the 10 rows, none twice"),
    ],
)
def test_nonsense_is_refused(proof: MatchingProof, said: str) -> None:
    with pytest.raises(ao.BadInput, match=re.escape(said)):
        proof.proved(TEN)


@pytest.mark.parametrize(
    "principle", [ao.KAnonymity(3), ao.LDiversity(2, version="distinct"), ao.LDiversity(3), ao.KAnonymity(2) & ao.LDiversity(2)]
)  # fmt: skip
def test_groups_of_two_and_three_are_not_enough_under_others(principle: Any) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), principle)
    with pytest.raises(
        ao.BadInput, match="the proof is about cell-suppression under 2-anonymity or frequency 2-diversity"
    ):
        replace(PROOF, sets=(), prices=()).proved(problem)
