"""Proofs about groups with one thing changed: refused, or as true as before. Held against brute force."""

from __future__ import annotations

import pytest

from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.kinds import proof_as_json
from anoptima.table import Table
from tests.loops import each
from tests.proofs.test_groups import best_proof
from tests.proofs.test_tampering import accepted, stands
from tests.solvers.exact.sifting.cases_under_rules import ORDER, PRINCIPLES, optimum_of, problem_of


@pytest.mark.parametrize("seed", range(len(PRINCIPLES)))
def test_whatever_is_changed_in_its_file_a_proof_is_true(seed: int) -> None:
    """Every number, text and entry in turn: worths, potentials, the principle's parameters, what it is about."""
    problem = problem_of(seed, 7)
    assert stands(problem, proof_as_json(best_proof(problem, 60)), optimum_of(problem)) > 0


@each("seed", [0, 1, 4, 6, 9, 16])
def test_a_proof_is_refused_for_every_table_with_one_cell_changed(seed: int) -> None:
    problem = problem_of(seed, 7)
    table, data = problem.table, proof_as_json(best_proof(problem, 60))
    assert accepted(problem, data) is not None
    weights = dict(zip(table.quasi, table.weights, strict=True))
    for row in range(table.rows):
        for name in (*table.quasi, *table.sensitive):
            frame = table.frame.copy()
            others = [value for value in frame[name].unique() if value != frame.loc[row, name]]
            for other in others:
                frame.loc[row, name] = other
                changed = Table.from_frame(frame, table.quasi, table.sensitive, weights=weights)
                assert accepted(CellSuppression(changed, problem.principle), data) is None
    shorter = Table.from_frame(table.frame.iloc[1:], table.quasi, table.sensitive, weights=weights)
    assert accepted(CellSuppression(shorter, problem.principle), data) is None
    heavier = Table.from_frame(table.frame, table.quasi, table.sensitive, weights={**weights, table.quasi[0]: 7})
    assert accepted(CellSuppression(heavier, problem.principle), data) is None


@pytest.mark.parametrize(
    ("stated", "others"),
    [
        (
            LDiversity(2, "s"),
            [LDiversity("3/2", "s"), LDiversity(2, "r"), LDiversity(3, "s", version="distinct"), KAnonymity(9)],
        ),
        (LDiversity(2, "s") & KAnonymity(3), [LDiversity(2, "s") & KAnonymity(2), LDiversity(2, "s"), KAnonymity(3)]),
        (TCloseness("1/2", column="s"), [TCloseness("2/3", column="s"), TCloseness("1/2", space=ORDER, column="s")]),
    ],
)
def test_a_proof_is_refused_for_principles_that_do_not_imply_its_own(
    stated: Principle, others: list[Principle]
) -> None:
    table = problem_of(0).table
    problem = CellSuppression(table, stated)
    data = proof_as_json(best_proof(problem, 20))
    assert accepted(problem, data) is not None
    for other in others:
        assert accepted(CellSuppression(table, other), data) is None


@pytest.mark.parametrize(
    ("stated", "stricter"),
    [
        (LDiversity(2, "s"), LDiversity(3, "s")),
        (LDiversity(2, "s"), LDiversity(2, "s") & KAnonymity(4)),
        (LDiversity(2, "s", version="distinct"), EntropyDiversity(2, "s")),
        (TCloseness("1/2", space=ORDER, column="s"), TCloseness("1/3", space=ORDER, column="s") & LDiversity(2, "r")),
    ],
    ids=str,
)
def test_a_proof_holds_for_principles_that_imply_its_own(stated: Principle, stricter: Principle) -> None:
    table = problem_of(0).table
    proof = best_proof(CellSuppression(table, stated), 20)
    assert proof.proved(CellSuppression(table, stricter)) == proof.value
