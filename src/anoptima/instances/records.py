"""Records: the best known solution and proof of an instance, and their history.

A record is a folder: `instance.json` says what was asked (sizes, a digest), `best.json` has the least solution that is known,
`bound.json` the proof of the highest bound, `history.json` what superseded what. Nothing in it is believed: whether it is proved, bracketed
or feasible is computed by `examined`, which loads the instance, checks the solution, and checks the proof against the table.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from anoptima.documents.proofs import read_proof
from anoptima.documents.questions import problem_document
from anoptima.documents.reading import read_json
from anoptima.documents.writing import Lock, atomic
from anoptima.errors import BadInput
from anoptima.exact import Exact, as_fraction, exact_plain, exact_text, simplest
from anoptima.instances.solutions import solution_as_json, solution_from_json
from anoptima.problems.base import Problem
from anoptima.table import Table

T = TypeVar("T")

SCHEMA = "anoptima/instance/1"
"""What `instance.json` says that it is."""

PARTS = ("instance.json", "best.json", "bound.json", "history.json")

ENTRY = ("what", "value", "by", "when", "version", "machine", "seconds")
"""What an entry of `history.json` says."""

MOST_BYTES = 4 << 20
"""The largest proof or solution that a record takes. Larger ones would outweigh the package."""


def records_folder() -> Path:
    """Return the folder of the records that come with the package."""
    return Path(str(resources.files("anoptima.instances"))) / "records"


@dataclass(frozen=True)
class Record:
    """A record as it lies in its folder; all of it may be missing."""

    folder: Path

    @property
    def name(self) -> str:
        """The instance's name."""
        return self.folder.name

    @cached_property
    def stated(self) -> Mapping[str, Any]:
        """The content of `instance.json`."""
        return self._read("instance.json", dict, {})

    @property
    def size(self) -> Mapping[str, int]:
        """The size of the problem as `instance.json` states it; empty where it states none."""
        return self._read("instance.json", _size, {})

    @cached_property
    def history(self) -> Sequence[Mapping[str, Any]]:
        """The history of superseded solutions and proofs, the latest last."""
        return self._read("history.json", lambda read: [_happened(entry) for entry in read], ())

    @property
    def cost(self) -> Exact | None:
        """The cost that the latest best solution had when it was checked."""
        return self._latest("best")

    @property
    def bound(self) -> Exact | None:
        """The bound that the latest proof had when it was checked; nothing less than the problem's own."""
        return self._latest("bound")

    def solution(self, problem: Problem[Any]) -> Any:
        """Return the best known solution; None if there is none."""
        return self._read("best.json", lambda data: solution_from_json(problem, data["solution"]), None)

    @property
    def proof_path(self) -> Path | None:
        """The path of the proof; None without one."""
        path = self.folder / "bound.json"
        return path if path.is_file() else None

    def _latest(self, what: str) -> Exact | None:
        values = [entry["value"] for entry in self.history if entry["what"] == what]
        return simplest(as_fraction(values[-1], what)) if values else None

    def _read(self, part: str, parse: Callable[[Any], T], missing: T) -> T:
        path = self.folder / part
        if not path.is_file():
            return missing
        data = read_json(path)
        try:
            return parse(data)
        except KeyError as error:
            raise BadInput(f"{path} is no whole part of a record: {error} is not in it") from None
        except (AttributeError, TypeError, ValueError) as error:
            raise BadInput(f"{path} is no part of a record that makes sense: {error}") from None


def _size(data: Mapping[str, Any]) -> dict[str, int]:
    return {what: int(count) for what, count in data["problem"].get("size", {}).items()}


def _happened(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry of a history. Decimals come as text, so that nothing is rounded; seconds are no more than figures."""
    as_fraction(entry["value"], str(entry["what"]))
    seconds = entry["seconds"]
    return {**{key: entry[key] for key in ENTRY}, "seconds": None if seconds is None else float(seconds)}


def record_of(name: str, folder: Path | None = None) -> Record:
    """Return the record of an instance, in the package or in a folder of one's own."""
    return Record((folder or records_folder()) / name)


def require_writable(folder: Path | None) -> None:
    """Refuse a folder of records that could not be written to in the end, before hours go into what is to be written there."""
    wanted = folder or records_folder()
    nearest = next(path for path in (wanted, *wanted.absolute().parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise BadInput(f"{wanted}: records cannot be written there; --records names another folder")


@dataclass(frozen=True)
class Finding:
    """The state of a record, computed from the instance, the solution and the proof alone, never from the record's own claims."""

    name: str
    cost: Exact | None
    bound: Exact
    wrong: tuple[str, ...]
    why_infeasible: str | None = None

    @property
    def status(self) -> str:
        """'wrong', 'infeasible', 'proved', 'bracketed', 'feasible' (nothing but 0 is proved) or 'open' (no solution)."""
        if self.wrong:
            return "wrong"
        if self.why_infeasible is not None:
            return "infeasible"
        if self.cost is None:
            return "open"
        if self.cost == self.bound:
            return "proved"
        return "bracketed" if self.bound else "feasible"


def examined(record: Record, problem: Problem[Any]) -> Finding:
    """Check a record against its instance: is this the problem, does the solution hold and cost that, does the proof prove that?"""
    infeasible = problem.why_infeasible()
    try:
        # The history first, which is written last: what is read after it is at least as good as it says, even if somebody writes meanwhile.
        told = record.cost, record.bound, record.size
        solution, stated = record.solution(problem), record.stated
        bound = proved_by(record.proof_path, problem) if infeasible is None else 0
    except BadInput as error:
        return Finding(record.name, None, 0, (str(error),), infeasible)
    wrong, cost = [], None
    if stated and stated.get("digest") != digest_of(problem):
        wrong.append(f"it is about another instance than {record.name}: the digest is another")
    if solution is not None:
        faults = problem.violations(solution)
        wrong += faults[:1]
        cost = None if faults else problem.cost(solution)
        if cost is not None and told[0] is not None and cost > told[0]:
            wrong.append(f"the solution costs {exact_text(cost)} and the history says {exact_text(told[0])}")
    if infeasible is None and told[1] is not None and bound < told[1]:
        wrong.append(
            f"the history says that nothing costs less than {exact_text(told[1])}; proved is {exact_text(bound)}"
        )
    if cost is not None and bound > cost:
        wrong.append(f"a bound of {exact_text(bound)} is above the cost of {exact_text(cost)}")
    return Finding(record.name, cost, bound, tuple(wrong), infeasible)


def proved_by(proof: Path | None, problem: Problem[Any]) -> Exact:
    """Return the bound that a proof's file proves, or the problem's own bound if that is higher."""
    own = problem.lower_bound()
    return own if proof is None else max(own, read_proof(proof).proved(problem))


def digest_of(problem: Problem[Any]) -> str:
    """Return the digest of a problem: of its table and its statement, or of all of its data where it has no table."""
    table = getattr(problem, "table", None)
    data = [problem_document(problem), table.digest if isinstance(table, Table) else repr(problem)]
    return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()


@dataclass(frozen=True)
class Submission:
    """A submission: a solution, the text of a proof's file, or both; who found it, in how many seconds, on what processor."""

    solution: Any = None
    proof: str | None = None
    by: str = ""
    seconds: float | None = None
    machine: str = ""


def submit(problem: Problem[Any], name: str, sent: Submission, folder: Path | None = None) -> list[str]:
    """Enter improvements into a record and return what they are; nothing is written unless it is checked and better.

    Solutions and proofs are data; no code of a submission runs. A solver's claim without a proof changes no bound. The history is written
    last: where the files before it are all that was written, they are better than it says, and who sends the same again completes it.
    """
    record = record_of(name, folder)
    before = examined(record, problem)
    if before.wrong:
        raise BadInput(f"the record of {name} is wrong as it is: {before.wrong[0]}")
    said, history, least = [], list(record.history), before.cost
    files: dict[str, str] = {}
    if sent.solution is not None:
        faults = problem.violations(sent.solution)
        if faults:
            raise BadInput(f"this is no solution of {name}: {faults[0]}")
        cost = problem.cost(sent.solution)
        if (before.cost is None or cost <= before.cost) and (record.cost is None or cost < record.cost):
            files["best.json"] = json.dumps({"solution": solution_as_json(sent.solution)}) + "\n"
            history.append(_entry("best", cost, sent))
            said.append(
                f"{name}: {problem.describe_cost(cost)}"
                + ("" if before.cost is None else f", was {exact_text(before.cost)}")
            )
        least = cost if least is None else min(cost, least)
    bound = before.bound
    if sent.proof is not None and problem.why_infeasible() is None:
        bound = _proved(sent.proof, problem)
        if least is not None and bound > least:
            raise BadInput(
                f"the proof claims {exact_text(bound)} for {name}, above a solution's cost of {exact_text(least)}"
            )
        if bound > before.bound:
            files["bound.json"] = sent.proof
    if record.bound is None or (sent.proof is not None and bound >= before.bound and bound > record.bound):
        history.append(_entry("bound", bound, sent))
        said.append(f"{name}: nothing costs less than {exact_text(bound)}")
    for part, text in files.items():
        if len(text) > MOST_BYTES:
            raise BadInput(f"{part} for {name} has {len(text) >> 20} MiB; a record takes {MOST_BYTES >> 20}")
    if said:
        files["instance.json"] = json.dumps(_statement(problem, name), indent=1) + "\n"
        files["history.json"] = json.dumps(history, indent=1) + "\n"
        if not _written(files, record):
            return submit(problem, name, sent, folder)
    return said


def _written(files: Mapping[str, str], record: Record) -> bool:
    """Write parts of a record, unless somebody else wrote it after it was read; return whether they are written."""
    record.folder.mkdir(parents=True, exist_ok=True)
    lock = Lock(record.folder, wait=True)
    try:
        if Record(record.folder).history != record.history:
            return False
        for part, text in files.items():
            with atomic(record.folder / part) as stream:
                stream.write(text.encode())
    finally:
        lock.release()
    return True


def _proved(text: str, problem: Problem[Any]) -> Exact:
    """Prove a bound again from a proof's text, by way of a file: it is read as any other is."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof.json"
        path.write_text(text, encoding="utf-8")
        try:
            return proved_by(path, problem)
        except BadInput as error:
            raise BadInput(str(error).replace(str(path), "the proof")) from None


def _entry(what: str, value: Exact, sent: Submission) -> dict[str, Any]:
    return {
        "what": what,
        "value": exact_plain(value),
        "by": sent.by,
        "when": datetime.now(UTC).date().isoformat(),
        "version": version("anoptima"),
        "machine": sent.machine,
        "seconds": None if sent.seconds is None else round(sent.seconds, 2),
    }


def _statement(problem: Problem[Any], name: str) -> dict[str, Any]:
    return {"schema": SCHEMA, "name": name, "digest": digest_of(problem), "problem": problem_document(problem)}
