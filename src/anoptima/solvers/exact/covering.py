"""The lightest hitting set of a list of sets, exactly, in whole numbers, with a proof: the master problem of implicit hitting sets.

Branch and bound. Sets and columns are bit masks in Python integers, so that one operation looks at all sets at once. At a node, sets
that are not hit yet raise their shares in turn, each until a column in it is paid for in full (dual ascent); the shares are a bound and
the proof of it. A column whose slack exceeds what may still be paid is left out. The node branches on a column of a smallest set.

Searches that are not over soon begin again in compiled loops (`covering_kernel`), if these are ready and the masks fit.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.packages import loading

MOST_COLUMNS = 62
"""What the masks of the compiled search have room for."""
_FEW_NODES = 500
"""Searches with at most this many nodes end before anything is compiled."""


@dataclass(frozen=True, slots=True)
class Shares:
    """An end of the proof: the shares of sets, by number."""

    shares: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Split:
    """A column that is taken on one side and left out on the other."""

    column: int
    taken: Proof
    left: Proof


Proof = Split | Shares


@dataclass(frozen=True, slots=True)
class Hit:
    """A hitting set, None if none is lighter than what was asked for; `proof` shows that none is lighter than it, or than that.

    `proof` is None if the search could stop before one was needed.
    """

    weight: int | None
    chosen: int | None
    proof: Proof | None


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the ones.

    >>> list(bits(0b1011))
    [0, 1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def lightest_hit(
    sets: Sequence[int],
    weights: Sequence[int],
    below: int,
    enough: int = -1,
    note_loops: Callable[[str], None] = lambda why: None,
    most_shares: float = math.inf,
) -> Hit:
    """Return a lightest set of columns that meets every set of `sets` (none of them empty) and weighs less than `below`.

    `enough` is a weight that none is known to be below: a hitting set that reaches it needs no proof. Exponential in the worst case.
    Raises `OutOfTime` where a deadline is set, and `OverflowError` once the proof has more shares than `most_shares`: a proof that takes
    minutes to be read is of no use to someone who has seconds. `note_loops` hears whether a long search runs compiled (''), or why it does
    not.

    >>> lightest_hit([0b011, 0b110, 0b101], [1, 1, 1], below=9)
    Hit(weight=2, chosen=3, proof=Split(...))
    >>> lightest_hit([0b011, 0b110, 0b101], [1, 1, 1], below=2).weight
    """

    def look(shares: int) -> None:
        why = "there are too many columns" if len(weights) > MOST_COLUMNS else _why_not_compiled()
        note_loops(why)
        if not why:
            raise _TooLong
        if shares > most_shares:
            raise OverflowError

    try:
        return _Search(sets, weights, below, enough, look).run()
    except _TooLong:
        return _compiled_search(sets, weights, below, enough, most_shares)


def _why_not_compiled() -> str:
    """Say why the compiled search is not at hand; if it can be prepared, let that be done. Empty if it is."""
    from anoptima.solvers.compiling.loops import COVERING
    from anoptima.solvers.compiling.preparing import UNPREPARED, start, state

    known = state(COVERING)
    if known.missing and not known.why:
        start(COVERING)
    return known.why or (UNPREPARED if known.missing else "")


def _compiled_search(
    sets: Sequence[int], weights: Sequence[int], below: int, enough: int, most_shares: float = math.inf
) -> Hit:
    from anoptima.solvers.exact import covering_kernel

    # The smallest sets come first: dual ascent takes them in this order, and disjoint small ones are worth most.
    number = sorted(range(len(sets)), key=lambda j: sets[j].bit_count())
    search = covering_kernel.Search([sets[j] for j in number], list(weights), below, enough)
    with loading():
        found = search.run(most_shares)
        proof = None if found is None else _read(*found, number)
    return _hit(search.best, search.chosen, proof)


def _hit(best: int, chosen: int, proof: Proof | None) -> Hit:
    return Hit(best, chosen, proof) if chosen >= 0 else Hit(None, None, proof)


def _read(nodes: Sequence[int], ends: Sequence[int], shares: Sequence[int], number: list[int]) -> Proof:
    """Read a proof that is written in preorder, from its end.

    `shares` alternates between sets and their shares, one end after the other; `ends` says how many pairs there are up to each end.
    """
    read: list[Proof] = []
    place = len(ends)
    for column in reversed(nodes):
        check_time()
        if column < 0:
            place -= 1
            pairs = shares[2 * ends[place - 1] if place else 0 : 2 * ends[place]]
            read.append(Shares(tuple((number[j], share) for j, share in zip(pairs[::2], pairs[1::2], strict=True))))
        else:
            taken = read.pop()
            read.append(Split(column, taken, read.pop()))
    return read[0]


def greedy_hit(sets: Sequence[int], weights: Sequence[int], rank: Sequence[float]) -> int:
    """Return a hitting set, by taking the column with most sets a weight until all are hit, without what is superfluous in the end.

    `rank` decides between equals. O(m) operations on the matrix of sets and columns.

    >>> bin(greedy_hit([0b011, 0b110, 0b101], [1, 1, 1], [0, 1, 2]))
    '0b11'
    """
    inside = _matrix(sets, len(weights))
    open_ = np.ones(len(sets), dtype=np.bool_)
    often = np.zeros(len(sets), dtype=np.int64)
    chosen: list[int] = []
    while open_.any():
        gains = np.count_nonzero(inside[open_], axis=0) / np.array(weights)
        best = min(np.flatnonzero(gains == gains.max()).tolist(), key=rank.__getitem__)
        chosen.append(best)
        open_ &= ~inside[:, best]
        often += inside[:, best]
    for c in sorted(chosen, key=lambda c: -weights[c]):
        if (often - inside[:, c]).all():
            chosen.remove(c)
            often -= inside[:, c]
    return sum(1 << c for c in chosen)


def with_minimal(sets: Sequence[int], more: Sequence[int], columns: int) -> list[int]:
    """Return the union of two lists of masks without those that contain another one; the first list has none of those.

    O(S) whole-array operations for each mask of `more`.

    >>> with_minimal([0b011, 0b1100], [0b111, 0b100, 0b010], 4)
    [4, 2]
    """
    kept, masks = _matrix(sets, columns), list(sets)
    for new in sorted(more, key=int.bit_count):
        own = _matrix([new], columns)[0]
        if (kept <= own).all(axis=1).any():
            continue
        stays = ~(kept >= own).all(axis=1)
        if not stays.all():
            kept, masks = kept[stays], [mask for mask, stay in zip(masks, stays.tolist(), strict=True) if stay]
        kept, masks = np.vstack([kept, own]), [*masks, new]
    return masks


def joined(level: list[int]) -> Iterator[int]:
    """Yield each set all of whose parts with one column less are in the level.

    >>> list(joined([0b011, 0b101, 0b110, 0b1001]))
    [7]
    """
    known = set(level)
    by_rest: dict[int, list[int]] = {}
    for kept in sorted(level):
        last = 1 << (kept.bit_length() - 1)
        by_rest.setdefault(kept ^ last, []).append(last)
    for rest, lasts in by_rest.items():
        for i, first in enumerate(lasts):
            for second in lasts[i + 1 :]:
                joined = rest | first | second
                if all(joined ^ (1 << j) in known for j in bits(joined)):
                    yield joined


def _matrix(sets: Sequence[int], columns: int) -> NDArray[np.bool_]:
    """Return which set has which column."""
    if not sets:
        return np.zeros((0, columns), dtype=np.bool_)
    length = (columns + 7) // 8
    data = np.frombuffer(b"".join(mask.to_bytes(length, "little") for mask in sets), dtype=np.uint8)
    return np.unpackbits(data.reshape(len(sets), length), axis=1, count=columns, bitorder="little").astype(np.bool_)


def _hits(sets: Sequence[int], columns: int) -> list[int]:
    hits = [0] * columns
    for j, members in enumerate(sets):
        for c in bits(members):
            hits[c] |= 1 << j
    return hits


class _Done(Exception):
    """A hitting set reaches `enough`."""


class _TooLong(Exception):
    """There are more nodes than there were to be."""


class _Search:
    """The search in Python, for any number of columns.

    The proof is written down as the compiled search does it. As objects, a tree of millions of splits would be looked through by the
    garbage collector again and again, for seconds each time: time limits would be missed.
    """

    def __init__(
        self,
        sets: Sequence[int],
        weights: Sequence[int],
        below: int,
        enough: int,
        look: Callable[[int], None] = lambda shares: None,
    ) -> None:
        # The smallest sets come first: dual ascent takes them in this order, and disjoint small ones are worth most.
        self._number = sorted(range(len(sets)), key=lambda j: sets[j].bit_count())
        self._sets = [sets[j] for j in self._number]
        self._weights = list(weights)
        self._hits = _hits(self._sets, len(weights))
        self._best, self._chosen, self._enough = below, -1, enough
        self._look = look
        """Told from time to time how many shares the proof has: raises an error that ends the search."""
        self._left = _FEW_NODES
        self._nodes, self._ends, self._shares = array("q"), array("q"), array("q")

    def run(self) -> Hit:
        try:
            self._node(0, 0, (1 << len(self._weights)) - 1, (1 << len(self._sets)) - 1)
        except _Done:
            return _hit(self._best, self._chosen, None)
        with loading():
            proof = _read(self._nodes, self._ends, self._shares, self._number)
        return _hit(self._best, self._chosen, proof)

    def _node(self, taken: int, paid: int, allowed: int, open_: int) -> None:
        """Search below a node; write down the proof that nothing there is lighter than the best in the end."""
        check_time()
        self._left -= 1
        if self._left < 0:
            self._look(len(self._shares) // 2)
            self._left = _FEW_NODES
        if not open_:
            if paid < self._best:
                self._best, self._chosen = paid, taken
                if paid <= self._enough:
                    raise _Done
            self._end(())
            return
        bound, shares, slack = self._ascend(paid, allowed, open_)
        if bound >= self._best:
            self._end(shares)
            return
        for c in bits(allowed):
            if bound + slack[c] >= self._best:
                allowed &= ~(1 << c)
                self._nodes.append(c)
                self._end((j, share) for j, share in shares if not self._sets[j] >> c & 1)
        self._branch(taken, paid, allowed, open_)

    def _branch(self, taken: int, paid: int, allowed: int, open_: int) -> None:
        smallest = min(bits(open_), key=lambda j: (self._sets[j] & allowed).bit_count())
        members = self._sets[smallest] & allowed
        if not members:
            self._end([(smallest, self._best)])
            return
        c = max(bits(members), key=lambda c: (self._hits[c] & open_).bit_count() / self._weights[c])
        self._nodes.append(c)
        self._node(taken | 1 << c, paid + self._weights[c], allowed & ~(1 << c), open_ & ~self._hits[c])
        self._node(taken, paid, allowed & ~(1 << c), open_)

    def _ascend(self, paid: int, allowed: int, open_: int) -> tuple[int, list[tuple[int, int]], list[int]]:
        """Return a bound, the shares that prove it, and what is left of each column's weight."""
        slack = self._weights.copy()
        shares: list[tuple[int, int]] = []
        while open_ and paid < self._best:
            j = (open_ & -open_).bit_length() - 1
            members = self._sets[j] & allowed
            if not members:
                shares.append((j, self._best))
                return self._best, shares, slack
            columns = list(bits(members))
            share = min(slack[c] for c in columns)
            shares.append((j, share))
            paid += share
            for c in columns:
                slack[c] -= share
                if not slack[c]:
                    open_ &= ~self._hits[c]
        return paid, shares, slack

    def _end(self, shares: Iterable[tuple[int, int]]) -> None:
        """Write down that a node is an end, with its shares."""
        self._nodes.append(-1)
        self._shares.extend(itertools.chain.from_iterable(shares))
        self._ends.append(len(self._shares) // 2)
