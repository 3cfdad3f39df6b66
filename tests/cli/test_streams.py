"""Tables that come through pipes, in other encodings and with other separators, and releases that go to standard output."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path

import pytest

import anoptima as ao
from anoptima.documents.csv_texts import guess_separator
from tests.cli.conftest import PATIENTS, Run

ROLES = ("--quasi", "zip,age,sex", "-k", 2)


def pipe(monkeypatch: pytest.MonkeyPatch, content: bytes | str) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_a_table_comes_from_standard_input_and_its_release_goes_to_standard_output(
    run: Run, patients: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("solve", patients, *ROLES, "-o", "release.csv").code == 0
    pipe(monkeypatch, PATIENTS)
    said = run("solve", "-", *ROLES, "-o", "-")
    assert said.code == 0
    assert said.out == Path("release.csv").read_text()
    assert said.err.startswith("OPTIMAL  12 stars")
    pipe(monkeypatch, said.out)
    assert run("verify", patients, "-", *ROLES).out.startswith("VERIFIED  ")
    pipe(monkeypatch, PATIENTS)
    assert run("check", "-", *ROLES).out.startswith("6 rows in 6 classes")
    assert Path("release.csv").exists()
    assert not Path("-").exists()


def test_a_pipe_in_place_of_a_file_is_read_once(run: Run, patients: Path) -> None:
    fifo = patients.parent / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_text, args=(PATIENTS,))
    writer.start()
    said = run("check", fifo, *ROLES)
    writer.join()
    assert said.out.startswith("6 rows in 6 classes")


@pytest.mark.parametrize("piped", ["patients.csv", "release.csv", "answer.json", "proof.json"])
def test_each_file_to_verify_may_come_through_a_pipe(run: Run, patients: Path, piped: str) -> None:
    written = ("release.csv", "--answer", "answer.json", "--proof", "proof.json")
    assert run("solve", patients, *ROLES, "-o", *written).code == 0
    text, fifo = Path(piped).read_text(), patients.parent / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_text, args=(text,))
    writer.start()
    names = ("patients.csv", "release.csv", "answer.json", "proof.json")
    said = run("verify", *(fifo if name == piped else name for name in names), "--newest", "new.json")
    writer.join()
    assert said.code == 0, said.err
    assert said.out.startswith("VERIFIED  ")
    assert Path("new.json").read_text() == Path("proof.json").read_text()


def test_a_proof_that_begins_with_a_byte_order_mark_is_refused_by_name(run: Run, patients: Path) -> None:
    assert run("solve", patients, *ROLES, "-o", "release.csv", "--proof", "proof.json").code == 0
    Path("proof.json").write_text(Path("proof.json").read_text(), encoding="utf-8-sig")
    said = run("verify", patients, "release.csv", "proof.json")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("anoptima: proof.json begins with a byte-order mark, and a proof has none")


@pytest.mark.usefixtures("patients")
def test_standard_output_holds_one_thing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for words, complaint in (
        (["solve", "patients.csv", *ROLES, "-o", "-", "--json"], "--json and -o - both want standard output"),
        (["solve", "patients.csv", *ROLES, "--answer", "-"], "the answer goes into a file, not to standard output"),
        (["solve", "patients.csv", *ROLES, "--proof", "-"], "the proof goes into a file"),
        (["verify", "-", "-", *ROLES], "TABLE and RELEASE cannot both come through standard input"),
    ):
        said = run(*words)
        assert said.code == 2
        assert complaint in said.err
    monkeypatch.setattr(sys, "stdin", None)
    assert "there is no standard input" in run("check", "-", *ROLES).err


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_a_separator_that_the_header_makes_plain_is_guessed(run: Run, patients: Path, separator: str) -> None:
    patients.write_text(PATIENTS.replace(",", separator))
    said = run("solve", patients, *ROLES, "-o", "release.csv", "--answer", "answer.json")
    assert said.code == 0
    assert Path("release.csv").read_text().startswith(separator.join(("zip", "age", "sex")) + "\n")
    assert run("verify", patients, "release.csv", "answer.json").out.startswith("VERIFIED  ")
    assert run("verify", patients, "release.csv", *ROLES).code == 0
    assert ao.Table.read_csv(patients, ["zip"]).rows == 6
    Path("commas.csv").write_text(Path("release.csv").read_text().replace(separator, ","))
    assert run("verify", patients, "commas.csv", *ROLES).code == 0, "the release has a separator of its own"


def test_what_is_not_plain_is_a_comma(tmp_path: Path) -> None:
    for header, separator in (
        ("a,b", ","),
        ("a;b", ";"),
        ("a,b;c", ","),
        ("a;b|c", ","),
        ("one", ","),
        ('"a;b",c', ","),
        ('"a,b";c', ";"),
        ('"a|b"', ","),
        ('a;"b, c";d', ";"),
        ('a|"b;c"', "|"),
        ('a,"b;c"', ","),
        ('\n"a";"b, c\nd";e', ";"),
    ):
        (tmp_path / "t.csv").write_text(f"{header}\n")
        assert guess_separator(tmp_path / "t.csv") == separator, header


def test_a_header_that_came_as_one_name_is_pointed_out(run: Run, patients: Path) -> None:
    patients.write_text(PATIENTS.replace(",", ";"))
    said = run("check", patients, *ROLES, "--separator", ",")
    assert said.code == 2
    assert "has no column 'zip', named as quasi-identifying; its columns are zip;age;sex;disease;name" in said.err
    assert "do its fields lie between ';'?" in said.err


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "utf-8-sig"])
def test_an_encoding_is_read_and_written(run: Run, patients: Path, encoding: str) -> None:
    patients.write_bytes(PATIENTS.replace("flu", "Übelkeit").encode(encoding))
    words = (patients, "--quasi", "zip,age", "--sensitive", "disease", "-k", 2)
    said = run("solve", *words, "--encoding", encoding, "-o", "release.csv", "--answer", "answer.json")
    assert said.code == 0
    assert "Übelkeit" in Path("release.csv").read_bytes().decode(encoding)
    assert run("verify", patients, "release.csv", "answer.json").code == 0, "the answer knows the encoding"


def test_an_encoding_that_does_not_fit_leads_to_the_option(run: Run, patients: Path) -> None:
    patients.write_bytes(PATIENTS.replace("flu", "Übelkeit").encode("cp1252"))
    said = run("check", patients, *ROLES)
    assert said.code == 2
    assert "cannot be read as a CSV file in UTF-8" in said.err
    assert said.err.endswith("; it looks like cp1252, so give that as its encoding (--encoding cp1252)\n")
    for encoding in ("klingon", "base64"):
        assert (
            f"the encoding is '{encoding}', which is none for texts"
            in run("check", patients, *ROLES, "--encoding", encoding).err
        )


def test_spreadsheets_are_refused_with_the_way_out(run: Run, patients: Path) -> None:
    way_out = "only CSV and Parquet files are read, so save its sheet as CSV UTF-8 and give that file"
    for name, content, complaint in (
        ("t.xlsx", b"PK\x03\x04", "t.xlsx is a spreadsheet; "),
        ("t.xls", b"anything", "t.xls is a spreadsheet; "),
        ("t.csv", b"PK\x03\x04 and more", "t.csv begins like a spreadsheet or an archive; "),
        ("old.csv", b"\xd0\xcf\x11\xe0 and more", "old.csv begins like a spreadsheet of an old kind; "),
    ):
        Path(name).write_bytes(content)
        said = run("check", name, *ROLES)
        assert (said.code, said.err) == (2, f"anoptima: {complaint}{way_out}\n")
    Path("p.csv").write_bytes(b"PAR1....")
    assert "begins like a Parquet file: give it a name that ends in .parquet" in run("check", "p.csv", *ROLES).err
    said = run("solve", patients, *ROLES, "-o", "out.xlsx")
    assert "out.xlsx: a release is not written as a spreadsheet; take .csv" in said.err
    assert not Path("out.xlsx").exists()


def test_a_file_that_is_replaced_is_named(run: Run, patients: Path) -> None:
    words = ("solve", patients, *ROLES, "-o", "release.csv", "--answer", "answer.json", "--proof", "proof.json")
    first = run(*words)
    assert "replaced" not in first.out
    said = run(*words)
    for what, name in (("release", "release.csv"), ("answer", "answer.json"), ("proof", "proof.json")):
        assert f"the {what} is in {name}, which was there and was replaced" in said.out
    document = run(*words, "--json").json
    assert document["replaced"] == ["answer.json", "proof.json", "release.csv"]


def test_cells_that_a_spreadsheet_program_would_run_are_released_as_they_are_with_a_word(
    run: Run, patients: Path
) -> None:
    patients.write_text(PATIENTS.replace("flu", "=1+1"))
    said = run("solve", patients, "--quasi", "zip,age", "--sensitive", "disease", "-k", 2, "-o", "release.csv")
    assert "disease: cells that begin with '=' are released as they are; a spreadsheet program takes them" in said.out
    assert "=1+1" in Path("release.csv").read_text()
    assert "formulas" not in run("solve", patients, "--quasi", "zip,age", "-k", 2).out
