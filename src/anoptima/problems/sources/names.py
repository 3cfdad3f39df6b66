"""Names of vertices, elements and sets: whole numbers or texts, each once."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from numbers import Integral
from typing import Any

from anoptima.errors import BadInput
from anoptima.limits import shown

Name = int | str
"""The name of a vertex, an element or a set. It means the same in memory and in every file format."""

_LISTED = 6


def distinct_names(names: Iterable[Any], what: str, of: str) -> tuple[Name, ...]:
    """Return `names` as a tuple, or raise `BadInput` if one is neither number nor text, or there twice.

    >>> distinct_names(["a", 1], "vertex", "the graph")
    ('a', 1)
    """
    found: dict[Name, int] = {}
    for number, given in enumerate(members_of(names, f"the list of names of {of}"), start=1):
        name = _name(given)
        if name is None:
            raise BadInput(f"{what} {number} of {of} is {shown(given)}; it must be a whole number or a text")
        if name in found:
            raise BadInput(f"{what} {name!r} of {of} is named twice, as number {found[name]} and as number {number}")
        found[name] = number
    return tuple(found)


def members_of(thing: Any, what: str) -> tuple[Any, ...]:
    """Return what `thing` lists, or raise `BadInput` if it lists nothing.

    >>> members_of("ab", "edge 1")
    ('a', 'b')
    """
    try:
        return tuple(thing)
    except TypeError:
        raise BadInput(f"{what} is {shown(thing)}; it must be a list of names") from None


def is_known(given: Any, names: Container[Name]) -> bool:
    """Return whether `given` is one of `names`; what could not be a name at all is none of them."""
    return _name(given) is not None and given in names


def twice(names: Iterable[Name]) -> Name | None:
    """Return a name that is there more than once, None if there is none.

    >>> twice("abcb")
    'b'
    """
    seen: set[Name] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _name(given: Any) -> Name | None:
    if isinstance(given, str):
        return str(given)
    return int(given) if isinstance(given, Integral) and not isinstance(given, bool) else None


def listed(names: Sequence[Any]) -> str:
    """Write names one after the other, the first few of them where there are many.

    >>> listed(["a", 1]), listed(range(1, 100))
    ("'a', 1", '1, 2, 3, 4, 5, 6, ... (99 in all)')
    """
    words = ", ".join(repr(name) for name in names[:_LISTED])
    return words if len(names) <= _LISTED else f"{words}, ... ({len(names)} in all)"
