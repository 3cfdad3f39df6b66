r"""Fake points by a covering program: single fakes beside data, and stacks of k fakes anywhere.

A stack, k fakes at one place, serves every test box that holds it, and a fake at a datum's place lies only in test boxes that hold that
datum. So with such fakes, a_i at the place of datum i and z_q stacks at place q, no test box without data holds too few, and the rest is a
covering program: for every sparse test box c, which holds b_c data, 0 < b_c < k,

    sum { a_i : i in c } + (k - b_c) sum { z_q : q in c } >= k - b_c,        minimise sum_i a_i + k sum_q z_q.

It is no relaxation: every whole solution is feasible, and the cheapest one may cost more than the optimum. Where data are dense, most test
boxes hold k of them, and those that are sparse stick out over the border. There topping up pays for each of them alone, while a stack
beside the border serves all that meet over it. By clamping (`problems.fake_points`) no place outside the data's bounding box serves more.

The places of stacks are found by the program's prices y: a stack at q is worth adding where sum { (k - b_c) y_c : c holds q } > k. Sparse
test boxes are as many as the arrangement has cells, so the program begins with the outermost ones of each datum, and those that a whole
solution leaves sparse are added.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from anoptima.answer import Clock
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.stacks.quick import quick_covers
from anoptima.solvers.approximate.weighed_boxes import Place, Row, rows_of, thinned
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger

_SHARE_OF_LEFT, _MOST_S = 0.1, 5.0
"""A program in whole numbers has this share of the seconds that are left, and these at most: 2,000 points take it a tenth of one."""
_ADDED_ROWS = 500
"""So many test boxes that were left sparse, or as many as the program has, are added at once: 100 points in space leave 12,000."""


def stacked(problem: FakePoints, clock: Clock) -> Iterator[AddedPoints]:
    """Yield feasible fakes for a problem of unit boxes, mostly cheaper ones, until no test box had to be topped up.

    A program in whole numbers takes a share of what `clock` leaves.

    >>> problem = FakePoints([(0,), ("1/2",), ("9/10",)], 2)
    >>> [len(found.points) for found in stacked(problem, Clock())][-1:]
    [2]
    """
    from anoptima.solvers.approximate.stacks.covering import Covering, Ground

    ground = Ground(problem)
    rows = {row.corner: row for row in rows_of(problem, ground.unit) if not row.bare}
    if not rows:
        yield AddedPoints()
    places: set[Place] = set()
    while rows:
        covering = Covering(ground, list(rows.values()))
        covering.add_stacks(places)
        fakes = covering.whole(min(_MOST_S, clock.share_of_left(_SHARE_OF_LEFT)))
        sparse = ground.left_sparse(fakes)
        yield (topped := ground.topped_up(fakes, sparse))
        yield thinned(problem, topped)
        left = [Row(corner, problem.k - len(ground.held(corner))) for corner in sparse if corner not in rows]
        if not left:
            return
        left.sort(key=lambda row: (-row.lacks, row.corner))
        rows |= {row.corner: row for row in left[: max(_ADDED_ROWS, len(rows))]}


@algorithms.register
class Stacks(Algorithm[Any]):
    """Fake points and fake boxes: single fakes beside data and stacks of k anywhere, by a covering program in whole numbers.

    No ratio is promised. For points so dense that most test boxes hold k of them, where topping up may take many times as many.

    Examples
    --------
    >>> import anoptima as ao
    >>> crowd = [(3 * (x * 37 % 16) / 16, 3 * (x * 53 % 17) / 16) for x in range(16)]
    >>> problem = ao.FakePoints(crowd, 4)
    >>> topped, stacked = (ao.solve(problem, name, start=None).cost for name in ("weighed-boxes", "stacks"))
    >>> stacked < topped
    True
    """

    name = "stacks"
    problems = (FakePoints, FakeBoxes)
    family = "shifted-grids"
    uses_seed = False
    kind = Kind.APPROXIMATE
    quick = 0

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Enter quick covers, then what every round finds."""
        points = problem.as_points()
        for found in itertools.chain(quick_covers(points), stacked(points, ledger.clock)):
            ledger.offer(problem.from_points(found))
