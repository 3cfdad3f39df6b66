"""Tables: rows of records, their integer codes and row types, computed once. All data enters and leaves through this module.

A table is a multiset of rows: equal rows are kept. What matters for size is the number of *row types*, the distinct
quasi-identifier vectors, each with its multiplicity. A missing value has one meaning: **a value like any other**, equal to every
other missing value of its column and to nothing else. `missing="refuse"` refuses tables with missing values.
"""

from anoptima.table.columns import STAR, Codes, Column, Counts, Missing, fold_codes
from anoptima.table.groups import Groups, Records, Tally
from anoptima.table.tables import Table

__all__ = [
    "Codes",
    "Column",
    "Counts",
    "Groups",
    "Missing",
    "Records",
    "STAR",
    "Table",
    "Tally",
    "fold_codes",
]
