"""Coded columns: values as whole numbers, in order of first appearance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.packages import pd

STAR = "*"
"""What a suppressed cell is published as."""

Codes = NDArray[np.int32]
Counts = NDArray[np.int64]
Missing = Literal["value", "refuse"]
A = TypeVar("A", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Column:
    """A coded column: `codes[i]` is the position in `values` of row i's value. `values` is in order of first appearance."""

    name: str
    codes: Codes
    values: tuple[Any, ...]

    @cached_property
    def counts(self) -> Counts:
        """How many rows hold each value."""
        return np.bincount(self.codes, minlength=len(self.values)).astype(np.int64)

    @property
    def row_of_star(self) -> int | None:
        """The first row, counted from 1, that holds a star already; None if no row does."""
        if STAR not in [value for value in self.values if isinstance(value, str)]:
            return None
        return int((self.codes == self.values.index(STAR)).argmax()) + 1

    @property
    def missing(self) -> int:
        """How many rows hold no value, or an empty text.

        >>> Column("age", np.array([0, 1, 0], dtype=np.int32), ("", "30")).missing
        2
        """
        return sum(int(self.counts[code]) for code, value in enumerate(self.values) if value is None or value == "")


def fold_codes(key: NDArray[Any], codes: NDArray[Any], width: int) -> Counts:
    """Append a column of codes 0..width-1 to a mixed-radix key; renumber first where the product would not fit 62 bits.

    >>> fold_codes(np.array([0, 1]), np.array([2, 0]), 3).tolist()
    [2, 3]
    """
    key = key.astype(np.int64, copy=False)
    if len(key) and (int(key.max()) + 1) * width >= 2**62:
        key = np.unique(key, return_inverse=True)[1].reshape(-1).astype(np.int64)
    folded: Counts = key * np.int64(width) + codes
    return folded


def coded(
    series: pd.Series[Any], missing: Missing, marks: Sequence[str], where: str, *, is_sensitive: bool = False
) -> Column:
    """Return a column of a frame, coded; `BadInput` if it has a missing value (`marks` in texts) where those are refused.

    Whoever reads a release sees how values are written. So values of a quasi-identifying column are the same if they are equal and
    written alike, and those of a sensitive one if they are equal or written alike: no group is then taken for safer than it looks.
    """
    name, is_plain = str(series.name), isinstance(series.dtype, np.dtype) and series.dtype.kind in "biuf"
    try:
        # Without an index these take half as long.
        codes, values = pd.factorize(series.to_numpy() if is_plain else series)
    except (TypeError, NotImplementedError):
        # Arrow has no codes for its lists.
        raise BadInput(
            f"{where}, column {name!r} holds values that cannot be compared for equality, such as lists"
        ) from None
    if series.dtype.kind in "fcO" and not (is_sensitive and is_plain):
        codes, values = _by_spelling(series, codes, values)
    absent = codes < 0
    if missing == "refuse":
        marked = absent | series.isin(list(marks)).to_numpy() if marks else absent
        if marked.any():
            row = int(marked.argmax())
            raise BadInput(
                f"{where}, row {row + 1}, column {name!r}: the value is missing ({series.iloc[row]!r}), and none may be; "
                "fill it in, leave the row out, or say missing='value' to take it as a value like any other"
            )
    listed = [plain_value(value) for value in values.tolist()] if hasattr(values, "tolist") else list(values)
    if absent.any():
        codes = np.where(absent, len(listed), codes)
        listed.append(None)
        # Values are numbered as they first occur, the missing one like any other.
        order = np.argsort(np.unique(codes, return_index=True)[1])
        codes, listed = np.argsort(order)[codes], [listed[value] for value in order.tolist()]
    if is_sensitive and not is_plain:
        codes, listed = _alike(codes, listed)
    return Column(name, sealed(codes.astype(np.int32)), tuple(listed))


def sealed(array: NDArray[A]) -> NDArray[A]:
    """Return an array that nobody can write into any more.

    >>> sealed(np.array([1, 2]))[0] = 3
    Traceback (most recent call last):
    ValueError: assignment destination is read-only
    """
    array.flags.writeable = False
    return array


_SPELT_ALIKE = ("string", "integer", "boolean", "bytes", "categorical", "empty")
"""What pandas infers of columns in which equal values are written alike."""


def _by_spelling(series: pd.Series[Any], codes: NDArray[Any], values: Any) -> tuple[NDArray[Any], Any]:
    """Tell apart values that are equal and written differently, such as 0.0 and -0.0, or 1 and 1.0: a release shows how they are written.

    >>> column = coded(pd.Series([1, 1.0, "a", 1], dtype=object), "value", (), "here")
    >>> column.codes.tolist(), column.values
    ([0, 1, 2, 0], (1, 1.0, 'a'))
    """
    if series.dtype.kind == "f":
        rows = np.flatnonzero(np.isin(codes, np.flatnonzero(np.asarray(values, dtype=float) == 0)))
        minus = np.signbit(series.iloc[rows].to_numpy(dtype=float))
        if minus.all() or not minus.any():
            return codes, values
    elif pd.api.types.infer_dtype(series, skipna=True) in _SPELT_ALIKE:
        return codes, values
    there = np.flatnonzero(codes >= 0)
    cells = series.iloc[there].tolist()
    spelt, first = _numbered(codes[there], pd.factorize(np.array(list(map(str, cells)), dtype=object))[0])
    if len(first) == len(values):
        return codes, values
    found = codes.copy()
    found[there] = spelt
    return found, [cells[place] for place in first.tolist()]


def _alike(codes: NDArray[Any], values: list[Any]) -> tuple[NDArray[Any], list[Any]]:
    """Take values that are equal, or that a file shows as the same, for one value: the first of them.

    >>> column = coded(pd.Series([None, "", "a", 0.0, -0.0, "-0.0"], dtype=object), "value", (), "here", is_sensitive=True)
    >>> column.codes.tolist(), column.values
    ([0, 0, 1, 2, 2, 2], (None, 'a', 0.0))
    """
    equal = pd.factorize(pd.Series(values, dtype=object), use_na_sentinel=False)[0]
    shown = pd.factorize(np.array(["" if value is None else str(value) for value in values], dtype=object))[0]
    first, before = np.arange(len(values)), np.full(len(values), -1)
    while not np.array_equal(first, before):
        before = first
        for same in (equal, shown):
            least = np.full(len(values), len(values))
            np.minimum.at(least, same, first)
            first = least[same]
    kept, place = np.unique(first, return_inverse=True)
    return place.reshape(-1)[codes], [values[one] for one in kept.tolist()]


def _numbered(*numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Number pairs as they first occur; return these numbers, and where each occurs first."""
    pairs, first, place = np.unique(np.stack(numbers), axis=1, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(pairs.shape[1], dtype=np.int64)
    rank[order] = np.arange(pairs.shape[1])
    return rank[place.reshape(-1)], first[order]


def missing_last(column: Column) -> Column:
    """Return a column with its missing value numbered last, as digests have always had it.

    >>> missing_last(Column("a", np.array([0, 1, 0]), (None, "x"))).values
    ('x', None)
    """
    if None not in column.values[:-1]:
        return column
    place = column.values.index(None)
    codes = np.where(column.codes == place, len(column.values) - 1, column.codes - (column.codes > place))
    return Column(column.name, codes.astype(np.int32), (*column.values[:place], *column.values[place + 1 :], None))


def plain_value(value: Any) -> Any:
    """Return a value as Python has it."""
    return value.item() if isinstance(value, np.generic) else value


def listed_value(value: Any) -> Any:
    """Return a value as `Column.values` lists it: as Python has it, and None for every kind of missing value.

    >>> listed_value(np.int64(3)), listed_value(float("nan")), listed_value(pd.NA), listed_value("NA")
    (3, None, None, 'NA')
    """
    plain = plain_value(value)
    # pandas is not asked: principles are made before it is imported. Of what is missing, only None equals itself.
    return None if type(plain).__name__ == "NAType" or plain != plain else plain


def missing_alike(series: pd.Series[Any]) -> pd.Series[Any]:
    """Write every missing value of a column as None if it has several kinds of them: they are one value, and a release shows no more.

    >>> missing_alike(pd.Series([None, float("nan"), pd.NaT, "a"], dtype=object)).tolist()
    [None, None, None, 'a']
    """
    absent = series.isna()
    if series.dtype != object or series[absent].map(type).nunique() < 2:
        return series
    return series.mask(absent, None)


def starred(series: pd.Series[Any], stars: NDArray[np.bool_]) -> pd.Series[Any]:
    """Return a column of a DataFrame with stars in the given places; see `Table.release`."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        if STAR not in series.cat.categories:
            series = series.cat.add_categories([STAR])
    elif not isinstance(series.dtype, pd.StringDtype):
        series = series.astype(object)
    return series.mask(stars, STAR)
