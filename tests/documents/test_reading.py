from __future__ import annotations

import os
from pathlib import Path

import pytest

import anoptima as ao
from anoptima.documents import reading
from anoptima.documents.reading import local, read_json, read_utf8


def test_files_that_are_no_json_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ao.BadInput, match=r"nowhere\.json: there is no such file"):
        read_json(tmp_path / "nowhere.json")
    for message, data in (
        ("cut.json, line 1, column 7", b'{"a": '),
        ("latin.json cannot be read as a text in UTF-8", b'{"a": "\xfc"}'),
        ("deep.json is nested too deeply", b"[" * 100_000),
        ("level.json is nested too deeply", b"[" * 501 + b"]" * 501),
        ("twice.json has 'k' twice in one object; once is enough", b'{"proof": {"k": 2, "k": 3}}'),
        ("long.json has a number of more than 4,300 digits", b"9" * 5000),
    ):
        name = message.partition(".json")[0] + ".json"
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ao.BadInput, match=message):
            read_json(tmp_path / name)


def test_numbers_are_read_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text("[0.1, 1e400, 12345678901234567890, NaN]")
    assert read_json(tmp_path / "t.json") == ["0.1", "1e400", 12345678901234567890, "NaN"]


@pytest.mark.parametrize(
    "name",
    [
        "s3://bucket/t.parquet",
        "https://example.org/t.csv",
        "file:///tmp/t.csv",
        "gs://bucket/t.csv",
        "simplecache::s3://bucket/t.parquet",
        "zip://t.csv::https://example.org/t.zip",
    ],
)
def test_urls_are_refused_by_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ao.BadInput, match="is a URL") as caught:
        local(name)
    assert str(caught.value).startswith(name)
    with pytest.raises(ao.BadInput, match="is a URL"):
        local(Path(name))


@pytest.mark.parametrize("name", ["t.csv", "/tmp/a:b/t.csv", "C:/t.csv", "a::b.csv", "-", "12:30.csv"])
def test_names_with_colons_are_files(name: str) -> None:
    assert local(name) == Path(name)


def test_a_folder_may_be_called_like_a_scheme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s3:").mkdir()
    assert local(Path("s3:/t.csv")) == Path("s3:/t.csv")


def test_devices_and_files_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ao.BadInput, match="/dev/zero is no file but a device"):
        read_utf8("/dev/zero")
    monkeypatch.setattr(reading, "DOCUMENT_BYTES", 1 << 20)
    (tmp_path / "t.json").write_text(" " * (1 << 20) + " 1")
    with pytest.raises(ao.BadInput, match=r"t\.json is too large; it may have 1 MiB"):
        read_json(tmp_path / "t.json")


def test_a_pipe_is_read_like_a_file() -> None:
    out, into = os.pipe()
    os.write(into, b'{"a": 1}')
    os.close(into)
    assert read_json(f"/dev/fd/{out}") == {"a": 1}
    os.close(out)
