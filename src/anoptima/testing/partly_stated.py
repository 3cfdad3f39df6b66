"""A principle that states a part of what it asks, as one from outside may: solvers that are for such ones are checked on it."""

from __future__ import annotations

from anoptima.principles import Condition, NotLinear
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.table import Table


class PartlyStated(EntropyDiversity):
    """Entropy diversity, of which only the number of values that it implies is known. It is in no list of principles.

    >>> from anoptima import ten_rows
    >>> [str(condition) for condition in PartlyStated(2).conditions(ten_rows())]
    ["AtLeastValues(column='disease', values=2)", 'it keeps the rest to itself']
    """

    kind = "partly-stated"

    def conditions(self, table: Table) -> list[Condition]:
        """Return the number of values, and that there is more."""
        return [super().conditions(table)[0], NotLinear("it keeps the rest to itself")]
