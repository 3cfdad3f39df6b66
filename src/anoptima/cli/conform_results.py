"""Results of conformance checks in a file, one line each, so that a run of hours that was interrupted goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import anoptima
from anoptima.errors import BadInput
from anoptima.testing.checks import Check, Fault, State, Verdict

Key = tuple[str, str, str]


class Results:
    """What is known of checks from earlier runs of the same version, and the file that new results are added to."""

    def __init__(self, known: Mapping[Key, Verdict], stream: TextIO | None) -> None:
        self._known = known
        self._stream = stream

    def of(self, kind: str, check: Check, unless_ended: Callable[[], None]) -> Verdict:
        """Return what came of a check of a kind of thing before, or put it to the test now.

        `unless_ended` raises if the check was interrupted: its verdict then means nothing.
        """
        known = self._known.get((kind, check.subject, check.name))
        if known is not None:
            return known
        began = time.monotonic()
        verdict = check()
        unless_ended()
        if self._stream is not None:
            said = {"version": anoptima.__version__, "kind": kind, **verdict.as_dict()}
            self._stream.write(json.dumps(said | {"seconds": round(time.monotonic() - began, 3)}) + "\n")
        return verdict


@contextmanager
def kept_in(file: Path | None) -> Iterator[Results]:
    """Give the results that a file has, and have new ones added to it; without a file none are known or kept.

    What follows the last end of a line was cut off when a run ended, and goes.
    """
    if file is None:
        yield Results({}, None)
        return
    try:
        before = file.read_bytes() if file.exists() else b""
        whole = before[: before.rfind(b"\n") + 1]
        known = dict(_known(file, whole))
        stream = file.open("a", encoding="utf-8", buffering=1)
        stream.truncate(len(whole))
    except OSError as error:
        raise BadInput(f"results cannot be kept in {file}: {error.strerror}") from None
    with stream:
        yield Results(known, stream)


def _known(file: Path, whole: bytes) -> Iterator[tuple[Key, Verdict]]:
    """Yield the results of this version that were not red."""
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            said: dict[str, Any] = json.loads(line)
            fault = said["fault"] and Fault(said["fault"])
            verdict = Verdict(said["subject"], said["check"], State(said["state"]), said["words"], fault)
            kind, made_by = said["kind"], said["version"]
        except (ValueError, KeyError, TypeError):
            raise BadInput(f"line {number} of {file} is no result of a conformance check; give another file") from None
        if verdict and made_by == anoptima.__version__:
            yield (kind, verdict.subject, verdict.check), verdict
