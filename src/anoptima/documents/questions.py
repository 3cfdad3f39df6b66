"""What was asked, of which table: the part that the documents of answers, proofs and exports share.

A number that is exact is written as an integer where it is whole, and as a text such as "1/3" where it is not: a reader that takes
every number for a float still gets the costs right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anoptima.errors import BadInput
from anoptima.exact import Exact, as_fraction, exact_plain, simplest
from anoptima.principles import Principle, principle_from_json
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.table_problem import TableProblem
from anoptima.table import Table

TABLE_PROBLEMS: Mapping[str, type[TableProblem[Any]]] = {
    problem.name: problem for problem in (CellSuppression, AttributeSuppression)
}
"""The problems that release a table, by the names that documents give them."""


@dataclass(frozen=True)
class Question:
    """What a document says was asked, and of which table; nothing of it has been checked.

    `source` is what `table_document` was given under that name.
    """

    problem: str
    principle: Mapping[str, Any]
    digest: str
    quasi: Sequence[str]
    sensitive: Sequence[str]
    keep: Sequence[str]
    weights: Mapping[str, Exact]
    source: Mapping[str, Any]

    def require_table(self, table: Table, where: str, what: str) -> None:
        """Refuse another table than the one that was asked about; `what` is what the document holds."""
        if table.digest != self.digest:
            raise BadInput(
                f"{where} is {what} for another table: it speaks of a table with digest {self.digest[:12]}..., "
                f"and this one has {table.digest[:12]}..."
            )


def problem_document(problem: Problem[Any]) -> dict[str, Any]:
    """Return a problem's name, principle (None where it has none) and size as plain data."""
    principle = problem.principle.as_json() if isinstance(problem, TableProblem) else None
    return {"name": problem.name, "principle": principle, "size": dict(problem.size())}


def table_document(table: Table, source: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return which table it is and in what roles, as plain data, with where it came from."""
    return {
        "digest": table.digest,
        "quasi": list(table.quasi),
        "sensitive": list(table.sensitive),
        "keep": list(table.keep),
        "weights": {name: exact_plain(weight) for name, weight in zip(table.quasi, table.weights, strict=True)},
        "source": dict(source or {}),
    }


def table_fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `table_document` wrote, as a `Question` has it."""
    return {
        "digest": str(table["digest"]),
        "quasi": tuple(map(str, table["quasi"])),
        "sensitive": tuple(map(str, table["sensitive"])),
        "keep": tuple(map(str, table["keep"])),
        "weights": {name: read_exact(weight, f"the weight of {name!r}") for name, weight in table["weights"].items()},
        "source": dict(table["source"]),
    }


def principle_on(table: Table, data: Mapping[str, Any]) -> Principle:
    """Return the principle that `data` (of `Principle.as_json`) states, in terms of `table`'s own sensitive values.

    A document can hold texts where a column holds numbers or dates, and the other way round. So where a value in `data` writes the
    same as a value of the column, that one is meant.
    """
    return principle_from_json(_in_own_values(table, data))


def _in_own_values(table: Table, data: Mapping[str, Any]) -> Mapping[str, Any]:
    if "members" in data:
        return {**data, "members": [_in_own_values(table, member) for member in data["members"]]}
    if "space" in data:
        column = data["column"] if data["column"] is not None else next(iter(table.sensitive), None)
        return {**data, "space": space_on(table, column, data["space"])}
    return data


def space_on(table: Table, column: str | None, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return `data` (of `Space.as_json`) with the values of a sensitive `column` in place of what writes the same."""
    known = {str(value): value for value in table.sensitive_column(column).values} if column in table.sensitive else {}

    def own(thing: Any) -> Any:
        if isinstance(thing, Mapping):
            return {name: own(below) for name, below in thing.items()}
        if isinstance(thing, Sequence) and not isinstance(thing, str):
            return [own(below) for below in thing]
        return known.get(str(thing), thing)

    return {key: own(value) if key in ("order", "tree", "values") else value for key, value in data.items()}


def read_exact(value: Any, what: str) -> Exact:
    """Return the number that a document has; `what` is what it is, for the message."""
    return simplest(as_fraction(value, what))
