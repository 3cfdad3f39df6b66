"""Proofs as plain data and as files: there and back, and every sort of nonsense refused in one sentence."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import anoptima as ao
from anoptima.documents.proofs import first_document, proof_document
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.proofs.all_partitions import AllPartitions
from anoptima.proofs.blocks import Block, BlockProof
from anoptima.proofs.box_shares import BoxShares
from anoptima.proofs.box_trees import BoxEnd, BoxFork, Share
from anoptima.proofs.branched import BranchedProof, Fork, Leaf
from anoptima.proofs.cases import CasesEnd, CasesFork, CasesProof
from anoptima.proofs.cuts import Cut, Term
from anoptima.proofs.group_cases import GroupCasesProof, GroupFork, GroupLeaf
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.proofs.group_pricing import Potentials
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.hitting import Branch, End, HittingProof
from anoptima.proofs.kinds import WrittenProof, proof_as_json, proof_from_json, proof_kinds
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.proofs.near import NearProof
from anoptima.proofs.own_bound import OwnBound
from anoptima.proofs.rounded import RoundedProof
from anoptima.proofs.statements import table_digest
from anoptima.proofs.worths import WorthEnd, WorthFork, WorthProof
from anoptima.solvers.ledger import Ledger

TEN = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
CUT = Cut((0, 1, 2), 2, (Term(frozenset("ab"), 0, True, (0, 2)), Term(frozenset(), 3, False, ())))
PROOFS: list[WrittenProof] = [
    MultiplierProof(3, "abc", 2, 12, (5, -7, 0), (CUT,), (4,)),
    HittingProof(2, (frozenset("ab"), frozenset("c")), 2, Branch("a", End(()), End(((0, 1), (1, 2))))),
    BranchedProof(3, "abc", 2, 12, (CUT,), Fork(frozenset("b"), 1, Leaf((5, -7, 0), (4,)), Leaf((1, 0, 2), (0,)))),
    GroupProof(3, "abc", {"k": 2}, 12, (5, -7, 0), (Potentials(1, frozenset("b"), 2, (1, 0)),)),
    GroupCutsProof(3, "abc", {"k": 2}, 12, (5, -7, 0), (CUT,), (4,)),
    GroupCasesProof(
        3, "abc", {"k": 2}, 12, GroupFork(frozenset("b"), 1, 2, 3, GroupLeaf((5, 0), (4,)), GroupLeaf((1, 0), (-1,)))
    ),
    CasesProof(
        3,
        "abc",
        {"k": 2},
        12,
        4,
        True,
        (CUT,),
        (Potentials(1, frozenset("b"), 2, (1, 0)),),
        CasesFork(frozenset("b"), 1, None, 3, CasesEnd((5, 0), (4,), ()), CasesEnd((1, 0), (0,), (-1,))),
    ),
    NearProof(3, "abc", 2, 12, 4, (5, -7, 0)),
    WorthProof(3, 2, WorthFork((0, 1), WorthEnd((5, -7, 0), (4,)), WorthEnd((1, 0, 2), (0,))), ((0, 1, 2),)),
    OwnBound(7),
    AllPartitions(7),
    BoxShares(
        2,
        3,
        BoxFork(
            (Fraction(1, 2),),
            (Fraction(2),),
            1,
            BoxEnd((Share((Fraction(0),), ((Fraction(-1, 4),),), 2),), (1,)),
            BoxEnd((), (0,)),
        ),
    ),
    RoundedProof(3_000_000, "abc", 1_000_000, MultiplierProof(3, "ab", 2, 12, (5, -7, 0))),
    BlockProof(7, "abc", (Block(("a", "b"), NearProof(3, "ab", 2, 12, 4, (5, -7, 0))), Block(("c",), OwnBound(4)))),
]
DATA: dict[str, Any] = {proof.kind: proof_as_json(proof) for proof in PROOFS}


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.kind)
def test_there_and_back(proof: WrittenProof) -> None:
    assert proof_from_json(json.loads(json.dumps(proof_as_json(proof)))) == proof


def test_every_kind_is_tried_here() -> None:
    assert {proof.kind for proof in PROOFS} == {*proof_kinds.names()}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "the proof is []; it must be an object with named fields"),
        ({}, "the proof has no field 'kind'"),
        ({"kind": 3}, "'kind' in the proof is 3; it must be a text"),
        ({"kind": "oath"}, f"the proof is of kind 'oath'; it must be one of {', '.join(proof_kinds.names())}"),
        ({**DATA["multipliers"], "tree": 1}, "the proof has a field 'tree', which means nothing here"),
        ({**DATA["multipliers"], "k": "3"}, "'k' in the proof is '3'; it must be a whole number"),
        ({**DATA["multipliers"], "k": True}, "'k' in the proof is True; it must be a whole number"),
        ({**DATA["multipliers"], "value": "x"}, "'value' in the proof is 'x'; it must be a finite number, such as 2, 0.2 or '1/5'"),
        ({**DATA["multipliers"], "worth": 5}, "'worth' in the proof is 5; it must be a list"),
        ({**DATA["multipliers"], "worth": "555"}, "'worth' in the proof is '555'; it must be a list"),
        ({**DATA["multipliers"], "worth": [1, 1.5]}, "number 1 of 'worth' in the proof is 1.5; it must be a whole number"),
        ({**DATA["multipliers"], "cuts": [7]}, "number 0 of 'cuts' in the proof is 7; it must be an object with named fields"),
        (
            {**DATA["multipliers"], "cuts": [{"types": [], "divisor": 2, "terms": [{"kept": [4]}]}]},
            "number 0 of 'kept' in number 0 of 'terms' in number 0 of 'cuts' in the proof is 4; it must be a text",
        ),
        ({**DATA["hitting-set"], "barriers": ["ab"]}, "number 0 of 'barriers' in the proof must be a list of column names"),
        ({**DATA["hitting-set"], "tree": {}}, "the tree has no field 'column'"),
        (
            {**DATA["hitting-set"], "tree": {"column": "a", "taken": {"shares": []}, "left": 1}},
            "the tree where 'a' is left is 1; it must be an object with named fields",
        ),
        (
            {**DATA["hitting-set"], "tree": {"shares": [[1]]}},
            "number 0 of 'shares' in the tree must be two whole numbers: a barrier's number, and its share",
        ),
        ({"kind": "own-bound", "value": 1, "by": "me"}, "the proof has a field 'by', which means nothing here"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_one_sentence(data: Any, said: str) -> None:
    with pytest.raises(ao.BadInput) as refused:
        proof_from_json(data)
    assert str(refused.value) == said


@dataclass(frozen=True)
class Oath:
    value: Exact

    def proved(self, problem: Problem[Any]) -> Exact:
        return self.value


def test_what_has_no_kind_cannot_be_written() -> None:
    with pytest.raises(
        ao.NotApplicable, match="Oath is no kind of proof that can be written down; those are all-partitions, "
    ):
        proof_as_json(Oath(3))


# ---- files --------------------------------------------------------------------------------------------------------------------


def written(tmp_path: Path, change: dict[str, Any]) -> Path:
    document = first_document(ao.solve(TEN, "sifting"))
    path = tmp_path / "proof.json"
    path.write_text(json.dumps({**document, **change}))
    return path


def test_a_file_says_what_is_proved_of_which_table(tmp_path: Path) -> None:
    ao.save_proof(ao.solve(TEN, "sifting"), tmp_path / "proof.json", {"file": "ten.csv"})
    data = json.loads((tmp_path / "proof.json").read_text())
    assert data["schema"] == "anoptima/proof/3"
    assert data["table"]["digest"] == table_digest(TEN.table)
    assert data["problem"]["principle"] == [{"kind": "k-anonymity", "k": 3}]
    assert data["claim"] == {"bound": [54, 1]}
    found = ao.read_proof(tmp_path / "proof.json")
    assert found.problem_on(ao.ten_rows()).name == found.problem["name"] == "cell-suppression"
    assert found.proved(TEN) == found.proof.value == 54
    with pytest.raises(ao.BadInput, match="this is a proof for another table: it speaks of a table with digest "):
        found.proved(ao.CellSuppression(ao.census("four"), ao.KAnonymity(3)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": "anoptima/answer/1"}, ("is no proof that can be read here: its schema is 'anoptima/answer/1'; "
            "it must be 'anoptima/proof/3'")),
        ({"problem": {"name": "tea"}}, ("is no proof that makes sense: its problem is 'tea'; "
            "it must be one of attribute-suppression, cell-suppression, diameter-sum, given-patterns, identifying-columns, "
            "witness-columns")),
        ({"problem": {"name": "cell-suppression"}}, "is no whole proof: 'principle' is not in it"),
        ({"problem": 3}, "is no proof that makes sense: 'int' object is not subscriptable"),
        ({"table": {}}, "is no whole proof: 'digest' is not in it"),
        ({"solver": 1}, "is no proof that makes sense: 'solver' in it is 1; it must be a text"),
        ({"proof": []}, "is no proof that makes sense: the proof is []; it must be an object with named fields"),
        ({"tree": []}, "is no proof that makes sense: it has a field 'tree', which means nothing here"),
    ],
)  # fmt: skip
def test_a_file_of_nonsense_is_refused_in_one_sentence(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = written(tmp_path, change)
    with pytest.raises(ao.BadInput) as refused:
        ao.read_proof(path)
    assert str(refused.value) == f"{path} {said}"


def test_a_tree_without_end_is_refused(tmp_path: Path) -> None:
    deep = '{"column": "a", "taken": {"shares": []}, "left": ' * 5000 + '{"shares": []}' + "}" * 5000
    path = written(tmp_path, {"proof": "DEEP"})
    proof = '{"kind": "hitting-set", "value": 1, "barriers": [], "denominator": 1, "tree": ' + deep + "}"
    path.write_text(path.read_text().replace('"DEEP"', proof))
    with pytest.raises(ao.BadInput, match=r"proof\.json is nested too deeply; a JSON document may have 500 levels"):
        ao.read_proof(path)


def test_witness_columns_without_k_are_refused(tmp_path: Path) -> None:
    problem = ao.WitnessColumns(ao.ten_rows(), 2)
    ao.save_proof(ao.solve(problem), tmp_path / "proof.json")
    assert ao.read_proof(tmp_path / "proof.json").problem_on(ao.ten_rows()).size() == problem.size()
    data = json.loads((tmp_path / "proof.json").read_text())
    del data["problem"]["k"]
    (tmp_path / "proof.json").write_text(json.dumps(data))
    with pytest.raises(ao.BadInput, match="the proof: the problem lacks the entry 'k'"):
        ao.read_proof(tmp_path / "proof.json").problem_on(ao.ten_rows())


def test_problems_without_tables_have_no_files() -> None:
    answer = Ledger(next(iter(ao.VertexCover.examples())), "nobody", ao.Budget()).answer(ao.Stop.TIME)
    with pytest.raises(
        ao.NotApplicable, match="proofs about vertex-cover have no files; those about attribute-suppression, "
    ):
        proof_document(answer)


def test_where_no_solution_exists_nothing_is_to_be_proved() -> None:
    impossible = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11))
    with pytest.raises(
        ao.NotApplicable, match="there is nothing to prove a bound of: k = 11 but there are only 10 rows"
    ):
        proof_document(ao.solve(impossible))
    with pytest.raises(ao.BadInput, match="no solution exists, so there is no least cost: k = 11 but"):
        OwnBound(1).proved(impossible)


def test_weights_for_another_number_of_columns_are_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    data = proof_document(ao.solve(TEN, "sifting"))
    path.write_text(json.dumps({**data, "table": {**data["table"], "weights": [[1, 1]] * 1_000}}))
    with pytest.raises(ao.BadInput, match="has 1,000 weights for 8 quasi-identifying columns"):
        ao.read_proof(path)
