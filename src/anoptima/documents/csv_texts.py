"""CSV files as the texts that stand in them: no value is guessed, and no cell is lost or made up without a word.

pandas reads fast, but it fills up rows that are too short and cuts off rows that are too long. So the file is scanned first, row by
row, and a row that does not fit its header is refused by number.
"""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from anoptima.documents.reading import SPREADSHEETS, Content, Source, require_file
from anoptima.errors import BadInput
from anoptima.limits import LINE_CHARACTERS, unpacked_bytes
from anoptima.packages import pd

SEPARATORS = ",;\t|"
"""What a header is tried with when nobody says what separates its fields."""

UTF_8 = "utf-8"

_SAMPLE_BYTES = 1 << 16
"""Bytes at the beginning of a file by which its encoding is guessed, once it cannot be read."""

_FIRST_BYTES = {
    b"PK\x03\x04": "a spreadsheet or an archive",
    b"\xd0\xcf\x11\xe0": "a spreadsheet of an old kind",
    b"PAR1": "a Parquet file: give it a name that ends in .parquet",
}
"""How files begin that are often given for CSV files."""

_BROKEN = (
    OSError,
    EOFError,
    UnicodeError,
    csv.Error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)
"""What reading a file raises when it is not what its name says."""


class _Unfit(Exception):
    """A file is beyond the limits; the message says how, without the file's name."""


def read_header(path: Source, separator: str = ",", encoding: str = UTF_8) -> list[str]:
    """Return the names in a CSV file's first line; `BadInput` where `read_texts` would raise it."""
    with _reading(path, separator, encoding) as texts:
        return _header(_records(texts, separator), path)


def guess_separator(path: Source, encoding: str = UTF_8) -> str:
    """Return what plainly separates the names in a CSV file's header: the only one of `SEPARATORS` that does, else the comma."""
    plain = [separator for separator in SEPARATORS if separates(path, separator, encoding)]
    if len(plain) > 1:
        # One that stands between quotes splits the header only where it is read by a wrong one.
        with _reading(path, ",", encoding) as texts:
            outside = re.sub('"[^"]*"', "", next(filter(str.strip, _lines(texts))))
        plain = [separator for separator in plain if separator in outside]
    return plain[0] if len(plain) == 1 else ","


def separates(path: Source, separator: str, encoding: str = UTF_8) -> bool:
    """Tell whether a CSV file's header has several names if they lie between such characters."""
    with _reading(path, separator, encoding) as texts:
        try:
            return len(_header(_records(texts, separator), path)) > 1
        except csv.Error:
            return False


def read_texts(
    path: Source, separator: str = ",", columns: Collection[str] | None = None, encoding: str = UTF_8
) -> pd.DataFrame:
    """Read a CSV file (also .gz, .bz2, .xz, .zip) with a header line, every cell as text, in the file's order.

    Only `columns`, where given; names that the header lacks are for the caller to refuse. Lines that are entirely empty are no rows.
    Raises `BadInput` when the file is not there, is no such file, or has a row with more or fewer fields than the header.
    """
    with _reading(path, separator, encoding) as texts:
        header, rows = _scan(texts, separator, path)
        has_returns = _has_returns(texts)
    chosen = [j for j, name in enumerate(header) if columns is None or name in columns]
    with _reading(path, separator, encoding) as texts:
        if has_returns:
            # Where an empty line ends so, pandas shifts the cells of the row after it.
            records = ([record[j] for j in chosen] for record in _records(texts, separator))
            frame = pd.DataFrame(records, columns=chosen, dtype=str)
        else:
            frame = pd.read_csv(
                texts,
                sep=separator,
                dtype=str,
                keep_default_na=False,
                header=None,
                names=range(len(header)),
                index_col=False,
                usecols=chosen,
            )
    if len(frame) != rows + 1:
        raise BadInput(f"{path} has {rows} rows, or {len(frame) - 1} by another reading; put its texts into quotes")
    frame = frame.iloc[1:].reset_index(drop=True)
    return frame.set_axis([header[int(j)] for j in frame.columns], axis=1)


def _scan(texts: IO[str], separator: str, path: Source) -> tuple[list[str], int]:
    """Return the header and the number of rows, once every row is known to fit."""
    records = _records(texts, separator)
    header = _header(records, path)
    number = 0
    for number, record in enumerate(records, start=1):
        if len(record) != len(header):
            fields = f"{len(record)} field{'' if len(record) == 1 else 's'}"
            raise BadInput(
                f"{path}, row {number} has {fields} ({separator.join(record)!r:.80}); the header has {len(header)}"
            )
    return header, number


def _has_returns(texts: IO[str]) -> bool:
    """Tell whether some line that was read ends in a carriage return alone."""
    ends = getattr(texts, "newlines", None) or ()
    return "\r" in ((ends,) if isinstance(ends, str) else ends)


def _records(texts: IO[str], separator: str) -> Iterator[list[str]]:
    reader = csv.reader(_lines(texts), delimiter=separator, strict=True)
    while True:
        began = reader.line_num + 1
        try:
            record = next(reader, None)
        except csv.Error as error:
            raise csv.Error(_what_is_wrong(str(error), began)) from None
        if record is None:
            return
        if record:
            yield record


def _what_is_wrong(said: str, line: int) -> str:
    """Say in our own words what Python's reader complains about in the row that begins in a line."""
    if said.startswith("unexpected end"):
        return f"a quote in the row that begins in line {line} is never closed; close it, or write it twice if it is part of the text"
    if "expected after" in said:
        return f"text follows a closing quote in the row that begins in line {line}; write quotes within a quoted text twice"
    return f"the row that begins in line {line}: {said}"


def _lines(texts: IO[str]) -> Iterator[str]:
    """Yield the lines, none of which is too long to be split into fields."""
    number = 0
    while line := texts.readline(LINE_CHARACTERS + 1):
        number += 1
        if len(line) > LINE_CHARACTERS:
            raise _Unfit(f"line {number} is too long; a line may have {LINE_CHARACTERS:,} characters")
        yield line


def _header(records: Iterator[list[str]], path: Source) -> list[str]:
    header = next(records, None)
    if header is None:
        raise BadInput(f"{path} is empty; its first line must name the columns")
    if any("\0" in name for name in header):
        raise UnicodeError("the header has zero bytes")
    return header


@contextmanager
def _reading(path: Source, separator: str, encoding: str) -> Iterator[IO[str]]:
    if not isinstance(path, Content):
        path = require_file(path)
    if len(separator) != 1 or separator in '"\r\n':
        raise BadInput(
            f"the separator is {separator!r}; it must be one character, and neither a quote nor the end of a line"
        )
    try:
        with _decoded(_opened(path), encoding) as texts:
            yield texts
    except _Unfit as error:
        raise BadInput(f"{path}: {error}") from None
    except UnicodeError as error:
        raise BadInput(
            f"{path} cannot be read as a CSV file in {encoding.upper()}: {_wrong_bytes(path, encoding, error)}"
        ) from None
    except (*_BROKEN, pd.errors.ParserError) as error:
        raise BadInput(f"{path} cannot be read as a CSV file: {error}") from None


def _wrong_bytes(path: Path | Content, encoding: str, error: UnicodeError) -> str:
    """Say which byte is none of the encoding, and which encoding the file is likely to have."""
    with _opened(path) as stream:
        sample = stream.read(_SAMPLE_BYTES)
    where, line = _first_wrong(path) if codecs.lookup(encoding).name == UTF_8 else (str(error), b"")
    likely = _likely_encoding(sample)
    if likely is not None and codecs.lookup(likely) == codecs.lookup(encoding):
        # What is wrong comes after the sample, and tells more than its plain letters.
        likely = _likely_encoding(line) if line and sample.isascii() else None
    if likely is None:
        return f"{where}, and it looks like no text in any encoding; save the table as CSV UTF-8 and give that file"
    return f"{where}; it looks like {likely}, so give that as its encoding (--encoding {likely})"


def _first_wrong(path: Path | Content) -> tuple[str, bytes]:
    """Say which byte is no UTF-8, and return the line that it is in."""
    with _opened(path) as stream:
        for number, line in enumerate(iter(lambda: stream.readline(LINE_CHARACTERS), b""), 1):
            try:
                line.decode(UTF_8)
            except UnicodeDecodeError as error:
                return f"line {number} has the byte {line[error.start]:#04x}", line
            if b"\0" in line:
                return f"line {number} has the byte 0x00", line
    return "it ends in the middle of a letter", b""


def _likely_encoding(sample: bytes) -> str | None:
    """Return the encoding that a text in another one than expected is likely to have; None if it is likely to be no text.

    Single bytes for letters are told from others by the zero bytes that two bytes a letter have for Latin letters.
    """
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for zeros, name in ((sample[1::2], "utf-16-le"), (sample[::2], "utf-16-be")):
        if 2 * zeros.count(0) > len(zeros):
            return name
    if any(byte < 32 and byte not in b"\t\n\r\f\x1a" for byte in sample):
        return None
    for name in (UTF_8, "cp1252"):
        # What the sample cuts off at its end is no error.
        with suppress(UnicodeDecodeError):
            codecs.getincrementaldecoder(name)().decode(sample)
            return name
    return "latin-1"


def _decoded(stream: IO[bytes], encoding: str) -> IO[str]:
    try:
        # UTF-8 with a mark at its beginning is UTF-8.
        return io.TextIOWrapper(
            stream, encoding="utf-8-sig" if codecs.lookup(encoding).name == UTF_8 else encoding, newline=""
        )
    except LookupError:
        stream.close()
        raise BadInput(
            f"the encoding is {encoding!r}, which is none for texts; it must be one such as utf-8, cp1252, latin-1 or utf-16"
        ) from None


def _opened(path: Path | Content) -> IO[bytes]:
    if isinstance(path, Content):
        return _plain(path, io.BytesIO(path.data))
    suffix = path.suffix.lower()
    if suffix in SPREADSHEETS:
        raise BadInput(f"{path} is a spreadsheet{_WAY_OUT}")
    opener = _OPENERS.get(suffix)
    if opener is None:
        return _plain(path, path.open("rb"))
    return io.BufferedReader(_Unpacked(opener(path), path.stat().st_size))


def _plain(path: Path | Content, stream: Any) -> IO[bytes]:
    """Return a stream that is not packed, unless its first bytes are those of another kind of file."""
    kind = _FIRST_BYTES.get(stream.read(4))
    if kind is not None:
        stream.close()
        raise BadInput(f"{path} begins like {kind}{'' if ':' in kind else _WAY_OUT}")
    stream.seek(0)
    found: IO[bytes] = stream
    return found


_WAY_OUT = "; only CSV and Parquet files are read, so save its sheet as CSV UTF-8 and give that file"


class _Unpacked(io.RawIOBase):
    """The content of a packed file, as far as its size allows."""

    def __init__(self, content: IO[bytes], packed: int) -> None:
        self._content = content
        self._most = self._left = unpacked_bytes(packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._content.read(len(buffer))
        self._left -= len(chunk)
        if self._left < 0:
            raise _Unfit(f"it unpacks to more than the {self._most >> 20:,} MiB that are taken from a file of its size")
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        self._content.close()
        super().close()


def _only_member(path: Path) -> IO[bytes]:
    archive = zipfile.ZipFile(path)
    names = archive.namelist()
    if len(names) != 1:
        raise BadInput(f"{path} holds {len(names)} files; it must hold one")
    return archive.open(names[0])


_OPENERS: dict[str, Callable[[Path], Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zip": _only_member,
}
