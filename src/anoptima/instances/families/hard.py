"""Targets of the reductions whose optimum is known by theorem: all cubic graphs up to ten vertices, and planted sources that grow."""

from __future__ import annotations

from collections.abc import Iterator

from anoptima.instances.hard import hard_instances
from anoptima.instances.library import Family, add_family
from anoptima.instances.making import Member


def _members() -> Iterator[Member]:
    for one in hard_instances():
        yield one.ending, one.knob, one.target


FAMILY = add_family(
    Family("hard", "the target of a reduction, from a source with a known optimum", "made by the reduction", _members)
)
