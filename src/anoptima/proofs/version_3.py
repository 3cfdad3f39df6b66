"""Version 3 of the format beside version 2: one rule for cases, and one for parts, in the place of eight.

Version 2 has a rule for each kind of proof that the package knows. In version 3 six of them are written as `cases`, with a worth for each
record and an end or a tree of them, and `blocks` and `rounded-weights` as `parts`. `raised` writes a proof of version 2 so; `lowered` reads
`cases` as `mixed-cases`, which has all of them, and finds which of the others `parts` are. Nothing here is trusted by a checker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from anoptima.errors import BadInput
from anoptima.principles import CloseOnTree
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.problems.given_patterns import GivenPatterns
from anoptima.proofs.records import record_of_row
from anoptima.proofs.rounded import lighter

Data = dict[str, Any]

CASES = ("denominator", "reach", "whole", "cuts", "potentials", "tree")
"""The fields of `cases`, besides its kind and value."""

_OF_TYPES = ("multipliers", "branched-multipliers", "near")
"""Kinds of version 2 with a worth for each row type; the other kinds that are now cases have one for each record."""

_SIDES = ("low", "high")


def block_of(problem: CellSuppression, columns: Sequence[str]) -> CellSuppression:
    """Return the problem on some of its columns, at their weights."""
    return CellSuppression(problem.table.restricted(list(columns)), problem.principle)


def raised(problem: Any, data: Data) -> Data:
    """Return a proof of version 2 in version 3.

    >>> from anoptima import KAnonymity, ten_rows
    >>> old = {"kind": "multipliers", "value": 0, "k": 3, "denominator": 1, "cuts": [], "worth": [0] * 10, "prices": []}
    >>> raised(CellSuppression(ten_rows(), KAnonymity(3)), old)["tree"]
    {'worth': [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 'prices': [], 'limited': []}
    """
    kind, about = data["kind"], {"value": data["value"]}
    if kind == "worths" and isinstance(problem, GivenPatterns):
        return {
            "kind": "cases",
            **about,
            "denominator": data["denominator"],
            "tree": {"worth": data["tree"]["worth"]},
        }
    if kind == "worths":
        return {**data, "kind": "row-cases"}
    names = problem.table.quasi if isinstance(problem, CellSuppression) else ()
    if kind == "rounded-weights":
        light = lighter(problem, data["unit"])
        columns = [names.index(name) for name in light.table.quasi]
        part = _part(columns, light, data["unit"], raised(light, data["proof"]))
        return {"kind": "parts", **about, "parts": [part]}
    if kind == "blocks":
        parts = []
        for its in data["blocks"]:
            block = block_of(problem, [names[j] for j in its["columns"]])
            unit = problem.cost_scale // block.cost_scale
            parts.append(_part(its["columns"], block, unit, raised(block, its["proof"])))
        return {"kind": "parts", **about, "parts": parts}
    if kind not in (*_OF_TYPES, "groups", "groups-with-cuts", "group-cases", "mixed-cases"):
        return data
    types = _types_of_records(problem) if kind in _OF_TYPES else None

    def members(some: list[int]) -> list[int]:
        return some if types is None else [r for r in range(len(types)) if types[r] in set(some)]

    def named(its: Data) -> Data:
        example = its["example"] if types is None else types.index(its["example"])
        return {"kept": its["kept"], "example": example}

    def end(its: Data) -> Data:
        worth = its["worth"] if types is None else [its["worth"][t] for t in types]
        prices = its.get("prices", [])
        is_of_limits = kind == "group-cases"
        return {
            "worth": worth,
            "prices": [] if is_of_limits else prices,
            "limited": prices if is_of_limits else its.get("limited", []),
        }

    def node(its: Data) -> Data:
        if "worth" in its:
            return end(its)
        low, high = ("shut", "open") if "open" in its else _SIDES
        decided = {"value": its.get("value"), "most": its.get("most", 0)}
        return {**named(its), **decided, "low": its[low], "high": its[high]}

    cuts = [
        {
            "records": members(cut["types"]),
            "divisor": cut["divisor"],
            "terms": [
                {**named(term), "together": term["together"], "records": members(term["types"])}
                for term in cut["terms"]
            ],
        }
        for cut in data.get("cuts", [])
    ]
    return {
        "kind": "cases",
        **about,
        "denominator": data["denominator"],
        "reach": data.get("reach"),
        "whole": data.get("whole", kind == "group-cases" and _is_close(problem)),
        "cuts": cuts,
        "potentials": data.get("potentials", []),
        "tree": changed_tree(data.get("tree", data), node, _SIDES),
    }


def _part(columns: list[int], problem: CellSuppression, unit: int, proof: Data) -> Data:
    weights = [int(weight) for weight in problem.table.scaled_weights]
    return {"columns": columns, "weights": weights, "unit": unit, "proof": proof}


def _is_close(problem: CellSuppression) -> bool:
    return any(isinstance(condition, CloseOnTree) for condition in problem.plain.principle.conditions(problem.table))


def _types_of_records(problem: CellSuppression) -> list[int]:
    """Return the row type of each record."""
    first = np.unique(record_of_row(problem), return_index=True)[1]
    return [int(t) for t in np.asarray(problem.table.type_of_row)[first]]


def lowered(problem: Any, data: Data) -> Data:
    """Return a proof of version 3 by a kind that the package knows, in the words of version 2; `BadInput` where there is none.

    >>> from anoptima import KAnonymity, ten_rows
    >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
    >>> lowered(problem, {"kind": "cases", "value": 0, "denominator": 1, "reach": 2, "whole": False, "cuts": [], "potentials": [],
    ...     "tree": {"worth": [0] * 10, "prices": [], "limited": []}})["kind"]
    'mixed-cases'
    """
    if isinstance(problem, GivenPatterns) and data["kind"] == "cases":
        return {**data, "kind": "worths", "sets": [], "tree": {**data["tree"], "prices": []}}
    if isinstance(problem, CellSuppression | DiameterSum) and data["kind"] == "row-cases":
        return {**data, "kind": "worths"}
    if data["kind"] not in ("cases", "parts"):
        return data
    if not isinstance(problem, CellSuppression):
        raise BadInput(f"the proof is of a rule that says nothing about {problem.name}")
    fields = CASES if data["kind"] == "cases" else ("parts",)
    if set(data) != {"kind", "value", *fields}:
        raise BadInput(f"a proof by {data['kind']} must have the fields value, {', '.join(fields)} and no others")
    return _case(data) if data["kind"] == "cases" else _sum(problem, data)


_UNKNOWN = "anoptima's own checker has no rule for such a proof"


def _sum(problem: CellSuppression, data: Data) -> Data:
    """Return a proof by parts as one by blocks, or by rounded weights."""
    names, parts = problem.table.quasi, data["parts"]
    if any(not all(type(j) is int and 0 <= j < len(names) for j in part["columns"]) for part in parts):
        raise BadInput("a part has a column that is not there")
    blocks = [(part, block_of(problem, [names[j] for j in part["columns"]])) for part in parts if part["columns"]]
    about = {"value": data["value"]}
    if len(blocks) == len(parts) and all(
        _part([], block, problem.cost_scale // block.cost_scale, {})
        == {"columns": [], "weights": part["weights"], "unit": part["unit"], "proof": {}}
        for part, block in blocks
    ):
        found = [{"columns": part["columns"], "proof": lowered(block, part["proof"])} for part, block in blocks]
        return {"kind": "blocks", **about, "blocks": found}
    heaviest = int(problem.table.scaled_weights.max())
    if len(parts) == 1 and type(unit := parts[0]["unit"]) is int and 1 <= unit <= heaviest:
        light = lighter(problem, unit)
        if _part([names.index(name) for name in light.table.quasi], light, unit, parts[0]["proof"]) == parts[0]:
            return {"kind": "rounded-weights", **about, "unit": unit, "proof": lowered(light, parts[0]["proof"])}
    raise BadInput(f"{_UNKNOWN}: its parts are neither blocks of columns nor rounded weights")


def _case(data: Data) -> Data:
    """Return a proof by cases as the package's own rule of cases has it."""

    def typed(its: Data) -> Data:
        return {"types" if name == "records" else name: value for name, value in its.items()}

    cuts = [{**typed(cut), "terms": [*map(typed, cut["terms"])]} for cut in data["cuts"]]
    return {**{name: its for name, its in data.items() if its is not None}, "kind": "mixed-cases", "cuts": cuts}


def changed_tree(tree: Data, change: Callable[[Data], Data], sides: Sequence[str]) -> Data:
    """Return a tree with each fork and end changed, a fork before its sides, which it has under these names then, however deep they lie.

    >>> changed_tree({"low": {"low": {}}}, lambda node: {**node, "is_end": not node}, ["low"])
    {'low': {'low': {'is_end': True}, 'is_end': False}, 'is_end': False}
    """
    found = {"tree": tree}
    waiting = [(found, "tree")]
    while waiting:
        holder, name = waiting.pop()
        node = holder[name] = change(holder[name])
        waiting += [(node, side) for side in sides if side in node]
    return found["tree"]
