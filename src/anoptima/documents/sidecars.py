"""Sidecars: JSON documents that say of which problem and table a model's file is, and what every column in it means."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anoptima.documents.questions import kinds_with_documents, problem_document, table_fields
from anoptima.documents.reading import read_document
from anoptima.documents.writing import to_json
from anoptima.errors import BadInput
from anoptima.exact import Number
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem
from anoptima.table import Table

EXPORT_SCHEMA = "anoptima/export/1"
"""What a sidecar says that it is. The number grows when a reader of the old one would be misled."""


@dataclass(frozen=True)
class Sidecar:
    """The content of a sidecar; `columns` are pairs of a name in the file and what it means."""

    where: str
    problem: Mapping[str, Any]
    table: Mapping[str, Any] | None
    model: str
    format: str
    columns: Sequence[tuple[str, str]]

    def problem_on(self, table: Table) -> TableProblem[Any]:
        """Return the problem whose model was exported, on `table`; `BadInput` if `table` is another one."""
        known = kinds_with_documents(TableProblem)  # type: ignore[type-abstract]
        if str(self.problem["name"]) not in known:
            raise BadInput(
                f"{self.where} is of a problem {self.problem['name']!r}, which a document does not hold in full; "
                f"it must be one of {', '.join(known)}"
            )
        self._require_table(table)
        try:
            return known[self.problem["name"]].from_json(table, self.problem)
        except (KeyError, AttributeError, TypeError) as error:
            raise BadInput(f"{self.where} has a principle that makes no sense: {error!r}") from None

    def require(self, problem: Problem[Any]) -> None:
        """Refuse any problem but the one whose model was exported."""
        if problem.name != self.problem["name"]:
            raise BadInput(f"{self.where} is of the problem {self.problem['name']!r}, and this one is {problem.name!r}")
        if isinstance(problem, TableProblem):
            self._require_table(problem.table)
        own = json.loads(to_json(problem_document(problem)), parse_float=str)
        for what in own:
            if own[what] != self.problem.get(what):
                raise BadInput(f"{self.where} has {what} {self.problem.get(what)}, and this problem has {own[what]}")

    def _require_table(self, table: Table) -> None:
        digest = "" if self.table is None else str(self.table["digest"])
        if table.digest != digest:
            raise BadInput(
                f"{self.where} is of another table: it speaks of a table with digest {digest[:12]}..., "
                f"and this one has {table.digest[:12]}..."
            )

    def weights(self) -> dict[str, Number]:
        """Return the weights of the table's columns as they are written."""
        return {} if self.table is None else dict(self.table["weights"])


def sidecar_path(path: Path) -> Path:
    """Return where the sidecar of a model's file goes: beside it, ending in .json."""
    sidecar = path.with_suffix(".json")
    if sidecar == path:
        raise BadInput(f"{path} is where the sidecar must go; give the model a name with another ending than .json")
    return sidecar


def read_sidecar(path: str | os.PathLike[str]) -> Sidecar:
    """Read the sidecar that `export_model` wrote beside a model; `BadInput` says what is wrong."""

    def parse(data: Mapping[str, Any]) -> Sidecar:
        problem, table = data["problem"], data["table"]
        _ = problem["name"], problem["principle"], problem["size"]
        if table is not None:
            table_fields(table)
        columns = [(str(name), str(meaning)) for name, meaning in data["columns"]]
        return Sidecar(str(path), problem, table, str(data["model"]), str(data["format"]), columns)

    return read_document(path, EXPORT_SCHEMA, "sidecar", parse)
