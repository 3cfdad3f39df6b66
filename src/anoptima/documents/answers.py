"""Answers as JSON documents: all that `verify` needs, all that a person may want to know, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from anoptima.answer import Answer, Bound, Budget, Claim, Origin, Stop
from anoptima.documents.questions import Question, asked_in, problem_document, read_exact, table_document, table_fields
from anoptima.documents.reading import Source, read_document
from anoptima.errors import NotApplicable
from anoptima.exact import Exact, exact_plain
from anoptima.problems.base import Problem
from anoptima.problems.released import released_stars
from anoptima.problems.table_problem import TableProblem
from anoptima.table import Table

ANSWER_SCHEMA = "anoptima/answer/1"
"""What a document says that it is. The number grows when a reader of the old one would be misled."""


@dataclass(frozen=True)
class AnswerDocument(Question):
    """What an answer's document says about the table, the problem and the outcome; `proved` is how far its proof went."""

    claim: Claim
    stop: Stop
    cost: Exact | None
    bound: Bound | None
    proved: Exact | None
    solver: str

    def problem_on(self, table: Table, where: str = "the document", what: str = "an answer") -> Problem[Any]:
        """Return the problem that was answered, on `table`; `BadInput` if `table` is another one than the answer's."""
        return super().problem_on(table, where, what)


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
        "proved": exact_plain(answer.proved),
        "confirmed": answer.confirmed or None,
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


def read_answer(path: Source) -> AnswerDocument:
    """Read what `answer_document` made and `to_json` wrote; `BadInput` says what is wrong."""
    return read_document(path, ANSWER_SCHEMA, "answer", _parsed)


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


def _parsed(data: Mapping[str, Any]) -> AnswerDocument:
    bound, proved = data["bound"], data.get("proved", data.get("certified"))
    return AnswerDocument(
        **table_fields(data["table"]),
        problem=asked_in(data, TableProblem),  # type: ignore[type-abstract]
        claim=Claim(data["claim"]),
        stop=Stop(data["stop"]),
        cost=None if data["cost"] is None else read_exact(data["cost"], "the cost"),
        bound=None
        if bound is None
        else Bound(read_exact(bound["value"], "the bound"), _origin(bound["origin"]), str(bound["by"])),
        proved=None if proved is None else read_exact(proved, "what is proved"),
        solver=str(data["solver"]),
    )


def _origin(word: str) -> Origin:
    """Return the origin of that name; older files call a proof a certificate."""
    return Origin.PROOF if word == "certificate" else Origin(word)


def _table_problem(answer: Answer[Any]) -> TableProblem[Any]:
    if not isinstance(answer.problem, TableProblem) or not answer.problem.has_documents():
        raise NotApplicable(
            f"{answer.problem.name} releases no table, or cannot be written down; only answers to problems that do have documents"
        )
    return answer.problem


def _budget(budget: Budget) -> dict[str, Any]:
    return {
        "seconds": budget.seconds,
        "gap": exact_plain(budget.gap),
        "threads": budget.threads,
        "memory": budget.memory,
        "seed": budget.seed,
        "options": dict(budget.options),
    }
