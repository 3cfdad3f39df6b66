"""One run of a study as data: the question, the solver and the limits, and the key that follows from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from anoptima.answer import OptionValue

TASK_SCHEMA = "anoptima/task/1"
"""Part of every key: if the meaning of a task changes, keys change."""


@dataclass(frozen=True)
class Task:
    """One run: a question, a solver, limits.

    Attributes
    ----------
    name
        The question as people call it: the instance, or the table and the principle.
    source
        Where the problem comes from, as `sources.load` reads it.
    question
        What determines the question: the table's digest, the problem, its principle. A moved file is still the same question.
    seconds
        The time limit that the solver is told.
    memory
        Bytes that the run's processes may take together.
    versions
        The packages that decide the outcome.
    rows
        Rows or points of the question, 0 where it has neither: what is small is run first.
    until
        A proved optimum: the run ends once it has a solution of this cost, as nothing better is to be had. None if it goes on.
    """

    name: str
    source: Mapping[str, Any]
    question: Mapping[str, Any]
    solver: str
    options: Mapping[str, OptionValue]
    seconds: float
    seed: int
    threads: int
    memory: int
    versions: Mapping[str, str]
    rows: int = 0
    until: int | str | None = None

    @property
    def key(self) -> str:
        """The digest of everything that decides the outcome.

        >>> task = Task("ten", {"instance": "ten-rows-k3"}, {"k": 3}, "peel", {}, 1.0, 0, 1, 2**30, {"anoptima": "1"})
        >>> moved = Task("ten", {"file": "ten.csv"}, {"k": 3}, "peel", {}, 1.0, 0, 1, 2**30, {"anoptima": "1"})
        >>> task.key == moved.key, len(task.key)
        (True, 24)
        """
        decides = {"schema": TASK_SCHEMA, **asdict(self)}
        for name in ("name", "source", "rows"):
            del decides[name]
        return hashlib.sha256(canonical(decides).encode()).hexdigest()[:24]

    def within(self, seconds: float) -> Task:
        """Return the same task under another time limit."""
        return replace(self, seconds=seconds)

    def as_json(self) -> dict[str, Any]:
        """Return the task as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Task:
        """Return the task that `as_json` wrote."""
        return cls(**data)


def canonical(data: Any) -> str:
    """Write plain data in the one way that digests are made from.

    >>> canonical({"b": 1, "a": [True, "x"]})
    '{"a":[true,"x"],"b":1}'
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
