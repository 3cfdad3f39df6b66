"""Files as they come in: on this machine, no larger and no deeper than `limits` allows, each refused in one sentence otherwise."""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from anoptima.errors import BadInput
from anoptima.limits import DEPTH, DOCUMENT_BYTES
from anoptima.naming import MOST, did_you_mean, near_names

T = TypeVar("T")

SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")
"""How the names of spreadsheets end, which are neither read nor written here."""

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)((::[A-Za-z0-9+.-]+)*)(:/+)")

_OBJECT = re.compile(rb'\s*\{\s*"[^"]*"\s*:')


def local(path: str | os.PathLike[str]) -> Path:
    """Return a file's path; `BadInput` if it is a URL: tables and everything else are local files.

    >>> local("s3://bucket/patients.csv")
    Traceback (most recent call last):
    anoptima.errors.BadInput: s3://bucket/patients.csv is a URL (s3); only local files are read and written here
    """
    text = os.fspath(path)
    match = _URL.match(text)
    # A path keeps one slash of the two, which a folder of that name would have, too.
    if match and (match[4] != ":/" or (len(match[1]) > 1 and not Path(text[: match.end(4)]).is_dir())):
        raise BadInput(f"{text} is a URL ({match[1]}); only local files are read and written here")
    return Path(text)


@dataclass(frozen=True)
class Content:
    """A file's bytes under the name that messages give them: what came through a pipe can be read more than once this way."""

    name: str
    data: bytes

    def __str__(self) -> str:
        return self.name


Source: TypeAlias = str | os.PathLike[str] | Content
"""Where a table is read from."""


def require_file(path: str | os.PathLike[str]) -> Path:
    """Return a local file's path; `BadInput` if there is no file, or a folder.

    >>> require_file("/")
    Traceback (most recent call last):
    anoptima.errors.BadInput: / is a folder; give the name of a file
    """
    found = local(path)
    if found.is_dir():
        raise BadInput(f"{path} is a folder; give the name of a file")
    if found.is_file():
        return found
    raise (
        BadInput(f"{path} is no file but a device or a pipe; it must be a file")
        if found.exists()
        else no_such_file(path)
    )


def no_such_file(path: str | os.PathLike[str]) -> BadInput:
    """Return the refusal of a file that is not there; it names files of similar names in the same folder.

    >>> no_such_file("nowhere/patients.csv").args
    ("nowhere/patients.csv: there is no such file, nor a folder 'nowhere'",)
    """
    found = Path(path)
    if not found.parent.is_dir():
        return BadInput(f"{path}: there is no such file, nor a folder {str(found.parent)!r}")
    with contextlib.suppress(OSError):
        others = sorted(other for other in found.parent.iterdir() if other.is_file())
        stems = near_names(found.stem, dict.fromkeys(other.stem for other in others))
        near = [str(other) for stem in stems for other in others if other.stem == stem][:MOST]
        return BadInput(f"{path}: there is no such file{'; ' if near else ''}{did_you_mean(near)}")
    return BadInput(f"{path}: there is no such file")


def kept_if_pipe(path: str | os.PathLike[str]) -> Source:
    """Return a path, or the content of a pipe: what opens a pipe to see what it is leaves nothing for what reads it."""
    return Content(str(path), found.read_bytes()) if (found := local(path)).is_fifo() else path


def read_utf8(path: Source) -> str:
    """Return a file's text; `BadInput` if it is not there, no text in UTF-8, or larger than `limits.DOCUMENT_BYTES`."""
    try:
        content = path.data if isinstance(path, Content) else _first_bytes(path)
        if len(content) > DOCUMENT_BYTES:
            raise BadInput(f"{path} is too large; it may have {DOCUMENT_BYTES >> 20:,} MiB")
        return content.decode("utf-8-sig")
    except FileNotFoundError:
        raise no_such_file(str(path)) from None
    except IsADirectoryError:
        raise BadInput(f"{path} is a folder; give the name of a file") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} cannot be read as a text in UTF-8: {error}") from None


def _first_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return a file's bytes, as many as a document may have and one more."""
    with local(path).open("rb") as stream:
        mode = os.fstat(stream.fileno()).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise BadInput(f"{path} is no file but a device; it must be a file")
        return stream.read(DOCUMENT_BYTES + 1)


def read_json(path: Source) -> Any:
    """Read a JSON file, every number that is not whole as its text, so that none is rounded."""
    return parse_json(read_utf8(path), str(path), parse_float=str, parse_constant=str)


def read_document(path: Source, schema: str, noun: str, parse: Callable[[Mapping[str, Any]], T]) -> T:
    """Read a JSON document that says of itself that it is of a `schema`; `BadInput` says in one sentence what keeps it from being one."""
    data = read_json(path)
    found = data.get("schema") if isinstance(data, dict) else None
    if found != schema:
        raise BadInput(f"{path} is no {noun} that can be read here: its schema is {found!r}; it must be {schema!r}")
    try:
        return parse(data)
    except KeyError as error:
        raise BadInput(f"{path} is no whole {noun}: {error} is not in it") from None
    except (AttributeError, TypeError, ValueError, ZeroDivisionError, RecursionError) as error:
        raise BadInput(f"{path} is no {noun} that makes sense: {error}") from None


def schema_of(path: Source) -> str | None:
    """Return what a file says that it is, None if it says nothing: a CSV file, a Parquet file, no file at all.

    `BadInput` says what is wrong with a file that begins as a JSON object with a field, and goes on as none: it is cut off, or changed.
    """
    try:
        if not _OBJECT.match(_beginning(path).removeprefix(codecs.BOM_UTF8)):
            return None
        data = read_json(path)
    except OSError:
        return None
    return str(data["schema"]) if isinstance(data, dict) and "schema" in data else None


def refuse_mark(path: Source, noun: str) -> None:
    """Refuse a file that begins with a byte-order mark, where its format has none."""
    if _beginning(path).startswith(codecs.BOM_UTF8):
        raise BadInput(f"{path} begins with a byte-order mark, and a {noun} has none; save it as UTF-8 without one")


def _beginning(path: Source) -> bytes:
    with io.BytesIO(path.data) if isinstance(path, Content) else local(path).open("rb") as stream:
        return stream.read(64)


def parse_json(text: str, where: str, **hooks: Any) -> Any:
    """Return what a JSON text says, no field of an object twice; `where` is what to call it, `hooks` are those of `json.loads`.

    >>> parse_json('{"k": 2, "t": 0.2}', "the question", parse_float=str)
    {'k': 2, 't': '0.2'}
    >>> parse_json("[" * 1000 + "]" * 1000, "the list")
    Traceback (most recent call last):
    anoptima.errors.BadInput: the list is nested too deeply; a JSON document may have 500 levels
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
            raise BadInput(f"{where} has {twice!r} twice in one object; once is enough")
        return found

    try:
        data = json.loads(text, object_pairs_hook=once, **hooks)
    except json.JSONDecodeError as error:
        raise BadInput(f"{where}, line {error.lineno}, column {error.colno}: {error.msg}; it must be JSON") from None
    except RecursionError:
        raise _too_deep(where) from None
    except BadInput:
        raise
    except ValueError:
        # Of whole numbers alone: Python reads no more than 4,300 digits.
        raise BadInput(f"{where} has a number of more than 4,300 digits, which is not read here") from None
    if _depth(data) > DEPTH:
        raise _too_deep(where)
    return data


def _too_deep(where: str) -> BadInput:
    return BadInput(f"{where} is nested too deeply; a JSON document may have {DEPTH} levels")


def _depth(data: Any) -> int:
    """Return how many lists and objects lie within each other, level by level. O(size)."""
    depth, level = 0, [data] if isinstance(data, list | dict) else []
    while level:
        depth += 1
        level = [
            below
            for thing in level
            for below in (thing if isinstance(thing, list) else thing.values())
            if isinstance(below, list | dict)
        ]
    return depth
