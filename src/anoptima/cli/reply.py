"""What a command gives back, and how it reaches standard output."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

from anoptima.documents import to_json

ANSWERED = 0
NEGATIVE = 1
BAD_INPUT = 2
SOLVER_FAILED = 3
INTERRUPTED = 130

EXIT_CODES = """\
exit codes:
  0    answered: a release, a table that was verified, a check that holds
  1    the answer is no: infeasible, no solution found in time, not verified, a check that fails
  2    bad input: an option, a column, a value or a file; the message says which and what is allowed
  3    a solver failed: it crashed, hung, ran out of memory or claimed something false
  130  interrupted before there was an answer"""


@dataclass(frozen=True)
class Reply:
    """A command's result: the text for people, the document for `--json`, the exit code."""

    text: str
    document: dict[str, Any]
    code: int = ANSWERED


def say(text: str) -> None:
    """Print to standard output. A reader that has seen enough and left (`| head`) is no error."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except OSError as error:
        # Whatever is still in the buffer would fail again when Python closes the stream, with a message of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise OSError(error.errno, error.strerror, "standard output") from None


def say_document(document: dict[str, Any]) -> None:
    """Print a document as JSON that any encoding can hold."""
    say(to_json(document, ascii_only=True))
