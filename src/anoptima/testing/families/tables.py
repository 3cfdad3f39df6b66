"""Tables, under the principles that reductions start from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from anoptima.packages import pd
from anoptima.principles import KAnonymity, LDiversity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.table import Table
from anoptima.testing.families import register


def all_tables(rows: int, columns: int, symbols: int = 2) -> Iterator[Table]:
    """Yield every table with `rows` rows, up to their order, over an alphabet: 35 tables with four rows of two binary columns."""
    records = list(itertools.product(range(symbols), repeat=columns))
    names = [f"q{j + 1}" for j in range(columns)]
    for chosen in itertools.combinations_with_replacement(records, rows):
        yield Table.from_frame(pd.DataFrame(np.array(chosen), columns=names), names)


@register("half-anonymity", "k-anonymity")
def _tables() -> Iterator[Problem[Any]]:
    for rows, columns, symbols in ((4, 2, 2), (4, 2, 3), (4, 3, 2), (6, 2, 2)):
        for table in all_tables(rows, columns, symbols):
            yield CellSuppression(table, KAnonymity(rows // 2))


@register("2-anonymity")
def _pairable() -> Iterator[Problem[Any]]:
    for rows, columns, symbols in ((2, 2, 2), (3, 2, 2), (4, 2, 3), (5, 2, 2), (6, 2, 2)):
        for table in all_tables(rows, columns, symbols):
            yield CellSuppression(table, KAnonymity(2))


@register("2-diversity")
def _diverse() -> Iterator[Problem[Any]]:
    for rows, columns, values in ((2, 1, "ab"), (4, 2, "abab"), (5, 2, "aabbc"), (6, 2, "aaabbc")):
        for table in all_tables(rows, columns):
            frame = table.frame.assign(ill=list(values))
            yield CellSuppression(Table.from_frame(frame, table.quasi, "ill"), LDiversity(2))
