"""Members of the families on which approximations are as bad as their theorems allow, or arbitrarily bad."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from anoptima.instances.library import Family, add_family
from anoptima.instances.making import Member
from anoptima.instances.worst_cases import CASES, divided_values


def _members() -> Iterator[Member]:
    for case in CASES:
        for size in case.sizes:
            yield f"{case.name}-{size}", f"{', '.join(case.solvers)}, {case.knob}={size}", partial(case.problem, size)
    for columns in (3, 6):
        yield f"divided-values-{columns}", f"0-closeness, columns={columns}", partial(divided_values, columns)


WORST_CASES = add_family(
    Family(
        "worst", "a family on which a solver is as bad as it can be", "constructed from champions of hunts", _members
    )
)
