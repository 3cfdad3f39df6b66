"""The grid of one offset for fake points, as Alvarez, Chambers and Kozma print it: L = ceil(2 d / epsilon), the same shift for all axes.

Their Theorems 5 and 6 say that the mean over the L shifts is within 1 + epsilon of the optimum. It is not; what holds is

    F = 1 + (k 2^d - 1) / L.

*Proof.* Let m_r be the number of axes along which the lines of shift r cut a box of an optimum. Each axis has at most one such shift, so
the m_r add up to d at most. With m_r > 0 the box meets 2^(m_r) cells; k copies in each, moved into it along the cut axes, cover what the
box covered there and leave no place with fewer than k. So over the L shifts a box costs 1 + sum over m_r > 0 of (k 2^(m_r) - 1) / L in the
mean. As 2^a + 2^b <= 2^(a + b) for a, b >= 1, that is most where one shift cuts along all axes.

*The factor is attained* by places far from each other with k - 1 points each, half way between lines along all axes, as many for each shift
(`cut_alike`): every shift, and so the best, adds F times the fewest fakes. (The solver's answer is never worse than
topping up each place, which is best for those.) As (k 2^d - 1) / L is more than 2 d / L for all k >= 2, the
promise of 1 + epsilon is broken in every dimension.

Its advantage over `shifted-grid`, which tries the L^d vectors of independent offsets: L grids are enough.

References
----------
V. Alvarez, E. Chambers and L. Kozma: Privacy by fake data: a geometric approach. Theorems 5 and 6, with their derandomisation; see the
errata `grid-ratio` and `grid-common-offset`.
"""

from __future__ import annotations

import math
from fractions import Fraction

from anoptima.problems.fake_points import FakePoints
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.shifted_grid import GridAlgorithm


def one_offset_factor(width: int, k: int, dimensions: int) -> Fraction:
    """Return F: what the mean over the shifts of a grid of this width is within, in units of the optimum.

    >>> one_offset_factor(4, 2, 1), one_offset_factor(4, 2, 2)
    (Fraction(7, 4), Fraction(11, 4))
    """
    return 1 + Fraction(k * 2**dimensions - 1, width)


def cut_alike(width: int, k: int, dimensions: int) -> FakePoints:
    """Return the points on which the grid of one offset is as bad as its factor: one for each shift, k - 1 copies each.

    >>> problem = cut_alike(4, 2, 2)
    >>> len(problem.points), problem.lower_bound()
    (4, 4)
    """
    places = [Fraction(2 * width * j + j, 1) + Fraction(1, 2) for j in range(width)]
    return FakePoints([(place,) * dimensions for place in places for _ in range(k - 1)], k)


@algorithms.register
class OneOffsetGrid(GridAlgorithm):
    """Fake points and fake boxes by grids of one offset for all axes: the best of L shifts, within 1 + (k 2^d - 1) / L of the minimum.

    Every cell is solved exactly, by an integer program on a backend, and each sort of cell once; L = ceil(2 d / epsilon), 2 at least.
    Exponential in the data within a cell; for fixed d, k and epsilon, and data that are nowhere dense, linear in n. Refuses more than
    100,000 cells.

    Parameters
    ----------
    epsilon
        What the paper promises, 1 unless said; `ratio` is what is proved.
    backend
        What solves the cells' programs, which are written for CP-SAT.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.FakePoints([(0, 0), (0.5, 0.5), (3, 0)], 2)
    >>> ao.solve(problem, OneOffsetGrid(), start=None).cost
    3
    >>> OneOffsetGrid().ratio(problem)
    Fraction(11, 4)
    """

    name = "one-offset-grid"
    family = "shifted-grids"

    def width(self, points: FakePoints) -> int:
        """Return the paper's L."""
        return max(2, math.ceil(2 * points.dimensions / self.epsilon))

    def grids(self, points: FakePoints) -> tuple[int, str]:
        """Count a grid for each shift."""
        return self.width(points), f"{self.width(points):,}"

    def offsets(self, points: FakePoints) -> list[tuple[int, ...]]:
        """Return the shifts, the same along every axis."""
        return [(shift,) * points.dimensions for shift in range(self.width(points))]

    def mean_within(self, points: FakePoints) -> Fraction:
        """Return F; the paper's 1 + epsilon is less, and does not hold."""
        return one_offset_factor(self.width(points), points.k, points.dimensions)
