"""Branch and bound on columns: the lightest sufficient set, by asking only whether a set suffices. Exact for any monotone question.

A node of the search has columns that are *taken*, columns that are *left out*, and open ones between. Sets that suffice are upward
closed, so:

- taken and open columns together must suffice, or nothing below the node does;
- an open column without which they do not is taken;
- if the taken ones suffice, nothing below the node is lighter;
- otherwise one open column is needed, and two if no single one is enough: their weights are the bound.

Columns are branched on from the dearest, left out first: that is greedy descent, and the first leaf is its answer.
"""

from __future__ import annotations

from typing import Any

from anoptima.deadline import check_time
from anoptima.problems.base import Problem
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.columns import mask_of
from anoptima.solvers import algorithms
from anoptima.solvers.exact.algorithm import ExactAlgorithm
from anoptima.solvers.ledger import Ledger

_MOST_KNOWN = 1_000_000
"""How many sets of columns are remembered, at most, in some 100 MB: a node asks mostly about sets that the one above has asked about."""


@algorithms.register
class AttributeBranchAndBound(ExactAlgorithm):
    """Lightest sufficient columns by branch and bound, under any principle; for all problems that choose columns.

    At most 2^m nodes for m columns and O(m) questions to the checker a node, O(n m) each. Any weights.

    References
    ----------
    A. Meyerson and R. Williams: On the complexity of optimal k-anonymity (2004), section 3.2, for the monotony of attribute suppression.

    Examples
    --------
    >>> import anoptima as ao
    >>> ao.solve(ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3)), "attribute-branch-and-bound").cost
    7
    """

    name = "attribute-branch-and-bound"
    problems = (ColumnChoice,)
    joins_groups = True
    family = "columns"
    uses_start = True

    def optimum(self, problem: Problem[Any], ledger: Ledger[Any]) -> Any:
        """Search below the best that is known."""
        assert isinstance(problem, ColumnChoice)
        search = _Search(problem, ledger)
        search.run()
        return ledger.solution


class _Known(dict[int, bool]):
    """Whether sets of columns suffice, by their bit masks; it forgets all when it is full."""

    def __setitem__(self, asked: int, suffices: bool) -> None:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        super().__setitem__(asked, suffices)


class _Search:
    def __init__(self, problem: ColumnChoice[Any], ledger: Ledger[Any]) -> None:
        self._problem = problem
        self._ledger = ledger
        self._weights = problem.table.weights
        self._dearest = sorted(range(len(self._weights)), key=lambda c: (self._weights[c], c), reverse=True)
        self._known = _Known()

    def run(self) -> None:
        """Search everything; the ledger ends with an optimum."""
        waiting = [(frozenset[int](), frozenset(self._dearest))]
        while waiting:
            check_time()
            taken, open_ = waiting.pop()
            left = self._narrowed(taken, open_)
            if left is None:
                continue
            taken, open_ = left
            column = next(c for c in self._dearest if c in open_)
            waiting.append((taken | {column}, open_ - {column}))
            waiting.append((taken, open_ - {column}))

    def _narrowed(self, taken: frozenset[int], open_: frozenset[int]) -> tuple[frozenset[int], frozenset[int]] | None:
        """Take what must be taken; None if nothing below is lighter than the best, which may be new."""
        if not self._suffices(taken | open_):
            return None
        needed = frozenset(c for c in open_ if not self._suffices((taken | open_) - {c}))
        taken, open_ = taken | needed, open_ - needed
        if self._is_too_dear(taken, ()):
            return None
        if self._suffices(taken):
            self._ledger.offer(self._problem.solution_of(taken))
            return None
        cheapest = sorted(open_, key=lambda c: self._weights[c])
        if self._is_too_dear(taken, cheapest[:1]):
            return None
        if self._is_too_dear(taken, cheapest[:2]):
            enough = next((c for c in cheapest if self._suffices(taken | {c})), None)
            if enough is not None and not self._is_too_dear(taken, [enough]):
                self._ledger.offer(self._problem.solution_of(taken | {enough}))
            return None
        return taken, open_

    def _is_too_dear(self, taken: frozenset[int], more: Any) -> bool:
        assert self._ledger.cost is not None
        return self._problem.weight([*taken, *more]) >= self._ledger.cost

    def _suffices(self, columns: frozenset[int]) -> bool:
        asked = mask_of(columns)
        if asked not in self._known:
            self._known[asked] = self._problem.suffices(columns)
        return self._known[asked]
