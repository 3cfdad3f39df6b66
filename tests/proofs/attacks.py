"""Changes of a proof that one changed number does not make.

The same numbers at another scale; sides of cases swapped, dropped or doubled; worths moved from one record to another; claims off by the
rounding; and statements about other columns of the same table, with the right digest.
"""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from anoptima.proofs.check_anoptima import digest_of

SIDES = (("open", "shut"), ("low", "high"), ("taken", "left"), ("few", "many"))
"""The two sides of a fork, for each rule that has cases."""

SCALED = ("worth", "prices", "limited", "denominator", "values")
"""Lists and numbers that are counted in parts of the denominator."""


def attacks(document: Any, table: dict[str, list[str]], chance: random.Random) -> Iterator[tuple[str, Any]]:
    """Yield the changed documents, each with a word on what was done; `table` holds the texts of the columns."""
    proof = document["proof"]
    for factor in (2, 10**18, 10**200):
        yield f"the numbers times {factor}", _with_proof(document, _scaled(proof, factor))
    for what, change in _OF_FORKS.items():
        for number in range(_count(proof, _is_fork)):
            yield f"fork {number}: {what}", _with_proof(document, _at(proof, _is_fork, number, change))
    for number in range(_count(proof, _is_priced)):
        for by in (1, 7):
            moved = _at(proof, _is_priced, number, lambda node, by=by: _moved(node, by, chance))  # type: ignore[misc]
            yield f"end {number}: worths moved by {by}", _with_proof(document, moved)
    for what, changed in _of_rules(proof):
        yield what, _with_proof(document, changed)
    yield from _claims(document)
    yield from _statements(document, table, chance)


def _of_rules(proof: Any) -> Iterator[tuple[str, Any]]:
    """Cases that have what those of another kind have, and parts that weigh more, less or twice."""
    if proof["kind"] == "cases" and "reach" in proof:
        reach = proof["reach"]
        yield "whole rows or not", {**proof, "whole": not proof["whole"]}
        for other in (0, 1, 10**20) if reach is None else (None, 0, reach - 1, reach + 1):
            yield f"a reach of {other}", {**proof, "reach": other}
        yield "no potentials", {**proof, "potentials": []}
        yield "all ends without cuts", _without_cuts(proof)
        tree = proof["tree"]
        fork = {"kept": [], "example": 0, "value": None, "most": 0, "low": tree, "high": tree}
        yield "the whole table has a group or not", {**proof, "tree": fork}
        yield "the whole table has none of a value or some", {**proof, "tree": {**fork, "value": 0}}
        for number in range(_count(tree, _is_priced)):
            swapped = _at(
                tree, _is_priced, number, lambda end: {**end, "prices": end["limited"], "limited": end["prices"]}
            )
            yield f"end {number}: prices of cuts for limits", {**proof, "tree": swapped}
    if proof["kind"] == "parts":
        for number, part in enumerate(proof["parts"]):
            for what, other in {
                "a larger unit": {**part, "unit": part["unit"] + 1},
                "twice the weights": {**part, "weights": [2 * weight for weight in part["weights"]]},
                "less of a weight": {**part, "weights": [max(1, part["weights"][0] - 1), *part["weights"][1:]]},
                "without a column": {**part, "columns": part["columns"][1:], "weights": part["weights"][1:]},
            }.items():
                parts = [other if place == number else its for place, its in enumerate(proof["parts"])]
                yield f"part {number}: {what}", {**proof, "parts": parts}
        yield "the parts and themselves", {**proof, "parts": [*proof["parts"], *proof["parts"]]}


def _without_cuts(proof: Any) -> Any:
    tree = proof["tree"]
    for number in range(_count(tree, _is_priced)):
        tree = _at(tree, _is_priced, number, lambda end: {**end, "prices": []})
    return {**proof, "cuts": [], "tree": tree}


def _claims(document: Any) -> Iterator[tuple[str, Any]]:
    """Claims that are off by the rounding, or not in lowest terms."""
    bound = Fraction(*document["claim"]["bound"])
    value = document["proof"]["value"]
    for what, claim in {
        "rounded up": [math.ceil(bound), 1],
        "rounded down": [math.floor(bound), 1],
        "the value itself": [value, 1],
        "not in lowest terms": [2 * bound.numerator, 2 * bound.denominator],
        "a little more": [bound.numerator * 10**30 + 1, bound.denominator * 10**30],
    }.items():
        yield f"the claim {what}", {**document, "claim": {"bound": claim}}
        for step in (0, 1):
            yield (
                f"the claim {what}, the value higher by {step}",
                {**_with_proof(document, {**document["proof"], "value": value + step}), "claim": {"bound": claim}},
            )


def _statements(document: Any, table: dict[str, list[str]], chance: random.Random) -> Iterator[tuple[str, Any]]:
    """Statements about the same table that are not the proof's own, each with the digest that it needs."""
    stated, asked = document["table"], document["problem"]
    quasi, sensitive, weights = stated["quasi"], stated["sensitive"], stated["weights"]
    order = chance.sample(range(len(quasi)), len(quasi))
    restated: dict[str, dict[str, Any]] = {
        "columns in another order": {"quasi": [quasi[j] for j in order], "weights": [weights[j] for j in order]},
        "without the last column": {"quasi": quasi[:-1], "weights": weights[:-1]},
        "all columns identify": {"quasi": quasi + sensitive, "weights": weights + [[1, 1]] * len(sensitive)},
        "the first column sensitive": {"quasi": quasi[1:], "weights": weights[1:], "sensitive": [*sensitive, quasi[0]]},
        "twice the weights": {"weights": [[2 * a // math.gcd(2 * a, b), b // math.gcd(2 * a, b)] for a, b in weights]},
        "a weight of almost nothing": {"weights": [[1, 10**60], *weights[1:]]},
    }  # fmt: skip
    for what, other in restated.items():
        new = {**stated, **other}
        if new["quasi"] and len({*new["quasi"], *new["sensitive"]}) == len(new["quasi"]) + len(new["sensitive"]):
            names = [*new["quasi"], *new["sensitive"]]
            new["digest"] = digest_of(names, [table[name] for name in names], len(new["quasi"]))
            yield what, {**document, "table": new}
    for name in ("k", "share"):
        if name in asked:
            yield f"another {name}", {**document, "problem": {**asked, name: _lower(asked[name])}}
    for number, condition in enumerate(asked.get("principle", ())):
        for name in {"k", "l", "t", "c"} & {*condition}:
            others = [*asked["principle"]]
            others[number] = {**condition, name: _lower(condition[name])}
            yield f"condition {number}: a weaker {name}", {**document, "problem": {**asked, "principle": others}}
            doubled = [*asked["principle"], others[number]]
            yield f"condition {number}: said again, weaker", {**document, "problem": {**asked, "principle": doubled}}


def _lower(value: Any) -> Any:
    if isinstance(value, int):
        return value - 1
    lower = Fraction(*value) * Fraction(2, 3)
    return [lower.numerator, lower.denominator]


def _with_proof(document: Any, proof: Any) -> Any:
    return {**document, "proof": proof}


def _scaled(data: Any, factor: int, within: bool = False) -> Any:
    """Return a proof whose worths, prices, shares and denominators are all larger: it says the same."""
    if isinstance(data, dict):
        if "kind" in data and "denominator" not in data:
            return {name: _scaled(its, factor) if name in ("proof", "parts") else its for name, its in data.items()}
        return {
            name: _of_share(its, factor) if name == "shares" else _scaled(its, factor, name in SCALED)
            for name, its in data.items()
        }
    if isinstance(data, list):
        return [_scaled(its, factor, within) for its in data]
    return data * factor if within and type(data) is int else data


def _of_share(shares: list[Any], factor: int) -> list[Any]:
    return [[*share[:-1], share[-1] * factor] for share in shares]


def _is_fork(node: Any) -> bool:
    return isinstance(node, dict) and any(one in node and other in node for one, other in SIDES)


def _is_priced(node: Any) -> bool:
    return isinstance(node, dict) and isinstance(node.get("worth"), list) and len(node["worth"]) > 1


def _sides(node: Any) -> tuple[str, str]:
    return next(names for names in SIDES if names[0] in node)


def _swapped(node: Any) -> Any:
    one, other = _sides(node)
    return {**node, one: node[other], other: node[one]}


def _doubled(side: int) -> Callable[[Any], Any]:
    def change(node: Any) -> Any:
        names = _sides(node)
        return {**node, names[1 - side]: copy.deepcopy(node[names[side]])}

    return change


def _nested(node: Any) -> Any:
    """The fork itself once more on its first side: what it decides is decided there."""
    return {**node, _sides(node)[0]: copy.deepcopy(node)}


def _most(by: int) -> Callable[[Any], Any]:
    return lambda node: {**node, "most": node["most"] + by} if "most" in node else node


_OF_FORKS: dict[str, Callable[[Any], Any]] = {
    "sides swapped": _swapped,
    "only its first side": lambda node: node[_sides(node)[0]],
    "only its second side": lambda node: node[_sides(node)[1]],
    "its first side on both": _doubled(0),
    "its second side on both": _doubled(1),
    "itself once more": _nested,
    "a boundary one higher": _most(1),
    "a boundary one lower": _most(-1),
}


def _moved(node: Any, by: int, chance: random.Random) -> Any:
    worth = [*node["worth"]]
    one, other = chance.sample(range(len(worth)), 2)
    worth[one], worth[other] = worth[one] + by, worth[other] - by
    return {**node, "worth": worth}


def _count(data: Any, wanted: Callable[[Any], bool]) -> int:
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return wanted(data) + sum(_count(its, wanted) for its in inside)


def _at(data: Any, wanted: Callable[[Any], bool], number: int, change: Callable[[Any], Any]) -> Any:
    """Return a copy in which the wanted node of that number, outer ones first, is changed."""
    left = [number]

    def walk(node: Any) -> Any:
        if wanted(node):
            left[0] -= 1
            if left[0] == -1:
                return change(json.loads(json.dumps(node)))
        if isinstance(node, dict):
            return {name: walk(its) for name, its in node.items()}
        return [walk(its) for its in node] if isinstance(node, list) else node

    return walk(data)
