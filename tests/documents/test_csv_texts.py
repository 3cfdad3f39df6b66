from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoptima.documents.csv_texts import read_header, read_texts
from anoptima.errors import BadInput

CELL = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=4)


def zipped(data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("inside.csv", data)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zip", zipped)],
)
def test_cells_are_the_texts_that_stand_there(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"table.csv{suffix}"
    path.write_bytes(pack('\ufeffzip,note\r\n02139,"a ""b"", c"\r\nNA,\r\n1e3,"two\nlines"\r\n'.encode()))
    assert read_texts(path).to_dict("list") == {"zip": ["02139", "NA", "1e3"], "note": ['a "b", c', "", "two\nlines"]}
    assert read_header(path) == ["zip", "note"]


def test_only_the_columns_asked_for_in_the_files_order(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a;b;c\n1;2;3\n")
    assert list(read_texts(tmp_path / "t.csv", ";", ["c", "a", "nowhere"]).columns) == ["a", "c"]


@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=6)
    )
)
def test_what_csv_writes_is_read_back(tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]) -> None:
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([[f"c{j}" for j in range(len(rows[0]))], *rows])
    assert read_texts(path).to_numpy().tolist() == rows


def test_empty_lines_are_no_rows_and_an_empty_text_is_one(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a\n\n1\n""\n\n2\n')
    assert read_texts(tmp_path / "t.csv")["a"].tolist() == ["1", "", "2"]


WRONG = "t.csv cannot be read as a CSV file in UTF-8: "


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "t.csv is empty; its first line must name the columns"),
        (b"a,b\n1,2\n3\n", "t.csv, row 2 has 1 field ('3'); the header has 2"),
        (b"a,b\n1,2,\n", "t.csv, row 1 has 3 fields ('1,2,'); the header has 2"),
        (b"a,b\n1,2\n3,4,5\n", "t.csv, row 2 has 3 fields ('3,4,5'); the header has 2"),
        (
            b'a,b\n"1,2\n3,4\n',
            "t.csv cannot be read as a CSV file: a quote in the row that begins in line 2 is never closed; close it, or write",
        ),
        (
            b'a,b\n1,"2"x\n',
            "t.csv cannot be read as a CSV file: text follows a closing quote in the row that begins in line 2; w",
        ),
        (
            "a,b\nü,1\n".encode("latin-1"),
            f"{WRONG}line 2 has the byte 0xfc; it looks like cp1252, so give that as its enc",
        ),
        (
            "a,b\n€,ü\n".encode("cp1252"),
            f"{WRONG}line 2 has the byte 0x80; it looks like cp1252, so give that as its enc",
        ),
        (
            "a,b\n\x81,ü\n".encode("latin-1"),
            f"{WRONG}line 2 has the byte 0x81; it looks like latin-1, so give that as its en",
        ),
        (
            "a,b\n1,2\n".encode("utf-16"),
            f"{WRONG}line 1 has the byte 0xff; it looks like utf-16, so give that as its enc",
        ),
        (
            "a,b\n1,2\n".encode("utf-16-le"),
            f"{WRONG}line 1 has the byte 0x00; it looks like utf-16-le, so give that as i",
        ),
        (
            "a,b\nü,2\n".encode("utf-16-be"),
            f"{WRONG}line 1 has the byte 0x00; it looks like utf-16-be, so give that as i",
        ),
        (
            b"a,b\n\x01\xff,2\n",
            f"{WRONG}line 2 has the byte 0xff, and it looks like no text in any encoding; save the table as",
        ),
        (b"a\n1\n \n2\n", "t.csv has 3 rows, or 2 by another reading; put its texts into quotes"),
    ],
)
def test_what_is_no_csv_file_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(BadInput) as caught:
        read_texts(tmp_path / "t.csv")
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


@pytest.mark.parametrize(
    ("before", "guess"),
    [("Muller", "; it looks like cp1252, so"), ("Möller", ", and it looks like no text in any enc")],
)
def test_what_is_wrong_far_down_in_a_file_is_not_advised_to_be_read_as_it_was(
    tmp_path: Path, before: str, guess: str
) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n" + f"{before},1\n".encode() * 10_000 + "Müller,1\n".encode("cp1252"))
    with pytest.raises(BadInput, match=f"in UTF-8: line 10002 has the byte 0xfc{guess}"):
        read_texts(tmp_path / "t.csv")


def test_a_text_in_another_encoding_than_was_said_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\nü,1\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"in UTF-16: .*; it looks like utf-8, so give that as its encoding"):
        read_texts(tmp_path / "t.csv", encoding="utf-16")


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zip"])
def test_what_is_not_compressed_as_its_name_says_is_refused(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"t.csv{suffix}").write_text("a,b\n1,2\n")
    with pytest.raises(BadInput, match="cannot be read as a CSV file"):
        read_texts(tmp_path / f"t.csv{suffix}")


def test_a_compressed_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 100_000)[:-40])
    with pytest.raises(BadInput, match="ended before the end-of-stream marker"):
        read_texts(tmp_path / "t.csv.gz")


def test_an_archive_of_two_files_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("one.csv", "a\n1\n")
        archive.writestr("two.csv", "a\n1\n")
    with pytest.raises(BadInput, match="holds 2 files; it must hold one"):
        read_texts(tmp_path / "t.zip")


@pytest.mark.parametrize("separator", ["", ";;", '"', "\n"])
def test_a_separator_that_cannot_be_one_is_refused(tmp_path: Path, separator: str) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(BadInput, match=r"the separator is .*; it must be one character"):
        read_texts(tmp_path / "t.csv", separator)


def test_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.csv: there is no such file"):
        read_texts(tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    "data",
    [
        b"a,b\rx,y\r\r,z\ru,v\r",
        b"a,b\nx,y\n\r,z\nu,v\n",
        b"a,b\nx,y\r\r,z\nu,v\n",
        b"a,b\r\nx,y\r\n\r\n,z\r\nu,v\r\n",
        b"a,b\nx,y\n\n,z\nu,v\n",
    ],
)
def test_however_lines_end_no_cell_is_shifted(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(data)
    frame = read_texts(path)
    assert frame.to_numpy().tolist() == [["x", "y"], ["", "z"], ["u", "v"]]
    assert read_texts(path, columns=["b"])["b"].tolist() == ["y", "z", "v"]


@given(
    cells=st.lists(
        st.tuples(*[st.sampled_from(["", "x", " ", '"q"', '"a\rb"', '"a\nb"'])] * 2), min_size=1, max_size=6
    ),
    ends=st.lists(st.sampled_from(["\r", "\n", "\r\n", "\r\r", "\n\r", "\n\n"]), min_size=7, max_size=7),
)
def test_rows_are_those_of_pythons_reader(
    tmp_path_factory: pytest.TempPathFactory, cells: list[tuple[str, str]], ends: list[str]
) -> None:
    text = "".join(f"{','.join(row)}{end}" for row, end in zip([("a", "b"), *cells], ends, strict=False))
    path = tmp_path_factory.mktemp("rows") / "table.csv"
    path.write_bytes(text.encode())
    rows = [record for record in csv.reader(io.StringIO(text, newline=""), strict=True) if record]
    assert read_texts(path).to_numpy().tolist() == rows[1:]
