"""The checker in JavaScript as a program. What it says of proofs is held against the others in `test_check_anoptima`."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima.documents.proofs import proof_document, proof_text
from anoptima.problems import levels
from anoptima.proofs import check_anoptima
from anoptima.proofs.own_bound import OwnBound
from benchmarks import check_page
from tests.proof_agreement import REJECTED, VERIFIED, Judge, Proved
from tests.proofs.javascript import CHECK, PAGE, Checker, run
from tests.proofs.wrong_proofs import CODES, FOLDER, TABLE


@pytest.fixture
def ten(tmp_path: Path) -> Path:
    """A folder with the ten rows, their proof and their release."""
    answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "sifting")
    ao.save_proof(answer, tmp_path / "proof.json")
    ao.ten_rows().frame.to_csv(tmp_path / "table.csv", index=False)
    answer.release.to_csv(tmp_path / "release.csv", index=False)
    return tmp_path


def test_the_program_says_its_digest_the_claim_and_that_the_release_is_optimal(ten: Path) -> None:
    found = run("table.csv", "proof.json", "--release", "release.csv", cwd=ten)
    assert (found.returncode, found.stderr) == (0, "")
    first, claim, release = found.stdout.splitlines()
    assert first == f"check.js, SHA-256 {hashlib.sha256(CHECK.read_bytes()).hexdigest()}"
    assert claim.startswith("VERIFIED: Every release of this table that stars cells of ")
    assert claim.endswith("has at least 3 rows costs 54 stars or more. (10 rows.)")
    assert release == "The release costs 54: it is optimal."


def test_its_exit_codes_are_those_of_the_document(ten: Path) -> None:
    assert run("table.csv", cwd=ten).returncode == 2
    assert run("table.csv", "nowhere.json", cwd=ten).returncode == 2
    for start, code in CODES.items():
        path = min(FOLDER.glob(f"{start.replace(' ', '-')}*.json"))
        assert run(TABLE, path).returncode == code


def test_what_is_wrong_with_a_file_is_said_with_what_it_holds(ten: Path) -> None:
    (ten / "answer.json").write_text('{\n  "schema": "anoptima/answer/1",\n  "seconds": 0.25\n}\n')
    found = run("table.csv", "answer.json", cwd=ten)
    assert found.returncode == 4
    assert "this file is no proof but an anoptima/answer/1" in found.stdout
    lines = (ten / "table.csv").read_text().splitlines()
    for header, said in (
        (f'"{lines[0]}', "a quote in the header of the table does not end"),
        (f'"{lines[0]}\n"', f'has no column "zip1"; its columns are {json.dumps(lines[0] + chr(10))}'),
    ):
        (ten / "odd.csv").write_text("\n".join([header, *lines[1:]]) + "\n")
        assert said in run("odd.csv", "proof.json", cwd=ten).stdout
    released = (ten / "release.csv").read_text().splitlines()
    (ten / "turned.csv").write_text("\n".join([released[0], *reversed(released[1:])]) + "\n")
    said = run("table.csv", "proof.json", "--release", "turned.csv", cwd=ten).stdout
    assert ' where the table has "' in said
    assert "rows must be in the table's order" in said


def test_a_release_is_checked_cell_by_cell_and_group_by_group(ten: Path) -> None:
    lines = (ten / "release.csv").read_text().splitlines()
    true = (ten / "table.csv").read_text().splitlines()
    changed_to: Any = {
        "has 9 rows and the table 10": lines[:-1],
        "has more rows": [*lines, lines[-1]],
        "has not at least 3 rows": [lines[0], true[1], *lines[2:]],
        "row 1, column": [lines[0], lines[1].replace("*", "x", 1), *lines[2:]],
    }
    for said, rows in changed_to.items():
        (ten / "changed.csv").write_text("\n".join(rows) + "\n")
        found = run("table.csv", "proof.json", "--release", "changed.csv", cwd=ten)
        assert found.returncode == 1
        assert said in found.stdout
    data = json.loads((ten / "proof.json").read_text())
    data["claim"]["bound"] = [53, 1]
    data["proof"]["value"] = 53
    (ten / "proof.json").write_text(json.dumps(data))
    found = run("table.csv", "proof.json", "--release", "release.csv", cwd=ten)
    assert found.stdout.endswith("from 53 to 54, a gap of 1.\n")


def test_tables_are_read_as_the_document_says(tmp_path: Path) -> None:
    """Marks, separators, quotes and line ends: the same texts have the same digest."""
    table = ao.Table.from_frame(ao.ten_rows().frame.assign(education='a "b"; c, d\n'), ["age1", "education"])
    answer = ao.solve(ao.CellSuppression(table, ao.KAnonymity(3)), "sifting")
    ao.save_proof(answer, tmp_path / "proof.json")
    for number, (separator, end, mark) in enumerate(((",", "\n", ""), (";", "\r\n", "\ufeff"), ("|", "\r", ""))):
        place = tmp_path / f"{number}.csv"
        text = table.frame.to_csv(index=False, sep=separator, lineterminator=end)
        place.write_bytes((mark + text + end).encode())
        found = run(place, tmp_path / "proof.json")
        assert found.returncode == 0, found.stdout


def test_quotes_within_a_field_are_letters_to_all_three_checkers(tmp_path: Path) -> None:
    place, proof = tmp_path / "nails.csv", tmp_path / "proof.json"
    place.write_text('size "x",kind\n5" nail,a\n5" nail,b ""\n"5"" nail",b ""\n6", ""\n')
    table = ao.Table.read_csv(place, quasi=['size "x"', "kind"])
    assert table.frame['size "x"'].tolist() == ['5" nail', '5" nail', '5" nail', '6"']
    assert table.frame["kind"].tolist() == ["a", 'b ""', 'b ""', ' ""']
    ao.save_proof(ao.solve(ao.CellSuppression(table, ao.KAnonymity(2)), "subset-dp"), proof)
    assert ao.read_proof(proof).proved(ao.CellSuppression(table, ao.KAnonymity(2))) == 4
    header, *rows = place.read_text().splitlines()
    for first, code in ((rows[0], 0), ('"5" nail,a', 3), ('5" nail,"a', 3), ('5" nail,"a" ', 3)):
        place.write_text("\n".join([header, first, *rows[1:]]) + "\n")
        assert run(place, proof).returncode == code
        assert check_anoptima.main([str(place), str(proof)]) == code


def test_the_page_holds_the_program() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert check_page.in_step(written, CHECK.read_text(encoding="utf-8")) == written, (
        "run `python -m benchmarks.check_page --write`"
    )


def test_what_balls_and_single_columns_prove_is_proved_by_both_checkers(tmp_path: Path) -> None:
    chance = random.Random(3)
    wide = pd.DataFrame({f"c{j}": [chance.choice("abc") for _ in range(12)] for j in range(40)})
    lone = pd.DataFrame({"a": list("aaaab"), "b": list("bccbc"), "c": list("aaaaa"), "d": list("xxxxx")})
    for frame, k in ((wide, 4), (lone, 2)):
        table = ao.Table.from_frame(frame, [*map(str, frame)])
        with pytest.MonkeyPatch.context() as patches:
            # Else all sets of columns are looked at first.
            patches.setattr(levels, "AT_ONCE", 0)
            patches.setattr(levels, "WORK", 40 * 12 * 12)
            bound = ao.CellSuppression(table, ao.KAnonymity(k)).lower_bound()
        problem = ao.CellSuppression(table, ao.KAnonymity(k))
        with Checker() as node:
            judge = Judge(tmp_path, table, node)
            for value, expected in ((bound, VERIFIED), (bound * 2, REJECTED)):
                document = json.loads(proof_text(proof_document(Proved(problem, OwnBound(value)))))  # type: ignore[arg-type]
                if expected == VERIFIED or frame is lone:
                    assert judge.alone(document)[0] == expected
                    assert judge.javascript()[0] == expected
