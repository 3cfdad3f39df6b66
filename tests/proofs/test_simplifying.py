"""Simpler proofs of the same value, and what proofs say of a group, held against sums that are done here."""

from __future__ import annotations

import itertools
import random
import re
from fractions import Fraction
from typing import Any

import pytest

import anoptima as ao
from anoptima.exact import exact_text
from anoptima.proofs.box_shares import BoxShares
from anoptima.proofs.branched import BranchedProof, Fork, Leaf
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.hitting import Branch, End, HittingProof
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.proofs.near import NearProof
from anoptima.proofs.simplifying import Checks, in_smaller_parts, with_less
from tests.proof_agreement import questions, random_table

SIMPLIFIED = {MultiplierProof, GroupProof, NearProof, BranchedProof, HittingProof, BoxShares}
TEN = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


def test_simplified_proofs_prove_the_same_in_parts_that_are_no_smaller() -> None:
    kinds = set()
    for answer in questions(2):
        proof: Any = answer.proof
        if type(proof) in SIMPLIFIED:
            simpler = proof.simplified(answer.problem, 15)
            assert simpler.proved(answer.problem) == simpler.value == proof.value
            assert simpler.denominator <= proof.denominator
            kinds.add(type(proof))
    assert kinds == SIMPLIFIED


def test_the_ten_rows_are_proved_by_whole_prices() -> None:
    found = ao.solve(TEN, "sifting").proof
    assert isinstance(found, MultiplierProof)
    simpler = found.simplified(TEN)
    assert (simpler.denominator, simpler.value) == (1, 54)
    assert sum(simpler.row_prices(TEN)) >= 54


def test_cuts_cases_barriers_and_potentials_that_do_nothing_go() -> None:
    four = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4))
    found = ao.solve(four, "sifting").proof
    assert isinstance(found, MultiplierProof)
    assert found.cuts
    idle = MultiplierProof(
        64, found.digest, 4, found.denominator, found.worth, (*found.cuts, found.cuts[0]), (*found.prices, 0)
    )
    assert len(idle.simplified(four).cuts) == len(found.simplified(four).cuts) <= len(found.cuts)
    leaf = Leaf(found.worth, found.prices)
    forked = BranchedProof(
        64,
        found.digest,
        4,
        found.denominator,
        found.cuts,
        Fork(frozenset(), 0, leaf, Fork(frozenset({"zip1"}), 0, leaf, leaf)),
    )
    assert isinstance(forked.simplified(four), MultiplierProof)
    columns = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(2))
    hitting = ao.solve(columns, "hitting-set").proof
    assert isinstance(hitting, HittingProof)
    assert isinstance(hitting.tree, End)
    more = HittingProof(
        6, [*hitting.barriers, frozenset(columns.table.quasi)], 1, Branch("zip1", hitting.tree, hitting.tree)
    )
    simpler = more.simplified(columns)
    assert len(simpler.barriers) == len(hitting.barriers)
    assert isinstance(simpler.tree, End)


def test_no_more_proofs_are_checked_than_allowed() -> None:
    checks = Checks(TEN, 0)
    nothing = MultiplierProof(0, TEN.table.digest, 3, 7, (0,) * 10)
    assert not checks.accepts(nothing)
    assert with_less(nothing, lambda proof: [proof], checks) is nothing
    assert in_smaller_parts(nothing, 7, lambda smaller: [nothing], checks) is nothing


def test_a_group_is_explained_by_the_sums_that_anyone_can_do() -> None:
    chance = random.Random(3)
    for seed in range(6):
        problem = ao.CellSuppression(random_table(random.Random(seed), weighted=seed % 2 == 1), ao.KAnonymity(2))
        if problem.why_infeasible() is not None:
            continue
        proof = ao.solve(problem, "sifting").proof
        assert isinstance(proof, MultiplierProof)
        prices, frame = proof.row_prices(problem), problem.table.frame
        weights = dict(zip(problem.table.quasi, problem.table.weights, strict=True))
        for group in chance.sample([*itertools.combinations(range(problem.table.rows), 3)], 5):
            starred = [name for name in weights if frame[name].iloc[list(group)].nunique() > 1]
            cost = 3 * sum((Fraction(weights[name]) for name in starred), Fraction(0))
            total = sum((Fraction(prices[row]) for row in group), Fraction(0))
            said = proof.explain(group, problem)
            assert f"= {cost}." in said
            assert f"add up to {exact_text(total)} = " in said
            if not proof.cuts:
                word = "more" if cost > total else "less" if cost < total else "just"
                assert re.search(rf"So it costs .*{word}", said)
    proof = ao.row_prices(TEN).proof
    assert "too small" in proof.explain([0], TEN)


def test_cuts_are_counted_and_closed_cases_left_out() -> None:
    four = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4))
    answer = ao.solve(four, "sifting")
    proof = answer.proof
    assert isinstance(proof, MultiplierProof)
    # At the optimum every group of an optimal release costs what its prices say, cuts included, up to what rounding leaves.
    simpler = proof.simplified(four)
    told = [simpler.explain(group, four) for group in answer.require_solution().groups()]
    assert all("cuts add" in said and "costs just what" in said for said in told)
    shut = Leaf((0,) * 10, (0,) * len(proof.cuts))
    branched = BranchedProof(0, proof.digest, 4, 1, proof.cuts, Fork(frozenset({"zip1"}), 0, shut, shut))
    assert branched.explain(range(10), four).startswith("The proof has 2 cases; 1 allow this group")


def test_what_is_no_group_and_no_column_is_refused() -> None:
    proof = MultiplierProof(0, TEN.table.digest, 3, 1, (0,) * 10)
    for group in ([], [0, 0, 1], [10, 1, 2], [-1, 0, 1]):
        with pytest.raises(ao.BadInput, match="must be different row numbers"):
            proof.explain(group, TEN)
    columns = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(2))
    hitting = ao.solve(columns, "hitting-set").proof
    assert isinstance(hitting, HittingProof)
    with pytest.raises(ao.BadInput, match="'height' is no column"):
        hitting.explain(["height"], columns)
