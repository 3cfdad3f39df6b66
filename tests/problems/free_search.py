"""The fewest fake points by search over a grid twice as fine as the data's: places that are not aligned are tried too.

Shares nothing with the package: whole numbers, every test box on the fine grid, and one step of branching. A test box that holds
some points and fewer than k must get one more, so trying each place in it, and each in turn after that, misses nothing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Point = tuple[Fraction, ...]
Domain = Sequence[tuple[Fraction, Fraction]] | None


@dataclass(frozen=True)
class Boxes:
    """The kinds of test boxes: how many data points each holds, and which places, as a bit mask."""

    places: list[tuple[int, ...]]
    held: list[int]
    inside: list[int]


def test_boxes(points: Sequence[Point], domain: Domain, regime: str) -> Boxes:
    axes = len(points[0])
    unit = 2 * math.lcm(*(x.denominator for point in points for x in point))
    unit = math.lcm(unit, *(2 * x.denominator for side in domain or () for x in side))
    data = [tuple(int(x * unit) for x in point) for point in points]
    places, kinds = [], []
    for i in range(axes):
        if domain is None:
            low, high = min(p[i] for p in data) - unit // 2, max(p[i] for p in data) + unit // 2 + 1
        else:
            low, high = (int(x * unit) for x in domain[i])
            if regime == "dual":
                low, high = low + unit // 2, high - unit // 2 + 1
        corners = range(low, high - unit + 1) if regime == "primal" else range(low - unit + 1, high)
        places.append(range(low, high))
        kinds.append(
            {
                (
                    frozenset(x for x in range(low, high) if c <= x < c + unit),
                    frozenset(j for j, p in enumerate(data) if c <= p[i] < c + unit),
                )
                for c in corners
            }
        )
    everywhere = list(itertools.product(*places))
    found = set()
    for kind in itertools.product(*kinds):
        held = len(frozenset.intersection(*(points_in for _, points_in in kind)))
        spans = [span for span, _ in kind]
        inside = sum(
            1 << a for a, place in enumerate(everywhere) if all(x in span for x, span in zip(place, spans, strict=True))
        )
        found.add((held, inside))
    return Boxes(everywhere, [held for held, _ in found], [inside for _, inside in found])


test_boxes.__test__ = False  # type: ignore[attr-defined]


def sparse(counts: Sequence[int], k: int) -> list[int]:
    return [b for b, count in enumerate(counts) if 0 < count < k]


def packing(boxes: Boxes, counts: Sequence[int], poor: Iterable[int], k: int) -> int:
    taken, needed = 0, 0
    for b in sorted(poor, key=lambda b: (counts[b], boxes.inside[b])):
        if not boxes.inside[b] & taken:
            taken |= boxes.inside[b]
            needed += k - counts[b]
    return needed


def least_fakes(points: Sequence[Point], k: int, domain: Domain, regime: str) -> int:
    """Return the least number of fakes on the fine grid, by iterative deepening."""
    boxes = test_boxes(points, domain, regime)
    reached = [[b for b, inside in enumerate(boxes.inside) if inside >> a & 1] for a in range(len(boxes.places))]

    def possible(counts: list[int], left: int, seen: set[tuple[int, ...]], chosen: tuple[int, ...]) -> bool:
        poor = sparse(counts, k)
        if not poor:
            return True
        if packing(boxes, counts, poor, k) > left or chosen in seen:
            return False
        seen.add(chosen)
        tightest = min(poor, key=lambda b: (boxes.inside[b].bit_count(), counts[b]))
        for a in range(len(boxes.places)):
            if boxes.inside[tightest] >> a & 1:
                further = list(counts)
                for b in reached[a]:
                    further[b] += 1
                if possible(further, left - 1, seen, tuple(sorted((*chosen, a)))):
                    return True
        return False

    return next(size for size in itertools.count() if possible(list(boxes.held), size, set(), ()))
