"""Approximations of the diameter sum (Meyerson and Williams 2004, sections 4.2 and 4.3), and what they are worth in stars (Corollary 4.1).

Cover and Reduce are approximations of the diameter sum first. The rows of a table are covered greedily by sets of k to 2k - 1 rows, the
least diameter for each new row first; an optimal partition is a cover by such sets, so the diameters of the greedy one come to H_{2k-1} D*
at most; Reduce makes groups of k to 2k - 1 rows of it and does not add to the diameters (`cover_groups`). Where all sets are too many,
parts of balls take their place, with twice the factor (`truncated_balls`).

Corollary 4.1, with its constant repaired: any partition into k to 2k - 1 rows of at most alpha D* in diameters costs at most

    alpha (2k - 1)^2 / (2k) OPT < 2 alpha k OPT

stars. For a group S costs at most |S|^2 diam(S) / 2 (`problems.diameter_sum`), and k D* <= OPT, as in an optimal partition into such
groups each row of S has at least diam(S) stars. The paper states 3 alpha k, which is more, and holds. Its own Lemma 4.1, which has
|S| (|S| - 1) / 2 in place of |S|^2 / 2, would give alpha (2k - 1)(k - 1) / k, and that fails: of the rows aaa, bba, bba, bab, bba the
groups {aaa, bba, bab} and {bba, bba} have the least diameters for k = 2, 2 in all, and cost 9 stars, while {aaa, bab} and the rest cost 4.
That is 9/4 = (2k - 1)^2 / (2k), so the repaired constant is the best there is for k = 2. `python -m benchmarks.diameters` measures all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from anoptima.answer import Budget, Origin
from anoptima.errors import NotApplicable
from anoptima.exact import Exact, simplest
from anoptima.principles import rows_alone
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.anonymity import harmonic
from anoptima.solvers.approximate.cover import cover_by_sets
from anoptima.solvers.approximate.truncated_balls import cover_by_balls
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts, Table


class DiameterApproximation(Algorithm[Partition]):
    """An approximation of the diameter sum; subclasses cover the rows, and state the ratio."""

    kind = Kind.APPROXIMATE
    problems = (DiameterSum,)

    # `cover` is told neither.
    uses_seed = False
    uses_limit = False

    @abstractmethod
    def cover(self, table: Table, k: int, is_over: Callable[[], bool]) -> Counts:
        """Return the group of each row; -1 for rows that are in none when time is over."""

    @abstractmethod
    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return the factor of the theorem."""

    def search(self, problem: DiameterSum, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Offer the groups, and the bound that the ratio proves, if all rows were covered in time."""
        labels = self.cover(problem.table, problem.k, ledger.is_over)
        if (labels < 0).any():
            return
        found = Partition.from_labels(labels)
        ledger.offer(found)
        self.raise_by_ratio(problem, ledger, problem.cost(found))


@algorithms.register
class DiameterCover(DiameterApproximation):
    """Greedy cover by sets of k to 2k - 1 rows, the smallest diameter for each new row first, then Reduce: H_{2k-1} D* at most.

    n^O(k), as `cover`: it lists every set. Of equal ratios it takes the set with the fewest stars.

    References
    ----------
    A. Meyerson and R. Williams: On the complexity of optimal k-anonymity (PODS 2004), Theorem 4.1.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.DiameterSum(ao.ten_rows(), 2), "diameter-cover")
    >>> answer.cost, ao.get_solver("diameter-cover").ratio(answer.problem)
    (20, Fraction(11, 6))
    """

    name = "diameter-cover"
    family = "covers"

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return H_{2k-1}."""
        assert isinstance(problem, DiameterSum)
        return simplest(harmonic(problem.largest))

    def cover(self, table: Table, k: int, is_over: Callable[[], bool]) -> Counts:
        """Cover by all sets."""
        return cover_by_sets(table, k, is_over)


@algorithms.register
class DiameterBalls(DiameterApproximation):
    """Greedy cover by parts of balls of at most 2k - 1 new rows, then Reduce: 2 H_{2k-1} D* at most, in polynomial time for every k.

    The groups are those of `truncated-balls`, at the same price: O(T m) to price a ball, T the row types.

    References
    ----------
    A. Meyerson and R. Williams: On the complexity of optimal k-anonymity (PODS 2004), section 4.3, repaired.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.DiameterSum(ao.ten_rows(), 2), "diameter-balls")
    >>> answer.cost, ao.get_solver("diameter-balls").ratio(answer.problem)
    (23, Fraction(11, 3))
    """

    name = "diameter-balls"
    family = "covers"
    quick = 1

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return 2 H_{2k-1}; 1 for k = 1, where all radii are 0."""
        assert isinstance(problem, DiameterSum)
        return 1 if problem.k == 1 else simplest(2 * harmonic(problem.largest))

    def cover(self, table: Table, k: int, is_over: Callable[[], bool]) -> Counts:
        """Cover by parts of balls."""
        return cover_by_balls(table, k, is_over)


class StarsFromDiameters(Algorithm[Partition]):
    """Cell suppression under k-anonymity by the groups that a solver of the diameter sum finds (Corollary 4.1).

    Takes any solver: one of ratio alpha makes an approximation of ratio alpha (2k - 1)^2 / (2k), an exact one of alpha = 1 if it has the
    time. A bound D* on the diameters is a bound k D* on the stars: k D* <= OPT.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> exact = StarsFromDiameters(ao.get_solver("subset-dp"))
    >>> exact.name, exact.ratio(problem), ao.solve(problem, exact).cost
    ('stars-from-subset-dp', Fraction(25, 6), 65)
    """

    kind = Kind.APPROXIMATE
    problems = (CellSuppression,)
    family = "covers"

    def __init__(self, inner: Solver[Partition]) -> None:
        self.inner = inner
        self.name = f"stars-from-{inner.name}"
        self.uses_seed, self.uses_limit = inner.uses_seed, inner.uses_limit

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression under k-anonymity, where the inner solver is for the diameters."""
        if not isinstance(problem, CellSuppression):
            return super().why_not(problem)
        k = rows_alone(problem.plain.principle.conditions(problem.table))
        if k is None:
            return f"{self.name} is for k-anonymity alone, not for {problem.principle}"
        return self.inner.why_not(DiameterSum(problem.table, k))

    def ratio(self, problem: Problem[Any]) -> Exact | None:
        """Return alpha (2k - 1)^2 / (2k), or 1 if that is less; None where the inner solver promises no alpha."""
        diameters = diameters_of(problem)
        alpha = self.inner.ratio(diameters) if self.inner.kind is Kind.APPROXIMATE else 1
        return None if alpha is None else max(1, simplest(Fraction(alpha) * stars_a_diameter(diameters.k)))

    def search(self, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Have the inner solver find groups; offer them, and k times what it proves."""
        diameters = diameters_of(problem)
        budget = Budget(ledger.clock.left(), threads=ledger.budget.threads, seed=ledger.budget.seed)
        found = self.inner.solve(diameters, budget, listener=lambda event: ledger.is_over())
        if found.solution is not None:
            ledger.offer(found.solution)
        if found.bound is not None:
            ledger.raise_bound(simplest(Fraction(diameters.k) * found.bound.value), Origin.THEOREM, self.name)


@algorithms.register
class StarsFromDiameterCover(StarsFromDiameters):
    """Cell suppression by the groups of `diameter-cover`: H_{2k-1} (2k - 1)^2 / (2k) OPT at most (Corollary 4.1).

    References
    ----------
    A. Meyerson and R. Williams: On the complexity of optimal k-anonymity (PODS 2004), Corollary 4.1.
    """

    def __init__(self) -> None:
        super().__init__(DiameterCover())


@algorithms.register
class StarsFromDiameterBalls(StarsFromDiameters):
    """Cell suppression by the groups of `diameter-balls`: H_{2k-1} (2k - 1)^2 / k OPT at most (Corollary 4.1).

    References
    ----------
    A. Meyerson and R. Williams: On the complexity of optimal k-anonymity (PODS 2004), Corollary 4.1.
    """

    def __init__(self) -> None:
        super().__init__(DiameterBalls())


def stars_a_diameter(k: int) -> Fraction:
    """Return (2k - 1)^2 / (2k): groups of the least diameters cost at most this factor times OPT.

    >>> stars_a_diameter(2)
    Fraction(9, 4)
    """
    return Fraction((2 * k - 1) ** 2, 2 * k)


def diameters_of(problem: Problem[Any]) -> DiameterSum:
    """Return the question for diameters on the table of a question for stars, with its k.

    >>> from anoptima import KAnonymity, ten_rows
    >>> diameters_of(CellSuppression(ten_rows(), KAnonymity(3))).k
    3
    """
    assert isinstance(problem, CellSuppression)
    k = rows_alone(problem.plain.principle.conditions(problem.table))
    if k is None:
        raise NotApplicable(f"diameters say something of k-anonymity alone, not of {problem.principle}")
    return DiameterSum(problem.table, k)
