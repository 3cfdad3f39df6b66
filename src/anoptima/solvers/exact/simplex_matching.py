"""Minimum-cost simplex matching: groups of two and three, exactly, in polynomial time. Solves 2-anonymity and 2-diversity.

Under 2-anonymity a group of 4 or more rows splits anywhere into pairs and triples, and under frequency 2-diversity into some of pairwise
different sensitive values (Liang and Yuan, Lemma 2), none of which stars a further column. `problems/sources/simplex_matching` has the
question, `simplex/search` how it is answered.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.answer import Origin
from anoptima.exact import Exact, simplest
from anoptima.models.group_lists import RowKinds, kinds_of
from anoptima.principles import KAnonymity, LDiversity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.simplex_matching import SimplexMatching
from anoptima.proofs.worths import WorthEnd, WorthProof, pricing_of, worth_proof
from anoptima.solvers import algorithms
from anoptima.solvers.exact.algorithm import ExactAlgorithm
from anoptima.solvers.exact.simplex.costs import ListedCosts, RowCosts
from anoptima.solvers.exact.simplex.neighbourhood import Group
from anoptima.solvers.exact.simplex.prices import Prices
from anoptima.solvers.exact.simplex.search import Search
from anoptima.solvers.ledger import Ledger

_MOST_VERTICES = 4_000
"""Some arrays hold a number for each pair of vertices; for this many vertices each takes 128 MiB."""

_PARTS = (1, 2, 12, 60, 5_040, 5_040_000)
"""The denominators that prices are rounded to, before they are taken as they are."""

_KEPT = 4
"""How many rows of one type are kept at most: see `_Rows`."""


@algorithms.register
class SimplexMatchingSolver(ExactAlgorithm):
    """Cheapest groups of two and three by simplex matching: 2-anonymity and 2-diversity in polynomial time.

    For n rows: a linear program in O(n^2) pairs and O(n^3) triples, made as needed, then at most O(n log(cost)) rounds of O(m^2)
    matchings, O(n^3) each, for the m <= n^3 triples that exact reduced costs leave over; mostly none. Memory O(n^2).

    References
    ----------
    E. Anshelevich and A. Karagiozova: Terminal backup, 3D matching, and covering cubic graphs. SIAM Journal on Computing 40 (2011).
    J. Blocki and R. Williams: Resolving the complexity of some data privacy problems. ICALP (2010), for 2-anonymity.
    H. Liang and H. Yuan (2013), section 6, for 2-diversity.

    Examples
    --------
    >>> import anoptima as ao
    >>> ao.solve(ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2)), "simplex-matching").cost
    50
    """

    name = "simplex-matching"
    problems = (CellSuppression, SimplexMatching)
    family = "matching"
    uses_start = True

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for simplex matching, 2-anonymity and 2-diversity, up to a number of vertices."""
        if isinstance(problem, SimplexMatching):
            vertices = len(problem.vertices)
        elif isinstance(problem, CellSuppression):
            kinds = kinds_of(problem)
            if kinds is None or kinds.least != 2:
                return f"{self.name} is for 2-anonymity and for frequency 2-diversity, not for {problem.principle}"
            vertices = _Rows(problem, kinds).count
        else:
            return super().why_not(problem)
        if vertices > _MOST_VERTICES:
            return (
                f"{self.name} keeps a few numbers for each pair of rows, {vertices:,}^2 = {vertices**2:,} pairs here; "
                f"{_MOST_VERTICES:,} rows are the most"
            )
        return None

    def optimum(self, problem: Problem[Any], ledger: Ledger[Any]) -> Any:
        """Search from the best that is known."""
        if isinstance(problem, SimplexMatching):
            return _listed(problem, ledger)
        assert isinstance(problem, CellSuppression)
        kinds = kinds_of(problem)
        assert kinds is not None
        return _Rows(problem, kinds).solve(ledger)


def _listed(problem: SimplexMatching, ledger: Ledger[Matching]) -> Matching:
    """Solve simplex matching: costs are made whole, with no common divisor, so that bounds can be rounded up as far as they go."""
    scale = problem.cost_scale
    whole = {problem.places(edge): int(cost * scale) for edge, cost in (*problem.pairs, *problem.triples)}
    divisor = math.gcd(*whole.values()) or 1
    pairs = {(p[0], p[1]): cost // divisor for p, cost in whole.items() if len(p) == 2}
    triples = {(t[0], t[1], t[2]): cost // divisor for t, cost in whole.items() if len(t) == 3}
    assert ledger.solution is not None
    search = Search(
        ListedCosts(len(problem.vertices), pairs, triples),
        [problem.places(edge) for edge in ledger.solution.edges],
        lambda groups: _tell(ledger, problem.matching(groups)),
        lambda least, _: ledger.raise_bound(simplest(Fraction(least * divisor, scale)), Origin.THEOREM),
        ledger.clock.left,
    )
    return problem.matching(search.run())


def _tell(ledger: Ledger[Any], solution: Any) -> None:
    ledger.offer(solution)


def _proof(
    problem: CellSuppression, unit: int, worth: list[int], prices: dict[tuple[int, ...], int], wanted: int
) -> WorthProof:
    """Return a proof by worths and prices in parts of `unit`, or in larger parts that prove `wanted` in the cost unit, too."""
    best, tree, parts, held = -1, WorthEnd(tuple(worth)), unit, list[tuple[int, ...]]()
    for d in (*_PARTS, unit):
        rounded = {members: (2 * price * d + unit) // (2 * unit) for members, price in sorted(prices.items())}
        sets = [members for members, price in rounded.items() if price]
        end = WorthEnd(
            tuple((2 * one * d + unit) // (2 * unit) for one in worth),
            tuple(price for price in rounded.values() if price),
        )
        least = pricing_of(problem, sets).least(end.worth, d, (), end.prices)
        assert least is not None
        if -(-least // d) > best:
            best, tree, parts, held = -(-least // d), end, d, sets
        if best >= wanted:
            break
    return worth_proof(problem, best, parts, tree, held)


class _Rows:
    """The rows of a table, less those that are paired off beforehand.

    Under 2-anonymity, two rows of a type that occurs 5 times or more may be paired off at cost 0: some optimum does so. Of a type that
    occurs 4 times that is not true. Under 2-diversity all rows are kept.
    """

    def __init__(self, problem: CellSuppression, kinds: RowKinds) -> None:
        self._problem = problem
        table = problem.table
        self._apart = kinds.apart
        order = np.argsort(table.type_of_row, kind="stable")
        type_ = table.type_of_row[order]
        if self._apart:
            kept = np.ones(len(order), dtype=bool)
        else:
            place = np.arange(len(order)) - np.searchsorted(type_, type_)
            copies = table.multiplicity[type_]
            kept = place < np.where(copies <= _KEPT, copies, _KEPT - copies % 2)
        self._rows = order[kept]
        self._paired = order[~kept].reshape(-1, 2)
        self.count = len(self._rows)
        self._kinds = kinds
        self._divisor = int(np.gcd.reduce(problem.table.scaled_weights))
        self._prices: Prices | None = None

    def solve(self, ledger: Ledger[Partition]) -> Partition:
        """Search among the rows that are kept."""
        table = self._problem.table
        weights = table.scaled_weights
        divisor = self._divisor
        codes = table.types[table.type_of_row[self._rows]]
        apart = None
        if self._apart:
            # Kinds are sorted by value, and all kinds of one value have the same first kind after them.
            apart = self._kinds.after[self._kinds.of_row[self._rows]].astype(np.int32)
        search = Search(
            RowCosts(codes, weights // divisor, apart),
            self._first(ledger),
            lambda groups: self._offer(ledger, groups),
            lambda least, prices: self._raise(ledger, self._problem.unscale(least * divisor), prices),
            ledger.clock.left,
        )
        return self._partition(search.run())

    def _offer(self, ledger: Ledger[Partition], groups: list[Group]) -> None:
        """Offer groups; what proves that they are the best ones comes first, as the run is over with them."""
        found = self._partition(groups)
        if ledger.bound is not None and self._problem.cost(found) <= ledger.bound.value:
            self._prove(ledger, ledger.bound.value)
        ledger.offer(found)

    def _raise(self, ledger: Ledger[Partition], bound: Exact, prices: Prices | None) -> None:
        """Raise the bound; prices prove it, unless a search does."""
        self._prices = prices or self._prices
        if bound == ledger.cost:
            self._prove(ledger, bound)
        ledger.raise_bound(bound, Origin.THEOREM)

    def _prove(self, ledger: Ledger[Partition], wanted: Exact) -> None:
        """Enter a proof of as much as the last prices prove, if they are those of all rows."""
        problem: Any = ledger.problem
        prices = self._prices
        if prices is None or len(self._paired) or type(problem.principle) not in (KAnonymity, LDiversity):
            return
        of_row = dict(zip(self._rows.tolist(), prices.vertex, strict=True))
        worth = [of_row[row] * self._divisor for row in range(len(of_row))]
        sets = [tuple(sorted(self._rows[members].tolist())) for members, _ in prices.odd_sets]
        each = [price * self._divisor for _, price in prices.odd_sets]
        scaled = int(wanted * self._problem.cost_scale)
        proof = _proof(self._problem, prices.unit, worth, dict(zip(sets, each, strict=True)), scaled)
        ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)

    def _first(self, ledger: Ledger[Partition]) -> list[list[int]]:
        """Cut the best partition into pairs and triples of the rows that are kept; begin with any, if rows were paired off."""
        assert ledger.solution is not None
        if len(self._paired):
            return [part.tolist() for part in np.array_split(np.arange(self.count), self.count // 2)]
        number = np.empty(self.count, dtype=np.int64)
        number[self._rows] = np.arange(self.count)
        parts = [part for group in ledger.solution.groups() for part in self._kinds.cut(group)]
        return [number[part].tolist() for part in parts]

    def _partition(self, groups: list[Group]) -> Partition:
        rows = [self._rows[list(group)].tolist() for group in groups]
        return Partition.from_groups([*rows, *self._paired.tolist()], self._problem.table.rows)
