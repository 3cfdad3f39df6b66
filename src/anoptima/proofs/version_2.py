"""Proofs between the package's own data and version 2 of the format, and on to version 3; nothing here is trusted by a checker.

Names become positions, values whole numbers, lists are sorted, and what the statement says is not said again inside.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from anoptima.answer import Proof
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, as_fraction, exact_plain, simplest
from anoptima.principles import KAnonymity
from anoptima.principles.in_a_table import principle_on
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.table_problem import TableProblem
from anoptima.proofs.kinds import WrittenProof, proof_as_json, proof_from_json
from anoptima.proofs.own_bound import OwnBound
from anoptima.proofs.records import named_columns
from anoptima.proofs.rounded import lighter
from anoptima.proofs.statements import places_of_conditions, principle_statement, table_of, under_what_follows
from anoptima.proofs.version_3 import block_of, changed_tree, lowered, raised

Data = dict[str, Any]

_SIDES = ("open", "shut", "low", "high")


def stated_question(problem: TableProblem[Any], proof: Proof) -> TableProblem[Any]:
    """Return the question that a file is to state: the problem, what it comes to, or, if the proof speaks of that, what follows from it.

    >>> from anoptima import CellSuppression, EntropyDiversity, LDiversity, solve, ten_rows
    >>> weaker = solve(CellSuppression(ten_rows(), LDiversity(2, version="distinct")), "sifting")
    >>> print(stated_question(CellSuppression(ten_rows(), EntropyDiversity(2)), weaker.proof).principle)
    distinct 2-diversity
    """
    data, table = proof_as_json(proof), problem.table
    spoken = {_text(part["principle"]): part["principle"] for part in _within(data) if "principle" in part}
    size = max((part["k"] for part in _within(data) if "k" in part and "denominator" in part), default=1)
    for question in (problem, problem.plain, *_following(problem, proof, list(spoken.values()), size)):
        principle = question.principle
        if spoken.keys() <= {_text(principle.as_json())} and size <= principle.least_size(table):
            with suppress(NotApplicable):
                if _columns(principle_statement(principle, table)) <= named_columns(question):
                    return question
    raise NotApplicable("the proof speaks of what the format has no word for, or its parts of different principles")


def _columns(conditions: list[Data]) -> set[str]:
    """Return the columns that a statement names: its records are told apart by them, and so must be those of the proof."""
    return {condition["column"] for condition in conditions if "column" in condition}


def _following(problem: TableProblem[Any], proof: Proof, spoken: list[Data], size: int) -> Iterator[TableProblem[Any]]:
    """Yield the question under what a proof speaks of, or of which it proves the own bound, if that follows from the problem."""
    with suppress(BadInput):
        if len(spoken) == 1:
            yield under_what_follows(problem, principle_on(problem.table, spoken[0]))
        elif not spoken and size > 1:
            yield under_what_follows(problem, KAnonymity(size))
        elif isinstance(proof, OwnBound):
            smaller = under_what_follows(problem, KAnonymity(problem.principle.least_size(problem.table)))
            proof.proved(smaller)
            yield smaller


def _text(principle: Any) -> str:
    return json.dumps(principle, default=str)


def _within(data: Data) -> Iterator[Data]:
    yield data
    for part in (data.get("proof"), *(block["proof"] for block in data.get("blocks", ()))):
        if isinstance(part, dict):
            yield from _within(part)


def to_version_3(problem: Problem[Any], proof: Proof) -> Data:
    """Return a proof about `problem`, which is one that a file states (`stated_question`), in canonical form."""
    return raised(problem, _written(problem, proof_as_json(proof)))


def _written(problem: Problem[Any], data: Data) -> Data:
    kind = data["kind"]
    value = math.ceil(as_fraction(data["value"], "the value") * problem.cost_scale)
    found: Data = {"kind": kind, "value": max(0, value)}
    for name in ("k", "unit", "denominator", "reach", "whole", "worth", "prices"):
        if name in data:
            found[name] = data[name]
    place = {name: j for j, name in enumerate(table_of(problem).quasi)}
    if "cuts" in data:
        found["cuts"] = [_cut(cut, place) for cut in data["cuts"]]
    if kind in ("branched-multipliers", "group-cases", "mixed-cases"):
        found["tree"] = changed_tree(data["tree"], lambda node: _case(node, place), _SIDES)
    if kind in ("box-shares", "worths"):
        found["tree"] = data["tree"]
    if kind == "worths":
        found["sets"] = data["sets"]
    if "potentials" in data:
        assert isinstance(problem, CellSuppression)
        number = places_of_conditions(problem.principle, problem.table).index
        raised = [
            {**_pattern(its, place), "part": number(its["part"]), "values": its["values"]} for its in data["potentials"]
        ]
        found["potentials"] = sorted(raised, key=lambda its: (its["part"], its["kept"], its["example"]))
    if kind == "hitting-set":
        found |= _hitting(data, place, problem.cost_scale)
    if kind == "rounded-weights":
        assert isinstance(problem, CellSuppression)
        found["proof"] = _written(lighter(problem, data["unit"]), data["proof"])
    if kind == "blocks":
        assert isinstance(problem, CellSuppression)
        blocks = [
            {
                "columns": [place[name] for name in block["columns"]],
                "proof": _written(block_of(problem, block["columns"]), block["proof"]),
            }
            for block in data["blocks"]
        ]
        found["blocks"] = sorted(blocks, key=lambda block: block["columns"])
    return found


def _pattern(data: Data, place: Mapping[str, int]) -> Data:
    return {"kept": sorted(place[name] for name in data["kept"]), "example": data["example"]}


def _cut(cut: Data, place: Mapping[str, int]) -> Data:
    terms = [
        {
            **_pattern(term, place),
            "together": "together" in term,
            "types": sorted(term["together" if "together" in term else "outside"]),
        }
        for term in cut["terms"]
    ]
    terms.sort(key=lambda term: (term["kept"], term["example"]))
    return {"types": sorted(cut["types"]), "divisor": cut["divisor"], "terms": terms}


def _case(node: Data, place: Mapping[str, int]) -> Data:
    if "worth" in node:
        return dict(node)
    if "open" in node:
        return {**_pattern(node, place), "open": node["open"], "shut": node["shut"]}
    rest = {"value": node.get("value"), "most": node["most"]}
    return {**_pattern(node, place), **rest, "low": node["low"], "high": node["high"]}


def _hitting(data: Data, place: Mapping[str, int], scale: int) -> Data:
    sets = [tuple(sorted(place[name] for name in barrier)) for barrier in data["barriers"]]
    order = sorted(set(sets))
    number = {barrier: n for n, barrier in enumerate(order)}

    def walk(tree: Data, decided: dict[int, bool]) -> Data:
        if "shares" in tree:
            shares: dict[int, int] = {}
            for old, share in tree["shares"]:
                new = number[sets[old]]
                shares[new] = shares.get(new, 0) + share * scale
            return {"shares": [[new, share] for new, share in sorted(shares.items()) if share]}
        column = place[tree["column"]]
        if column in decided:
            return walk(tree["taken" if decided[column] else "left"], decided)
        sides = {name: walk(tree[name], {**decided, column: name == "taken"}) for name in ("taken", "left")}
        return {"column": column, **sides}

    return {"barriers": [list(barrier) for barrier in order], "tree": walk(data["tree"], {})}


class StatedProof:
    """A proof of a version 2 or 3 file: the package's own proof is made of it once the problem is known.

    `principle` is what the file states, as plain data; None where it states none. The problem may ask for more.
    """

    def __init__(self, data: Data, value: Exact, principle: Data | None = None) -> None:
        self.data, self.value, self.kind = data, value, str(data["kind"])
        self._principle = principle

    def question(self, problem: Problem[Any]) -> Problem[Any]:
        """Return the question that the file states, which must follow from the problem."""
        if self._principle is None or not isinstance(problem, TableProblem):
            return problem
        stated, table = principle_on(problem.table, self._principle), problem.table
        try:
            words = principle_statement(stated, table)
        except NotApplicable as error:
            raise BadInput(str(error)) from None
        for asked in (problem.plain, problem):
            with suppress(NotApplicable):
                if principle_statement(asked.principle, table) == words:
                    return asked
        return under_what_follows(problem, stated)

    def in_version_3(self, problem: Problem[Any]) -> Data:
        """Return the proof, of either version, in version 3."""
        return raised(self.question(problem), self.data)

    def for_problem(self, problem: Problem[Any]) -> WrittenProof:
        """Return the house's proof about `problem`; `BadInput` if there is none."""
        try:
            stated = self.question(problem)
            return proof_from_json(_read(stated, lowered(stated, self.data)))
        except BadInput:
            raise
        except KeyError as error:
            raise BadInput(f"the proof makes no sense: it has no {error.args[0]!r} where it must have one") from None
        except RecursionError:
            raise BadInput("the proof's cases are nested too deeply to be read here") from None
        except (IndexError, TypeError, AttributeError, ValueError, ZeroDivisionError) as error:
            raise BadInput(
                f"the proof makes no sense: what its kind asks for is not there, or is of another kind ({error})"
            ) from None

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold."""
        proved = self.for_problem(problem).proved(problem)
        if proved != self.value:
            raise BadInput(f"the claim is {self.value}, and the proof is of {proved}")
        return proved


def _read(problem: Any, data: Data) -> Data:
    """Return the house's plain data of a proof in the format."""
    table, kind = table_of(problem), data["kind"]
    found: Data = {
        name: its for name, its in data.items() if name not in ("value", "tree", "barriers", "proof", "blocks")
    }
    found["value"] = exact_plain(simplest(Fraction(data["value"], problem.cost_scale)))
    if kind in ("box-shares", "worths"):
        about = {"principle": problem.principle.as_json()} if isinstance(problem, CellSuppression) else {}
        return {**data, **about, "value": found["value"]}
    if kind not in ("own-bound", "all-partitions", "hitting-set"):
        found["digest"] = table.digest
    if kind in ("groups", "groups-with-cuts", "group-cases", "mixed-cases"):
        problem = _require(problem, TableProblem)
        found["principle"] = problem.principle.as_json()
    names = table.quasi
    if "cuts" in data:
        found["cuts"] = [{**cut, "terms": [_named(term, names) for term in cut["terms"]]} for cut in data["cuts"]]
    if "potentials" in data:
        places = places_of_conditions(problem.principle, table)
        found["potentials"] = [{**_named(its, names), "part": places[its["part"]]} for its in data["potentials"]]
    if kind in ("branched-multipliers", "group-cases", "mixed-cases"):
        found["tree"] = changed_tree(data["tree"], lambda node: _case_read(node, names), _SIDES)
    if kind == "hitting-set":
        found["barriers"] = [[_name(j, names) for j in barrier] for barrier in data["barriers"]]
        found["denominator"] = data["denominator"] * problem.cost_scale
        found["tree"] = changed_tree(data["tree"], lambda node: _choice_read(node, names), ("taken", "left"))
    if kind == "rounded-weights":
        problem = _require(problem, CellSuppression)
        found["proof"] = _read(lighter(problem, data["unit"]), data["proof"])
    if kind == "blocks":
        problem = _require(problem, CellSuppression)
        blocks = [([_name(j, names) for j in block["columns"]], block) for block in data["blocks"]]
        found["blocks"] = [
            {**block, "columns": columns, "proof": _read(block_of(problem, columns), block["proof"])}
            for columns, block in blocks
        ]
    return found


def _require(problem: Any, kind: type[Any]) -> Any:
    if not isinstance(problem, kind):
        raise BadInput(f"the proof is of a rule that says nothing about {problem.name}")
    return problem


def _name(position: Any, names: tuple[str, ...]) -> str:
    if type(position) is not int or not 0 <= position < len(names):
        raise BadInput(f"{position!r} is no column's position")
    return names[position]


def _named(data: Data, names: tuple[str, ...]) -> Data:
    found = {**data, "kept": [_name(j, names) for j in data["kept"]]}
    if "together" in found and "values" not in found:
        found["together" if found.pop("together") else "outside"] = found.pop("types")
    return found


def _case_read(node: Data, names: tuple[str, ...]) -> Data:
    if "worth" in node:
        return dict(node)
    found = {**node, "kept": [_name(j, names) for j in node["kept"]]}
    if found.get("value", 0) is None:
        del found["value"]
    return found


def _choice_read(node: Data, names: tuple[str, ...]) -> Data:
    return dict(node) if "shares" in node else {**node, "column": _name(node["column"], names)}
