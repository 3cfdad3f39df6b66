"""JSON objects with known keys, each there once, whose values are lists."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from anoptima.documents.reading import parse_json
from anoptima.errors import BadInput
from anoptima.limits import shown


class Written(Protocol):
    """Anything that can be written as a JSON document."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""


def to_json(thing: Written) -> str:
    """Write a graph, a hypergraph, a formula or a problem as a JSON document that reads back equal.

    >>> from anoptima import Formula
    >>> print(to_json(Formula(2, [(1, -2)])), end="")
    {"variables": 2, "clauses": [[1, -2]]}
    """
    return json.dumps(thing.as_json(), ensure_ascii=False) + "\n"


def json_object(text: str, where: str, *keys: str, also: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return a JSON object with all of `keys` and nothing beside them but `also`."""
    data = parse_json(text, where)
    if not isinstance(data, Mapping):
        raise BadInput(f"{where} is {shown(data)}; it must be an object with {', '.join(map(repr, keys))}")
    for key in keys:
        if key not in data:
            raise BadInput(f"{where} has no {key!r}; it must have {', '.join(map(repr, keys))}")
    for key in data:
        if key not in keys and key not in also:
            raise BadInput(f"{where} has {key!r}, which is not known here; it must have {', '.join(map(repr, keys))}")
    return data


def list_at(data: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list under `key`; `BadInput` if it is none."""
    value = data[key]
    if not isinstance(value, list):
        raise BadInput(f"{key!r} is {shown(value)}; it must be a list")
    return value


def lists_at(data: Mapping[str, Any], key: str) -> list[list[Any]]:
    """Return the list of lists under `key`; `BadInput` names the entry that is none."""
    outer = list_at(data, key)
    for number, value in enumerate(outer, start=1):
        if not isinstance(value, list):
            raise BadInput(f"entry {number} of {key!r} is {shown(value)}; it must be a list")
    return outer
