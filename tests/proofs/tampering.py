"""Every way to change one thing in plain data: what a proof's file must stand."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

Path = tuple["str | int", ...]


def changed_once(data: Any) -> Iterator[tuple[str, Any]]:
    """Yield copies of `data` with one number, text, entry or field changed, each with a word on what was done."""
    for path, value in _places(data):
        for what, new in _other(value):
            yield f"{'.'.join(map(str, path))}: {what}", _with(data, path, new)


def _places(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield path, data
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _places(value, (*path, name))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _places(value, (*path, number))


def _other(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, int):
        for new in (value + 1, value - 1, -value, 2 * value, 2**63, str(value) + "/7", None):
            if new != value:
                yield f"{value} becomes {new}", new
    elif isinstance(value, str):
        yield "another text", value[:-1] + ("1" if value[-1:] != "1" else "0")
        yield "no text", 7
    elif isinstance(value, list):
        for number in range(len(value)):
            yield f"without {number}", [*value[:number], *value[number + 1 :]]
            yield f"twice {number}", [*value[: number + 1], *value[number:]]
        if len(value) > 1:
            yield "turned round", value[::-1]
        yield "no list", {}
    elif isinstance(value, dict):
        for name in value:
            rest = {other: kept for other, kept in value.items() if other != name}
            yield f"without {name}", rest
            yield (
                f"{name} renamed",
                {**rest, {"together": "outside", "outside": "together"}.get(name, "x"): value[name]},
            )
        yield "no object", []


def _with(data: Any, path: Path, new: Any) -> Any:
    """Return data with something else at a place; what is beside the way there is shared."""
    if not path:
        return new
    found = copy.copy(data)
    found[path[0]] = _with(data[path[0]], path[1:], new)
    return found
