from __future__ import annotations

from dataclasses import replace

import pytest

import anoptima as ao
from anoptima.proofs.hitting import Branch, End, HittingProof, Tree
from tests.column_sets import table_of

ROWS = [(0, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)]
"""Any two rows differ in two of three columns: two columns are needed, and it takes a case distinction to say so."""
PROBLEM = ao.IdentifyingColumns(table_of(ROWS))
BARRIERS = [frozenset(names) for names in (("q0", "q1"), ("q1", "q2"), ("q0", "q2"))]
PROOF = HittingProof(2, BARRIERS, 1, Branch("q0", End(((1, 1),)), End(((0, 1), (2, 1)))))


def test_a_proof_that_holds_gives_its_value() -> None:
    assert PROOF.proved(PROBLEM) == 2


def test_shares_may_be_parts() -> None:
    halves = HittingProof(2, BARRIERS, 2, End(((0, 1), (1, 1), (2, 1))))
    with pytest.raises(ao.BadInput, match="the shares prove 3/2, not 2"):
        halves.proved(PROBLEM)
    assert replace(halves, value=1).proved(PROBLEM) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"value": 3}, "taking no column and leaving q0, the shares prove 2, not 3"),
        ({"denominator": 0}, "the denominator is 0; it must be at least 1"),
        (
            {"barriers": [*BARRIERS[:2], frozenset({"q2"})]},
            r"barrier 2 \(q2\) is none: all other columns together suffice",
        ),
        ({"barriers": [*BARRIERS, frozenset({"zip"})]}, "barrier 3 names 'zip', which is no column"),
        ({"tree": Branch("zip", End(()), End(()))}, "the tree branches on 'zip', which is no column"),
        ({"tree": End(((0, 1), (1, 1)))}, "shares of 2 fall on 'q1', more than it weighs"),
        ({"tree": End(((0, -1),))}, "barrier 0 cannot have the share -1"),
        ({"tree": End(((7, 1),))}, "barrier 7 cannot have the share 1"),
        (
            {"tree": Branch("q0", End(((0, 1),)), End(((0, 1), (2, 1))))},
            "taking q0 and leaving none, barrier 0 cannot have the share 1",
        ),
        (
            {"tree": Branch("q0", End(()), End(((0, 1), (2, 1))))},
            "taking q0 and leaving none, the shares prove 1, not 2",
        ),
    ],
)
def test_a_proof_that_does_not_hold_says_where(change: dict[str, object], said: str) -> None:
    with pytest.raises(ao.BadInput, match=said):
        replace(PROOF, **change).proved(PROBLEM)  # type: ignore[arg-type]


def test_a_proof_for_another_table_does_not_hold() -> None:
    with pytest.raises(ao.BadInput, match="all other columns together suffice"):
        PROOF.proved(ao.IdentifyingColumns(table_of([(0, 0, 0), (1, 1, 1)])))
    with pytest.raises(ao.BadInput, match="the proof is about a choice of columns, and cell-suppression is none"):
        PROOF.proved(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
    other = ao.IdentifyingColumns(table_of([(0, 0, 0), (1, 1, 1)]))
    for use in (lambda: PROOF.explain(["q0"], other), lambda: PROOF.simplified(other)):
        with pytest.raises(ao.BadInput, match="all other columns together suffice"):
            use()


def test_a_side_that_takes_and_leaves_one_column_is_empty() -> None:
    tree: Tree = Branch("q0", Branch("q0", End(((1, 1),)), End(())), End(((0, 1), (2, 1))))
    assert replace(PROOF, tree=tree).proved(PROBLEM) == 2


def test_verifying_an_answer_checks_its_proof() -> None:
    answer = ao.solve(PROBLEM, "hitting-set")
    assert answer.verify()
    bound = ao.Bound(2, ao.Origin.PROOF, "hitting-set")
    proved = replace(answer, bound=bound, proof=PROOF)
    assert proved.verify()
    broken = replace(proved, proof=replace(PROOF, tree=End(())))
    assert broken.verify().wrong == (
        "the proof does not hold: taking no column and leaving none, the shares prove 0, not 2",
    )
    weaker = replace(proved, proof=HittingProof(1, BARRIERS, 1, End(((0, 1),))))
    assert weaker.verify().wrong == ("the proof proves a bound of 1, not 2",)


def test_a_proof_that_did_not_travel_leaves_a_claim() -> None:
    problem = ao.WitnessColumns(table_of([(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]), 2)
    answer = ao.solve(problem, "hitting-set")
    assert answer.cost == 3
    claimed = ao.Bound(3, ao.Origin.PROOF, "hitting-set")
    checked = replace(answer, bound=claimed, proof=None).verify()
    assert checked
    assert checked.claimed in (None, claimed)
