"""A released table as it comes back: true to the table, with its rows in another order, generalised rather than starred, or false."""

from __future__ import annotations

import re
from dataclasses import dataclass

from anoptima.packages import pd
from anoptima.problems.released import false_cells, other_shape
from anoptima.solvers.row_order import in_table_order
from anoptima.table import STAR, Table

_NUMBER = r"[-+]?\d+(?:[.,]\d+)?"

_GENERALISED = re.compile(
    rf"""
    .*\*.*                                                          # 47**, *11, **
    | [\[(]\s*{_NUMBER}\s*[-,;:\u2013]\s*{_NUMBER}\s*[\])]          # [30-40), (30, 40]
    | {_NUMBER}\s*(?:[-:\u2013]|\.\.|to)\s*{_NUMBER}                 # 30-40
    | (?:[<>]=?|\u2264|\u2265)\s*{_NUMBER}                            # >=30
    | {_NUMBER}\s*\+                                                 # 65+
    | \{{[^{{}}]+\}}                                                  # {{flu, measles}}
    """,
    re.VERBOSE,
)
"""How releases of other tools write what stands for several values."""


@dataclass(frozen=True)
class ReadBack:
    """A release in the order of the table's rows, or what is wrong with it.

    `reordered` is true where its rows came in another order.
    """

    release: pd.DataFrame
    wrong: tuple[str, ...] = ()
    reordered: bool = False


def read_back(table: Table, release: pd.DataFrame) -> ReadBack:
    """Read a release of `table`: row by row, and otherwise in any order in which its rows can be the table's.

    >>> table = Table.from_frame(pd.DataFrame({"zip": ["4711", "4712"], "age": ["31", "35"]}), ["zip", "age"])
    >>> read_back(table, pd.DataFrame({"zip": ["4712", "4711"], "age": ["*", "*"]})).reordered
    True
    >>> print(read_back(table, pd.DataFrame({"zip": ["471*", "471*"], "age": ["[30-40)", "[30-40)"]})).wrong[0])
    2 cells of column 'zip' are generalised, not suppressed (row 1: '471*'); a release here shows a cell as it is, or '*' alone
    """
    shape = other_shape(table, release)
    if shape:
        return ReadBack(release, (shape,))
    false = false_cells(table, release)
    if not false:
        return ReadBack(release)
    generalised = generalised_cells(table, release)
    if generalised:
        return ReadBack(release, tuple(generalised))
    ordered = in_table_order(table, release)
    if ordered is None:
        return ReadBack(release, (*false, "in no other order of its rows is it a release of this table either"))
    return ReadBack(ordered, (), True)


def generalised_cells(table: Table, release: pd.DataFrame) -> list[str]:
    """Say which quasi-identifying columns hold cells that stand for several values, as other tools write them."""
    found = []
    for column in table.quasi_columns:
        own = {str(value) for value in column.values}
        published = release[column.name].astype(object).reset_index(drop=True)
        forms = {
            text
            for text in published.unique()
            if isinstance(text, str) and text != STAR and text not in own and _GENERALISED.fullmatch(text.strip())
        }
        cells = published.isin(forms).to_numpy(dtype=bool)
        if cells.any():
            row = int(cells.argmax())
            count = int(cells.sum())
            found.append(
                f"{count:,} cell{' of column' if count == 1 else 's of column'} {column.name!r} "
                f"{'is' if count == 1 else 'are'} generalised, not suppressed (row {row + 1}: {published[row]!r}); "
                f"a release here shows a cell as it is, or {STAR!r} alone"
            )
    return found
