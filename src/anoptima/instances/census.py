"""The census table: 30,162 persons of the Adult data, the standard test table of k-anonymity.

B. Becker and R. Kohavi: Adult. UCI Machine Learning Repository, 1996. https://doi.org/10.24432/C5XW20. Licensed under the Creative
Commons Attribution 4.0 International licence (CC BY 4.0), https://creativecommons.org/licenses/by/4.0/. Changed: rows with a missing
value are left out, the others in their order, and of the columns eight are kept, and the salary class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.table import Table

_EIGHT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "eight": _EIGHT,
    "seven": _EIGHT[:-1],
    "six": ("sex", "race", "marital-status", "education", "workclass", "native-country"),
    "four": ("sex", "age", "race", "marital-status"),
}
"""Choices of quasi-identifying columns that are tried again and again; "seven" leaves the occupation to be sensitive."""


@checked
def census(columns: str | Sequence[str] = "eight", sensitive: str | Sequence[str] = ()) -> Table:
    """Return the census table, every star of weight 1, rows in the order of the file.

    Parameters
    ----------
    columns
        The quasi-identifying columns: names, or "eight", "seven", "six" or "four" (see `COLUMNS`).
    sensitive
        Names of sensitive columns, such as "occupation" or "salary-class".

    Examples
    --------
    >>> census()
    Table(30,162 rows, 18,109 row types, quasi sex, age, race, marital-status, education, native-country, workclass, occupation)
    >>> census("seven", sensitive="occupation").sensitive
    ('occupation',)
    """
    if isinstance(columns, str):
        if columns not in COLUMNS:
            known = ", ".join(COLUMNS)
            raise BadInput(f"columns is {columns!r}; it must be one of {known}, or a list of column names")
        columns = COLUMNS[columns]
    with resources.as_file(resources.files(__package__) / "data" / "census.csv.gz") as path:
        try:
            return Table.read_csv(path, columns, sensitive)
        except BadInput as error:
            raise BadInput(str(error).replace(str(path), "the census")) from None
