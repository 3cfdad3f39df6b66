"""Closeness on a tree in compiled loops: slopes, merged up the tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import HALF, REAL, WHOLE, loop, part
from anoptima.solvers.exact.sifting.kernels.copying import copy_to
from anoptima.solvers.exact.sifting.kernels.sorting import sort_falling

PARTS = 4
"""Sizes are tried in parts of 1 over this."""
ATTEMPTS, GROWTH, FIRST_LAM = 4, 1.5, 0.05
"""A lam at which the best group is too far from the table is raised this often, by this factor or more, as long as the price falls."""


class Edges(NamedTuple):
    """The tree: which values are below each edge, from the `first` up to the `last`, its length, and the table's share below it."""

    first: Any
    last: Any
    length: Any
    below: Any


class Lists(NamedTuple):
    """Room for falling lists of slopes, with how many rows of which record have them, and the slopes to the left and right of splits."""

    slope: Any
    amount: Any
    owner: Any
    spare: Any
    runs: Any
    left: Any
    right: Any


@part
def climb(size: float, lam: float, gain: Any, copies: Any, begin: Any, edges: Any, lists: Any, taken: Any) -> Any:
    """Fill `taken` with the best group of `size` rows at lam; return its value without lam t N, and its last row's slope and the next.

    Records come by value, in the tree's order, and by falling gain within: value i has those from `begin[i]` to `begin[i + 1]`.
    """
    first, last, length, below = edges
    slope, amount, owner, spare, runs, left_slope, right_slope = lists
    values = len(begin) - 1
    # A stack of falling lists: list j is from runs[0, j] on and holds the values from runs[1, j] on.
    height, filled, e, constant = 0, 0, 0, 0.0
    for v in range(values):
        runs[0, height], runs[1, height] = filled, v
        height += 1
        for i in range(begin[v], begin[v + 1]):
            slope[filled], amount[filled], owner[filled] = gain[i], copies[i], i
            filled += 1
        while e < len(first) and last[e] == v + 1:
            while height > 1 and runs[1, height - 2] >= first[e]:
                merge(slope, amount, owner, spare, runs[0, height - 2], runs[0, height - 1], filled)
                height -= 1
            split = size * below[e]
            constant += lam * length[e] * split
            at, held, i = runs[0, height - 1], 0.0, runs[0, height - 1]
            left_slope[e], right_slope[e] = 1e300, -1e300
            while i < filled and held + amount[i] <= split + 1e-12:
                held += amount[i]
                left_slope[e] = slope[i]
                slope[i] += lam * length[e]
                i += 1
            if i < filled and held < split - 1e-12:
                for j in range(filled, i, -1):
                    slope[j], amount[j], owner[j] = slope[j - 1], amount[j - 1], owner[j - 1]
                filled += 1
                amount[i] = split - held
                amount[i + 1] -= split - held
                left_slope[e] = slope[i]
                slope[i] += lam * length[e]
                i += 1
            if i < filled:
                right_slope[e] = slope[i]
            if at == i:
                left_slope[e] = 1e300
            if i == filled and held < split - 1e-12:
                # With all rows below it the edge carries too few: whatever they are worth, the full price is paid for that.
                left_slope[e] = -1e300
            for j in range(i, filled):
                slope[j] -= lam * length[e]
            e += 1
    while height > 1:
        merge(slope, amount, owner, spare, runs[0, height - 2], runs[0, height - 1], filled)
        height -= 1
    taken[: begin[values]] = 0.0
    total, wanted, tau, following = -constant, float(size), 0.0, -1e300
    for i in range(filled):
        if wanted <= 1e-12:
            following = slope[i]
            break
        part = min(amount[i], wanted)
        total += part * slope[i]
        taken[owner[i]] += part
        wanted -= part
        tau = slope[i]
    return total, tau, following


@part
def merge(slope: Any, amount: Any, owner: Any, spare: Any, first: int, second: int, end: int) -> None:
    """Merge two falling lists that lie side by side."""
    i, j, n = first, second, 0
    while i < second or j < end:
        if j >= end or (i < second and slope[i] >= slope[j]):
            k = i
            i += 1
        else:
            k = j
            j += 1
        spare[0, n], spare[1, n], spare[2, n] = slope[k], amount[k], owner[k]
        n += 1
    for k in range(n):
        slope[first + k], amount[first + k], owner[first + k] = spare[0, k], spare[1, k], int(spare[2, k])


def _examples() -> list[tuple[Any, ...]]:
    edges, patterns = Edges(WHOLE, WHOLE, REAL, REAL), np.zeros((1, 1))
    return [
        (WHOLE, HALF, REAL, WHOLE, WHOLE, WHOLE, 1, edges, 1.0, REAL, WHOLE, REAL, True, REAL, REAL, REAL, patterns)
    ]


@loop(_examples, 4)
def price_tree(
    start: Any,
    member: Any,
    cost: Any,
    copies: Any,
    least: Any,
    place: Any,
    values: int,
    tree: Any,
    t: float,
    lam: Any,
    sizes: Any,
    worth: Any,
    everything: bool,
    prices: Any,
    taken: Any,
    slopes: Any,
    theta: Any,
) -> None:
    """Price every pattern at its lam: `prices`, what is `taken` of each arc, the slope in lam, and the prices `theta` of edges.

    `sizes` are where to look for the best sizes first, in parts, and where they are found; 0 where nothing is known.
    """
    first, last, length, below = tree
    edges, longest = len(first), 0
    for p in range(len(cost)):
        longest = max(longest, start[p + 1] - start[p])
    room = longest + edges + 2
    slope, amount = np.empty(room), np.empty(room)
    owner, spare = np.empty(room, dtype=np.int64), np.empty((3, room))
    runs, begin = np.empty((2, values + 1), dtype=np.int64), np.empty(values + 1, dtype=np.int64)
    filled = np.empty(values, dtype=np.int64)
    lists = Lists(slope, amount, owner, spare, runs, np.empty(edges), np.empty(edges))
    raw, gain, count, group = np.empty(longest), np.empty(longest), np.empty(longest), np.empty(longest)
    kept, found = np.empty(longest), np.empty(edges)
    above, lowest = next_above(first, last, values)
    paid = np.empty(edges)
    code, order = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    best_first, unsorted = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    for p in range(len(cost)):
        begin_arc, number = start[p], start[p + 1] - start[p]
        hopeful, rows = False, 0
        for i in range(number):
            r = member[begin_arc + i]
            raw[i] = worth[r] - cost[p]
            code[i] = place[r]
            rows += copies[r]
            hopeful = hopeful or raw[i] > 0
        if not hopeful and not everything:
            continue
        sort_falling(best_first, number, raw, unsorted)
        if not hopeful:
            # No group gains anything, and what it loses guides alone: its best rows say enough, as few as there may be.
            wanted = least[p]
            for turn in range(number):
                i = best_first[turn]
                taken[begin_arc + i] = min(copies[member[begin_arc + i]], wanted)
                wanted -= taken[begin_arc + i]
                prices[p] += taken[begin_arc + i] * raw[i]
            continue
        # By value, and by falling gain within.
        begin[:] = 0
        for i in range(number):
            begin[code[i] + 1] += 1
        for v in range(values):
            begin[v + 1] += begin[v]
        copy_to(filled, begin, values)
        for turn in range(number):
            i = best_first[turn]
            order[filled[code[i]]] = i
            filled[code[i]] += 1
        for i in range(number):
            gain[i], count[i] = raw[order[i]], copies[member[begin_arc + order[i]]]
        at, best = lam[p], 1e300
        for attempt in range(ATTEMPTS):
            low, high = max(1, least[p]) * PARTS, rows * PARTS
            # Bisected; from the last best size on by steps that double, for it moves little from one pass to the next.
            n = min(max(low, sizes[p]), high - 1) if sizes[p] > 0 else (low + high) // 2
            stride = 1 if sizes[p] > 0 else high
            while low < high:
                here, _, _ = climb(n / PARTS, at, gain, count, begin, tree, lists, group)
                there, _, _ = climb((n + 1) / PARTS, at, gain, count, begin, tree, lists, group)
                if there + at * t / PARTS > here:
                    low = n + 1
                    n += stride
                else:
                    high = n
                    n -= stride
                stride *= 2
                if n < low or n >= high:
                    n = (low + high) // 2
            sizes[p] = low
            size = low / PARTS
            _, tau, following = climb(size, at, gain, count, begin, tree, lists, group)
            # The price of a row that the size itself asks for, between those of the last row and the next.
            high_tau, low_tau = tau, max(following, tau - 1e3)
            for _ in range(30):
                middle = (high_tau + low_tau) / 2
                if edge_prices(middle, at, above, tree, lists, found, paid) + at * t > 0:
                    high_tau = middle
                else:
                    low_tau = middle
            edge_prices(high_tau, at, above, tree, lists, found, paid)
            # The least lam that allows these prices is enough.
            at, lifted = 0.0, 0.0
            for e in range(edges):
                # An edge of no length has no price.
                if length[e] > 0:
                    at = max(at, abs(found[e]) / length[e])
                lifted -= found[e] * below[e]
            lifted += at * t
            # What the prices of edges prove: each row gains w_v more, and all that gain are taken, or the best of the least size.
            for i in range(number):
                e = lowest[code[order[i]]]
                amount[i] = gain[i] + lifted
                if e >= 0:
                    amount[i] += paid[e]
            sort_falling(best_first, number, amount, unsorted)
            total, taken_rows = 0.0, 0.0
            for turn in range(number):
                i = best_first[turn]
                room = count[i] if amount[i] > 0 else min(count[i], max(0.0, least[p] - taken_rows))
                total += room * amount[i]
                taken_rows += room
            # The best group that was found shows the slopes; many other rows gain nothing once prices are paid.
            carried = 0.0
            for e in range(edges):
                held = -size * below[e]
                for i in range(begin[first[e]], begin[last[e]]):
                    held += group[i]
                carried += length[e] * abs(held)
            slope_here = carried - t * size
            if total < best:
                best = total
                prices[p], lam[p], slopes[p] = total, at, slope_here
                copy_to(theta[p], found, edges)
                copy_to(kept, group, number)
            elif attempt > 0:
                break
            if slope_here <= 0 or total <= 0:
                break
            # More must be paid for distances: the price falls.
            at = at * GROWTH + FIRST_LAM
        if best <= 0 and not everything:
            prices[p], slopes[p] = 0.0, 0.0
            continue
        for i in range(number):
            taken[begin_arc + order[i]] = kept[i]


@part
def edge_prices(tau: float, lam: float, above: Any, tree: Any, lists: Any, theta: Any, paid: Any) -> float:
    """Fill `theta` with the prices of edges if a row is worth `tau` at the top; return tau minus sum theta_e Q_e. It rises with tau.

    From the outermost edge inwards: what a row below it is worth is held between the slopes beside its split. `paid` is filled with the
    sum of an edge's own price and those of the edges above it.
    """
    length, below, left, right = tree.length, tree.below, lists.left, lists.right
    found = tau
    for e in range(len(above) - 1, -1, -1):
        outer = above[e]
        before = paid[outer] if outer >= 0 else 0.0
        price = tau - before
        most = lam * length[e]
        inner = min(max(price, right[e]), left[e])
        theta[e] = min(max(price - inner, -most), most)
        paid[e] = before + theta[e]
        found -= theta[e] * below[e]
    return found


@part
def next_above(first: Any, last: Any, values: int) -> Any:
    """Return the edge next above each edge, and the lowest edge above each value; -1 where there is none. Inner edges come first."""
    edges = len(first)
    above, lowest = np.full(edges, -1), np.full(values, -1)
    for e in range(edges):
        for outer in range(e + 1, edges):
            if first[outer] <= first[e] and last[e] <= last[outer]:
                above[e] = outer
                break
        for v in range(first[e], last[e]):
            if lowest[v] < 0:
                lowest[v] = e
    return above, lowest
