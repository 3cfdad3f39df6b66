"""How large the questions of a hunt may be."""

from __future__ import annotations

from dataclasses import dataclass

from anoptima.arguments import checked
from anoptima.errors import BadInput


@checked
@dataclass(frozen=True)
class HuntSizes:
    """The largest tables (or sets of points) that are tried.

    Attributes
    ----------
    rows, columns, values
        Rows, quasi-identifying columns, and different values of a column. Of points: points, dimensions, and quarters along an axis.
    sensitive
        Different sensitive values; 0 for tables without a sensitive column.
    least_rows
        The fewest rows.

    Examples
    --------
    >>> import anoptima as ao
    >>> found = ao.hunt("clustering", sizes=ao.HuntSizes(rows=3, columns=1), limits=ao.HuntLimits(steps=20))
    >>> found.worst.subject.rows
    ((0,), (0,))
    """

    rows: int = 8
    columns: int = 4
    values: int = 4
    sensitive: int = 0
    least_rows: int = 2

    def __post_init__(self) -> None:
        for name, least in (("rows", 1), ("columns", 1), ("values", 2), ("sensitive", 0), ("least_rows", 1)):
            if getattr(self, name) < least:
                raise BadInput(f"{name} is {getattr(self, name)}; it must be at least {least}")
        if self.least_rows > self.rows:
            raise BadInput(f"there are at most {self.rows} rows; the principle needs {self.least_rows}")
