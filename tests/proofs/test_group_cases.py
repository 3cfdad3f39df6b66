"""Proofs by cases about groups: never above the optimum whatever the tree says, and what does not hold is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.principles.conditions import Close
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.group_cases import GroupCasesProof, GroupFork, GroupLeaf, GroupTree
from anoptima.proofs.records import record_of_row
from anoptima.spaces import Explicit
from anoptima.table import Table
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.cases_under_rules import PRINCIPLES, optimum_of, problem_of

EQUAL, DIVERSE, ALONG_EDGES = [9, 10, 11, 12, 13, 15], [0, 1, 2, 3, 4, 5, 6, 7, 8], [14, 16, 17, 18, 20, 23]
"""The principles of proofs by cases, by their number: closeness at equal distance, diversity, and closeness priced along edges."""
D = 4


def random_tree(
    problem: CellSuppression, depth: int, chance: np.random.Generator, cells: tuple[object, ...] = ()
) -> GroupTree:
    table = problem.table
    if depth == 0 or chance.random() < 0.2:
        records = int(record_of_row(problem).max()) + 1
        worth = chance.integers(0, int(table.scaled_weights.sum()) * D + 2, records)
        prices = chance.integers(-D, D + 1, len(set(cells)))
        return GroupLeaf(tuple(worth.tolist()), tuple(prices.tolist()))
    row, other = (int(number) for number in chance.integers(table.rows, size=2))
    codes = np.array(table.types)[table.type_of_row]
    kept = frozenset(name for j, name in enumerate(table.quasi) if codes[row, j] == codes[other, j])
    if chance.random() < 0.5:
        kept = frozenset()
    value = int(chance.integers(len(table.sensitive_column("s").values))) if chance.random() < 0.5 else None
    if value is not None:
        label = frozenset((name, int(codes[row, table.quasi.index(name)])) for name in kept)
        cells = (*cells, (label, value))
    is_close = any(isinstance(condition, Close) for condition in problem.principle.conditions(table))
    most = int(chance.integers(0, table.rows)) if is_close or value is not None else 0
    sides = [random_tree(problem, depth - 1, chance, cells) for _ in range(2)]
    return GroupFork(kept, int(record_of_row(problem)[row]), value, most, *sides)


def proved_by(proof: GroupCasesProof, problem: CellSuppression) -> Exact | None:
    try:
        return problem.unscale(proof.proves(problem))
    except BadInput:
        return None


def problem_by_cases(seed: int, numbers: list[int]) -> CellSuppression:
    """Return a small problem under one of some principles, in turn."""
    return problem_of(len(PRINCIPLES) * (seed // len(numbers) + 40) + numbers[seed % len(numbers)], 7)


@each("seed", range(asked(24, 60)))
def test_no_tree_gets_above_the_optimum(seed: int) -> None:
    problem = problem_by_cases(seed // 3, (DIVERSE, EQUAL, ALONG_EDGES)[seed % 3])
    best = optimum_of(problem)
    chance = np.random.default_rng(seed)
    held = 0
    for _ in range(15):
        proof = GroupCasesProof(
            0, problem.table.digest, problem.principle.as_json(), D, random_tree(problem, 3, chance)
        )
        value = proved_by(proof, problem)
        assert value is None or value <= best
        held += value is not None
    assert held


TABLE = Table.from_frame(pd.DataFrame({"a": [0, 0, 1, 1, 2], "s": list("xyxyx")}), ["a"], "s")
PROBLEM = CellSuppression(TABLE, TCloseness("1/3"))
LEAF = GroupLeaf((2,) * 5, ())
FORK = GroupFork(frozenset(), 0, None, 0, LEAF, LEAF)
PLAIN = GroupCasesProof(0, TABLE.digest, PROBLEM.principle.as_json(), 2, FORK)


def of(principle: Principle) -> tuple[GroupCasesProof, CellSuppression]:
    return replace(PLAIN, principle=principle.as_json()), CellSuppression(TABLE, principle)


@pytest.mark.parametrize(
    ("proof", "complaint"),
    [
        (replace(PLAIN, value=100), "the multipliers prove 1, not 100"),
        (replace(PLAIN, digest="abc"), "the proof is about another table, with digest abc..."),
        (replace(PLAIN, denominator=0), "the denominator is 0; it must be at least 1"),
        (replace(PLAIN, tree=GroupLeaf((1,), ())), "there are 1 worths for 5 records"),
        (replace(PLAIN, tree=GroupLeaf((2,) * 5, (1,))), "there are 1 prices for 0 limits on values"),
        (replace(PLAIN, tree=GroupLeaf((2**60,) * 5, ())), "too large for sums of them to be counted in 64 bits"),
        (replace(PLAIN, tree=replace(FORK, kept=frozenset("z"))), "decides on columns or a record that are not there"),
        (replace(PLAIN, tree=replace(FORK, example=9)), "decides on columns or a record that are not there"),
        (replace(PLAIN, tree=replace(FORK, value=2)), "a case decides on value number 2; there are 2"),
        (replace(PLAIN, tree=replace(FORK, most=5)), "a case decides whether there are more than 5 rows, of 5"),
        (
            replace(PLAIN, tree=replace(FORK, kept=frozenset("a"), example=4)),
            "a case decides on a pattern that can hold no group",
        ),
    ],
)
def test_what_does_not_hold_is_said(proof: GroupCasesProof, complaint: str) -> None:
    with pytest.raises(BadInput) as refused:
        proof.proved(PROBLEM)
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    ("principle", "complaint"),
    [
        (KAnonymity(2), "the proof is for l-diversity, or t-closeness along edges, in one column, not for 2-anonymity"),
        (LDiversity(2) & LDiversity(2, version="distinct"), "the proof is for l-diversity, or t-closeness along edges, in one column"),
        (TCloseness("1/2", space=Explicit(list("xy"), [[0, 1], [1, 0]])), "the proof is for l-diversity, or t-closeness along edges"),
    ],
)  # fmt: skip
def test_other_principles_are_refused(principle: Principle, complaint: str) -> None:
    proof, problem = of(principle)
    with pytest.raises(BadInput) as refused:
        proof.proved(problem)
    assert complaint in str(refused.value)


def test_under_diversity_no_sizes_are_decided_on() -> None:
    proof, problem = of(LDiversity("5/3"))
    assert proof.proved(problem) == 0
    for value, most in ((0, 1), (None, 1)):
        tree = GroupFork(frozenset(), 0, value, most, *(GroupLeaf((2,) * 5, (0,) * (value == 0)),) * 2)
        if value is None:
            with pytest.raises(BadInput, match="a case decides on a size, and only closeness is priced by size"):
                replace(proof, tree=tree).proved(problem)
        else:
            assert replace(proof, tree=tree).proved(problem) == 0


def test_a_pattern_with_more_than_some_rows_of_a_value_has_a_group() -> None:
    # The whole table as a pattern: shut, and with a row of a value; no release falls under that end, whatever it proves.
    proof, problem = of(LDiversity("5/3"))
    shut = GroupFork(frozenset(), 0, 0, 0, GroupLeaf((5,) * 5, (0,)), GroupLeaf((-9,) * 5, (0,)))
    tree = GroupFork(frozenset(), 0, None, 0, shut, GroupLeaf((5,) * 5, ()))
    high = GroupLeaf((-9,) * 5, (0,))
    assert replace(proof, tree=tree).proves(problem) > replace(proof, tree=high_alone(high)).proves(problem)


def high_alone(high: GroupLeaf) -> GroupTree:
    return GroupFork(frozenset(), 0, 0, 0, GroupLeaf((5,) * 5, (0,)), high)
