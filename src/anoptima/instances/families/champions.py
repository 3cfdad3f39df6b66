"""Small tables with the worst ratio found for an approximation, by `anoptima hunt`."""

from __future__ import annotations

from collections.abc import Iterator

from anoptima.instances.champions import known_champions
from anoptima.instances.library import Family, add_family
from anoptima.instances.making import Member


def _members() -> Iterator[Member]:
    for known in known_champions():
        asked = "" if known.kind == "identifying-columns" else f", {known.principle}"
        yield known.name, f"{known.solver}, rows={known.rows}{asked}", known.problem


CHAMPIONS = add_family(
    Family(
        "champion", "a small question on which a solver is as bad as has been seen", "found by anoptima hunt", _members
    )
)
