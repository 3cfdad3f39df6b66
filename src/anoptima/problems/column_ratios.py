"""The power of a set of columns to identify rows, as exact shares: pairs told apart, distinct rows, rows that are nearly alone.

With n rows in classes of sizes s_1, ..., s_d on the columns Q (rows that agree on Q):

- the separation ratio is the share of all pairs of rows that Q tells apart, 1 - sum_i s_i (s_i - 1) / (n (n - 1));
- the distinct ratio is d / n: dropping a share 1 - d / n of the rows makes Q a key of the others, and no smaller one does;
- the isolated share is the share of the rows that are in classes of fewer than k.

Each grows, or stays, as columns are added.

References
----------
R. Motwani and Y. Xu: Efficient algorithms for masking and finding quasi-identifiers. VLDB workshop on secure data management 2007.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import as_integer
from anoptima.problems.columns import sizes_on
from anoptima.table import Counts, Table


@checked
def separation_ratio(table: Table, columns: Collection[str]) -> Fraction:
    """Return the share of the pairs of rows that differ on `columns`; 1 for a table of one row. O(n |Q|) and a sort.

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 3, 3]}), quasi=["a", "b"])
    >>> separation_ratio(table, ["a"]), separation_ratio(table, ["a", "b"]), separation_ratio(table, [])
    (Fraction(2, 3), Fraction(5, 6), Fraction(0, 1))
    """
    pairs = table.rows * (table.rows - 1)
    equal = sum(size * (size - 1) for size in _sizes(table, columns).tolist())
    return 1 - Fraction(equal, pairs) if pairs else Fraction(1)


@checked
def distinct_ratio(table: Table, columns: Collection[str]) -> Fraction:
    """Return the number of distinct rows on `columns` per row of the table. O(n |Q|) and a sort.

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 3, 3]}), quasi=["a", "b"])
    >>> distinct_ratio(table, ["a"]), distinct_ratio(table, ["a", "b"])
    (Fraction(1, 2), Fraction(3, 4))
    """
    return Fraction(len(_sizes(table, columns)), table.rows)


@checked
def isolated_share(table: Table, columns: Collection[str], k: int = 2) -> Fraction:
    """Return the share of the rows that equal fewer than `k` rows on `columns`, themselves included. O(n |Q|) and a sort.

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 3, 3]}), quasi=["a", "b"])
    >>> isolated_share(table, ["b"]), isolated_share(table, ["b"], 3)
    (Fraction(1, 2), Fraction(1, 1))
    """
    if as_integer(k, "k") < 1:
        raise BadInput(f"k is {k}; it must be at least 1")
    sizes = _sizes(table, columns)
    return Fraction(int(sizes[sizes < k].sum()), table.rows)


def _sizes(table: Table, columns: Collection[str]) -> Counts:
    return sizes_on(table, [table.position(name) for name in columns])
