"""Closeness on a tree in compiled loops: slopes, merged up the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def climb(
    size: int,
    lam: float,
    gain: Any,
    copies: Any,
    begin: Any,
    first: Any,
    last: Any,
    length: Any,
    below: Any,
    slope: Any,
    amount: Any,
    owner: Any,
    spare: Any,
    runs: Any,
    left_slope: Any,
    right_slope: Any,
    taken: Any,
) -> Any:
    """Fill `taken` with the best group of `size` rows at lam; return its value without lam t N, and the slope of its last row.

    Records come by value, in the tree's order, and by falling gain within: value i has those from `begin[i]` to `begin[i + 1]`. `below`
    is the table's share below each edge. The slopes beside each edge's split go to `left_slope` and `right_slope`.
    """
    values, edges = len(begin) - 1, len(first)
    # A stack of falling lists: list j is from runs[0, j] on and holds the values from runs[1, j] on.
    lists, filled, e, constant = 0, 0, 0, 0.0
    for v in range(values):
        runs[0, lists], runs[1, lists] = filled, v
        lists += 1
        for i in range(begin[v], begin[v + 1]):
            slope[filled], amount[filled], owner[filled] = gain[i], copies[i], i
            filled += 1
        while e < edges and last[e] == v + 1:
            while lists > 1 and runs[1, lists - 2] >= first[e]:
                merge(slope, amount, owner, spare, runs[0, lists - 2], runs[0, lists - 1], filled)
                lists -= 1
            split = size * below[e]
            constant += lam * length[e] * split
            at, held, i = runs[0, lists - 1], 0.0, runs[0, lists - 1]
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
            for j in range(i, filled):
                slope[j] -= lam * length[e]
            e += 1
    while lists > 1:
        merge(slope, amount, owner, spare, runs[0, lists - 2], runs[0, lists - 1], filled)
        lists -= 1
    for i in range(begin[values]):
        taken[i] = 0.0
    total, wanted, tau = -constant, float(size), 0.0
    for i in range(filled):
        if wanted <= 1e-12:
            break
        part = min(amount[i], wanted)
        total += part * slope[i]
        taken[owner[i]] += part
        wanted -= part
        tau = slope[i]
    return total, tau


@njit(cache=True)
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


@njit(cache=True)
def price_tree(
    start: Any,
    member: Any,
    cost: Any,
    copies: Any,
    least: Any,
    place: Any,
    values: int,
    first: Any,
    last: Any,
    length: Any,
    below: Any,
    t: float,
    lam: Any,
    worth: Any,
    everything: bool,
    prices: Any,
    taken: Any,
    slopes: Any,
    theta: Any,
) -> None:
    """Price every pattern at its lam: `prices`, what is `taken` of each arc, the slope in lam, and the prices `theta` of edges."""
    edges, longest = len(first), 0
    for p in range(len(cost)):
        longest = max(longest, start[p + 1] - start[p])
    room = longest + edges + 2
    slope, amount = np.empty(room), np.empty(room)
    owner, spare = np.empty(room, dtype=np.int64), np.empty((3, room))
    runs, begin = np.empty((2, values + 1), dtype=np.int64), np.empty(values + 1, dtype=np.int64)
    left, right = np.empty(edges), np.empty(edges)
    raw, gain, count, group = np.empty(longest), np.empty(longest), np.empty(longest), np.empty(longest)
    code = np.empty(longest)
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
        order = sorted_by(code, raw, number)
        for v in range(values + 1):
            begin[v] = 0
        for i in range(number):
            r = member[begin_arc + order[i]]
            gain[i], count[i] = raw[order[i]], copies[r]
            begin[int(code[order[i]]) + 1] += 1
        for v in range(values):
            begin[v + 1] += begin[v]
        low, high = max(1, least[p]), rows
        while low < high:
            n = (low + high) // 2
            here, _ = climb(
                n,
                lam[p],
                gain,
                count,
                begin,
                first,
                last,
                length,
                below,
                slope,
                amount,
                owner,
                spare,
                runs,
                left,
                right,
                group,
            )
            there, _ = climb(
                n + 1,
                lam[p],
                gain,
                count,
                begin,
                first,
                last,
                length,
                below,
                slope,
                amount,
                owner,
                spare,
                runs,
                left,
                right,
                group,
            )
            if there + lam[p] * t > here:
                low = n + 1
            else:
                high = n
        value, tau = climb(
            low,
            lam[p],
            gain,
            count,
            begin,
            first,
            last,
            length,
            below,
            slope,
            amount,
            owner,
            spare,
            runs,
            left,
            right,
            group,
        )
        value += lam[p] * t * low
        if value <= 0 and not everything:
            # The slope in lam matters near 0 only where lam is what holds the price down.
            continue
        prices[p] = value
        carried = 0.0
        for e in range(edges):
            held = -low * below[e]
            for i in range(begin[first[e]], begin[last[e]]):
                held += group[i]
            carried += length[e] * abs(held)
        slopes[p] = carried - t * low
        for i in range(number):
            taken[begin_arc + order[i]] = group[i]
        # From the outermost edge inwards: the price of a row below it, held between the slopes beside its split.
        for e in range(edges - 1, -1, -1):
            price = tau if low < rows else min(tau, 0.0)
            for outer in range(e + 1, edges):
                if first[outer] <= first[e] and last[e] <= last[outer]:
                    price -= theta[p, outer]
            most = lam[p] * length[e]
            inner = min(max(price, right[e]), left[e])
            theta[p, e] = min(max(price - inner, -most), most)


@njit(cache=True)
def sorted_by(code: Any, gain: Any, number: int) -> Any:
    """Return positions by rising code, and by falling gain within."""
    by_gain = np.argsort(-gain[:number])
    return by_gain[np.argsort(code[:number][by_gain], kind="mergesort")]
