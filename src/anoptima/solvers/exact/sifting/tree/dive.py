"""Diving for a release: the groups that a fractional optimum takes most of are taken whole, one after the other.

After each, the linear program over groups goes on with the rows that are left, and pricing adds groups of these. Rows may be left out for a
little more than they are worth; a greedy release of those, and of what does not fit any more, completes the groups (column generation
diving: Sadykov, Vanderbeck, Pessoa, Tahiri and Uchoa 2019).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anoptima.solvers.exact.sifting.bound.group_program import GroupProgram
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.releases.release import NOBODY, Release
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers

ROUNDS = 4
"""So often are groups added before the next one is taken."""
WIDTH = 0.5
"""By how much more than they are worth rows may be left out, in units (`Instance.unit`)."""
WHOLE = 0.99
"""A group that is taken by more is taken whole, with all others of which that is true."""


def dive(
    instance: Instance,
    program: GroupProgram,
    add_groups: Callable[[Counts], int],
    worth: Numbers,
    chance: np.random.Generator,
    is_over: Callable[[], bool],
    staying: Release = NOBODY,
) -> Release:
    """Return a release of all rows, some groups `staying`; `add_groups` solves the program and adds what it gains by, of the rows left."""
    arcs = instance.arcs
    taken = np.zeros(len(arcs.member), dtype=np.int64)
    taken[staying.arc] = staying.count
    left = arcs.copies - np.bincount(arcs.member, taken, len(arcs.copies)).astype(np.int64)
    is_more = True
    while is_more and left.any() and not is_over():
        program.serve(left)
        program.hold(worth, WIDTH * instance.unit)
        for _ in range(ROUNDS):
            if not add_groups(left):
                break
        else:
            program.solve()
        is_more = False
        for arc, rows in program.most_taken(WHOLE):
            if (rows <= left[arcs.member[arc]]).all():
                taken[arc] += rows
                left[arcs.member[arc]] -= rows
                is_more = True
        program.forget()
    program.serve(arcs.copies)
    begun = np.flatnonzero(taken)
    return greedy_release(instance, np.zeros(len(arcs)), chance, Release(begun, taken[begun]))


def let_go(instance: Instance, release: Release, rows: int, chance: np.random.Generator) -> Release:
    """Return what stays of a release where groups near each other are let go, of so many rows or a few more.

    Those go first that have most of their rows in some pattern, which is drawn at random.
    """
    arcs = instance.arcs
    group = arcs.pattern_of[release.arc]
    size = np.bincount(group, release.count, len(arcs))
    drawn = int(chance.integers(len(arcs)))
    inside = np.isin(arcs.member[release.arc], arcs.member[arcs.start[drawn] : arcs.start[drawn + 1]])
    shared = np.bincount(group, release.count * inside, len(arcs)) / np.maximum(size, 1)
    groups = np.flatnonzero(size)
    order = groups[np.lexsort((chance.random(len(groups)), -shared[groups]))]
    gone = order[: int(np.searchsorted(np.cumsum(size[order]), rows)) + 1]
    stays = ~np.isin(group, gone)
    return Release(release.arc[stays], release.count[stays])
