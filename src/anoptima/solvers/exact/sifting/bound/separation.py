"""Finding violated rounding cuts: for a set of records and a divisor the best terms are easy to find, so only the set is searched for.

At a fractional (x, y), each pattern chooses for (W, d) the best of its terms: *together*, where S is a prefix of its records in W by
falling x_pt / s_t, or *outside*, where O is a prefix of those outside W in the same order (`cuts`). The sum of what they give, less q, is
how far the cut is violated. W grows and shrinks by single records, always by the best move, even if that makes the cut less violated,
from supports of fractional patterns, single records and pairs. A search in loops: some hundred times slower until they are prepared.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import distinct
from anoptima.solvers.compiling.loops import fastest
from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound.cuts import LEAST_VIOLATION, SOME_CUTS, Catalogue, Cut, Named, Row
from anoptima.solvers.exact.sifting.kernels.cut_search import MOST_RECORDS, Marks, Taken, best_term, grow

_QUICK, _THOROUGH = (10, 3, 24), (25, 7, 256)
"""How many moves a search makes at most, how many without a gain, and how many records it tries to add before each."""
_TIRED = 6
"""A set whose records all lie in this many new cuts is left alone."""
_EPSILON = 1e-7
"""Rows of a fractional solution that count as none, HiGHS's tolerance. Of 17,916 positive ones in a tree of 200 rows 349 were below 1e-10,
and none of the others below 1e-4."""


class Support:
    """A fractional solution, by pattern and by record: only what is above 0."""

    def __init__(self, catalogue: Catalogue, x: Numbers, y: Numbers) -> None:
        arcs = catalogue.arcs
        self.catalogue, self._x, self._y = catalogue, x, y
        used = np.flatnonzero(x > _EPSILON)
        share = x[used] / arcs.copies[arcs.member[used]]
        used = used[np.lexsort((-share, catalogue.arcs.pattern_of[used]))]
        self.patterns, owner = np.unique(catalogue.arcs.pattern_of[used], return_inverse=True)
        record = arcs.member[used].astype(np.int64)
        by_record = np.argsort(record, kind="stable")
        self.taken = Taken(
            copies=arcs.copies,
            start=np.searchsorted(owner, np.arange(len(self.patterns) + 1)),
            record=record,
            x=x[used],
            y=y[self.patterns],
            owner=owner.astype(np.int64),
            by_record=by_record,
            record_start=np.searchsorted(record[by_record], np.arange(len(arcs.copies) + 1)),
        )

    def is_violated(self, row: Row) -> bool:
        """Tell whether the solution violates a cut by enough."""
        return row.slack(self._x, self._y) < -LEAST_VIOLATION / 2

    def patterns_of(self, records: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions of the patterns that some of the records lie in."""
        its = self.taken
        arcs = [its.by_record[its.record_start[t] : its.record_start[t + 1]] for t in records]
        return distinct(its.owner[np.concatenate(arcs)])

    def seeds(self, chance: np.random.Generator, barred: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
        """Return sets of records to begin with: of fractional patterns, single ones, and pairs; shuffled within each kind."""
        its = self.taken
        fractional = np.flatnonzero((its.y > 1e-4) & (its.y < 1 - 1e-4))
        whole = [its.record[its.start[p] : its.start[p + 1]] for p in fractional]
        whole = [own[~barred[own]][:MOST_RECORDS] for own in whole]
        whole = [own for own in whole if len(own)]
        split = np.flatnonzero((np.diff(its.record_start) > 1) & ~barred)
        pairs = [np.array([a, b]) for members in whole for a, b in itertools.pairwise(members)]
        found = []
        for kind in (whole, [np.array([t]) for t in split], pairs):
            found += [kind[i] for i in chance.permutation(len(kind))]
        return found


def violated(
    support: Support,
    chance: np.random.Generator,
    is_over: Callable[[], bool],
    most: int = SOME_CUTS,
    among: NDArray[np.bool_] | None = None,
    thorough: bool = False,
) -> list[Row]:
    """Return cuts that a solution violates, at most about `most`, over all arcs, with sets of the records `among` only if it is given.

    Ends early once `is_over()`. A `thorough` search takes some three times as long.
    """
    moves, patience, tries = _THOROUGH if thorough else _QUICK
    arcs = support.catalogue.arcs
    found: dict[Cut, Row] = {}
    often = np.zeros(len(arcs.copies), dtype=np.int64)
    barred = np.zeros(len(arcs.copies), dtype=np.bool_) if among is None else ~among
    marks = Marks(np.zeros_like(barred), barred, np.zeros(len(support.patterns), dtype=np.int64))
    search = fastest(grow)
    for seed in support.seeds(chance, barred):
        if len(found) >= most:
            break
        if (often[seed] >= _TIRED).all():
            continue
        for divisor in range(2, arcs.k + 1):
            if is_over():
                return list(found.values())
            records, violation = search(seed, divisor, arcs.k, support.taken, marks, moves, patience, tries)
            if violation <= LEAST_VIOLATION:
                continue
            cut = _cut(support, np.sort(records), divisor, marks.inside)
            if cut in found:
                continue
            row = support.catalogue.row(cut)
            if row is not None and support.is_violated(row):
                found[cut] = row
                often[records] += 1
    return list(found.values())


def _cut(support: Support, records: NDArray[np.int64], divisor: int, inside: NDArray[np.bool_]) -> Cut:
    """Name the terms that the search chose. `inside` is all false before and after. O(support of the patterns that meet the records)."""
    inside[records] = True
    its, k = support.taken, support.catalogue.arcs.k
    rest = int(its.copies[records].sum()) % divisor
    named = []
    best = fastest(best_term)
    for p in support.patterns_of(records):
        first, last = int(its.start[p]), int(its.start[p + 1])
        _, kind, length = best(first, last, its.record, its.x, its.y[p], its.copies, k, divisor, rest, inside)
        if kind == 0:
            continue
        own = its.record[first:last]
        members = own[inside[own] == (kind == 1)][:length]
        named.append(Named(int(support.patterns[p]), kind == 1, tuple(np.sort(members).tolist())))
    inside[records] = False
    return Cut(tuple(map(int, records)), divisor, tuple(named))
