"""Reading a released table back: its starred cells, and whether all others are true."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.packages import pd
from anoptima.table import STAR, Table
from anoptima.table.columns import missing_alike


def released_stars(table: Table, release: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which quasi-identifying cells `release` stars: rows x columns.

    >>> table = Table.from_frame(pd.DataFrame({"zip": ["1", "2"]}), quasi=["zip"])
    >>> released_stars(table, pd.DataFrame({"zip": ["1", "*"]})).tolist()
    [[False], [True]]
    """
    strange = other_shape(table, release)
    if strange:
        raise BadInput(strange)
    return np.column_stack([_cells(release[name]) == STAR for name in table.quasi])


def false_cells(table: Table, release: pd.DataFrame) -> list[str]:
    """Say where `release` is no release of `table`: other columns, other rows, a cell neither true nor a star where one may be.

    Columns may come in any order; rows must be in the table's order. A true cell is written as the table's is: who reads 1, True and 1.0
    sees three values.
    """
    frame = table.frame
    strange = other_shape(table, release)
    if strange:
        return [strange]
    found = []
    for name in frame.columns:
        original, published = _cells(frame[name]), _cells(release[name])
        true = original == published
        true[true] = _written_alike(original[true], published[true])
        if name in table.quasi:
            true |= published == STAR
        for row in np.flatnonzero(~true)[:3].tolist():
            shown, held = (series.astype(object).iloc[row] for series in (release[name], frame[name]))
            found.append(f"row {row + 1}, column {name!r}: published {shown!r} where the table has {held!r}")
    return found


def file_texts(series: pd.Series[Any]) -> pd.Series[Any]:
    """Write a column's values the way a CSV file has them; a missing one is the empty text.

    >>> file_texts(pd.Series(pd.to_datetime(["2020-01-01", None]))).tolist()
    ['2020-01-01', '']
    """
    return (series.astype(object) if is_text(series) else series.astype(str)).where(series.notna(), "")


def is_text(series: pd.Series[Any]) -> bool:
    """Tell whether all values of a column are texts, or missing."""
    values = series.cat.categories if isinstance(series.dtype, pd.CategoricalDtype) else series
    return isinstance(values.dtype, pd.StringDtype) or pd.api.types.infer_dtype(values, skipna=True) in (
        "string",
        "empty",
    )


def released_mask(table: Table, release: pd.DataFrame) -> pd.DataFrame:
    """Return which cells `release` stars, as a DataFrame of its form: true where a cell is suppressed."""
    mask = pd.DataFrame(False, index=release.index, columns=release.columns)
    mask[list(table.quasi)] = released_stars(table, release)
    return mask


def with_missing(table: Table, mask: pd.DataFrame) -> pd.DataFrame:
    """Return the table with missing values where `mask` is true; each column keeps its type, or takes the one that can miss values.

    >>> table = Table.from_frame(pd.DataFrame({"age": [31, 35], "sex": ["f", "m"]}), ["age", "sex"])
    >>> found = with_missing(table, pd.DataFrame({"age": [True, False], "sex": [False, False]}))
    >>> found["age"].dtype, found["age"].tolist()
    (Int64Dtype(), [<NA>, 35])
    """
    frame = table.frame.copy()
    for name in table.quasi:
        starred = mask[name].to_numpy(dtype=bool)
        if starred.any():
            frame[name] = _nullable(frame[name]).mask(starred)
        frame[name] = missing_alike(frame[name])
    return frame


def _nullable(series: pd.Series[Any]) -> pd.Series[Any]:
    """Whole numbers and truths of NumPy's cannot be missing: pandas has types of the same names that can."""
    kind = series.dtype
    if isinstance(kind, np.dtype) and kind.kind in "iu":
        return series.astype(pd.api.types.pandas_dtype(kind.name.replace("i", "I").replace("u", "U")))
    return series.astype("boolean") if isinstance(kind, np.dtype) and kind.kind == "b" else series


def other_shape(table: Table, release: pd.DataFrame) -> str | None:
    """Say that a release has other columns or another number of rows than the table; None if it has the same."""
    shown, expected = release.columns, table.frame.columns
    if sorted(map(str, shown)) != sorted(expected):
        return f"the release has the columns {', '.join(map(str, shown))}; it should have {', '.join(expected)}"
    if len(release) != table.rows:
        return f"the release has {len(release):,} rows, the table {table.rows:,}"
    return None


def _cells(series: pd.Series[Any]) -> NDArray[np.object_]:
    """Return the cells of a column as Python has them, None where one is missing: missing cells are equal.

    >>> _cells(pd.Series([1.5, None])).tolist()
    [1.5, None]
    """
    # Compared column by column by pandas, few rows take five times as long.
    cells: NDArray[np.object_] = series.to_numpy(dtype=object, copy=True)
    cells[pd.isna(cells)] = None
    return cells


_PLAIN = (str, int, bool, type(None))
"""Types whose equal values are written alike."""


def _written_alike(first: NDArray[np.object_], second: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Tell which of these pairs of equal cells are written alike, too."""
    pairs = zip(first, second, strict=True)
    alike = ((type(a) is type(b) and type(a) in _PLAIN) or str(a) == str(b) for a, b in pairs)
    return np.fromiter(alike, dtype=np.bool_, count=len(first))
