"""Finding the rows of a release in another order than the table's: which row of the table each released row can be.

Rows with one released image are alike, and so are equal records. So the question is a flow from records to images, each with its number
of rows: a record may go to an image that repeats all of its values but those that are starred. The flow is trusted for nothing: whoever
reads the release in the order found checks it cell by cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.packages import pd
from anoptima.problems.released import file_texts
from anoptima.table import STAR, Counts, Table, fold_codes
from anoptima.table.columns import coded

_STARRED = -1
_UNKNOWN = -2


def in_table_order(table: Table, release: pd.DataFrame) -> pd.DataFrame | None:
    """Return the rows of `release` in an order in which they can be the table's rows; None if there is no such order.

    Both have the same columns and the same number of rows. Cells that are not starred are given the table's own values.

    >>> table = Table.from_frame(pd.DataFrame({"zip": ["1", "2", "3"], "ill": ["a", "b", "c"]}), ["zip"], "ill")
    >>> shuffled = pd.DataFrame({"zip": ["3", "*", "*"], "ill": ["c", "b", "a"]})
    >>> in_table_order(table, shuffled).values.tolist()
    [['*', 'a'], ['*', 'b'], ['3', 'c']]
    """
    names = list(table.frame.columns)
    own, published = np.empty((2, table.rows, len(names)), dtype=np.int64)
    for j, name in enumerate(names):
        own[:, j], numbers = _numbered(table.frame[name])
        published[:, j] = _looked_up(release[name], numbers, may_be_starred=name in table.quasi)
    if (published == _UNKNOWN).any():
        return None
    order = _assignment(own, published)
    if order is None:
        return None
    found = table.frame.copy().reset_index(drop=True)
    for j, name in enumerate(names):
        starred = published[order, j] == _STARRED
        if starred.any():
            found[name] = found[name].astype(object).mask(starred, STAR)
    return found


def _numbered(series: pd.Series[Any]) -> tuple[Counts, dict[Any, int]]:
    """Number the values of a column of the table; one is found as it is written, and under the texts that write it."""
    column = coded(series, "value", (), "the table")
    first = np.unique(column.codes, return_index=True)[1]
    numbers: dict[Any, int] = {(value, str(value)): number for number, value in enumerate(column.values)}
    for texts in (map(str, column.values), file_texts(series).iloc[first]):
        for number, text in enumerate(texts):
            numbers.setdefault(text, number)
    return column.codes.astype(np.int64), numbers


def _looked_up(series: pd.Series[Any], numbers: Mapping[Any, int], *, may_be_starred: bool) -> Counts:
    column = coded(series, "value", (), "the release")
    meant = [
        _STARRED
        if may_be_starred and isinstance(value, str) and value == STAR
        else numbers.get((value, str(value)), numbers.get(str(value), _UNKNOWN))
        for value in column.values
    ]
    found: Counts = np.array(meant, dtype=np.int64)[column.codes]
    return found


def _assignment(own: NDArray[np.int64], published: NDArray[np.int64]) -> Counts | None:
    """Return, for each row of the table, a released row that it can be, each taken once; None if there is no way."""
    record_of, records, copies = _classes(own)
    image_of, images, places = _classes(published)
    sources, targets = [], []
    starred = images == _STARRED
    for stars in np.unique(starred, axis=0):
        alike = np.flatnonzero((starred == stars).all(axis=1))
        keys = _keys(np.vstack([images[alike], records])[:, ~stars])
        of_images, of_records = keys[: len(alike)], keys[len(alike) :]
        by_key = np.argsort(of_images, kind="stable")
        first = np.searchsorted(of_images[by_key], of_records)
        fits = first < len(alike)
        fits[fits] = of_images[by_key[first[fits]]] == of_records[fits]
        # Images of one set of stars differ in what is shown: a record fits one of them at most.
        sources.append(np.flatnonzero(fits))
        targets.append(alike[by_key[first[fits]]])
    flow = _flow(np.concatenate(sources), np.concatenate(targets), copies, places)
    if flow is None:
        return None
    rows, released = _sorted_by(record_of), _sorted_by(image_of)
    record, image, amount = flow
    order = np.empty(len(own), dtype=np.int64)
    by_record, by_image = np.argsort(record, kind="stable"), np.argsort(image, kind="stable")
    image_place = np.empty(len(record), dtype=np.int64)
    image_place[by_image] = np.cumsum(amount[by_image]) - amount[by_image]
    taken = np.repeat(image_place[by_record], amount[by_record]) + _counted(amount[by_record])
    order[rows] = released[taken]
    return order


def _classes(codes: NDArray[np.int64]) -> tuple[Counts, NDArray[np.int64], Counts]:
    """Return the class of each row among equal rows, one row of each class, and how many there are in it."""
    _, first, inverse, counts = np.unique(_keys(codes), return_index=True, return_inverse=True, return_counts=True)
    return inverse.reshape(-1).astype(np.int64), codes[first], counts.astype(np.int64)


def _keys(codes: NDArray[np.int64]) -> Counts:
    """Return one integer a row, equal for equal rows."""
    key = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        key = fold_codes(key, column - _UNKNOWN, int(column.max()) - _UNKNOWN + 1)
    return key


def _sorted_by(classes: Counts) -> Counts:
    return np.argsort(classes, kind="stable").astype(np.int64)


def _counted(amounts: Counts) -> Counts:
    """Count 0, 1, ... below each amount, one after the other."""
    ends = np.cumsum(amounts)
    counted: Counts = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - amounts, amounts)
    return counted


def _flow(sources: Counts, targets: Counts, copies: Counts, places: Counts) -> tuple[Counts, Counts, Counts] | None:
    """Send every record's copies to images with places for them: the arcs in use, with what goes along; None if some are left over."""
    from ortools.graph.python import max_flow

    network = max_flow.SimpleMaxFlow()
    records, images = len(copies), len(places)
    start, end = records + images, records + images + 1
    arcs = network.add_arcs_with_capacity(sources, records + targets, np.minimum(copies[sources], places[targets]))
    network.add_arcs_with_capacity(np.full(records, start), np.arange(records), copies)
    network.add_arcs_with_capacity(records + np.arange(images), np.full(images, end), places)
    if network.solve(start, end) != network.OPTIMAL or network.optimal_flow() != copies.sum():
        return None
    amounts = np.asarray(network.flows(arcs), dtype=np.int64) if len(arcs) else np.zeros(0, dtype=np.int64)
    used = amounts > 0
    return sources[used], targets[used], amounts[used]
