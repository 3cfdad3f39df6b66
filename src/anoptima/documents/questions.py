"""The question and its table: the common part of the documents of answers, proofs and exports.

A number that is exact is written as an integer where it is whole, and as a text such as "1/3" where it is not: a reader that takes
every number for a float still gets the costs right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from anoptima.errors import BadInput
from anoptima.exact import Exact, as_fraction, exact_plain, simplest
from anoptima.problems.base import Problem, problem_kinds
from anoptima.table import Table

P = TypeVar("P", bound=Problem[Any])


def kinds_with_documents(base: type[P]) -> dict[str, type[P]]:
    """Return the kinds of problems below `base` that can be written down and read back, by name.

    >>> from anoptima.problems.table_problem import TableProblem
    >>> sorted(kinds_with_documents(TableProblem))
    ['attribute-suppression', 'cell-suppression', 'given-patterns']
    """
    kinds = problem_kinds.all()
    return {kind.name: kind for kind in kinds if issubclass(kind, base) and kind.has_documents()}


def asked_in(data: Mapping[str, Any], base: type[Problem[Any]]) -> Mapping[str, Any]:
    """Return what a document says of its problem, which must be of a kind below `base` that can be written down."""
    problem: Mapping[str, Any] = data["problem"]
    known = kinds_with_documents(base)
    if problem["name"] not in known:
        raise BadInput(f"its problem is {problem['name']!r}; it must be one of {', '.join(known)}")
    if problem["principle"] is not None and not isinstance(problem["principle"], Mapping):
        raise TypeError(f"its principle is {problem['principle']!r}")
    return problem


@dataclass(frozen=True)
class Question:
    """What a document says was asked, and of which table; nothing of it has been checked.

    `problem` is what `problem_document` made, `source` what `table_document` was given under that name.
    """

    problem: Mapping[str, Any]
    digest: str
    quasi: Sequence[str]
    sensitive: Sequence[str]
    keep: Sequence[str]
    weights: Mapping[str, Exact]
    source: Mapping[str, Any]

    def problem_on(self, table: Table, where: str, what: str) -> Problem[Any]:
        """Return the problem that the document is about, on `table`; `BadInput` if `table` is another one."""
        self.require_table(table, where, what)
        try:
            return problem_kinds.get(self.problem["name"]).from_json(table, self.problem)
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None
        except (KeyError, AttributeError, TypeError) as error:
            raise BadInput(f"{where} has a principle that makes no sense: {error!r}") from None

    def require_table(self, table: Table, where: str, what: str) -> None:
        """Refuse another table than the one that was asked about; `what` is what the document holds."""
        if table.digest != self.digest:
            raise BadInput(
                f"{where} is {what} for another table: it speaks of a table with digest {self.digest[:12]}..., "
                f"and this one has {table.digest[:12]}..."
            )


def problem_document(problem: Problem[Any]) -> dict[str, Any]:
    """Return a problem's name, principle (None where it has none), size, and whatever else states it beside its table, as plain data."""
    stated = problem.as_json() if problem.has_documents() else {}
    return {"name": problem.name, "principle": None, **stated, "size": dict(problem.size())}


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


def read_exact(value: Any, what: str) -> Exact:
    """Return the number that a document has; `what` is what it is, for the message."""
    return simplest(as_fraction(value, what))
