"""Tables that reductions build: arrays of small numbers, a row a vertex or an element, a column an edge or a set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.exact import Exact
from anoptima.packages import pd
from anoptima.table import Table

SENSITIVE = "sensitive"
"""The name of the sensitive column, where a theorem needs one."""


def incidence(members: Sequence[Sequence[int]], rows: int) -> NDArray[np.bool_]:
    """Return which of `rows` things is a member of which set: rows x sets. O(n m).

    >>> incidence([(0, 1), (1, 2)], 3).astype(int).tolist()
    [[1, 0], [1, 1], [0, 1]]
    """
    found = np.zeros((rows, len(members)), dtype=bool)
    inside = np.fromiter((member for edge in members for member in edge), dtype=np.int64)
    column = np.repeat(np.arange(len(members)), [len(edge) for edge in members])
    found[inside, column] = True
    return found


def small(cells: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    """Return whole numbers from 0 up in the narrowest type that holds them: a table of millions of cells stays small."""
    narrow: NDArray[np.integer[Any]] = cells.astype(np.min_scalar_type(int(cells.max(initial=0))))
    return narrow


def table_of(
    cells: NDArray[np.integer[Any]],
    names: Sequence[str] | None = None,
    sensitive: Sequence[Any] | None = None,
    weights: Sequence[Exact] | None = None,
) -> Table:
    """Return a table of the given cells; its columns are called e1, e2, ... unless they have names. O(n m).

    >>> table_of(np.array([[0, 1], [2, 1]]), sensitive=["W", "X"])
    Table(2 rows, 2 row types, quasi e1, e2, sensitive sensitive)
    """
    quasi = list(names) if names is not None else [f"e{j + 1}" for j in range(cells.shape[1])]
    frame = pd.DataFrame(small(cells), columns=quasi)
    paid = None if weights is None else dict(zip(quasi, weights, strict=True))
    if sensitive is None:
        return Table.from_frame(frame, quasi, weights=paid)
    frame[SENSITIVE] = list(sensitive)
    return Table.from_frame(frame, quasi, SENSITIVE, weights=paid)


def groups_of(labels: NDArray[np.integer[Any]]) -> list[NDArray[np.int64]]:
    """Return the members of each group, in order of the labels 0, 1, ..."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.cumsum(np.bincount(labels))[:-1])
