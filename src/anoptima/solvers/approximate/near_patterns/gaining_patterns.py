"""All patterns whose groups gain at what rows are worth, of tables with too many columns for patterns to be listed.

They are what is missing in a linear program over some patterns, and the sum of their gains is what its dual lacks for a bound. A walk
through all column sets finds them, and leaves out every class whose k best rows are not worth what it pays so far (`kernels.walking`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.approximate.near_patterns.kernels import walking
from anoptima.solvers.compiling.loops import fastest
from anoptima.solvers.side_by_side import side_by_side
from anoptima.table import Counts

AT_ONCE = 1 << 16
"""How many row types are looked at between two looks at the clock: a thousandth of a second in a compiled loop, tenths in a plain one."""
MOST_LOOKS = 1 << 31
"""A walk looks at no more row types, one after the other: some 40 s of a processor. Checking a proof takes several times as long."""
MOST_MEMBERS = 1 << 24
"""So many members of patterns are kept at most; what gains beyond that is found again by the next walk."""
MOST_ROOM = 1 << 28
"""A walk takes no more row types than this on all levels."""
_PIECES = 16
"""How many pieces a walk has for each thread, since some take longer than others."""


@dataclass(frozen=True, eq=False)
class Gaining:
    """What patterns gain in all, in parts of d, and those of them that were kept: what a row pays, how many members each has, and these."""

    gain: int
    cost: Counts
    length: Counts
    member: NDArray[np.int32]


class Walk:
    """A table, made ready for walks on some threads."""

    def __init__(self, problem: CellSuppression, k: int, threads: int = 1) -> None:
        table, self._k, self._threads = problem.table, k, threads
        width = table.types.max(axis=0).astype(np.int64) + 1
        # Columns that tell apart most come first, so that classes become small early.
        self._order = np.argsort(-width, kind="stable")
        self._codes = table.types.T[self._order]
        self._width, self._weight = width[self._order], np.array(table.scaled_weights.tolist())[self._order]
        self._copies = table.multiplicity.astype(np.int64)

    @staticmethod
    def why_not(problem: CellSuppression) -> str | None:
        """Say why there is no walk; None if there is."""
        row_types, columns = problem.table.types.shape
        if row_types * columns > MOST_ROOM:
            return f"{row_types:,} row types of {columns:,} columns take too much room"
        return None

    def gaining(
        self, worth: Counts, d: int, is_over: Callable[[], bool], most_looks: int = MOST_LOOKS
    ) -> Gaining | None:
        """Return what gains where row types are worth so many parts of d; None if time is over before, or so many are looked at.

        Exact. At worst, as many column sets are looked at as weigh less than rows are worth. O(m) numbers for each row type and thread.

        >>> from anoptima import KAnonymity, ten_rows
        >>> found = Walk(CellSuppression(ten_rows(), KAnonymity(3)), 3).gaining(np.full(10, 6), 1, lambda: False)
        >>> found.gain, found.cost.tolist(), found.length.tolist()
        (12, [5, 5, 5, 5], [3, 3, 3, 3])
        """
        order = np.argsort(-worth, kind="stable")
        ground = walking.Ground(
            np.ascontiguousarray(self._codes[:, order], dtype=np.int32),
            self._width,
            d * self._weight,
            worth[order],
            self._copies[order],
            self._k,
            np.zeros(0, dtype=np.bool_),
        )
        walk = fastest(walking.walk)
        threads = 1 if walk is walking.walk else self._threads
        first = 0 if threads == 1 else min(len(self._order), (_PIECES * threads).bit_length() - 1)
        looks = _Looks(most_looks)

        def look(decided: tuple[bool, ...]) -> Gaining | None:
            piece = _Piece(ground._replace(decided=np.array(decided, dtype=np.bool_)), MOST_MEMBERS >> first)
            return piece.gaining(walk, looks, is_over)

        found = side_by_side(look, list(product((False, True), repeat=first)), threads)
        whole = [one for one in found if one is not None]
        if len(whole) < len(found):
            return None
        return Gaining(
            sum(one.gain for one in whole),
            np.concatenate([one.cost for one in whole]) // d,
            np.concatenate([one.length for one in whole]),
            order[np.concatenate([one.member for one in whole])].astype(np.int32),
        )


@dataclass
class _Looks:
    """How many are left to all pieces of a walk."""

    left: int


class _Piece:
    """A walk, or what is left of one after the first columns are decided. About so many members of what gains are kept."""

    def __init__(self, ground: walking.Ground, room: int) -> None:
        columns, row_types = ground.codes.shape
        self._ground, self._room = ground, room
        self._state = walking.State(
            np.zeros((row_types + 2 * columns, walking.PAID + 1), dtype=np.int64),
            np.empty((min(columns, row_types) + 1, row_types), dtype=np.int32),
            np.zeros(columns, dtype=np.bool_),
            np.zeros(int(ground.width.max()), dtype=np.int64),
            np.zeros(walking.LOOKS + 1, dtype=np.int64),
        )
        self._state.level[0] = np.arange(row_types)
        self._state.waiting[0, walking.END] = row_types
        self._state.count[walking.WAITING] = 1

    def gaining(self, walk: Callable[..., None], looks: _Looks, is_over: Callable[[], bool]) -> Gaining | None:
        """Walk to the end; None if it is over before."""
        count, row_types = self._state.count, len(self._ground.worth)
        written = walking.Room(
            np.empty(row_types, dtype=np.int64),
            np.empty(row_types + AT_ONCE, dtype=np.int32),
            np.empty(row_types, dtype=np.int64),
        )
        kept, members = [walking.Room(*(field[:0] for field in written))], 0
        while count[walking.WAITING]:
            if looks.left <= 0 or is_over():
                return None
            before = int(count[walking.LOOKS])
            walk(self._ground, self._state, written, AT_ONCE)
            looks.left -= int(count[walking.LOOKS]) - before
            if members <= self._room:
                ends = count[[walking.FOUND, walking.MEMBERS, walking.FOUND]]
                kept.append(walking.Room(*(field[:end].copy() for field, end in zip(written, ends, strict=True))))
                members += int(count[walking.MEMBERS])
            count[[walking.FOUND, walking.MEMBERS]] = 0
        length, member, cost = map(np.concatenate, zip(*kept, strict=True))
        return Gaining(int(count[walking.GAIN]), cost, length, member)
