"""The reply of a command, and how it is printed."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anoptima.documents.writing import not_written
from anoptima.errors import NotWritten

if TYPE_CHECKING:
    from anoptima.answer import Answer

ANSWERED = 0
NEGATIVE = 1
BAD_INPUT = 2
SOLVER_FAILED = 3
NOT_WRITTEN = 4
INTERRUPTED = 130

EXIT_CODES = """\
exit codes:
  0    answered: a release, a table that was verified, a check that holds
  1    the answer is no: infeasible, no solution found in time, not verified, a check that fails
  2    bad input: an option, a column, a value or a file; the message says which and what is allowed
  3    a solver failed: it crashed, hung or ran out of memory, and the best until then is written; or it claimed something false
  4    a file could not be written: its disk is full, or it would be too large; the message names it, all others are written
  130  interrupted before there was an answer"""


@dataclass(frozen=True)
class Reply:
    """A command's result: the text for people, the document for `--json`, the exit code, and notes for standard error.

    `released` is a table that goes to standard output; the text then goes to standard error.
    """

    text: str
    document: dict[str, Any]
    code: int = ANSWERED
    notes: tuple[str, ...] = ()
    released: bytes | None = None


def code_of(answer: Answer[Any], failed: Mapping[str, Exception]) -> int:
    """Return the exit code of an answer, after writing its files; `failed` says which could not be written."""
    return NEGATIVE if answer.solution is None else NOT_WRITTEN if failed else ANSWERED


def notes_of(answer: Answer[Any], failed: Mapping[str, Exception]) -> tuple[str, ...]:
    """Return what a person must be told beside an answer: its notes, and why files could not be written."""
    return (*answer.run.notes, *why_not_written(failed))


def why_not_written(failed: Mapping[str, Exception]) -> tuple[str, ...]:
    """Say why files could not be written, by what they are."""
    return tuple(
        f"the {what} {why}"
        if isinstance(why, NotWritten)
        else f"the {what} is not written: {str(why) or 'out of memory'}"
        for what, why in failed.items()
    )


def say(text: str) -> None:
    """Print to standard output. A reader that has seen enough and left (`| head`) is no error."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    with _reader_may_leave():
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)


def say_bytes(content: bytes) -> None:
    """Write a table to standard output, byte for byte."""
    if sys.stdout is None:
        raise NotWritten("the release could not be written: standard output is closed")
    with _reader_may_leave():
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()


@contextlib.contextmanager
def _reader_may_leave() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        # Whatever is still in the buffer would fail again when Python closes the stream, with a message of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise not_written("standard output", error) from None


def complain(message: str) -> None:
    """Print one line to standard error, if there is one that takes it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"anoptima: {message}", file=sys.stderr, flush=True)


def say_document(document: dict[str, Any]) -> None:
    """Print a document as JSON that any encoding can hold."""
    from anoptima.documents.writing import to_json

    say(to_json(document, ascii_only=True))
