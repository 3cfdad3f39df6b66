"""Proofs by worths of rows: largest gains against all groups, optima against all solutions, and what is refused."""

from __future__ import annotations

import itertools
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
from anoptima.documents.proofs import proof_document
from anoptima.proofs import check_anoptima
from anoptima.proofs.heaviest import RowGroups
from anoptima.proofs.pairs_and_triples import PairsAndTriples
from anoptima.proofs.worths import WorthEnd, WorthFork, WorthProof, groups_of, pricing_of
from anoptima.testing.examples import optimum
from tests.loops import each
from tests.proofs.javascript import Checker


def table(chance: random.Random, rows: int, columns: int = 3) -> ao.Table:
    frame = pd.DataFrame({f"c{j}": [chance.choice("abc") for _ in range(rows)] for j in range(columns)})
    return ao.Table.from_frame(frame, [str(name) for name in frame], weights={"c0": chance.choice((1, 2, "1/2"))})


@each("seed", range(60))
def test_the_largest_gain_is_that_of_all_groups(seed: int) -> None:
    """Of stars under k-anonymity and l-diversity, and of diameters; with rows together, apart, and odd sets."""
    chance = random.Random(seed)
    k, d = chance.choice((1, 2, 3)), chance.choice((1, 2, 3))
    problem = cells(chance, k) if seed % 2 else ao.DiameterSum(table(chance, chance.randrange(4, 9)), k)
    rows = problem.table.rows
    if rows < k or problem.why_infeasible() is not None:
        return
    worth = [chance.randrange(-2, 9) for _ in range(rows)]
    sets = sorted(
        {tuple(sorted(chance.sample(range(rows), chance.choice((1, 3))))) for _ in range(chance.randrange(3))}
    )
    prices = [chance.randrange(5) for _ in sets]
    path = [(tuple(sorted(chance.sample(range(rows), 2))), chance.random() < 0.5) for _ in range(chance.randrange(3))]
    own, kinds, _ = groups_of(problem)

    def may(group: tuple[int, ...]) -> bool:
        is_split = any(((i in group) != (j in group)) if kept else {i, j} <= {*group} for (i, j), kept in path)
        return not is_split and len({kinds[row] for row in group}) == len(group)

    def gain(group: tuple[int, ...]) -> int:
        codes = problem.table.types[problem.table.type_of_row[list(group)]]
        weights = problem.table.scaled_weights
        far = int(max(((one != other) @ weights) for one in codes for other in codes))
        if isinstance(problem, ao.CellSuppression):
            far = len(group) * int((codes != codes[0]).any(axis=0) @ weights)
        met = sum(price for members, price in zip(sets, prices, strict=True) if len({*members} & {*group}) % 2)
        return sum(worth[row] for row in group) + met - d * far

    groups = [g for size in range(own, 2 * own) for g in itertools.combinations(range(rows), size) if may(g)]
    expected = max([0, *map(gain, groups)])
    assert RowGroups(problem, own, kinds).largest_gain(worth, d, path, sets, prices) == expected
    if isinstance(problem, ao.CellSuppression) and own == 2 and not path:
        assert PairsAndTriples(problem, kinds, d, worth, sets, prices).largest() == expected


def cells(chance: random.Random, k: int = 2) -> ao.CellSuppression:
    frame = table(chance, chance.randrange(4, 8)).frame
    frame["ill"] = [chance.choice("123") for _ in range(len(frame))]
    rows = ao.Table.from_frame(frame, ["c0", "c1", "c2"], "ill", weights={"c0": chance.choice((1, 2, "1/2"))})
    return ao.CellSuppression(rows, ao.LDiversity(k) if chance.random() < 0.5 else ao.KAnonymity(k))


def matched(chance: random.Random) -> ao.CellSuppression:
    return cells(chance, 2)


def grouped(chance: random.Random) -> ao.CellSuppression:
    return cells(chance, chance.choice((2, 3)))


def facilities(chance: random.Random) -> ao.LowerBoundedFacilities:
    sorts, places = chance.randrange(2, 5), chance.randrange(2, 5)
    arcs = [(f, c, chance.choice((0, 1, 2, 3, Fraction(1, 2)))) for f in range(places) for c in range(sorts)]
    kept = [arc for arc in arcs if chance.random() < 0.8] or arcs
    return ao.LowerBoundedFacilities([chance.randrange(1, 4) for _ in range(sorts)], kept, chance.randrange(1, 5))


def patterns(chance: random.Random) -> ao.GivenPatterns:
    some = chance.sample([*itertools.product("abc*", repeat=3)], chance.randrange(1, 4))
    return ao.GivenPatterns(
        table(chance, chance.randrange(4, 7)),
        ao.KAnonymity(chance.randrange(1, 4)),
        sorted({*some, ("*", "*", "*")}),
    )


def diameters(chance: random.Random) -> ao.DiameterSum:
    return ao.DiameterSum(table(chance, chance.randrange(4, 8)), chance.choice((2, 3)))


@pytest.mark.parametrize(
    ("made", "solver"),
    [
        (facilities, "place-prices"),
        (patterns, "place-prices"),
        (diameters, "group-prices"),
        (grouped, "group-prices"),
        (matched, "simplex-matching"),
    ],
)
def test_prices_prove_the_optimum_and_no_more(made: Any, solver: str) -> None:
    proofs = 0
    for seed in range(25):
        problem = made(random.Random(seed))
        best = optimum(problem)
        if best is None:
            continue
        answer = ao.solve(problem, solver)
        assert answer.claim is ao.Claim.OPTIMAL
        assert answer.cost == best
        if answer.proof is not None:
            proofs += 1
            assert isinstance(answer.proof, WorthProof)
            assert answer.proof.value == answer.proof.proved(problem) <= best
            assert answer.proof.value == best or solver == "simplex-matching"
            higher = replace(answer.proof, value=best + Fraction(1, problem.cost_scale))
            with pytest.raises(ao.BadInput, match=r"^the (worths prove|decisions leave)"):
                higher.proved(problem)
    assert proofs >= 3


@each("seed", range(40))
def test_any_worths_prove_no_more_than_the_optimum(seed: int) -> None:
    chance = random.Random(seed)
    problem: Any = (facilities, patterns, diameters, grouped)[seed % 4](chance)
    best = optimum(problem)
    if best is None:
        return
    of_rows = isinstance(problem, ao.DiameterSum | ao.CellSuppression)
    sets = ((0, 1, 2), (3,)) if of_rows else ()
    pricing, d = pricing_of(problem, sets), chance.choice((1, 2))
    for _ in range(20):
        paths: list[list[Any]] = [[]]
        if of_rows:
            paths = [[((0, 2), False)], [((0, 2), True)]]
        elif isinstance(problem, ao.LowerBoundedFacilities):
            paths = [[((0,), False)], [((0,), True)]]
        worths = [[chance.randrange(-1, 6 * d) for _ in range(pricing.rows)] for _ in paths]
        prices = [chance.randrange(3) for _ in sets]
        least = [pricing.least(worth, d, path, prices) for worth, path in zip(worths, paths, strict=True)]
        left = [one for one in least if one is not None]
        assert not left or Fraction(min(left), d * problem.cost_scale) <= best


def wide(rows: int, columns: int, values: int) -> ao.Table:
    codes = np.random.default_rng(5).integers(0, values, (rows, columns))
    frame = pd.DataFrame(codes).rename(columns=lambda j: f"q{j}").assign(ill=np.arange(rows) % 4)
    return ao.Table.from_frame(frame, [f"q{j}" for j in range(columns)], "ill")


@pytest.mark.parametrize(
    ("problem", "solver"),
    [
        (ao.DiameterSum(table(random.Random(1), 30, 6), 2), "group-prices"),
        (ao.CellSuppression(wide(12, 14, 2), ao.KAnonymity(3)), "group-prices"),
        # An odd number of rows, so that a set of all of them has a price; and more than `FewRows` looks at one by one.
        (ao.CellSuppression(wide(31, 18, 3), ao.KAnonymity(2)), "simplex-matching"),
        (ao.CellSuppression(wide(65, 18, 3), ao.LDiversity(2)), "simplex-matching"),
    ],
    ids=["diameters", "groups", "pairs", "diverse-pairs"],
)
def test_dozens_of_rows_have_a_proof_that_all_three_checkers_verify(problem: Any, solver: str, tmp_path: Path) -> None:
    answer = ao.solve(problem, solver)
    assert answer.claim is ao.Claim.OPTIMAL
    assert isinstance(answer.proof, WorthProof)
    assert answer.proof.value == answer.cost
    assert answer.proof.sets or solver == "group-prices"
    ao.save_proof(answer, tmp_path / "proof.json")
    assert ao.read_proof(tmp_path / "proof.json").proved(problem) == answer.cost
    (tmp_path / "table.csv").write_text(table_text(problem.table))
    assert check_anoptima.check(str(tmp_path / "table.csv"), str(tmp_path / "proof.json")).startswith("VERIFIED")
    with Checker() as node:
        assert node.says(table=tmp_path / "table.csv", proof=tmp_path / "proof.json")[0] == "verified"


END = WorthEnd((0, 0, 0))
THREE = ao.DiameterSum(ao.Table.from_frame(pd.DataFrame({"a": [0, 0, 1]}), ["a"]), 2)


@pytest.mark.parametrize(
    ("proof", "said"),
    [
        (WorthProof(0, 0, END), "the denominator is 0; it must be at least 1"),
        (WorthProof(0, 1, WorthEnd((0,))), "an end has 1 worths; it must be 3"),
        (WorthProof(0, 1, END, ((0,),)), "an end must have a price of 0 or more for each of 1 sets"),
        (WorthProof(0, 1, WorthEnd((0, 0, 0), (-1,)), ((0,),)), "an end must have a price of 0 or more for each of 1 sets"),
        (WorthProof(0, 1, END, ((0, 1),)), "set 0 must have an odd number of the 3 rows, none twice"),
        (WorthProof(0, 1, END, ((0, 1, 1),)), "set 0 must have an odd number of the 3 rows, none twice"),
        (WorthProof(0, 1, END, ((3,),)), "set 0 must have an odd number of the 3 rows, none twice"),
        (WorthProof(0, 1, WorthFork((1, 0), END, END)), "a fork is about [1, 0]; it must be two of the 3 rows, the first one first"),
        (WorthProof(0, 1, WorthFork((0, 3), END, END)), "a fork is about [0, 3]; it must be two of the 3 rows"),
        (WorthProof(0, 1, WorthFork((0, 1), WorthFork((0, 1), END, END), END)), "a fork decides about [0, 1] a second time"),
    ],
)  # fmt: skip
def test_nonsense_is_refused(proof: WorthProof, said: str) -> None:
    with pytest.raises(ao.BadInput, match=re.escape(said)):
        proof.proved(THREE)


def test_what_it_is_not_about() -> None:
    for problem, said in (
        (ao.IdentifyingColumns(ao.ten_rows()), "the proof is about stars, diameters, given patterns or facilities"),
        (ao.DiameterSum(ao.ten_rows(), 11), "no solution exists, so there is no least cost"),
        (
            ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2) & ao.LDiversity(2)),
            "the proof is for k-anonymity, or frequency",
        ),
        (ao.CellSuppression(ao.ten_rows(), ao.LDiversity("5/2")), "the proof is for k-anonymity, or frequency"),
        (
            ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2, version="distinct")),
            "the proof is for k-anonymity, or frequency",
        ),
        (ao.DiameterSum(ao.census("four"), 3), "the proof is about every group of 30,162 rows, which are too many"),
    ):
        with pytest.raises(ao.BadInput, match=re.escape(said)):
            WorthProof(0, 1, WorthFork((0, 1), END, END)).proved(problem)
    patterns = next(ao.GivenPatterns.examples())
    with pytest.raises(ao.BadInput, match="it must be a facility that may be open or shut"):
        WorthProof(0, 1, WorthFork((0,), END, END)).proved(patterns)


@pytest.mark.parametrize(
    "principle",
    [
        ao.KAnonymity(2) & ao.LDiversity(2),
        ao.KAnonymity(3) & ao.KAnonymity(2),
        ao.AlphaKAnonymity("1/2", 2),
        ao.AlphaKAnonymity("1/2", 1),
        ao.AlphaKAnonymity(1, 3),
    ],
    ids=str,
)
def test_a_principle_that_comes_to_another_is_proved_as_that(principle: ao.Principle, tmp_path: Path) -> None:
    """The search asks what the principle comes to, so that is what the proof is about, and what its file states."""
    rows = ["xpua", "xqvb", "ypwa", "yqub", "xqvb", "ypwa", "xpub", "yqwa"]
    table = ao.Table.from_frame(pd.DataFrame([list(row) for row in rows], columns=list("abcs")), ["a", "b", "c"], ["s"])
    problem = ao.CellSuppression(table, principle)
    answer = ao.solve(problem, "group-prices", checkpoint=tmp_path / "run.json")
    assert isinstance(answer.proof, WorthProof)
    assert answer.cost == answer.proved == answer.proof.proved(problem) == optimum(problem)
    assert not answer.verify().wrong
    assert ao.solve(problem, "group-prices", checkpoint=tmp_path / "run.json").cost == answer.cost
    table.frame.to_csv(tmp_path / "table.csv", index=False)
    ao.save_proof(answer, tmp_path / "proof.json")
    assert check_anoptima.check(str(tmp_path / "table.csv"), str(tmp_path / "proof.json")).startswith("VERIFIED")
    with Checker() as node:
        assert node.says(table=tmp_path / "table.csv", proof=tmp_path / "proof.json")[0] == "verified"


def test_given_patterns_are_stated_by_texts() -> None:
    problem = next(ao.GivenPatterns.examples())
    document = proof_document(ao.solve(problem))
    assert document["problem"] == {"name": "given-patterns", "k": 2, "patterns": [["1", None], [None, "40"]]}
    assert document["proof"]["kind"] == "cases"


def test_a_pattern_that_keeps_a_missing_value_goes_to_the_first_version() -> None:
    rows = ao.Table.from_frame(pd.DataFrame({"a": ["x", None, "x"]}), ["a"])
    answer = ao.solve(ao.GivenPatterns(rows, ao.KAnonymity(1), [("x",), (None,)]))
    assert answer.claim is ao.Claim.OPTIMAL
    assert proof_document(answer)["schema"] == "anoptima/certificate/1"
