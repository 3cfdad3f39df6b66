"""Fake points on a line: the fewest, at any size; `problems.on_a_line` has the mathematics."""

from __future__ import annotations

from typing import Any

from anoptima.answer import Origin
from anoptima.problems.base import Problem
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger


@algorithms.register
class LineLayers(Algorithm[Any]):
    """Fake points and fake boxes on a line: the fewest, dealt out to k layers that each cover the line. O(n log n) but for rare tables.

    For tens of thousands of points. That there are no fewer is a theorem; for some dozens box-cases writes a proof.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.FakePoints([(2,), ("2.4",), ("3.6",), (9,)], 2), "line-layers")
    >>> answer.claim.name, answer.cost, [str(x) for x, in answer.solution.points]
    ('OPTIMAL', 4, ['2', '12/5', '18/5', '9'])
    """

    name = "line-layers"
    problems = (FakePoints, FakeBoxes)
    family = "shifted-grids"
    uses_seed = False
    uses_limit = False
    kind = Kind.EXACT

    def why_not(self, problem: Problem[Any]) -> str | None:
        """Only on a line: with two axes or more the problem is NP-hard."""
        other = super().why_not(problem)
        if other is not None or not isinstance(problem, FakePoints | FakeBoxes):
            return other
        axes = problem.as_points().dimensions
        return None if axes == 1 else f"line-layers is for points on a line, and these have {axes} coordinates"

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Offer the fewest, which nothing is below."""
        fewest = problem.as_points().fewest_on_a_line
        ledger.offer(problem.from_points(fewest))
        ledger.raise_bound(len(fewest.points), Origin.THEOREM, self.name)
