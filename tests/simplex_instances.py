"""Small simplex matchings with their least costs, which a search over subsets finds; known larger ones. Tests and benchmarks share them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pandas as pd

import anoptima as ao

Group = tuple[int, ...]
Costs = Mapping[Group, Fraction | int]


def least_cost(n: int, costs: Costs) -> Fraction | int | None:
    """Return the least cost of a partition of 0, ..., n - 1 into groups that have a cost; None if there is none."""
    by_first: dict[int, list[tuple[int, Fraction | int]]] = {}
    for group, cost in costs.items():
        by_first.setdefault(min(group), []).append((sum(1 << v for v in group), cost))

    @cache
    def least(left: int) -> Fraction | int | None:
        if not left:
            return 0
        first = (left & -left).bit_length() - 1
        found: Fraction | int | None = None
        for mask, cost in by_first.get(first, ()):
            rest = least(left ^ mask) if mask & left == mask else None
            if rest is not None and (found is None or cost + rest < found):
                found = cost + rest
        return found

    return least((1 << n) - 1)


KINDS = ("metric", "tight", "zero or one", "slack", "rows", "gaps", "fractions", "huge")


def draw_costs(source: random.Random, kind: str, most: int = 11) -> tuple[int, dict[Group, Fraction | int]]:
    """Draw an instance: costs tight in the simplex condition or not, pairs and triples missing, equal vertices, fractions, huge numbers."""
    n = source.randint(1 if kind == "gaps" else 2, most)
    pairs = list(itertools.combinations(range(n), 2))
    costs: dict[Group, Fraction | int] = {}
    if kind == "metric":
        place = [(source.randint(0, 9), source.randint(0, 9)) for _ in range(n)]
        distance = {(u, v): abs(place[u][0] - place[v][0]) + abs(place[u][1] - place[v][1]) for u, v in pairs}
        costs |= {pair: 2 * distance[pair] for pair in pairs}
    elif kind == "rows":
        rows = [[source.randrange(3) for _ in range(4)] for _ in range(max(1, n // 2))]
        table = [source.choice(rows) for _ in range(n)]
        for size in (2, 3):
            for group in itertools.combinations(range(n), size):
                costs[group] = size * sum(len({table[v][c] for v in group}) > 1 for c in range(4))
        return n, costs
    else:
        high = {"zero or one": 1, "huge": 10**17}.get(kind, source.choice((1, 3, 9)))
        present = source.choice((0.35, 0.6, 0.9)) if kind == "gaps" else source.choice((0.7, 1.0))
        unit = Fraction(1, source.choice((2, 3, 7))) if kind == "fractions" else 1
        costs |= {pair: source.randint(0, high) * unit for pair in pairs if source.random() < present}
    share = source.choice((0.2, 0.5, 1.0))
    for triple in itertools.combinations(range(n), 3):
        sides = [costs.get(pair) for pair in itertools.combinations(triple, 2)]
        if source.random() < share and None not in sides:
            half = Fraction(sum(side for side in sides if side is not None), 2)
            extra = source.randint(0, 3) if kind in ("slack", "gaps") else 0
            costs[triple] = (
                half + extra if kind in ("fractions", "metric") else -(-half.numerator // half.denominator) + extra
            )
    return n, costs


def problem_of(n: int, costs: Costs) -> ao.SimplexMatching:
    """Return the problem."""
    pairs = {group: cost for group, cost in costs.items() if len(group) == 2}
    return ao.SimplexMatching(range(n), pairs, {group: cost for group, cost in costs.items() if len(group) == 3})


def points(n: int) -> ao.SimplexMatching:
    """Return points of the plane with Manhattan distances D: 2 D a pair, the sum of its three D a triple. Equality throughout."""
    place = [((37 * i * i + 11 * i) % 101, (53 * i * i + 29 * i) % 103) for i in range(n)]

    def distance(u: int, v: int) -> int:
        return abs(place[u][0] - place[v][0]) + abs(place[u][1] - place[v][1])

    pairs = {(u, v): 2 * distance(u, v) for u, v in itertools.combinations(range(n), 2)}
    triples = {
        (u, v, w): distance(u, v) + distance(u, w) + distance(v, w) for u, v, w in itertools.combinations(range(n), 3)
    }
    return ao.SimplexMatching(range(n), pairs, triples)


def table(n: int) -> ao.Table:
    """Return rows whose entry in column k = 0, ..., 5 is (i^2 (k + 3) + 7 i + k^2) mod (3 + k mod 3), with a sensitive value."""
    rows = [[(i * i * (k + 3) + 7 * i + k * k) % (3 + k % 3) for k in range(6)] for i in range(n)]
    frame = pd.DataFrame(rows, columns=list("abcdef")).assign(s=[(i * i + i // 3) % 3 for i in range(n)])
    return ao.Table.from_frame(frame, list("abcdef"), "s")


KNOWN = {
    6: (270, 20, 20),
    7: (282, 26, 26),
    9: (292, 28, 28),
    12: (304, 32, 36),
    13: (320, 35, 42),
    30: (390, 44, 44),
    31: (434, 48, 48),
    60: (670, 60, 72),
    61: (680, 61, 72),
}
"""The optima of `points`, of 2-anonymity and of 2-diversity of `table`, by n: from subset dynamic programming up to 13, from the
agreement of two other algorithms above."""

HARD = {
    (0, 1): 2, (0, 4): 2, (1, 4): 2, (0, 3): 0, (0, 5): 0, (0, 6): 0, (1, 2): 0, (1, 5): 0, (2, 3): 0, (2, 6): 0, (3, 6): 0,
    (4, 5): 0, (4, 6): 0, (0, 1, 5): 1, (0, 4, 6): 1, (1, 4, 5): 1, (2, 3, 6): 0,
}  # fmt: skip
"""Seven vertices whose optimum is 1 while the relaxation with all odd sets has 3/4."""


def hard_copies(copies: int, apart: int = 5) -> tuple[int, dict[Group, int]]:
    """Return disjoint copies of `HARD`, joined by dear pairs."""
    costs: dict[Group, int] = {}
    for copy in range(copies):
        costs |= {tuple(7 * copy + v for v in group): cost for group, cost in HARD.items()}
    for u, v in itertools.combinations(range(7 * copies), 2):
        if u // 7 != v // 7:
            costs[u, v] = apart
    return 7 * copies, costs
