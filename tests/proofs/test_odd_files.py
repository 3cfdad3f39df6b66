"""Files at the edge of the format: the three checkers say the same of them, in a sentence, and soon."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import anoptima as ao
from anoptima.cli import main
from anoptima.documents.proofs import proof_document, proof_text
from anoptima.proofs import check_anoptima
from tests.proofs import javascript

HELD = pd.DataFrame({"a": ["*", "x", "y"], "b": ["1", "1", "1"]})


@pytest.fixture
def table(tmp_path: Path) -> Path:
    HELD.to_csv(tmp_path / "table.csv", index=False)
    return tmp_path / "table.csv"


def verdicts(table: Path, proof: Path) -> list[str]:
    """Return the last lines of both checkers that stand alone."""
    python = subprocess.run(
        [sys.executable, check_anoptima.__file__, table, proof], capture_output=True, text=True, check=False
    )
    said = javascript.run(table, proof)
    assert python.stderr == said.stderr == ""
    assert python.returncode == said.returncode
    return [python.stdout.splitlines()[-1], said.stdout.splitlines()[-1]]


def test_columns_may_be_chosen_of_a_table_that_holds_stars(table: Path, tmp_path: Path) -> None:
    answer = ao.solve(ao.IdentifyingColumns(ao.Table.read_csv(table, ["a", "b"])))
    proof = tmp_path / "proof.json"
    proof.write_text(proof_text(proof_document(answer)))
    assert [said.split(":")[0] for said in verdicts(table, proof)] == ["VERIFIED"] * 2
    assert main(["verify", str(table), str(proof)]) == 0


def test_cells_cannot_be_starred_beside_stars(table: Path, tmp_path: Path) -> None:
    free = HELD.replace("*", "z")
    answer = ao.solve(ao.CellSuppression(ao.Table.from_frame(free, ["a", "b"]), ao.KAnonymity(3)))
    stated = proof_document(answer)
    held = ao.solve(ao.IdentifyingColumns(ao.Table.read_csv(table, ["a", "b"])))
    stated["table"]["digest"] = proof_document(held)["table"]["digest"]
    proof = tmp_path / "proof.json"
    proof.write_text(proof_text(stated))
    assert [said.split(":")[0] for said in verdicts(table, proof)] == ["MALFORMED"] * 2


@pytest.mark.parametrize("text", ['"' + '\\"' * 60_000, '"' + '\\"' * 60_000 + "\\"], ids=["odd", "even"])
def test_a_text_that_does_not_end_is_found_in_one_pass(table: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "proof.json").write_text(text)
    assert [said.split(":")[0] for said in verdicts(table, tmp_path / "proof.json")] == ["MALFORMED"] * 2


def test_half_a_letter_in_a_digest_is_written_as_a_number(table: Path, tmp_path: Path) -> None:
    answer = ao.solve(ao.IdentifyingColumns(ao.Table.read_csv(table, ["a", "b"])))
    stated = proof_document(answer)
    stated["table"]["digest"] = "\ud800"
    (tmp_path / "proof.json").write_text(json.dumps(stated, separators=(",", ":"), sort_keys=True))
    assert [said.split(":")[0] for said in verdicts(table, tmp_path / "proof.json")] == ["REJECTED"] * 2
