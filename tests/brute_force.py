"""The true optimum of a tiny table, by trying everything: what every other method is held against.

Nothing is imported from the package. A table is a list of tuples, a group a tuple of row numbers, a rule a function from a group to
yes or no. Costs, shares and distances are `Fraction`s.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

Row = tuple[Hashable, ...]
Group = tuple[int, ...]
Rule = Callable[[Group], bool]
Distance = Callable[[Any, Any], Fraction]

STAR = "*"


# ---- rules --------------------------------------------------------------------------------------------------------------------


def k_anonymous(k: int) -> Rule:
    """A group has k rows or more."""
    return lambda group: len(group) >= k


def frequency_diverse(values: Sequence[Hashable], l: Fraction | int) -> Rule:  # noqa: E741
    """No value occurs in more than |group| / l rows."""
    return lambda group: all(l * count <= len(group) for count in Counter(values[i] for i in group).values())


def distinct_diverse(values: Sequence[Hashable], l: int) -> Rule:  # noqa: E741
    """At least l different values occur."""
    return lambda group: len({values[i] for i in group}) >= l


def close(values: Sequence[Hashable], t: Fraction | int, distance: Distance) -> Rule:
    """The group's distribution is within t of the whole column's."""
    different = list(dict.fromkeys(values))
    distances = [[distance(v, w) for w in different] for v in different]
    whole = shares(values, different)

    @cache
    def holds(counts: tuple[int, ...]) -> bool:
        size = sum(counts)
        return earth_mover([Fraction(count, size) for count in counts], whole, distances) <= t

    def rule(group: Group) -> bool:
        counted = Counter(values[i] for i in group)
        return holds(tuple(counted[value] for value in different))

    return rule


def all_of(rules: Iterable[Rule]) -> Rule:
    """Every rule says yes."""
    listed = list(rules)
    return lambda group: all(rule(group) for rule in listed)


# ---- distances ----------------------------------------------------------------------------------------------------------------


def shares(values: Sequence[Hashable], different: Sequence[Hashable]) -> list[Fraction]:
    """Return which part of `values` each of `different` makes up."""
    counted = Counter(values)
    return [Fraction(counted[value], len(values)) for value in different]


def earth_mover(p: Sequence[Fraction], q: Sequence[Fraction], distances: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the least cost of carrying the distribution p to q, for any distances.

    Starts from any plan and turns round negative cycles of the residual graph until there are none. The plan that is left is
    optimal because prices for it exist, and they are asserted: a price below every distance, and in sum the cost of the plan.
    """
    # In whole numbers of the least parts of a share and of a distance: fractions take ten times as long.
    part = math.lcm(*(share.denominator for share in (*p, *q)))
    step = math.lcm(*(distance.denominator for line in distances for distance in line))
    whole = [[int(distance * step) for distance in line] for line in distances]
    return Fraction(_carried([int(x * part) for x in p], [int(x * part) for x in q], whole), part * step)


def _carried(p: list[int], q: list[int], distances: list[list[int]]) -> int:
    plan = _north_west([*p], [*q])
    while (cycle := _negative_cycle(plan, distances)) is not None:
        amount = min(plan[i][j] for i, j, forward in cycle if not forward)
        for i, j, forward in cycle:
            plan[i][j] += amount if forward else -amount
    cost = sum(plan[i][j] * distances[i][j] for i, j in _pairs(plan))
    prices, _ = _prices(plan, distances)
    size = len(p)
    assert all(prices[size + j] - prices[i] <= distances[i][j] for i, j in _pairs(plan))
    proved = sum(q[j] * prices[size + j] for j in range(len(q))) - sum(p[i] * prices[i] for i in range(size))
    assert cost == proved, (cost, proved)
    return cost


Arc = tuple[int, int, bool]
"""Source, sink, and whether the arc adds to the plan or takes from it."""


def _pairs(plan: list[list[int]]) -> list[tuple[int, int]]:
    return [(i, j) for i, line in enumerate(plan) for j in range(len(line))]


def _north_west(p: list[int], q: list[int]) -> list[list[int]]:
    plan = [[0] * len(q) for _ in p]
    i = j = 0
    while i < len(p) and j < len(q):
        amount = min(p[i], q[j])
        plan[i][j] += amount
        p[i] -= amount
        q[j] -= amount
        if p[i] == 0:
            i += 1
        else:
            j += 1
    return plan


def _prices(plan: list[list[int]], distances: list[list[int]]) -> tuple[list[int], list[Arc | None] | None]:
    """Return shortest distances to every node, sources before sinks, and, if they do not settle, the last arcs instead of None."""
    size = len(plan)
    arcs = [(i, j, True) for i, j in _pairs(plan)] + [(i, j, False) for i, j in _pairs(plan) if plan[i][j] > 0]
    price = [0] * (size + len(plan[0]))
    last: list[Arc | None] = [None] * len(price)
    for _ in range(len(price) + 1):
        changed = False
        for i, j, forward in arcs:
            tail, head, length = (i, size + j, distances[i][j]) if forward else (size + j, i, -distances[i][j])
            if price[tail] + length < price[head]:
                price[head] = price[tail] + length
                last[head] = (i, j, forward)
                changed = True
        if not changed:
            return price, None
    return price, last


def _negative_cycle(plan: list[list[int]], distances: list[list[int]]) -> list[Arc] | None:
    price, last = _prices(plan, distances)
    if last is None:
        return None
    size = len(plan)

    def before(node: int) -> int | None:
        arc = last[node]
        return None if arc is None else (arc[0] if arc[2] else size + arc[1])

    for start in range(len(price)):
        seen: list[int] = []
        node: int | None = start
        while node is not None and node not in seen:
            seen.append(node)
            node = before(node)
        if node is not None:
            around = seen[seen.index(node) :]
            return [arc for at in around if (arc := last[at]) is not None]
    raise AssertionError("prices do not settle, and yet there is no cycle")


def equal_distance(v: Hashable, w: Hashable) -> Fraction:
    """1 between different values."""
    return Fraction(v != w)


def ordered_distance(order: Sequence[Hashable]) -> Distance:
    """Steps between two values, out of all steps."""
    return lambda v, w: Fraction(abs(order.index(v) - order.index(w)), max(1, len(order) - 1))


def numeric_distance(values: Iterable[Any]) -> Distance:
    """Difference of two numbers, out of the largest."""
    numbers = [Fraction(str(value)) for value in values]
    span = max(numbers) - min(numbers)
    return lambda v, w: abs(Fraction(str(v)) - Fraction(str(w))) / span if span else Fraction(0)


def tree_distance(tree: Any) -> Distance:
    """Height of the lowest common ancestor, out of the height of the tree: nested dicts, and lists of leaves."""
    way = dict(_leaves(tree, ()))

    def distance(v: Hashable, w: Hashable) -> Fraction:
        first, second = way[v], way[w]
        common = next((depth for depth, (a, b) in enumerate(zip(first, second, strict=True)) if a != b), len(first))
        return Fraction(len(first) - common, len(first) or 1)

    return distance


def _leaves(node: Any, way: tuple[int, ...]) -> Iterator[tuple[Hashable, tuple[int, ...]]]:
    if isinstance(node, dict | list):
        children = node.values() if isinstance(node, dict) else node
        for turn, child in enumerate(children):
            yield from _leaves(child, (*way, turn))
    else:
        yield node, way


# ---- cell suppression ---------------------------------------------------------------------------------------------------------


def group_cost(rows: Sequence[Row], weights: Sequence[Fraction | int], group: Group) -> Fraction:
    """Return what the stars cost that make the rows of a group equal."""
    columns = zip(*(rows[i] for i in group), strict=True)
    differing = [weight for weight, column in zip(weights, columns, strict=True) if len(set(column)) > 1]
    return Fraction(len(group) * sum(differing))


def partition_cost(rows: Sequence[Row], weights: Sequence[Fraction | int], groups: Iterable[Group]) -> Fraction:
    """Return what all stars cost."""
    return sum((group_cost(rows, weights, group) for group in groups), Fraction(0))


def best_partition(
    rows: Sequence[Row], weights: Sequence[Fraction | int], rule: Rule
) -> tuple[Fraction, list[Group]] | None:
    """Return the least cost of a partition into groups that satisfy `rule`, and such a partition; None if there is none.

    f(U) = min over allowed A in U that contain the lowest row of U, of cost(A) + f(U - A): 3^n steps.
    """
    scale = math.lcm(*(Fraction(weight).denominator for weight in weights))
    everything = (1 << len(rows)) - 1
    members = [tuple(i for i in range(len(rows)) if mask >> i & 1) for mask in range(everything + 1)]
    price: list[int | None] = [None] * (everything + 1)
    for mask in range(1, everything + 1):
        if rule(members[mask]):
            price[mask] = int(scale * group_cost(rows, weights, members[mask]))
    least: list[int | None] = [0] + [None] * everything
    chosen = [0] * (everything + 1)
    for mask in range(1, everything + 1):
        lowest = mask & -mask
        others = part = mask ^ lowest
        while True:
            group = part | lowest
            first, rest = price[group], least[mask ^ group]
            if first is not None and rest is not None:
                now = least[mask]
                if now is None or first + rest < now:
                    least[mask], chosen[mask] = first + rest, group
            if not part:
                break
            part = (part - 1) & others
    total = least[everything]
    if total is None:
        return None
    groups, mask = [], everything
    while mask:
        groups.append(members[chosen[mask]])
        mask ^= chosen[mask]
    return Fraction(total, scale), groups


def best_suppressor(rows: Sequence[Row], weights: Sequence[Fraction | int], rule: Rule) -> Fraction | None:
    """Return the least cost over all 2^(n m) ways to star cells: what cell suppression means, before anybody speaks of partitions."""
    best: Fraction | None = None
    for stars in product(*(product((False, True), repeat=len(weights)) for _ in rows)):
        cost = sum(
            (Fraction(weight) for line in stars for weight, star in zip(weights, line, strict=True) if star),
            Fraction(0),
        )
        if best is not None and cost >= best:
            continue
        published = [
            tuple(STAR if star else cell for cell, star in zip(row, line, strict=True))
            for row, line in zip(rows, stars, strict=True)
        ]
        if all(rule(group) for group in classes(published)):
            best = cost
    return best


def partitions(members: Group) -> Iterator[list[Group]]:
    """Yield every partition."""
    if not members:
        yield []
        return
    first, rest = members[:1], members[1:]
    for smaller in partitions(rest):
        yield [first, *smaller]
        for at, group in enumerate(smaller):
            yield [*smaller[:at], first + group, *smaller[at + 1 :]]


# ---- attribute suppression ----------------------------------------------------------------------------------------------------


def best_columns(
    rows: Sequence[Row], weights: Sequence[Fraction | int], rule: Rule
) -> tuple[Fraction, frozenset[int]] | None:
    """Return the least weight of columns to drop so that every class of equal rows satisfies `rule`, and such columns."""
    best: tuple[Fraction, frozenset[int]] | None = None
    for drops in product((False, True), repeat=len(weights)):
        weight = sum((Fraction(w) for w, drop in zip(weights, drops, strict=True) if drop), Fraction(0))
        if best is not None and weight >= best[0]:
            continue
        kept = [tuple(cell for cell, drop in zip(row, drops, strict=True) if not drop) for row in rows]
        if all(rule(group) for group in classes(kept)):
            best = weight, frozenset(j for j, drop in enumerate(drops) if drop)
    return best


# ---- releases -----------------------------------------------------------------------------------------------------------------


def classes(published: Sequence[Row]) -> list[Group]:
    """Return the groups of rows that are published with one image."""
    found: dict[Row, list[int]] = {}
    for i, row in enumerate(published):
        found.setdefault(row, []).append(i)
    return [tuple(group) for group in found.values()]


def wrong_in_release(rows: Sequence[Row], published: Sequence[Row], rule: Rule) -> str | None:
    """Say what is wrong with a published table, None if nothing is: cells are true or stars, and every class satisfies the rule."""
    if len(rows) != len(published):
        return f"{len(published)} rows are published of {len(rows)}"
    for i, (row, shown) in enumerate(zip(rows, published, strict=True)):
        if any(cell not in (STAR, true) for cell, true in zip(shown, row, strict=True)):
            return f"row {i} is {row} and is published as {shown}"
    bad = [group for group in classes(published) if not rule(group)]
    return f"the class {bad[0]} breaks the rule" if bad else None


def release_cost(published: Sequence[Row], weights: Sequence[Fraction | int]) -> Fraction:
    """Return what the stars cost that a published table shows."""
    return sum(
        (Fraction(w) for row in published for cell, w in zip(row, weights, strict=True) if cell == STAR), Fraction(0)
    )
