"""t-closeness at equal distance in compiled loops: what `Equal.price` does, with sizes from the most promising one outwards."""

from __future__ import annotations

from typing import Any

from numba import njit

from anoptima.solvers.exact.engine.principled.equal import MOST_SIZES, PRICE_STEPS, STEEPEST


@njit(cache=True)
def filled_slots(
    gain: Any, copies: Any, value: Any, count: int, size: int, whole: Any, c: int, d: int, n: int, own: Any, taken: Any
) -> Any:
    """Fill `taken` with parts of 1 / (n d) copies, the best of `size` copies that slots allow; return whether all fit, and the gain."""
    for i in range(len(whole)):
        own[i] = size * whole[i] * d
    common, left = size * c * n, size * n * d
    total = gain.dtype.type(0)
    for i in range(count):
        wanted = min(copies[i] * n * d, left)
        first = min(wanted, own[value[i]])
        second = min(wanted - first, common)
        own[value[i]] -= first
        common -= second
        left -= first + second
        taken[i] = first + second
        total += gain[i] * (first + second)
    return left == 0, total


@njit(cache=True)
def split_rows(
    copies: Any, value: Any, count: int, size: int, whole: Any, n: int, own: Any, spent: Any, amount: Any, who: Any
) -> Any:
    """Sort the best rows by what they take of common slots at this size: none, part of one (the first a value is over by), one.

    Fills `amount` and `who` (3 x places) and returns how many places are used; no more than `size` rows of a kind are listed.
    """
    for v in range(len(whole)):
        own[v], spent[v] = size * whole[v] // n, n - size * whole[v] % n
    free = parts = full = 0
    free_rows = full_rows = 0
    for i in range(count):
        v, left = value[i], copies[i]
        if own[v] > 0:
            first = min(left, own[v])
            own[v] -= first
            left -= first
            if free_rows < size:
                amount[0, free], who[0, free] = first, i
                free += 1
                free_rows += first
        if left > 0 and own[v] == 0:
            own[v] = -1
            left -= 1
            amount[1, parts], who[1, parts] = 1, i
            parts += 1
        if left > 0 and full_rows < size:
            amount[2, full], who[2, full] = left, i
            full += 1
            full_rows += left
        if free_rows >= size and full_rows >= size and parts == len(whole):
            break
    return free, parts, full


@njit(cache=True)
def best_rows(
    gain: Any,
    value: Any,
    size: int,
    price: Any,
    n: int,
    spent: Any,
    used: Any,
    amount: Any,
    who: Any,
    order: Any,
    share: float,
    taken: Any,
) -> Any:
    """Return the gain of the best `size` rows if common slots cost `price` each, and the slots they take in parts of 1 / n.

    Equal ones come by falling slots last. Adds `share` of what is chosen to `taken`, unless it is 0.
    """
    free, parts, full = used
    for j in range(parts):
        i = who[1, j]
        worth, cost, k = n * gain[i] - price * spent[value[i]], spent[value[i]], j
        while k > 0:
            h = who[1, order[k - 1]]
            other, its = n * gain[h] - price * spent[value[h]], spent[value[h]]
            if other > worth or (other == worth and its <= cost):
                break
            order[k] = order[k - 1]
            k -= 1
        order[k] = j
    a = b = c = 0
    left, slots, total = size, 0, gain.dtype.type(0)
    while left > 0:
        kind, place, best = -1, 0, gain.dtype.type(0)
        if a < free:
            kind, place, best = 0, a, n * gain[who[0, a]]
        if b < parts:
            i = who[1, order[b]]
            worth = n * gain[i] - price * spent[value[i]]
            if kind < 0 or worth > best:
                kind, place, best = 1, order[b], worth
        if c < full:
            worth = n * gain[who[2, c]] - price * n
            if kind < 0 or worth > best:
                kind, place, best = 2, c, worth
        i, rows = who[kind, place], min(left, amount[kind, place])
        left -= rows
        total += gain[i] * rows
        if kind == 0:
            a += 1
        elif kind == 1:
            b += 1
            slots += spent[value[i]]
        else:
            c += 1
            slots += n * rows
        if share > 0:
            taken[i] += share * rows
    return total, slots


@njit(cache=True)
def best_equal(
    gain: Any,
    copies: Any,
    value: Any,
    count: int,
    least: int,
    most_rows: int,
    whole: Any,
    c: int,
    d: int,
    n: int,
    everything: bool,
    own: Any,
    taken: Any,
    spent: Any,
    amount: Any,
    who: Any,
    order: Any,
) -> Any:
    """Return n d F of groups of `least` to `most_rows` rows and fill `taken`; records come by falling gain.

    O(A (log N + sizes tried)) for A records.
    """
    low, top = max(1, least), 0
    for i in range(count):
        top += copies[i]
    top = min(top, most_rows)
    high, bottom = top, low
    nothing = gain.dtype.type(0)
    fits, here = filled_slots(gain, copies, value, count, low, whole, c, d, n, own, taken)
    if not fits:
        for i in range(count):
            taken[i] = 0
        return nothing
    # Beyond the largest size that fits, F is minus infinity, so it is concave all along.
    while low < high:
        size = (low + high) // 2
        fits, there = filled_slots(gain, copies, value, count, size + 1, whole, c, d, n, own, taken)
        if fits:
            _, here = filled_slots(gain, copies, value, count, size, whole, c, d, n, own, taken)
        if fits and there > here:
            low = size + 1
        else:
            high = size
    down, up = low, low + 1
    _, below = filled_slots(gain, copies, value, count, down, whole, c, d, n, own, taken)
    if below <= 0 and not everything:
        return nothing
    can_down, can_up, above = True, False, nothing
    if up <= top:
        can_up, above = filled_slots(gain, copies, value, count, up, whole, c, d, n, own, taken)
    best, some = nothing, not everything
    at, at_low, at_high, part = 0, nothing, nothing, -1.0
    tried = 0
    while can_down or can_up:
        is_down = can_down and (not can_up or below >= above)
        size, most = (down, below) if is_down else (up, above)
        if some and most <= best:
            break
        if tried == MOST_SIZES:
            best, at, part = most, size, -1.0
            break
        tried += 1
        worth, low_price, high_price, weight = whole_groups(
            gain,
            copies,
            value,
            count,
            size,
            whole,
            c,
            d,
            n,
            best,
            some,
            own,
            spent,
            amount,
            who,
            order,
            taken,
        )
        if worth >= most:
            worth, weight = most, -1.0
        if not some or worth > best:
            best, some, at, at_low, at_high, part = worth, True, size, low_price, high_price, weight
        if is_down:
            down -= 1
            can_down = down >= bottom
            if can_down:
                _, below = filled_slots(gain, copies, value, count, down, whole, c, d, n, own, taken)
        else:
            up += 1
            can_up = up <= top
            if can_up:
                can_up, above = filled_slots(gain, copies, value, count, up, whole, c, d, n, own, taken)
    for i in range(count):
        taken[i] = 0.0
    if at and part < 0:
        filled_slots(gain, copies, value, count, at, whole, c, d, n, own, taken)
    elif at:
        used = split_rows(copies, value, count, at, whole, n, own, spent, amount, who)
        best_rows(gain, value, at, at_low, n, spent, used, amount, who, order, (1 - part) * n * d, taken)
        best_rows(gain, value, at, at_high, n, spent, used, amount, who, order, part * n * d, taken)
    return best


@njit(cache=True)
def whole_groups(
    gain: Any,
    copies: Any,
    value: Any,
    count: int,
    size: int,
    whole: Any,
    c: int,
    d: int,
    n: int,
    enough: Any,
    may_stop: bool,
    own: Any,
    spent: Any,
    amount: Any,
    who: Any,
    order: Any,
    taken: Any,
) -> Any:
    """Return n d times what a group of `size` rows is worth at most, the prices of slots on both sides, and the weight of the second.

    Ends early where that is `enough` or less, if it may.
    """
    used = split_rows(copies, value, count, size, whole, n, own, spent, amount, who)
    room, unit = c * n * size, n * d
    low, high = gain.dtype.type(0), gain.dtype.type(0)
    for i in range(count):
        high = max(high, abs(gain[i]))
    high = high * STEEPEST + 1
    low_gain, slots = best_rows(gain, value, size, low, n, spent, used, amount, who, order, 0.0, taken)
    low_over = d * slots - room
    best = unit * low_gain
    if low_over <= 0:
        return best, low, low, 0.0
    high_gain, slots = best_rows(gain, value, size, high, n, spent, used, amount, who, order, 0.0, taken)
    high_over = d * slots - room
    best = min(best, unit * high_gain - high * high_over)
    if high_over > 0:
        return best, high, high, 0.0
    for _ in range(PRICE_STEPS):
        if may_stop and best <= enough:
            break
        price = gain.dtype.type(unit * (low_gain - high_gain) / (low_over - high_over))
        if price <= low or price >= high:
            break
        its_gain, slots = best_rows(gain, value, size, price, n, spent, used, amount, who, order, 0.0, taken)
        over = d * slots - room
        best = min(best, unit * its_gain - price * over)
        if over > 0:
            low, low_gain, low_over = price, its_gain, over
        else:
            high, high_gain, high_over = price, its_gain, over
    return best, low, high, low_over / (low_over - high_over)
