"""The search of `covering` for the lightest hitting set in compiled loops: the same steps, node by node, for at most 62 columns.

Sets are 64-bit masks; a node holds the numbers of the sets that are open. The proof is written down as it comes, as a list of nodes in
preorder: a split's column, then the side where it is taken, then the side where it is left out; -1 and shares at an end.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.solvers.compiling.loops import WHOLE, compiled, loop, part

Whole = NDArray[np.int64]

_NODES, _LEAST_NODES, _LOOK_S = 20_000, 20, 0.05
"""Nodes from one look at the clock to the next: at most, at least, and in between as many as fit into this many seconds."""
_END, _DONE, _TURN, _NODE_ROOM, _SHARE_ROOM = 0, 1, 2, 3, 4


class Search:
    """One search, with the lists that grow: masks of sets, the smallest first, and the weights of columns."""

    def __init__(self, sets: list[int], weights: list[int], below: int, enough: int) -> None:
        columns = len(weights)
        self.best, self.chosen = below, -1
        self._enough = enough
        self._sets = np.array(sets, dtype=np.int64)
        self._weights = np.array(weights, dtype=np.int64)
        # Per depth: open sets and their number, taken, paid, allowed, the column, how far the node is.
        self._open = np.zeros((columns + 2, max(1, len(sets))), dtype=np.int32)
        self._open[0] = np.arange(max(1, len(sets)))
        self._state = np.zeros((columns + 2, 6), dtype=np.int64)
        self._state[0] = len(sets), 0, 0, (1 << columns) - 1, -1, 0
        # Doubled whenever one has no room for all that a node may write.
        self._nodes = np.zeros(1, dtype=np.int8)
        self._ends = np.zeros(1, dtype=np.int64)
        self._shares = np.zeros((1, 2), dtype=np.int64)
        # Depth, nodes written, ends written, shares written, best weight, mask of the best.
        self._at = np.array([0, 0, 0, 0, below, -1], dtype=np.int64)

    def run(self, most_shares: float = math.inf) -> tuple[list[int], list[int], list[int]] | None:
        """Search to the end; return the proof as `covering` reads it, None if `enough` was reached first.

        `OverflowError` if the proof has more shares than `most_shares`.
        """
        search, most = compiled(_search), _LEAST_NODES
        while True:
            check_time()
            began = time.monotonic()
            why = search(
                self._sets, self._weights, self._enough, self._open, self._state, self._nodes, self._ends, self._shares,
                self._at, most,
            )  # fmt: skip
            # A node with thousands of sets takes a thousand times as long as one with few.
            most = min(_NODES, 2 * most) if time.monotonic() - began < _LOOK_S else max(_LEAST_NODES, most // 2)
            self.best, self.chosen = int(self._at[4]), int(self._at[5])
            if why == _DONE:
                return None
            if why == _END:
                break
            if int(self._at[3]) > most_shares:
                raise OverflowError
            if why == _NODE_ROOM:
                self._nodes, self._ends = _twice(self._nodes), _twice(self._ends)
            if why == _SHARE_ROOM:
                self._shares = _twice(self._shares)
        _, nodes, ends, shares, _, _ = self._at.tolist()
        return self._nodes[:nodes].tolist(), self._ends[:ends].tolist(), self._shares[:shares].reshape(-1).tolist()


def _twice(array: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([array, np.zeros_like(array)])


@part
def _place(mask: int) -> int:
    """Return the position of the lowest set bit, which is the number of bits below it."""
    x = (mask & -mask) - 1
    x -= x >> 1 & 0x5555555555555555
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
    x = x + (x >> 4) & 0x0F0F0F0F0F0F0F0F
    x += x >> 8
    x += x >> 16
    x += x >> 32
    return x & 127


@part
def _end(nodes: Any, ends: Any, at: Any) -> None:
    """Write down that a node is an end, whose shares are all that were written since the last one."""
    nodes[at[1]] = -1
    ends[at[2]] = at[3]
    at[1] += 1
    at[2] += 1


@loop(
    lambda: [
        (
            WHOLE,
            WHOLE,
            1,
            np.zeros((1, 1), np.int32),
            np.zeros((1, 1), np.int64),
            np.zeros(0, np.int8),
            WHOLE,
            np.zeros((1, 2), np.int64),
            WHOLE,
            1,
        )
    ],
    3,
)
def _search(
    sets: Whole,
    weights: Whole,
    enough: int,
    open_: NDArray[np.int32],
    state: Whole,
    nodes: NDArray[np.int8],
    ends: Whole,
    shares: Whole,
    at: Whole,
    most: int,
) -> int:
    columns = len(weights)
    slack = np.zeros(columns, dtype=np.int64)
    raised = np.zeros((columns + 1, 2), dtype=np.int64)
    hits = np.zeros(columns, dtype=np.int64)
    depth = at[0]
    seen = 0
    while depth >= 0:
        count, taken, paid = state[depth, 0], state[depth, 1], state[depth, 2]
        allowed, column, done = state[depth, 3], state[depth, 4], state[depth, 5]
        if done == 2:
            depth -= 1
            continue
        if done == 1:
            state[depth, 5] = 2
            for i in range(count):
                open_[depth + 1, i] = open_[depth, i]
            state[depth + 1, 0], state[depth + 1, 1], state[depth + 1, 2] = count, taken, paid
            state[depth + 1, 3], state[depth + 1, 4], state[depth + 1, 5] = allowed & ~(1 << column), -1, 0
            depth += 1
            continue
        at[0] = depth
        # A node writes a split and an end for each column that it leaves out, and a split or an end of its own.
        if at[1] + 2 * columns + 3 > len(nodes) or at[2] + columns + 3 > len(ends):
            return 3
        if at[3] + (columns + 2) * (columns + 2) > len(shares):
            return 4
        seen += 1
        if seen > most:
            return 2
        if count == 0:
            if paid < at[4]:
                at[4], at[5] = paid, taken
                if paid <= enough:
                    return 1
            _end(nodes, ends, at)
            depth -= 1
            continue
        # Dual ascent: the sets raise their shares in turn; one whose columns are not all unpaid is passed over.
        for c in range(columns):
            slack[c] = weights[c]
        bound, full, many = paid, 0, 0
        for i in range(count):
            if bound >= at[4]:
                break
            members = sets[open_[depth, i]] & allowed
            if members & full:
                continue
            share = at[4]
            rest = members
            if members:
                share = slack[_place(members)]
            while rest:
                share = min(share, slack[_place(rest)])
                rest &= rest - 1
            rest = members
            while rest:
                c = _place(rest)
                slack[c] -= share
                if slack[c] == 0:
                    full |= 1 << c
                rest &= rest - 1
            raised[many, 0], raised[many, 1] = open_[depth, i], share
            many += 1
            bound += share
        if bound >= at[4]:
            for i in range(many):
                shares[at[3], 0], shares[at[3], 1] = raised[i, 0], raised[i, 1]
                at[3] += 1
            _end(nodes, ends, at)
            depth -= 1
            continue
        for c in range(columns):
            if allowed >> c & 1 and bound + slack[c] >= at[4]:
                # Whoever takes this column pays too much: the shares of the sets without it say so.
                allowed &= ~(1 << c)
                nodes[at[1]] = c
                nodes[at[1] + 1] = -1
                at[1] += 2
                for i in range(many):
                    if not sets[raised[i, 0]] >> c & 1:
                        shares[at[3], 0], shares[at[3], 1] = raised[i, 0], raised[i, 1]
                        at[3] += 1
                ends[at[2]] = at[3]
                at[2] += 1
        smallest, size = -1, columns + 1
        for c in range(columns):
            hits[c] = 0
        for i in range(count):
            members = sets[open_[depth, i]] & allowed
            ones = 0
            while members:
                hits[_place(members)] += 1
                members &= members - 1
                ones += 1
            if ones < size:
                smallest, size = open_[depth, i], ones
        if size == 0:
            shares[at[3], 0], shares[at[3], 1] = smallest, at[4]
            at[3] += 1
            _end(nodes, ends, at)
            depth -= 1
            continue
        column = -1
        for c in range(columns):
            if sets[smallest] & allowed & (1 << c) and (
                column < 0 or hits[c] * weights[column] > hits[column] * weights[c]
            ):
                column = c
        nodes[at[1]] = column
        at[1] += 1
        state[depth, 3], state[depth, 4], state[depth, 5] = allowed, column, 1
        kept = 0
        for i in range(count):
            if not sets[open_[depth, i]] >> column & 1:
                open_[depth + 1, kept] = open_[depth, i]
                kept += 1
        state[depth + 1, 0], state[depth + 1, 1] = kept, taken | 1 << column
        state[depth + 1, 2], state[depth + 1, 3] = paid + weights[column], allowed & ~(1 << column)
        state[depth + 1, 4], state[depth + 1, 5] = -1, 0
        depth += 1
    at[0] = depth
    return 0
