"""The lightest hitting set of a list of sets, exactly, in whole numbers, with a proof: the master problem of implicit hitting sets.

Branch and bound. Sets and columns are bit masks in Python integers, so that one operation looks at all sets at once. At a node, sets
that are not hit yet raise their shares in turn, each until a column in it is paid for in full (dual ascent); the shares are a bound and
the proof of it. A column whose slack exceeds what may still be paid is left out. The node branches on a column of a smallest set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anoptima.deadline import check_time


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


def lightest_hit(sets: Sequence[int], weights: Sequence[int], below: int, enough: int = -1) -> Hit:
    """Return a lightest set of columns that meets every set of `sets` (none of them empty) and weighs less than `below`.

    `enough` is a weight that none is known to be below: a hitting set that reaches it needs no proof. Exponential in the worst case.
    Raises `OutOfTime` where a deadline is set.

    >>> lightest_hit([0b011, 0b110, 0b101], [1, 1, 1], below=9)
    Hit(weight=2, chosen=3, proof=Split(...))
    >>> lightest_hit([0b011, 0b110, 0b101], [1, 1, 1], below=2).weight
    """
    return _Search(sets, weights, below, enough).run()


def greedy_hit(sets: Sequence[int], weights: Sequence[int], rank: Sequence[float]) -> int:
    """Return a hitting set, by taking the column with most sets a weight until all are hit, without what is superfluous in the end.

    `rank` decides between equals. O(m^2) operations on masks of sets.

    >>> bin(greedy_hit([0b011, 0b110, 0b101], [1, 1, 1], [0, 1, 2]))
    '0b11'
    """
    hits = _hits(sets, len(weights))
    open_, chosen = (1 << len(sets)) - 1, 0
    while open_:
        gains = [(hits[c] & open_).bit_count() for c in range(len(weights))]
        best = max(range(len(weights)), key=lambda c: (gains[c] / weights[c], -rank[c]))
        chosen |= 1 << best
        open_ &= ~hits[best]
    everything = (1 << len(sets)) - 1
    for c in sorted(bits(chosen), key=lambda c: -weights[c]):
        without = chosen & ~(1 << c)
        met = 0
        for other in bits(without):
            met |= hits[other]
        if met == everything:
            chosen = without
    return chosen


def _hits(sets: Sequence[int], columns: int) -> list[int]:
    hits = [0] * columns
    for j, members in enumerate(sets):
        for c in bits(members):
            hits[c] |= 1 << j
    return hits


class _Done(Exception):
    """A hitting set reaches `enough`."""


class _Search:
    def __init__(self, sets: Sequence[int], weights: Sequence[int], below: int, enough: int) -> None:
        # The smallest sets come first: dual ascent takes them in this order, and disjoint small ones are worth most.
        self._number = sorted(range(len(sets)), key=lambda j: sets[j].bit_count())
        self._sets = [sets[j] for j in self._number]
        self._weights = list(weights)
        self._hits = _hits(self._sets, len(weights))
        self._best, self._chosen, self._enough = below, -1, enough

    def run(self) -> Hit:
        try:
            proof = self._node(0, 0, (1 << len(self._weights)) - 1, (1 << len(self._sets)) - 1)
        except _Done:
            return Hit(self._best, self._chosen, None)
        return Hit(self._best, self._chosen, proof) if self._chosen >= 0 else Hit(None, None, proof)

    def _node(self, taken: int, paid: int, allowed: int, open_: int) -> Proof:
        """Search below a node; return the proof that nothing there is lighter than the best in the end."""
        check_time()
        if not open_:
            if paid < self._best:
                self._best, self._chosen = paid, taken
                if paid <= self._enough:
                    raise _Done
            return Shares(())
        bound, shares, slack = self._ascend(paid, allowed, open_)
        if bound >= self._best:
            return self._end(shares)
        fixed = [c for c in bits(allowed) if bound + slack[c] >= self._best]
        for c in fixed:
            allowed &= ~(1 << c)
        proof = self._branch(taken, paid, allowed, open_)
        for c in reversed(fixed):
            proof = Split(c, self._end([(j, s) for j, s in shares if not self._sets[j] >> c & 1]), proof)
        return proof

    def _branch(self, taken: int, paid: int, allowed: int, open_: int) -> Proof:
        smallest = min(bits(open_), key=lambda j: (self._sets[j] & allowed).bit_count())
        members = self._sets[smallest] & allowed
        if not members:
            return self._end([(smallest, self._best)])
        c = max(bits(members), key=lambda c: (self._hits[c] & open_).bit_count() / self._weights[c])
        inside = self._node(taken | 1 << c, paid + self._weights[c], allowed & ~(1 << c), open_ & ~self._hits[c])
        return Split(c, inside, self._node(taken, paid, allowed & ~(1 << c), open_))

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

    def _end(self, shares: list[tuple[int, int]]) -> Shares:
        return Shares(tuple((self._number[j], share) for j, share in shares))
