"""Groups of whole rows under equal closeness, at one size: by prices of common slots, and by cases of values that are over.

See `rules.total_variation`. A value is over if the group has more rows of it than slots of its own: v of more than floor(N N_v / n), for N
rows. The first row that is over takes a part of a common slot, others a whole one each. In the case that v is over, its first floor(N N_v /
n) + 1 rows must be taken; in the other one, later rows are left out. Once all values are decided common slots are whole, and rows are a
matroid with one more limit on how many there are of a kind, so that the least price says what the best group is worth.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import part
from anoptima.solvers.exact.sifting.kernels.copying import copy_to
from anoptima.solvers.exact.sifting.rules.total_variation import PRICE_STEPS, STEEPEST


class Asked(NamedTuple):
    """Equal closeness: the table's counts of values, the c and d of t, and how many rows the table has."""

    whole: Any
    c: int
    d: int
    n: int


class Room(NamedTuple):
    """Room to work in.

    By value: how many rows take nothing of common slots, what the first one over takes, an order of those, marks. By kind and place: how
    many rows of which record. And what is `taken` of each record.
    """

    own: Any
    spent: Any
    order: Any
    marks: Any
    amount: Any
    who: Any
    taken: Any


@part
def room_for(values: int, places: int, taken: Any) -> Any:
    """Return room for the values and, of each kind, places of rows; what is taken goes to `taken`."""
    whole = np.int64
    own, spent, order = np.zeros(values, dtype=whole), np.zeros(values, dtype=whole), np.zeros(values, dtype=whole)
    marks, amount = np.zeros(values, dtype=whole), np.zeros((4, places), dtype=whole)
    return Room(own, spent, order, marks, amount, np.zeros((4, places), dtype=whole), taken)


@part
def split_rows(rows: Any, size: int, asked: Any, side: Any, room: Any) -> Any:
    """Sort the best rows by what they take of common slots at this size: none, part of one (the first a value is over by), one.

    A value on side 1 must be over, so that the rows up to its first one over are listed by themselves, for they must be taken; one
    on side -1 must not be over. Fills `amount` and `who` (4 x places); no more than `size` rows that may be left out are listed of a kind.
    Returns how many places are used, the slots of what must be taken, in parts of 1 / n, and whether there are groups of that size.
    """
    _, copies, value, count = rows
    whole, _, _, n = asked
    own, spent, _, _, amount, who, _ = room
    waiting = slots = open_ = 0
    for v in range(len(whole)):
        own[v], spent[v] = size * whole[v] // n, n - size * whole[v] % n
        if side[v] == 0:
            open_ += 1
        elif side[v] > 0:
            own[v] += 1
            waiting += own[v]
            slots += spent[v]
    bound = waiting
    free = parts = full = must = 0
    free_rows = full_rows = 0
    for i in range(count):
        v, left = value[i], copies[i]
        if own[v] > 0:
            first = min(left, own[v])
            own[v] -= first
            left -= first
            if side[v] > 0:
                amount[3, must], who[3, must] = first, i
                must += 1
                waiting -= first
            elif free_rows < size:
                amount[0, free], who[0, free] = first, i
                free += 1
                free_rows += first
        if left > 0 and own[v] == 0 and side[v] == 0:
            own[v] = -1
            left -= 1
            amount[1, parts], who[1, parts] = 1, i
            parts += 1
        if left > 0 and side[v] >= 0 and full_rows < size:
            amount[2, full], who[2, full] = left, i
            full += 1
            full_rows += left
        if free_rows >= size and full_rows >= size and parts == open_ and not waiting:
            break
    fits = not waiting and bound <= size <= bound + free_rows + parts + full_rows
    return (free, parts, full, must), slots, fits


@part
def best_rows(rows: Any, size: int, price: Any, n: int, used: Any, room: Any, share: float, mark: int) -> Any:
    """Return the gain of the best `size` rows if common slots cost `price` each, and the slots they take in parts of 1 / n.

    Equal ones come by falling slots last. Adds `share` of what is chosen to what is taken, unless it is 0, and `mark` to the values
    that are chosen to be over. Slots of rows that must be taken are not counted.
    """
    gain, _, value, _ = rows
    _, spent, order, marks, amount, who, taken = room
    free, parts, full, must = used
    for j in range(parts):
        i = who[1, j]
        worth, cost, k = n * gain[i] - price * spent[value[i]], spent[value[i]], j
        while k > 0:
            h = who[1, order[k - 1]]
            other, its_cost = n * gain[h] - price * spent[value[h]], spent[value[h]]
            if other > worth or (other == worth and its_cost <= cost):
                break
            order[k] = order[k - 1]
            k -= 1
        order[k] = j
    a = b = c = 0
    left, slots, total = size, 0, gain.dtype.type(0)
    for j in range(must):
        i, its = who[3, j], amount[3, j]
        left -= its
        total += gain[i] * its
        if share > 0:
            taken[i] += share * its
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
        i, its = who[kind, place], min(left, amount[kind, place])
        left -= its
        total += gain[i] * its
        if kind == 0:
            a += 1
        elif kind == 1:
            b += 1
            slots += spent[value[i]]
            marks[value[i]] += mark
        else:
            c += 1
            slots += n * its
        if share > 0:
            taken[i] += share * its
    return total, slots


@part
def weighed(rows: Any, size: int, asked: Any, enough: Any, may_stop: bool, branches: bool, side: Any, room: Any) -> Any:
    """Return what a group of `size` rows in a case is worth at most, by prices of common slots alone.

    That is: whether there is one, n d times what it is worth, the same of one that is legal, whether there is such, the prices on both
    sides of the best, the weight of the second, and the value to decide on; -1 if there is none, for then it is what the best is worth.
    """
    gain, _, value, count = rows
    _, c, d, n = asked
    used, bound, fits = split_rows(rows, size, asked, side, room)
    slack, unit, parts = c * n * size - d * bound, n * d, used[1]
    if parts == 0:
        slack = slack // unit * unit
    low, high = gain.dtype.type(0), gain.dtype.type(0)
    if not fits or slack < 0:
        return False, low, low, False, low, low, 0.0, -1
    for i in range(count):
        high = max(high, abs(gain[i]))
    high = high * STEEPEST + 1
    low_gain, slots = best_rows(rows, size, low, n, used, room, 0.0, 0)
    low_over = d * slots - slack
    best = unit * low_gain
    if low_over <= 0:
        return True, best, best, True, low, low, 0.0, -1
    high_gain, slots = best_rows(rows, size, high, n, used, room, 0.0, 0)
    high_over = d * slots - slack
    best = min(best, unit * high_gain - high * high_over)
    legal, weight = high_over <= 0, 0.0
    if not legal and parts == 0:
        # As few rows take a whole slot as can be.
        return False, low, low, False, low, low, 0.0, -1
    if not legal:
        low, low_over = high, high_over
    for _ in range(PRICE_STEPS):
        if not legal or (may_stop and best <= enough):
            break
        price = gain.dtype.type(unit * (low_gain - high_gain) / (low_over - high_over))
        if price <= low or price >= high:
            break
        its_gain, slots = best_rows(rows, size, price, n, used, room, 0.0, 0)
        over = d * slots - slack
        best = min(best, unit * its_gain - price * over)
        if over > 0:
            low, low_gain, low_over = price, its_gain, over
        else:
            high, high_gain, high_over = price, its_gain, over
    if legal:
        weight = low_over / (low_over - high_over)
    decided = -1
    if branches and parts:
        marks, spent, who = room.marks, room.spent, room.who
        marks[:] = 0
        best_rows(rows, size, low, n, used, room, 0.0, 1)
        best_rows(rows, size, high, n, used, room, 0.0, 2)
        differs = False
        for j in range(parts):
            v = value[who[1, j]]
            its = marks[v] == 1 or marks[v] == 2
            more = marks[v] > marks[decided] or (marks[v] == marks[decided] and spent[v] > spent[decided])
            if decided < 0 or its > differs or (its == differs and more):
                decided, differs = v, its
    return True, best, unit * high_gain, legal, low, high, weight, decided


@part
def whole_groups(
    rows: Any, size: int, asked: Any, enough: Any, may_stop: bool, most_cases: int, best_side: Any, room: Any
) -> Any:
    """Return whether a group of `size` rows may be worth anything, n d times what it is worth at most, prices of slots, and a weight.

    The prices are those on both sides of the best in the case that says most, which `best_side` is set to, and the weight is that of the
    second. What is worth `enough` or less is left out, if it may be. After the largest number of cases, what they say must do.
    """
    values = len(asked.whole)
    stack, bounds = np.zeros((values + 2, values), dtype=np.int64), np.zeros(values + 2, dtype=rows.gain.dtype)
    side = np.zeros(values, dtype=np.int64)
    some, best, best_low, best_high, best_weight = False, enough, enough, enough, 0.0
    height, cases = 1, 0
    while height:
        height -= 1
        has = some or may_stop
        if cases and has and bounds[height] <= best:
            continue
        copy_to(side, stack[height], values)
        fits, most, legal, is_legal, low, high, weight, v = weighed(
            rows, size, asked, best, has, most_cases > 1, side, room
        )
        if not fits:
            continue
        if cases:
            most = min(most, bounds[height])
        cases += 1
        is_end = v < 0 or cases >= most_cases
        if is_end and (not has or most > best):
            some, best, best_low, best_high, best_weight = True, most, low, high, weight
            copy_to(best_side, side, values)
        elif not is_end and is_legal and (not has or legal > best):
            some, best, best_low, best_high, best_weight = True, legal, high, high, 0.0
            copy_to(best_side, side, values)
        if not is_end and (not (some or may_stop) or most > best):
            for way in (1, -1):
                copy_to(stack[height], side, values)
                stack[height, v] = way
                bounds[height] = most
                height += 1
    return some, best, best_low, best_high, best_weight
