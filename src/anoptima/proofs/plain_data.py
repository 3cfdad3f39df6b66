"""How proofs become plain data and back: an object with the fields of the dataclass, each written and read by its type.

Whole numbers and texts stand for themselves, fractions for texts such as "1/3", tuples for lists and sets for sorted lists. Trees are read
as a fork or an end, by which of them has its first field, and proofs within proofs by their kind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, Self, get_args, get_origin, get_type_hints

from anoptima.exact import Exact, as_fraction, as_integer, exact_plain, simplest
from anoptima.proofs.reading import Fields, list_of, text_of, truth_of

_PROOF = "the proof"
_WHOLES = tuple[int, ...]


class PlainData:
    """A dataclass that can be written down and read again.

    >>> from anoptima.proofs.own_bound import OwnBound
    >>> OwnBound(7).as_json(), OwnBound.from_json({"value": 7})
    ({'value': 7}, OwnBound(value=7))
    >>> OwnBound.from_json({"value": 7, "by": "me"})
    Traceback (most recent call last):
    anoptima.errors.BadInput: the proof has a field 'by', which means nothing here
    """

    __slots__ = ()

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data, but for fields that are None."""
        written = {name: _plain(getattr(self, name), kind) for name, kind in _types_of(type(self)).items()}
        return {name: value for name, value in written.items() if value is not None}

    @classmethod
    def from_json(cls, data: Any, what: str = _PROOF) -> Self:
        """Return what `as_json` wrote, unchecked; `BadInput` says what is none. `what` is what to call it."""
        given = Fields(data, what)
        read = {name: _field(given, name, kind) for name, kind in _types_of(cls).items()}
        given.end()
        return cls(**read)


def _types_of(cls: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields, by name."""
    return _looked_up(cls)


@cache
def _looked_up(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _plain(value: Any, kind: Any = None) -> Any:
    if kind == _WHOLES:
        # Most of a proof is such lists.
        return list(value)
    if _is_tree(kind):
        return _plain_tree(value, kind)
    if hasattr(value, "as_json"):
        return {"kind": value.kind, **value.as_json()} if hasattr(value, "kind") else value.as_json()
    if isinstance(value, Exact) and not isinstance(value, bool):
        return exact_plain(value)
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return plain_principle(value)
    return list(map(_plain, value)) if isinstance(value, Sequence) and not isinstance(value, str) else value


def _is_tree(kind: Any) -> bool:
    """Tell whether a type is that of a fork or an end; proofs of several kinds have names of these."""
    kinds = get_args(kind)
    return (
        isinstance(kind, UnionType)
        and kind != Exact
        and type(None) not in kinds
        and not hasattr(next(iter(kinds)), "kind")
    )


def _plain_tree(tree: Any, kind: Any) -> Any:
    """Return a tree as plain data. Sides wait in a list: trees may be deeper than Python's calls."""
    found: dict[str, Any] = {}
    waiting = [(tree, found, "tree")]
    while waiting:
        node, holder, name = waiting.pop()
        written = holder[name] = dict[str, Any]()
        for field, its in _types_of(type(node)).items():
            plain = None if its == kind else _plain(getattr(node, field), its)
            if its == kind or plain is not None:
                written[field] = plain
        waiting += [
            (getattr(node, field), written, field) for field, its in _types_of(type(node)).items() if its == kind
        ]
    return found["tree"]


def plain_principle(principle: Mapping[str, Any]) -> Any:
    """Return what JSON makes of a principle's plain data, in which sensitive values may be of any type."""
    return json.loads(json.dumps(principle, default=str))


def _field(given: Fields, name: str, kind: Any) -> Any:
    """Read one field of a given type."""
    if type(None) in get_args(kind):
        (kind,) = set(get_args(kind)) - {type(None)}
        if not given.has(name):
            return None
    if kind == _WHOLES:
        return given.wholes(name)
    if isinstance(kind, UnionType) and kind != Exact:
        kinds = get_args(kind)
        if hasattr(kinds[0], "kind"):
            return given.one_of(name, {proof.kind: proof for proof in kinds})
        where = f"the {name}" if given.where == _PROOF else f"the {name} side of {given.where}"
        return _read_tree(given.take(name), kind, where)
    return _read(given.take(name), kind, f"{name!r} in {given.where}")


def _read_tree(data: Any, kind: Any, where: str) -> Any:
    """Read forks and ends: what has the first field of one of the kinds, or else the first kind. Sides wait in a list, as when written."""
    found: dict[str, Any] = {}
    waiting, nodes = [(data, where, found, "tree")], list[tuple[Any, dict[str, Any], dict[str, Any], str]]()
    while waiting:
        data, where, holder, name = waiting.pop()
        given, kinds = Fields(data, where), get_args(kind)
        own = next((one for one in kinds if given.has(next(iter(_types_of(one))))), kinds[0])
        read: dict[str, Any] = {}
        sides = [field for field, its in _types_of(own).items() if its == kind]
        for field, its in _types_of(own).items():
            read[field] = given.take(field) if field in sides else _field(given, field, its)
        given.end()
        nodes.append((own, read, holder, name))
        waiting += [(read[side], f"the {side} side of {where}", read, side) for side in reversed(sides)]
    # Each side was read after its fork, and is made before it.
    for own, read, holder, name in reversed(nodes):
        holder[name] = own(**read)
    return found["tree"]


def _read(data: Any, kind: Any, what: str) -> Any:
    if kind is str:
        return text_of(data, what)
    if kind is int:
        return as_integer(data, what)
    if kind is bool:
        return truth_of(data, what)
    if kind == Exact:
        return simplest(as_fraction(data, what))
    many = get_origin(kind)
    if many is Mapping:
        return data
    if many is None:
        return kind.from_json(data, what)
    found = list_of(data, what)
    inside = get_args(kind)[0]
    return (frozenset if many is frozenset else tuple)(
        _read(one, inside, f"number {number} of {what}") for number, one in enumerate(found)
    )
