"""Reads a source problem from a file, given its name: the file's suffix chooses the format (`formats`), the caller chooses K."""

from __future__ import annotations

import os
from typing import Any

from anoptima.errors import BadInput
from anoptima.problems.base import problem_kinds
from anoptima.problems.sources.source_problem import ReadableProblem


def readable() -> dict[str, type[ReadableProblem[Any]]]:
    """Return every kind of problem that can be read, by name."""
    return {kind.name: kind for kind in problem_kinds.all() if issubclass(kind, ReadableProblem)}


def read_source(name: str, path: str | os.PathLike[str], k: int | None = None) -> ReadableProblem[Any]:
    """Read a source problem; `k` is K for cliques and the size of edges for hypergraphs, which otherwise the first edge decides."""
    kinds = readable()
    if name not in kinds:
        raise BadInput(f"{name!r} is no problem that is read from a file; those are {', '.join(kinds)}")
    if k is not None and not kinds[name].takes_k:
        takers = " and ".join(kind.name for kind in kinds.values() if kind.takes_k)
        raise BadInput(f"{name} has no k; only {takers} take one from a person")
    return kinds[name].from_file(path, k)
