"""Small random point sets with a border regime, for tests and benchmarks."""

from __future__ import annotations

import random
from fractions import Fraction

from anoptima import FakePoints, Regime
from tests.problems.free_search import least_fakes


def draw(source: random.Random, dimensions: int, regime: Regime) -> FakePoints:
    """Draw points on a grid of step 1/2, 1/3 or (on a line) 1/4, and k; the domain is a little wider than they need."""
    step = source.choice((2, 3, 4) if dimensions == 1 else (2, 3) if dimensions == 2 else (2,))
    k = source.choice((2, 3))
    most = {1: 6, 2: 5, 3: 3}[dimensions] - 2 * (k - 2) * (dimensions > 1)
    if dimensions == 2 and step == k == 2:
        most = 8  # in the plane, only points with others on all sides need no copies
    number = source.randint(1, most)
    sides = []
    for _ in range(dimensions):
        low = Fraction(source.randint(-step, step), step)
        widest = {1: 4 * step, 2: 2 * step + 1, 3: step + 1 if regime is not Regime.DUAL else 2 * step}[dimensions]
        sides.append((low, low + Fraction(source.randint(step, widest), step)))
    inset = Fraction(1, 2) if regime is Regime.DUAL else Fraction(0)
    points = []
    for _ in range(number):
        point = []
        for low, high in sides:
            steps = int((high - low - 2 * inset) * step)
            least = 0 if regime is Regime.DUAL else 1
            point.append(low + inset + Fraction(source.randint(0, max(0, steps - least)), step))
        points.append(tuple(point))
    return FakePoints(points, k, None if regime is Regime.UNRESTRICTED else sides, regime)


def fewest_fakes(problem: FakePoints) -> int:
    """Return the least number of fakes, by free search."""
    return least_fakes(problem.points, problem.k, problem.domain, problem.regime.value)
