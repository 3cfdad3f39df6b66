"""Proofs with one thing changed: refused, or as true as before. Held against brute force."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.proofs.hitting import HittingProof
from anoptima.proofs.kinds import proof_as_json, proof_from_json
from tests.proofs.tampering import changed_once

HERE = Path(__file__).parent
WRITTEN = HERE / "twelve_rows.json"
TWELVE = ao.CellSuppression(ao.Table.read_csv(HERE / "twelve_rows.csv", list("abcd")), ao.KAnonymity(3))


def accepted(problem: Problem[Any], data: Any) -> Exact | None:
    """What the checker accepts as proved, if anything."""
    try:
        return proof_from_json(data).proved(problem)
    except ao.BadInput:
        return None


def stands(problem: Problem[Any], data: Any, optimum: Exact) -> int:
    """Hold every change of a proof against the optimum, and return how many were refused."""
    assert accepted(problem, data) == proof_from_json(data).value
    refused = 0
    for what, changed in changed_once(data):
        value = accepted(problem, changed)
        refused += value is None
        assert value is None or value <= optimum, what
        if value is not None:
            assert value == proof_from_json(changed).value, what
    return refused


def test_a_written_proof_with_cuts_of_both_types_stands() -> None:
    data = json.loads(WRITTEN.read_text())["proof"]
    terms = [term for cut in data["cuts"] for term in cut["terms"]]
    assert any("together" in term for term in terms)
    assert any("outside" in term for term in terms)
    optimum = ao.solve(TWELVE, "subset-dp").cost
    assert optimum == data["value"] == 27
    assert stands(TWELVE, data, optimum) > 500


@pytest.mark.parametrize(("k", "seed"), [(2, 11), (3, 5), (4, 3), (4, 11)])
def test_proofs_that_sifting_finds_stand(k: int, seed: int) -> None:
    frame = pd.DataFrame(np.random.default_rng(seed).integers(0, 3, (12, 4)), columns=list("abcd"))
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(k))
    answer = ao.solve(problem, "sifting")
    assert answer.proof is not None
    optimum = ao.solve(problem, "subset-dp").cost
    assert optimum is not None
    assert stands(problem, proof_as_json(answer.proof), optimum) > 0


def test_every_worth_of_a_tight_proof_is_needed() -> None:
    data = json.loads(WRITTEN.read_text())["proof"]
    for t in range(len(data["worth"])):
        less = [worth - data["denominator"] * (place == t) for place, worth in enumerate(data["worth"])]
        assert accepted(TWELVE, {**data, "worth": less}) is None, f"worth {t}, less by a star"


def test_another_table_is_refused_whatever_row_is_changed() -> None:
    data = json.loads(WRITTEN.read_text())["proof"]
    frame = TWELVE.table.frame
    for row in range(len(frame)):
        for name in frame.columns:
            other = frame.copy()
            other.loc[row, name] = "0" if frame.loc[row, name] != "0" else "1"
            problem = ao.CellSuppression(ao.Table.from_frame(other, list("abcd")), ao.KAnonymity(3))
            assert accepted(problem, data) is None
    reordered = ao.Table.from_frame(frame.iloc[::-1], list("abcd"))
    assert accepted(ao.CellSuppression(reordered, ao.KAnonymity(3)), data) is None
    heavier = ao.Table.from_frame(frame, list("abcd"), weights={"a": 2})
    assert accepted(ao.CellSuppression(heavier, ao.KAnonymity(3)), data) is None
    # Groups of three rows may have two, so the proof says nothing about k = 2; groups of four rows have three.
    assert accepted(ao.CellSuppression(TWELVE.table, ao.KAnonymity(2)), data) is None
    assert accepted(ao.CellSuppression(TWELVE.table, ao.KAnonymity(4)), data) == 27


def test_a_hitting_proof_stands() -> None:
    frame = pd.DataFrame(np.random.default_rng(1).integers(0, 2, (24, 8)), columns=list("abcdefgh"))
    problem = ao.IdentifyingColumns(ao.Table.from_frame(frame, list("abcdefgh"), weights={"a": 2, "b": "3/2"}))
    answer = ao.solve(problem, "hitting-set")
    assert isinstance(answer.proof, HittingProof)
    optimum = min(problem.cost(chosen) for chosen in problem.solutions() if problem.is_feasible(chosen))
    assert answer.cost == optimum == answer.proved
    assert stands(problem, proof_as_json(answer.proof), optimum) > 0
