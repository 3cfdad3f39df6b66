"""Greedy descent: give up one column after another as long as the rest suffices.

For identifying columns of equal weight this is Yuan and Wang's algorithm (section 5.1), in one pass. Theirs starts again from the first
column after every success. That changes nothing: a column that could not go from a larger set cannot go from a smaller one. Their
combinations leave out the last column first, so the pass runs from last to first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from anoptima.problems.column_choice import ColumnChoice
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger

S = TypeVar("S")

_MANY = 32
"""So many columns are asked about one by one; of more, up to this part of them at once."""


def descend(
    problem: ColumnChoice[Any],
    columns: Iterable[int],
    is_over: Callable[[], bool],
    dearness: Sequence[float] | None = None,
) -> frozenset[int]:
    """Return a minimal sufficient part of sufficient `columns`, or what has been reached when `is_over` says that time is up.

    The dearest go first, by their weights unless other numbers are given, and among equals the last. m questions to the checker for m
    columns; of very many columns several are asked about at once, as long as they all can go.
    """
    left, prices = set(columns), problem.table.weights if dearness is None else dearness
    order = sorted(left, key=lambda j: (prices[j], j), reverse=True)
    place, many, most = 0, 1, 1 + len(order) // _MANY
    while place < len(order) and not is_over():
        some = order[place : place + many]
        if problem.suffices(left.difference(some)):
            left.difference_update(some)
            place, many = place + many, min(2 * many, most)
        elif many == 1:
            place += 1
        else:
            many //= 2
    return frozenset(left)


@algorithms.register
class GreedyDescent(Algorithm[Any]):
    """A minimal set of columns: no column can be left out. No ratio is promised: the smallest set may be far smaller.

    m questions to the checker for m columns, fewer for very many. Started from a solution, it gives up columns of that one.

    References
    ----------
    C.-C. R. Yuan and B.-Y. Wang: Finding quasi-identifiers against k-anonymity, Proposition 3 and section 5.1.
    """

    name = "greedy-descent"
    problems = (ColumnChoice,)
    joins_groups = True
    family = "columns"
    uses_seed = False
    uses_limit = False
    kind = Kind.APPROXIMATE
    quick = 1
    uses_start = True

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Descend once from the start, or from what is there for the taking."""
        assert isinstance(problem, ColumnChoice)
        first = problem.columns_of(problem.trivial() if start is None else start)
        ledger.offer(problem.solution_of(descend(problem, first, ledger.is_over)))
