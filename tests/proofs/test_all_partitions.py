"""The proof of a dozen rows: every partition is tried, and nothing that costs more than the cheapest is believed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.documents.pages import table_text
from anoptima.principles import Principle
from anoptima.proofs import check_anoptima
from anoptima.proofs.all_partitions import MOST_LOOKS, MOST_ROWS, AllPartitions, looks_at
from tests.proofs.javascript import Checker

PRINCIPLES = (
    ao.KAnonymity(2),
    ao.LDiversity(2, version="distinct"),
    ao.TCloseness("1/3"),
    ao.KAnonymity(2) & ao.TCloseness("1/4", space=ao.Numeric()),
)


def small(rows: int, seed: int) -> ao.Table:
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame(chance.integers(0, 3, (rows, 4)), columns=[*"abcs"])
    return ao.Table.from_frame(frame, [*"abc"], "s", weights={"a": "1/2", "b": 7})


@pytest.mark.parametrize("principle", PRINCIPLES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_it_proves_the_least_cost_and_no_more(principle: Principle, seed: int) -> None:
    problem = ao.CellSuppression(small(7, seed), principle)
    costs = [problem.cost(each) for each in problem.solutions() if not problem.violations(each)]
    least = min(costs)
    assert AllPartitions(least).proved(problem) == least
    with pytest.raises(ao.BadInput, match=r"^some partition costs"):
        AllPartitions(least + 1).proved(problem)


def test_it_proves_the_least_sum_of_diameters_and_no_more(tmp_path: Path) -> None:
    for seed, k in ((0, 2), (1, 2), (2, 3)):
        problem = ao.DiameterSum(small(7, seed), k)
        least = min(problem.cost(each) for each in problem.solutions() if not problem.violations(each))
        answer = ao.solve(problem, "subset-dp")
        assert answer.proved == answer.cost == least
        ao.save_proof(answer, tmp_path / "proof.json")
        assert ao.read_proof(tmp_path / "proof.json").proved(problem) == least
        with pytest.raises(ao.BadInput, match=r"^some partition costs"):
            AllPartitions(least + 1).proved(problem)


@pytest.mark.parametrize(("rows", "k"), [(17, 2), (15, 3)])
def test_diameters_of_more_rows_are_proved_by_all_three(rows: int, k: int, tmp_path: Path) -> None:
    problem = ao.DiameterSum(small(rows, 1), k)
    answer = ao.solve(problem, "subset-dp")
    assert looks_at(problem) <= MOST_LOOKS < looks_at(ao.DiameterSum(small(rows + 1, 1), k))
    assert answer.proved == answer.cost
    ao.save_proof(answer, tmp_path / "proof.json")
    (tmp_path / "table.csv").write_text(table_text(problem.table))
    assert check_anoptima.check(str(tmp_path / "table.csv"), str(tmp_path / "proof.json")).startswith("VERIFIED")
    with Checker() as node:
        assert node.says(table=tmp_path / "table.csv", proof=tmp_path / "proof.json")[0] == "verified"


def test_what_it_is_not_about() -> None:
    for problem, said in (
        (ao.IdentifyingColumns(ao.ten_rows()), "the proof is about cell-suppression or diameter-sum, and this is"),
        (ao.DiameterSum(ao.ten_rows(), 11), "no solution exists, so there is no least cost"),
        (
            ao.CellSuppression(small(16, 0), ao.KAnonymity(2)),
            "the proof is about every partition of 16 rows, which are",
        ),
        (ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11)), "no solution exists, so there is no least cost"),
    ):
        with pytest.raises(ao.BadInput, match=re.escape(said)):
            AllPartitions(1).proved(problem)


@pytest.mark.parametrize("principle", [*PRINCIPLES, ao.TCloseness("0.9"), ao.LDiversity("3/2")], ids=str)
def test_so_few_rows_are_always_proved(principle: Principle) -> None:
    """Under principles whose multipliers leave a gap, too."""
    problem = ao.CellSuppression(small(MOST_ROWS, 5), principle)
    answer = ao.solve(problem)
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.proved == answer.cost == answer.verify().proved.value  # type: ignore[union-attr]
