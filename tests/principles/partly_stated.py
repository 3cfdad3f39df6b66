"""A principle from outside that states a part of what it asks: entropy diversity, of which only the number of values is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import anoptima as ao
from anoptima.principles import Condition, NotLinear, principle_kinds
from anoptima.table import Table


class PartlyStated(ao.EntropyDiversity):
    kind = "partly-stated"

    def conditions(self, table: Table) -> list[Condition]:
        return [super().conditions(table)[0], NotLinear("it keeps the rest to itself")]


@contextmanager
def known() -> Iterator[None]:
    """Let files speak of it."""
    principle_kinds.add(PartlyStated)
    try:
        yield
    finally:
        principle_kinds.remove(PartlyStated.kind)
