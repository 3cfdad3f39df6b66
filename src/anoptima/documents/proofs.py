"""Proofs as files: the bound, the table that it is about, and the numbers from which anyone can check it.

A file says which problem and which table it is about, names columns and weights, and holds the proof. Nothing in it is believed: `proved`
holds the proof against the table itself.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from anoptima.answer import Answer, Origin, Proof
from anoptima.arguments import checked
from anoptima.documents.questions import (
    Question,
    asked_in,
    kinds_with_documents,
    problem_document,
    table_document,
    table_fields,
)
from anoptima.documents.reading import Content, Source, kept_if_pipe, read_document, refuse_mark, schema_of
from anoptima.documents.writing import atomic, require_room
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, as_fraction, exact_text, simplest
from anoptima.principles.in_a_table import principle_on
from anoptima.problems.base import Problem
from anoptima.problems.given_patterns import GivenPatterns
from anoptima.problems.isolating_columns import IsolatingColumns
from anoptima.problems.table_problem import TableProblem
from anoptima.proofs.box_shares import BoxShares
from anoptima.proofs.box_trees import BoxEnd
from anoptima.proofs.kinds import WrittenProof, proof_as_json, proof_from_json
from anoptima.proofs.own_bound import OwnBound
from anoptima.proofs.reading import Fields
from anoptima.proofs.statements import (
    OLD_SCHEMA,
    ON_POINTS,
    ON_TABLES,
    SCHEMA,
    asked_of_patterns,
    asked_of_points,
    pair,
    patterns_json,
    points_on,
    principle_json,
    principle_statement,
    table_digest,
    table_of,
    under_what_follows,
    unpaired,
)
from anoptima.proofs.version_2 import StatedProof, stated_question, to_version_3
from anoptima.proofs.worths import cheapest_worths
from anoptima.table import Table

PROOF_SCHEMA = "anoptima/certificate/1"
"""What a file of the first version says that it is; written where version 3 has no word for a principle or a value of one's own."""

PROOF_SCHEMAS = (SCHEMA, OLD_SCHEMA, PROOF_SCHEMA)
"""What files that can be read here say that they are: `docs/proof-format.md` describes the first."""


_ON_POINTS = tuple(kind.name for kind in ON_POINTS)

_STATED = (
    "cell-suppression", "attribute-suppression", "identifying-columns", "witness-columns", "isolating-columns",
    "diameter-sum", "given-patterns", *_ON_POINTS,
)  # fmt: skip
"""The problems that version 3 has words for."""


@dataclass(frozen=True)
class ProofDocument(Question):
    """The content of a proof's file; `asked` is a principle from which the stated one follows, if a file was written for one."""

    solver: str
    proof: WrittenProof | StatedProof
    asked: Any = None

    def require_table(self, table: Table, where: str, what: str) -> None:
        """Refuse another table than the one that the proof is about: versions 2 and 3 compare tables as texts."""
        if not isinstance(self.proof, StatedProof):
            super().require_table(table, where, what)
        elif (own := table_digest(self._as_stated(table))) != self.digest:
            raise BadInput(
                f"{where} is {what} for another table: it speaks of a table with digest {self.digest[:12]}..., "
                f"and this one has {own[:12]}..."
            )
        elif self.quasi != table.quasi or tuple(self.weights.values()) != table.weights:
            raise BadInput(f"{where} is {what} for the same table at other weights")

    def _as_stated(self, table: Table) -> Table:
        """Return a table as its digest has it: coordinates in lowest terms."""
        return table_of(points_on(table, self.problem), table.quasi) if self.problem["name"] in _ON_POINTS else table

    def problem_on(self, table: Table, where: str = "the proof", what: str = "a proof") -> Problem[Any]:
        """Return the problem that the proof is about, on `table`; `BadInput` if `table` is another one than the proof's."""
        if self.problem["name"] in _ON_POINTS:
            self.require_table(table, where, what)
            return points_on(table, self.problem)
        if self.problem["name"] == IsolatingColumns.name:
            self.require_table(table, where, what)
            asked = Fields(self.problem, "its problem")
            return IsolatingColumns(table, unpaired(asked.take("share")), asked.whole("k"))
        stated = super().problem_on(table, where, what)
        if self.asked is not None and isinstance(stated, TableProblem):
            # What is said for people counts where it makes sense, and is no fault of the proof where it does not.
            with suppress(BadInput, KeyError, AttributeError, TypeError, ValueError):
                more = replace(stated, principle=principle_on(table, self.asked))
                under_what_follows(more, stated.principle)
                return stated if more.why_infeasible() else more
        return stated

    def stated(self, problem: Problem[Any]) -> Problem[Any]:
        """Return the question that a file of version 2 or 3 states to be proved, which must follow from the problem; else the problem."""
        return self.proof.question(problem) if isinstance(self.proof, StatedProof) else problem

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound that follows for `problem`; `BadInput` with the step that does not hold, or if it is about another table."""
        if isinstance(problem, (*ON_TABLES, *ON_POINTS)):
            self.require_table(table_of(problem, self.quasi), "this", "a proof")
        impossible = problem.why_infeasible()
        if impossible is not None:
            raise BadInput(f"no solution exists, so there is no least cost: {impossible}")
        return self.proof.proved(problem)


def proof_of(answer: Answer[Any]) -> Proof | None:
    """Return an answer's proof; where it has none, the problem's own bound as one; None if no solution exists.

    For points that says nothing: a proof about them shows its shares, or proves 0.
    """
    if answer.proof is not None:
        return answer.proof
    if isinstance(answer.problem, ON_POINTS):
        return BoxShares(0, 1, BoxEnd((), ()))
    if isinstance(answer.problem, GivenPatterns) and answer.problem.why_infeasible() is None:
        return cheapest_worths(answer.problem)
    return None if answer.problem.why_infeasible() is not None else OwnBound(simplest(answer.problem.lower_bound()))


def shortfall(answer: Answer[Any]) -> str:
    """Say that an answer's proof proves less than its bound, where it does; '' where it proves the bound.

    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)), "halving")
    >>> shortfall(answer)
    'the proof reaches 60 of the bound of 64; the rest is the theorem of halving'
    """
    proof, bound = proof_of(answer), answer.bound
    if proof is None or bound is None or proof.value >= bound.value:
        return ""
    claim = "claim" if bound.origin is Origin.BACKEND else "theorem"
    return (
        f"the proof reaches {exact_text(proof.value)} of the bound of {exact_text(bound.value)}; "
        f"the rest is the {claim} of {bound.by}"
    )


def proof_document(
    answer: Answer[Any], source: Mapping[str, Any] | None = None, axes: Sequence[str] = ()
) -> dict[str, Any]:
    """Return what proves an answer's bound, as far as it is proved (`proof_of`), and what it is about, as plain data.

    In version 3 of the format, unless that has no word for a principle or for values that are written the same: then in version 1.
    `source` says where the table came from, for people; `axes` in which of its columns the coordinates of points are. Raises
    `NotApplicable` where nothing is to be proved, or the problem is not about a table or points.
    """
    proof = proof_of(answer)
    try:
        if proof is not None:
            return _stated(answer.problem, proof, answer.solver, source, axes)
    except NotApplicable:
        pass
    return first_document(answer, source)


def _stated(
    problem: Problem[Any], proof: Proof, solver: str, source: Mapping[str, Any] | None, axes: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a document of version 3."""
    if problem.name not in _STATED:
        raise NotApplicable(f"the proof format has no word for {problem.name}")
    asks_more: dict[str, Any] = {}
    if isinstance(problem, TableProblem):
        question = stated_question(problem, proof)
        if question.principle not in (problem.principle, problem.plain.principle):
            asks_more = {"principle": problem.principle.as_json()}
        problem = question
    stated, table = to_version_3(problem, proof), table_of(problem, axes)
    asked: dict[str, Any] = asked_of_points(problem) if isinstance(problem, ON_POINTS) else {"name": problem.name}
    if isinstance(problem, GivenPatterns):
        asked |= asked_of_patterns(problem)
    elif isinstance(problem, TableProblem):
        asked["principle"] = principle_statement(problem.principle, table)
    if problem.name in ("witness-columns", "diameter-sum"):
        asked["k"] = problem.as_json()["k"]
    if isinstance(problem, IsolatingColumns):
        asked |= {"k": problem.k, "share": pair(as_fraction(problem.share, "the share"))}
    return {
        "schema": SCHEMA,
        "about": {
            "solver": solver,
            "keep": list(table.keep),
            "source": dict(source or {}),
            "size": dict(problem.size()),
            **asks_more,
        },
        "problem": asked,
        "table": {
            "digest": table_digest(table),
            "quasi": list(table.quasi),
            "sensitive": list(table.sensitive),
            "weights": [pair(weight) for weight in table.weights],
        },
        "claim": {"bound": pair(Fraction(stated["value"], problem.cost_scale))},
        "proof": stated,
    }


def first_document(answer: Answer[Any], source: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a document of version 1, as `proof_document` does."""
    problem, proof = answer.problem, proof_of(answer)
    if proof is None:
        raise NotApplicable(f"there is nothing to prove a bound of: {problem.why_infeasible()}")
    if not problem.has_documents() or not isinstance(problem, ON_TABLES):
        others = ", ".join(kinds_with_documents(Problem))  # type: ignore[type-abstract]
        raise NotApplicable(f"proofs about {problem.name} have no files; those about {others} do")
    return {
        "schema": PROOF_SCHEMA,
        "problem": problem_document(problem),
        "table": table_document(problem.table, source),
        "solver": answer.solver,
        "proof": proof_as_json(proof),
    }


@checked
def save_proof(
    answer: Answer[Any],
    path: str | os.PathLike[str],
    source: Mapping[str, Any] | None = None,
    axes: Sequence[str] = (),
) -> None:
    """Write an answer's proof to a file that `read_proof` and `anoptima verify` read; warn if it proves less than the bound.

    `axes` are the columns in which the coordinates of fake points are; x1, x2 and so on unless given.

    >>> import tempfile
    >>> import anoptima as ao
    >>> problem = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> answer = ao.solve(problem, "column-lattice")
    >>> path = Path(tempfile.mkdtemp()) / "proof.json"
    >>> ao.save_proof(answer, path)
    >>> ao.read_proof(path).proved(problem)
    7
    """
    target = Path(path)
    text = proof_text(proof_document(answer, source, axes))
    less = shortfall(answer)
    if less:
        warnings.warn(less, stacklevel=2)
    require_room(target, "proof")
    with atomic(target) as stream:
        stream.write(text.encode())


def proof_text(document: Mapping[str, Any]) -> str:
    """Write a proof's document as JSON: a line for each field, and one for each thing in the lists of the proof."""
    proof = [f'    "{name}": {_listed(value)}' for name, value in document["proof"].items()]
    outer = [f'  "{name}": {json.dumps(value, default=str)}' for name, value in document.items() if name != "proof"]
    return "{\n" + ",\n".join([*outer, '  "proof": {\n' + ",\n".join(proof) + "\n  }"]) + "\n}\n"


def _listed(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"      {json.dumps(thing)}" for thing in value) + "\n    ]"
    return json.dumps(value)


def in_newest_version(document: Mapping[str, Any], problem: Problem[Any]) -> dict[str, Any]:
    """Return a document about `problem` in version 3, which the checkers that stand alone read; `NotApplicable` if that has no words.

    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    >>> new = proof_document(answer)
    >>> in_newest_version(new, answer.problem) == in_newest_version(first_document(answer), answer.problem) == new
    True
    """
    if document["schema"] == PROOF_SCHEMA:
        proof = proof_from_json(document["proof"])
        return _stated(problem, proof, document["solver"], document["table"]["source"])
    bound, principle = simplest(unpaired(document["claim"]["bound"])), _stated_principle(document["problem"])
    stated = StatedProof(document["proof"], bound, principle)
    return {**document, "schema": SCHEMA, "proof": stated.in_version_3(problem)}


@checked
def read_proof(path: Source) -> ProofDocument:
    """Read a file of `save_proof`; `BadInput` says in one sentence what is wrong with it. Nothing is proved yet.

    Examples
    --------
    >>> import anoptima as ao, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> ao.save_proof(ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))), f"{folder}/proof.json")
    >>> document = read_proof(f"{folder}/proof.json")
    >>> document.proof.value, document.proof.proved(document.problem_on(ao.ten_rows(), "proof.json", "a proof"))
    (54, 54)
    """
    source = path if isinstance(path, Content) else kept_if_pipe(path)
    if (schema := schema_of(source)) in PROOF_SCHEMAS:
        refuse_mark(source, "proof")
    if schema == PROOF_SCHEMA:
        return read_document(source, PROOF_SCHEMA, "proof", _parsed)
    return read_document(source, OLD_SCHEMA if schema == OLD_SCHEMA else SCHEMA, "proof", _parsed_stated)


def _parsed_stated(data: Mapping[str, Any]) -> ProofDocument:
    fields = Fields(data, "it")
    fields.take("schema")
    about, problem, table = fields.take("about"), fields.take("problem"), fields.take("table")
    if problem["name"] not in _STATED:
        raise BadInput(f"its problem is {problem['name']!r}; it must be one of {', '.join(_STATED)}")
    principle = _stated_principle(problem)
    stated = {"principle": principle}
    if problem["name"] == GivenPatterns.name:
        stated = patterns_json(problem, len(table["quasi"]))
    bound, proof = simplest(unpaired(fields.take("claim")["bound"])), fields.take("proof")
    fields.end()
    if len(table["quasi"]) != len(table["weights"]):
        raise BadInput(
            f"it has {len(table['weights']):,} weights for {len(table['quasi']):,} quasi-identifying columns"
        )
    weights = {name: unpaired(weight) for name, weight in zip(table["quasi"], table["weights"], strict=True)}
    rest = {**table, "keep": about.get("keep", []), "source": about.get("source", {}), "weights": weights}
    return ProofDocument(
        **table_fields(rest),
        problem={**problem, **stated},
        solver=str(about.get("solver", "")),
        proof=StatedProof(proof, bound, principle),
        asked=about.get("principle"),
    )


def _stated_principle(problem: Mapping[str, Any]) -> dict[str, Any] | None:
    return principle_json(problem["principle"]) if problem["name"].endswith("suppression") else None


def _parsed(data: Mapping[str, Any]) -> ProofDocument:
    fields = Fields(data, "it")
    fields.take("schema")
    problem, table = fields.take("problem"), fields.take("table")
    document = ProofDocument(
        **table_fields(table),
        problem=asked_in({"problem": problem}, Problem),  # type: ignore[type-abstract]
        solver=fields.text("solver"),
        proof=proof_from_json(fields.take("proof")),
    )
    fields.end()
    return document
