"""Values in a document, translated to the values of a table.

A document can hold texts where a column holds numbers or dates, and the other way round. Where a value in a document writes the same as
a value of the column, that one is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from anoptima.errors import BadInput
from anoptima.limits import shown
from anoptima.principles.principle import Principle, entry, principle_from_json, principle_kinds
from anoptima.spaces import space_kinds
from anoptima.table import Column, Table


def own_value(column: Column) -> Callable[[Any], Any]:
    """Return what finds the value of a column that one in a document means: the same value, or else one that writes the same; or itself.

    A missing value is written as the empty text.

    >>> import numpy as np
    >>> own = own_value(Column("a", np.arange(4, dtype=np.int32), (1, "1", 2.5, None)))
    >>> [own(value) for value in (1, "1", "2.5", None, "", "None")]
    [1, '1', 2.5, None, None, 'None']
    """
    written = {"" if value is None else str(value): value for value in column.values}
    exactly = {(type(value), value): value for value in column.values}
    return lambda value: exactly.get((type(value), value), written.get(str(value), value))


def principle_on(table: Table, data: Mapping[str, Any]) -> Principle:
    """Return the principle that `data` (of `Principle.as_json`) states, in terms of `table`'s own sensitive values."""
    return principle_from_json(_in_own_values(table, data))


def stated(data: Any, kind: type[Any], what: str) -> Any:
    """Return what a document says, once it is of a kind.

    >>> stated(3, Mapping, "the space")
    Traceback (most recent call last):
    anoptima.errors.BadInput: the space is 3; it must be an object
    """
    if not isinstance(data, kind):
        raise BadInput(f"{what} is {shown(data)}; it must be {'a list' if kind is list else 'an object'}")
    return data


def _in_own_values(table: Table, data: Mapping[str, Any]) -> Mapping[str, Any]:
    if "members" in data:
        members = stated(data["members"], list, "the list of members")
        return {**data, "members": [_in_own_values(table, stated(one, Mapping, "a member")) for one in members]}
    column = data.get("column")
    column = column if column is not None else next(iter(table.sensitive), None)
    found = _with_own(table, column, data, principle_kinds.get(entry(data, "principle")).holds_values)
    return {**found, "space": space_on(table, column, data["space"])} if "space" in data else found


def space_on(table: Table, column: str | None, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return `data` (of `Space.as_json`) with the values of a sensitive `column` in place of what writes the same."""
    kind = str(stated(data, Mapping, "the space").get("kind"))
    return _with_own(table, column, data, space_kinds.get(kind).holds_values if kind in space_kinds else ())


def _with_own(table: Table, column: str | None, data: Mapping[str, Any], entries: Sequence[str]) -> dict[str, Any]:
    if not entries or column not in table.sensitive:
        return dict(data)
    its = own_value(table.sensitive_column(column))

    def own(thing: Any) -> Any:
        if isinstance(thing, Mapping):
            return {name: own(below) for name, below in thing.items()}
        if isinstance(thing, Sequence) and not isinstance(thing, str):
            return [own(below) for below in thing]
        return its(thing)

    return {key: own(value) if key in entries else value for key, value in data.items()}
