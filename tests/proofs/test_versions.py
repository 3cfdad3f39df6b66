"""Version 2 of the format: the package reads it, and writes it in version 3 with the same numbers; what has no old rule is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import anoptima as ao
from anoptima.documents.pages import table_text
from anoptima.documents.proofs import first_document, in_newest_version, proof_document, proof_of, read_proof
from anoptima.proofs import check_anoptima
from anoptima.proofs.kinds import proof_as_json
from anoptima.proofs.statements import OLD_SCHEMA, principle_statement
from anoptima.proofs.version_2 import StatedProof, _written, stated_question
from anoptima.proofs.version_3 import lowered, raised
from anoptima.testing.partly_stated import PartlyStated
from tests import sizing
from tests.principles.partly_stated import known
from tests.proof_agreement import questions


def test_a_proof_of_version_2_is_read_and_written_in_version_3(tmp_path: Path) -> None:
    kinds: set[str] = set()
    table, path = tmp_path / "table.csv", tmp_path / "proof.json"
    for answer in questions(sizing.asked(4, 1)):
        problem, proof = answer.problem, proof_of(answer)
        if not isinstance(problem, ao.CellSuppression) or stated_question(problem, proof) is not problem:  # type: ignore[arg-type]
            continue
        old = _written(problem, proof_as_json(proof))  # type: ignore[arg-type]
        if old["kind"] in kinds:
            continue
        kinds.add(old["kind"])
        new = proof_document(answer)
        path.write_text(json.dumps({**new, "schema": OLD_SCHEMA, "proof": old}))
        read = read_proof(path)
        assert read.proved(problem) == read.proof.value
        assert in_newest_version(json.loads(path.read_text()), problem) == new
        table.write_text(table_text(problem.table))
        with pytest.raises(check_anoptima.UnknownVersion):
            check_anoptima.check(str(table), str(path))
        path.write_text(json.dumps(new))
        assert check_anoptima.check(str(table), str(path)).startswith("VERIFIED")
        assert read_proof(path).proved(problem) == read.proof.value
    assert {"multipliers", "groups", "groups-with-cuts", "group-cases", "blocks", "near", "own-bound"} <= kinds


@pytest.mark.parametrize(
    ("asked", "stated"),
    [
        (PartlyStated(2), ao.LDiversity(2, version="distinct")),
        (PartlyStated("5/2"), ao.LDiversity(3, version="distinct")),
        (
            PartlyStated("3/2") & ao.AlphaKAnonymity("1/2", 2, values=["heart"]),
            ao.LDiversity(2, version="distinct") & ao.AlphaKAnonymity("1/2", 2, values=["heart"]),
        ),
    ],
    ids=str,
)
def test_what_follows_is_stated_where_that_is_what_is_proved(
    asked: ao.Principle, stated: ao.Principle, tmp_path: Path
) -> None:
    with known():
        follows(asked, stated, tmp_path)


def follows(asked: ao.Principle, stated: ao.Principle, tmp_path: Path) -> None:
    problem, path = ao.CellSuppression(ao.ten_rows(), asked), tmp_path / "proof.json"
    (tmp_path / "table.csv").write_text(table_text(problem.table))
    answer = ao.solve(problem, "bracketing")
    assert answer.proof is not None
    ao.save_proof(answer, path)
    said = check_anoptima.check(str(tmp_path / "table.csv"), str(path))
    assert f"costs {answer.proof.value} stars or more" in said
    document, read = proof_document(answer), read_proof(path)
    about = read.problem_on(problem.table)
    assert isinstance(about, ao.CellSuppression)
    assert about.principle == asked
    assert document["problem"]["principle"] == principle_statement(stated, problem.table)
    assert read.proved(about) == read.proved(problem) == answer.proof.value
    assert in_newest_version(first_document(answer), problem) == in_newest_version(document, problem) == document


@pytest.mark.parametrize(
    "asked",
    [
        {"principle": "k-anonymity", "k": 1},
        {"principle": "unknown"},
        {"k": []},
        [1],
        "l",
        {"principle": "entropy-l-diversity", "l": "9"},
    ],
)
def test_what_is_said_to_be_asked_counts_only_if_the_statement_follows(asked: Any, tmp_path: Path) -> None:
    problem, path = ao.CellSuppression(ao.ten_rows(), PartlyStated(2)), tmp_path / "proof.json"
    document = proof_document(ao.solve(problem, "bracketing"))
    document["about"]["principle"] = asked
    path.write_text(json.dumps(document))
    about = read_proof(path).problem_on(problem.table)
    assert isinstance(about, ao.CellSuppression)
    assert str(about.principle) == "distinct 2-diversity of disease"
    with pytest.raises(ao.BadInput, match="another principle than 2-anonymity"):
        read_proof(path).proved(ao.CellSuppression(problem.table, ao.KAnonymity(2)))


PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
END = {"worth": [1] * 10, "prices": [], "limited": []}
FORK = {"kept": [0], "example": 0, "value": None, "most": 0, "low": END, "high": END}
CASES: dict[str, Any] = {
    "kind": "cases", "value": 1, "denominator": 1, "reach": None, "whole": False, "cuts": [], "potentials": [], "tree": END,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"whole": True}, "whole rows are priced without potentials, under one closeness along edges"),
        ({"whole": 0}, "'whole' in the proof is 0; it must be true or false"),
        ({"reach": 1, "tree": {"kept": [], "low": END, "high": END}}, "the tree has no field 'example'"),
        ({"reach": -1}, "the reach must be at least 0"),
        ({"tree": {**FORK, "value": 0}}, "the principle is not about one sensitive column"),
        ({"tree": {**FORK, "most": 1}}, "only closeness is priced by size"),
        ({"tree": {**END, "limited": [1]}}, "there are 1 prices for 0 limits on values"),
        ({"tree": {**END, "more": []}}, "the tree has a field 'more', which means nothing here"),
        ({"more": 1}, "and no others"),
    ],
)
def test_what_is_no_proof_by_cases_is_refused(change: Any, message: str) -> None:
    assert StatedProof(copy.deepcopy(CASES), 1).proved(PROBLEM) == 1
    assert StatedProof({**CASES, "tree": FORK}, 1).proved(PROBLEM) == 1
    assert raised(PROBLEM, lowered(PROBLEM, CASES)) == CASES
    with pytest.raises(ao.BadInput, match=message):
        StatedProof({**CASES, **change}, 1).proved(PROBLEM)


def test_parts_are_blocks_or_rounded_weights() -> None:
    own = {"kind": "own-bound", "value": 0}
    half = {"columns": [0, 1], "weights": [1, 1], "unit": 1, "proof": own}
    assert lowered(PROBLEM, {"kind": "parts", "value": 0, "parts": [half]})["kind"] == "blocks"
    with pytest.raises(ao.BadInput, match="neither blocks of columns nor rounded weights"):
        lowered(PROBLEM, {"kind": "parts", "value": 0, "parts": [{**half, "weights": [1, 2]}]})
    with pytest.raises(ao.BadInput, match="a column that is not there"):
        lowered(PROBLEM, {"kind": "parts", "value": 0, "parts": [{**half, "columns": [0, 99]}]})
