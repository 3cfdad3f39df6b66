"""Released tables as files, and back.

A CSV file holds texts, and a Parquet column has one type. So where a file cannot hold a released column as it is, it holds the texts
of the input's values with stars between them; and reading puts the table's own values back where such a text stands.
"""

from __future__ import annotations

import bz2
import csv
import functools
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from anoptima.cli.tables import is_parquet
from anoptima.documents.csv_texts import UTF_8, guess_separator, read_texts, separates
from anoptima.documents.parquet import read_parquet
from anoptima.documents.reading import SPREADSHEETS, Content, Source
from anoptima.errors import BadInput
from anoptima.machine import is_installed
from anoptima.packages import pd
from anoptima.problems.released import file_texts, is_text, released_stars
from anoptima.table import STAR, Table
from anoptima.table.columns import coded

_PACKERS: dict[str, Callable[[bytes], bytes]] = {
    # Without the time, so that the same release makes the same bytes.
    ".gz": functools.partial(gzip.compress, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


def require_format(path: Path) -> None:
    """Refuse a release's name before any work if its format cannot be written here."""
    if is_parquet(path) and not is_installed("pyarrow"):
        raise BadInput(f"{path}: writing Parquet needs pyarrow; install anoptima[parquet], or release a .csv file")
    if path.suffix.lower() == ".zip":
        raise BadInput(f"{path}: a release is not written as .zip; take .csv, .csv.gz, .csv.bz2, .csv.xz or .parquet")
    if path.suffix.lower() in SPREADSHEETS:
        raise BadInput(f"{path}: a release is not written as a spreadsheet; take .csv, which spreadsheet programs open")


def write_release(
    stream: IO[bytes], path: Path, table: Table, release: pd.DataFrame, separator: str, encoding: str = UTF_8
) -> None:
    """Write a release to `stream`, in the format that the name `path` asks for. What a cell begins with is left as it is, `=` too."""
    stars = dict(zip(table.quasi, released_stars(table, release).T, strict=True))
    if is_parquet(path):
        for name, starred in stars.items():
            if starred.any() and not is_text(release[name]):
                column = file_texts(table.frame[name]).mask(starred, STAR)
                release[name] = column.where(starred | table.frame[name].notna().to_numpy(), None)
            elif starred.any() and isinstance(release[name].dtype, pd.CategoricalDtype):
                # A file lists all categories, those that stars hide too.
                release[name] = release[name].cat.remove_unused_categories()
        stream.write(release.to_parquet(None, engine="pyarrow", index=False))
        return
    texts = table.frame.apply(file_texts)
    for name, starred in stars.items():
        texts[name] = texts[name].mask(starred, STAR)
    text = texts.to_csv(sep=separator, index=False, lineterminator="\n", quoting=_quoting(texts)).encode(encoding)
    stream.write(_PACKERS.get(path.suffix.lower(), bytes)(text))


def read_release(path: Source, table: Table, separator: str, encoding: str = UTF_8) -> pd.DataFrame:
    """Read a released table, with the values of `table` where the file holds a text that writes the same.

    Its fields may lie between another character than `separator`, that of the table, where the header makes it plain.
    """
    if not isinstance(path, Content) and is_parquet(str(path)):
        release = read_parquet(path)
    else:
        if len(table.frame.columns) > 1 and not separates(path, separator, encoding):
            separator = guess_separator(path, encoding)
        release = read_texts(path, separator, encoding=encoding)
    if release.columns.is_unique and len(release) == table.rows:
        for name in release.columns.intersection(table.frame.columns):
            # Refused at once if it holds lists, as Parquet columns can.
            coded(release[name], "value", (), str(path), is_sensitive=True)
            release[name] = _in_own_values(table.frame[name], release[name])
    return release


def _quoting(texts: pd.DataFrame) -> Any:
    """Quote everything where readers take a bare carriage return, or a blank line in a single column, for something else."""
    returns = any(texts[name].str.contains("\r", regex=False).any() for name in texts.columns)
    return csv.QUOTE_ALL if returns or len(texts.columns) == 1 else csv.QUOTE_MINIMAL


def _in_own_values(own: pd.Series[Any], published: pd.Series[Any]) -> pd.Series[Any]:
    same = _equal(published, file_texts(own))
    values = np.where(same, own.astype(object).to_numpy(), published.astype(object).to_numpy())
    return pd.Series(values, index=published.index, dtype=object)


def _equal(first: pd.Series[Any], second: pd.Series[Any]) -> NDArray[np.bool_]:
    equal = first.astype(object).reset_index(drop=True) == second.astype(object).reset_index(drop=True)
    result: NDArray[np.bool_] = equal.to_numpy(dtype=bool, na_value=False)
    return result
