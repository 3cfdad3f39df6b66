"""Checkpoints: the best solution and proof of a long run, kept in a file from which it can continue.

A checkpoint says which problem and which table it is about, and holds the best solution and the best proof. Both are checked before
anything goes on from them, so an old file, or one that somebody has changed, can make a run refuse to begin, and nothing worse. That is
why a bound is not kept which a backend claims and nothing proves: an answer would repeat what the file says, on nobody's word.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import numpy as np

from anoptima.answer import BoundRaised, Event, Finished, Incumbent, Listener, Proof
from anoptima.documents.reading import read_json
from anoptima.documents.writing import Lock, atomic, require_room, to_json
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import as_fraction
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.table_problem import TableProblem
from anoptima.proofs.kinds import proof_as_json, proof_from_json, proof_kinds
from anoptima.proofs.reading import Fields

S = TypeVar("S")

CHECKPOINT_SCHEMA = "anoptima/checkpoint/1"
"""What a file says that it is. The number grows when a reader of the old one would be misled."""

SECONDS = 10.0
"""How much of a run may be lost: a file is written no more often."""

PAUSE = 20
"""A file of a million rows takes a second or two to write: it is written no more often than this many times that."""


class Checkpoint(Generic[S]):
    """The file of one problem: its content when the run began, and its next content.

    For cell suppression, and for problems that choose columns. One run at a time has the file, until it leaves the context or forgets the
    checkpoint. A file that cannot be written ends no run: `notes` says so.
    """

    def __init__(self, path: str | os.PathLike[str], problem: Problem[S]) -> None:
        self.path = Path(path)
        self.problem = problem
        self.solution: S | None = None
        self.proof: Proof | None = None
        self._asked = _asked(problem)
        self._next = 0.0  # When the file may be written again, by the monotonic clock.
        self._is_new = False
        self._failure = ""
        require_room(self.path, "checkpoint")
        self._lock = Lock(self.path)
        if self.path.exists():
            self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._lock.release()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person must know: why the file does not hold what was found last."""
        return (f"{self._failure}; the run went on without it",) if self._failure else ()

    def before(self, listener: Listener) -> Listener:
        """Return a listener that keeps what there is to keep, and then lets `listener` hear the event."""

        def hear(event: Event) -> bool | None:
            self._take(event)
            return listener(event)

        return hear

    def _take(self, event: Event) -> None:
        if isinstance(event, Incumbent) and event.solution is not None:
            self.solution, self._is_new = event.solution, True
        elif isinstance(event, BoundRaised) and type(event.proof) in proof_kinds.all():
            self.proof, self._is_new = event.proof, True
        is_time = time.monotonic() >= self._next
        if self._is_new and self.solution is not None and (is_time or isinstance(event, Finished)):
            self._write()

    def _write(self) -> None:
        began = time.monotonic()
        assert self.solution is not None
        content = checkpoint_bytes(self.problem, self.solution, self.proof)
        try:
            with atomic(self.path) as stream:
                stream.write(content)
        except OSError as error:
            # What was found is worth more than the file, and there may be room for it the next time.
            self._failure = f"the checkpoint {error}"
        else:
            self._failure = ""
        ended = time.monotonic()
        self._next, self._is_new = ended + max(SECONDS, PAUSE * (ended - began)), False

    def _read(self) -> None:
        data = read_json(self.path)
        fields = Fields(data, str(self.path))
        schema = fields.take("schema")
        if schema != CHECKPOINT_SCHEMA:
            raise BadInput(f"{self.path} is no checkpoint: its schema is {schema!r}; it must be {CHECKPOINT_SCHEMA!r}")
        asked = fields.take("problem")
        if asked != self._asked:
            raise BadInput(
                f"{self.path} is the checkpoint of another run, {_named(asked)}, and this is {_named(self._asked)}; "
                "give it another name, or remove it"
            )
        self.solution = self._solution(fields.take("solution"))
        proof = fields.take("proof")
        self.proof = None if proof is None else proof_from_json(proof)
        fields.end()

    def _solution(self, data: Any) -> S:
        fields = Fields(data, f"the solution in {self.path}")
        solution: Any
        if isinstance(self.problem, CellSuppression):
            labels, rows = fields.wholes("groups"), self.problem.table.rows
            if not all(0 <= label < rows for label in labels):
                raise BadInput(f"the solution in {self.path} has a group that is not numbered from 0 to {rows - 1}")
            solution = Partition.from_labels(np.array(labels, dtype=np.int64))
        else:
            assert isinstance(self.problem, ColumnChoice)
            names = fields.texts("columns")
            unknown = self.problem.unknown_columns(names)
            if unknown:
                raise BadInput(f"the solution in {self.path}: {unknown[0]}")
            solution = self.problem.solution_of([self.problem.table.quasi.index(name) for name in names])
        fields.end()
        wrong = self.problem.violations(solution)
        if wrong:
            raise BadInput(f"{self.path} holds a solution that is none: {wrong[0]}")
        found: S = solution
        return found


def checkpoint_bytes(problem: Problem[S], solution: S, proof: Proof | None) -> bytes:
    """Return what a checkpoint's file holds."""
    document = {
        "schema": CHECKPOINT_SCHEMA,
        "problem": _asked(problem),
        "solution": _solution_as_json(problem, solution),
        "proof": None if proof is None else proof_as_json(proof),
    }
    return json.dumps(document).encode()


def _asked(problem: Problem[Any]) -> dict[str, Any]:
    """Return what tells a problem from all others, as plain data."""
    if not isinstance(problem, CellSuppression | ColumnChoice):
        raise NotApplicable(
            f"there are no checkpoints of {problem.name}; there are of cell suppression and of problems that choose columns"
        )
    table, share = problem.table, getattr(problem, "share", None)
    return {
        "name": problem.name,
        "principle": json.loads(to_json(problem.principle.as_json())) if isinstance(problem, TableProblem) else None,
        "k": getattr(problem, "k", None),
        **({} if share is None else {"share": str(as_fraction(share, "the share"))}),
        "table": table.digest,
        "weights": [str(weight) for weight in table.weights],
    }


def _named(asked: Any) -> str:
    if not isinstance(asked, Mapping):
        return "which is not named"
    under = f" under {json.dumps(asked['principle'])}" if asked.get("principle") else ""
    return f"{asked.get('name')}{under} of the table with digest {str(asked.get('table'))[:12]}..."


def _solution_as_json(problem: Problem[Any], solution: Any) -> dict[str, Any]:
    if isinstance(problem, CellSuppression):
        return {"groups": solution.labels.tolist()}
    assert isinstance(problem, ColumnChoice)
    return {"columns": sorted(problem.table.quasi[j] for j in problem.columns_of(solution))}
