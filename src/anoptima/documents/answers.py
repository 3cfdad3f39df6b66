"""Answers as JSON documents: all that `verify` needs, all that a person may want to know, and the way back.

A number that is exact is written as an integer where it is whole, and as a text such as "1/3" where it is not: a reader that takes
every number for a float still gets the costs right.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anoptima.answer import Answer, Bound, Budget, Claim, Origin, Stop
from anoptima.documents.reading import local, read_json
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, as_fraction, exact_plain, simplest
from anoptima.principles import Principle, principle_from_json
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.released import released_stars
from anoptima.problems.table_problem import TableProblem
from anoptima.table import Table

ANSWER_SCHEMA = "anoptima/answer/1"
"""What a document says that it is. The number grows when a reader of the old one would be misled."""

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


@dataclass(frozen=True)
class AnswerDocument(Question):
    """What an answer's document says about the table, the problem and the outcome; `certified` is how far its certificate went."""

    claim: Claim
    stop: Stop
    cost: Exact | None
    bound: Bound | None
    certified: Exact | None
    solver: str

    def problem_on(self, table: Table, where: str = "the document") -> TableProblem[Any]:
        """Return the problem that was answered, on `table`; `BadInput` if `table` is another one than the answer's."""
        self.require_table(table, where, "an answer")
        return TABLE_PROBLEMS[self.problem](table, principle_on(table, self.principle))


def answer_document(answer: Answer[Any], source: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return an answer as plain data, ready for `to_json`. `source` says where the table came from, for people.

    Raises `NotApplicable` where the problem releases no table.
    """
    problem = _table_problem(answer)
    return {
        "schema": ANSWER_SCHEMA,
        **outcome_document(answer),
        "stars": stars_by_column(answer),
        "table": table_document(problem.table, source),
    }


def outcome_document(answer: Answer[Any]) -> dict[str, Any]:
    """Return what an answer to any problem claims and how it came about, as plain data, without its solution."""
    problem, run = answer.problem, answer.run
    return {
        "claim": answer.claim.value,
        "stop": answer.stop.value,
        "reason": answer.reason,
        "cost": exact_plain(answer.cost),
        "bound": bound_document(answer.bound),
        "certified": exact_plain(answer.certified),
        "gap": exact_plain(answer.gap),
        "unit": problem.unit,
        "problem": problem_document(problem),
        "solver": run.solver,
        "versions": dict(run.versions),
        "budget": _budget(run.budget),
        "start": run.start.value,
        "seconds": run.seconds,
        "build seconds": run.build_seconds,
        "start seconds": run.start_seconds,
        "prepare seconds": run.prepare_seconds,
        "compiled": None if run.compiled is None else {"since": run.compiled.since, "why": run.compiled.why},
        "model size": dict(run.model_size),
        "notes": list(run.notes),
        "trace": [
            {"seconds": p.seconds, "cost": exact_plain(p.cost), "bound": exact_plain(p.bound)} for p in answer.trace
        ],
    }


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


def read_document(path: str | os.PathLike[str]) -> AnswerDocument:
    """Read what `answer_document` made and `to_json` wrote; `BadInput` says what is wrong with it."""
    data = read_json(path)
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != ANSWER_SCHEMA:
        raise BadInput(
            f"{path} is no answer that can be read here: its schema is {schema!r}; it must be {ANSWER_SCHEMA!r}"
        )
    try:
        return _parsed(data)
    except KeyError as error:
        raise BadInput(f"{path} is no whole answer: {error} is not in it") from None
    except (AttributeError, TypeError, ValueError) as error:
        raise BadInput(f"{path} is no answer that makes sense: {error}") from None


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


def stars_by_column(answer: Answer[Any]) -> dict[str, int] | None:
    """Count the stars of an answer's release in each quasi-identifying column; None where there is no release."""
    if answer.solution is None:
        return None
    table = _table_problem(answer).table
    counts = released_stars(table, answer.release).sum(axis=0)
    return {name: int(count) for name, count in zip(table.quasi, counts, strict=True)}


def bound_document(bound: Bound | None) -> dict[str, Any] | None:
    """Return a bound as plain data."""
    return None if bound is None else {"value": exact_plain(bound.value), "origin": bound.origin.value, "by": bound.by}


def to_json(document: Any, *, ascii_only: bool = False) -> str:
    """Write plain data as JSON; values that JSON has no word for as the text that `str` gives."""
    return json.dumps(document, indent=2, ensure_ascii=ascii_only, default=str)


def schema_of(path: str | os.PathLike[str]) -> str | None:
    """Return what a file says that it is, None if it says nothing: a CSV file, a Parquet file, no file at all."""
    try:
        with local(path).open("rb") as stream:
            if not stream.read(64).lstrip().startswith(b"{"):
                return None
        data = read_json(path)
    except (OSError, BadInput):
        return None
    return str(data["schema"]) if isinstance(data, dict) and "schema" in data else None


def _parsed(data: Mapping[str, Any]) -> AnswerDocument:
    problem, bound, certified = data["problem"], data["bound"], data.get("certified")
    if problem["name"] not in TABLE_PROBLEMS:
        raise BadInput(f"its problem is {problem['name']!r}; it must be one of {', '.join(TABLE_PROBLEMS)}")
    return AnswerDocument(
        **table_fields(data["table"]),
        problem=problem["name"],
        principle=problem["principle"],
        claim=Claim(data["claim"]),
        stop=Stop(data["stop"]),
        cost=None if data["cost"] is None else _read_exact(data["cost"], "the cost"),
        bound=None
        if bound is None
        else Bound(_read_exact(bound["value"], "the bound"), Origin(bound["origin"]), str(bound["by"])),
        certified=None if certified is None else _read_exact(certified, "what is certified"),
        solver=str(data["solver"]),
    )


def table_fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `table_document` wrote, as a `Question` has it."""
    return {
        "digest": str(table["digest"]),
        "quasi": tuple(map(str, table["quasi"])),
        "sensitive": tuple(map(str, table["sensitive"])),
        "keep": tuple(map(str, table["keep"])),
        "weights": {name: _read_exact(weight, f"the weight of {name!r}") for name, weight in table["weights"].items()},
        "source": dict(table["source"]),
    }


def _table_problem(answer: Answer[Any]) -> TableProblem[Any]:
    if not isinstance(answer.problem, TableProblem):
        raise NotApplicable(f"{answer.problem.name} releases no table; only answers to problems that do have documents")
    return answer.problem


def _budget(budget: Budget) -> dict[str, Any]:
    return {
        "seconds": budget.seconds,
        "gap": exact_plain(budget.gap),
        "threads": budget.threads,
        "memory": budget.memory,
        "seed": budget.seed,
    }


def _read_exact(value: Any, what: str) -> Exact:
    return simplest(as_fraction(value, what))
