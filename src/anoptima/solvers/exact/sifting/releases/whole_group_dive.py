"""Diving: the groups of a fractional release that are whole stay, and the linear program of the other rows is solved again.

Regions that start from such a release end with better ones than from a greedy start, since groups that are whole in a linear program's
optimum seldom have to change. The dive ends when hardly any rows come out in whole groups.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.releases.greedy import whole_groups
from anoptima.solvers.exact.sifting.releases.region_program import Region, Relaxed
from anoptima.solvers.exact.sifting.releases.release import Release, together
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers

FEW = 0.02
"""If no more than this share of the rows comes out in whole groups, it is over."""


def dive(
    instance: Instance,
    core: Counts,
    x: Numbers,
    others: Counts,
    relax: Callable[[Region], Relaxed | None],
    log: Callable[[str], None],
) -> Release:
    """Return legal groups, of some of the rows, beginning with a fractional release `x` on the arcs `core`.

    Programs have the `others` of the arcs of their rows, and those to the pattern that all match. `relax` solves them, or returns None if
    that cannot be, or takes too long.
    """
    arcs, widest = instance.arcs, int(np.argmax(instance.patterns.support))
    others = np.union1d(others, np.arange(arcs.start[widest], arcs.start[widest + 1]))
    begun = whole_groups(instance, core, x)
    rest = not_in(instance, begun)
    while rest.any():
        usable = others[rest[arcs.member[others]] > 0]
        relaxed = relax(Region(usable, rest, begun))
        if relaxed is None:
            break
        whole = whole_groups(instance, usable, relaxed.x)
        log(f"{int(whole.count.sum()):,} of {int(rest.sum()):,} more rows in whole groups")
        if whole.count.sum() <= FEW * rest.sum():
            break
        begun = together(begun, whole)
        rest = not_in(instance, begun)
    return begun


def not_in(instance: Instance, begun: Release) -> Counts:
    """Return how many copies of each record are in none of the groups."""
    rest = instance.arcs.copies.copy()
    np.subtract.at(rest, instance.arcs.member[begun.arc], begun.count)
    return rest
