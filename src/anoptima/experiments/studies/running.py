"""One task, done within its limits: the function that any executor, on this machine or another, is given."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import platform
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from anoptima.answer import Stop
from anoptima.errors import BadInput
from anoptima.experiments.studies.fence import Cause, Ended, Limits, Process, Stopping, command, fenced
from anoptima.experiments.studies.task import Task
from anoptima.machine import processor

RUN_SCHEMA = "anoptima/run/1"
"""The format of a record, as its field `schema` names it."""

START_S = 60.0
"""Seconds beyond its time limit in which a run starts, loads its table, and checks and writes its answer."""

LATE_SHARE = 0.05
"""The share of its limit by which a run may be late in addition."""

AT_OPTIMUM = "optimum"
"""How a run stopped that had the proved optimum of the library's record, and was to go on no longer."""

CHANGED = "changed"
"""What a process leaves in place of a record, where the question is not the one that was planned."""

_AT_END = (AT_OPTIMUM, Stop.PROVED.value)
"""How a run stopped that no longer limit would have made better."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Done:
    """A run's record, and its files by the digest of their content."""

    record: Mapping[str, Any]
    files: Mapping[str, bytes] = field(default_factory=dict)


def environment_of(threads: int) -> dict[str, str]:
    """Return the environment of a run: libraries start this many threads."""
    return {**os.environ, **dict.fromkeys(_THREADS, str(threads))}


def do_task(
    task: Task,
    folder: str,
    cores: Sequence[int] | None = None,
    stop: Stopping | None = None,
    start: Callable[[BinaryIO, Path], Process] | None = None,
) -> Done | None:
    """Do one run in a process of its own; None if `stop` has ended it, `BadInput` if its table has changed since the run was planned.

    `start` starts the process, given a file for what it writes and the folder where it leaves its record; by default, a new Python.
    """
    seconds = task.seconds * (1 + LATE_SHARE) + START_S
    limits = Limits(seconds, task.memory, task.threads, None if cores is None else frozenset(cores))
    began = datetime.now(UTC)
    with tempfile.TemporaryDirectory(prefix="anoptima-run-") as outbox:
        words = (sys.executable, "-m", "anoptima.experiments.studies.child", folder, outbox)
        new = command(words, environment_of(task.threads))
        starting = new if start is None else lambda said: start(said, Path(outbox))
        ended = fenced(starting, json.dumps(task.as_json()), limits, stop or threading.Event())
        if ended.cause is Cause.STOPPED:
            return None
        found, files = _brought(Path(outbox))
    if found is not None and found["status"] == CHANGED:
        raise BadInput(
            f"the table of {task.name!r} has changed since the study began; finished runs are kept, and the next run asks about the new one"
        )
    record = {
        "schema": RUN_SCHEMA,
        "key": task.key,
        "task": task.as_json(),
        **(found or _without_answer(ended, limits)),
        "wall seconds": ended.wall,
        "cpu seconds": ended.cpu,
        "peak bytes": ended.peak,
        "process": "new" if start is None else "forked",
        "limits": {"wall seconds": seconds, "bytes": task.memory, "threads": task.threads, "by": ended.means},
        "machine": machine(),
        "began": began.isoformat(timespec="seconds"),
        "files": {name: digest for name, (digest, _) in files.items()},
    }
    return Done(record, dict(files.values()))


def unsupported(task: Task, why: str) -> Done:
    """Return the record of a run whose solver does not apply to the question."""
    return Done({"schema": RUN_SCHEMA, "key": task.key, "task": task.as_json(), "status": "unsupported", "why": why})


def repeated(task: Task, shorter: Mapping[str, Any] | None, *, uses_limit: bool = False) -> Done | None:
    """Return the record of a run that need not be made, as one under a shorter limit says what would become of it.

    Its solver had or proved the optimum there, or ended by itself and does not use the limit. The record says which run it `repeats`. None
    if that run has no record, or was cut short.
    """
    stands = _AT_END if uses_limit else (*_AT_END, Stop.COMPLETE.value)
    if shorter is None or shorter.get("stop") not in stands:
        return None
    first = shorter.get("repeats", shorter["key"])
    return Done({**shorter, "key": task.key, "task": task.as_json(), "repeats": first})


def machine() -> dict[str, Any]:
    """Return what figures depend on beside versions: the processor, its cores, the system. No names of machines or people."""
    return {"processor": processor(), "cores": os.cpu_count(), "system": platform.system()}


def digest_of(content: bytes) -> str:
    """Return the name under which a file of a run is stored."""
    return hashlib.sha256(content).hexdigest()[:24]


def _brought(outbox: Path) -> tuple[dict[str, Any] | None, dict[str, tuple[str, bytes]]]:
    """Return the record that the process left, if it did, and its files as they are stored."""
    try:
        found = json.loads((outbox / "record.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None, {}
    files = {}
    for name in ("release.csv", "proof.json"):
        path = outbox / name
        if path.exists():
            content = path.read_bytes()
            files[name] = digest_of(content), gzip.compress(content, mtime=0)
    return found, files


def _without_answer(ended: Ended, limits: Limits) -> dict[str, Any]:
    """Return the status of a run that left no record, and why."""
    if ended.cause is Cause.TIME:
        return {"status": "time", "why": f"it was ended after {limits.seconds:.0f} s"}
    if ended.cause is Cause.MEMORY:
        return {"status": "memory", "why": f"it took more than {limits.memory / 2**20:,.0f} MiB and was ended"}
    last = ended.said.strip().splitlines()[-1:] or ["it said nothing"]
    return {"status": "crashed", "why": f"its process {ended.how}: {last[0]}"}
