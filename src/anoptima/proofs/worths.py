"""Proofs by worths of rows, prices of odd sets and cases: for stars and diameters by groups of few rows, given patterns and facilities.

Give each row (or client) a worth, D times what it is to pay. Any solution then costs at least what all rows are worth together, less
what its groups gain: a group gains what its rows are worth beyond D times its cost. With the largest gains F that groups can have,

    D cost >= sum_r worth_r - (n // k) max(0, F)                for groups of k to 2k - 1 rows: there are n // k at most;
    D cost >= sum_r worth_r                                     for stars, if no k rows gain (`least_groups`);
    D cost >= sum_r s_r worth_r - sum_p F_p,                    for places p that serve rows, where F_p counts
                                                                max(0, F_p) unless p must be open.

Groups of few rows may also be paid for odd sets: some group meets a set of an odd number of rows in an odd number of them. So the price of
a set joins the sum, and the gain of each group that meets it oddly. A fork says of two rows whether they are in one group, or of a facility
whether it is open. Each solution falls under one end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import Exact, simplest
from anoptima.principles import KAnonymity, LDiversity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.problems.given_patterns import GivenPatterns
from anoptima.problems.lower_bounded_facilities import LowerBoundedFacilities
from anoptima.proofs.heaviest import Decided, RowGroups, few_enough
from anoptima.proofs.kinds import register
from anoptima.proofs.least_groups import LeastGroups, few_enough_sets
from anoptima.proofs.pairs_and_triples import PairsAndTriples
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.statements import under
from anoptima.proofs.trees import ends

_FEW_PAIRS = 60
"""Groups of two and three of more rows than this are looked at by arrays."""

Sets = Sequence[tuple[int, ...]]
"""Sets of rows, each of an odd number of them."""


@dataclass(frozen=True, slots=True)
class WorthEnd(PlainData):
    """An end of the tree: a worth for each row, row type or sort of client, and a price of at least 0 for each odd set."""

    worth: tuple[int, ...]
    prices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WorthFork(PlainData):
    """Two rows that are apart on the low side and in one group on the high side, or a facility that is shut or open."""

    about: tuple[int, ...]
    low: WorthTree
    high: WorthTree


WorthTree = WorthFork | WorthEnd


@register
@dataclass(frozen=True)
class WorthProof(PlainData):
    """No solution costs less than `value`: by worths of rows, and cases; for groups of few rows, given patterns and facilities.

    Attributes
    ----------
    value
        The bound.
    denominator
        D: what a worth is counted in parts of, in the problem's cost unit.
    tree
        An end, or forks with an end in each case.
    sets
        Sets of an odd number of rows each; for stars and diameters only.
    principle
        For stars, what `Principle.as_json` says of the principle that the worths are about, such as the one that the problem's comes to;
        None for the problem's own.

    Examples
    --------
    >>> from anoptima.instances.papers import ten_rows
    >>> problem = DiameterSum(ten_rows(), 3)
    >>> WorthProof(10, 1, WorthEnd((1,) * 10)).proved(problem)
    10
    >>> WorthProof(11, 1, WorthEnd((1,) * 10)).proved(problem)
    Traceback (most recent call last):
    anoptima.errors.BadInput: the worths prove 10, not 11
    """

    value: Exact
    denominator: int
    tree: WorthTree
    sets: Sets = ()
    principle: Mapping[str, Any] | None = None

    kind: ClassVar[str] = "worths"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold."""
        if self.principle is not None and isinstance(problem, CellSuppression):
            problem = under(problem, self.principle)
        pricing = pricing_of(problem, self.sets)
        if self.denominator < 1:
            raise BadInput(f"the denominator is {self.denominator}; it must be at least 1")
        found = [
            pricing.least(end.worth, self.denominator, path, end.prices) for end, path in _ends(self.tree, pricing)
        ]
        left = [least for least in found if least is not None]
        if not left:
            raise BadInput("the decisions leave no solution at any end of the tree")
        proved = -(-min(left) // self.denominator)
        if proved < self.value * problem.cost_scale:
            raise BadInput(f"the worths prove {Fraction(proved, problem.cost_scale)}, not {self.value}")
        return self.value


class Pricing:
    """What worths prove of a problem; `rows` of them are asked for, and a price for each of `sets`."""

    rows: int
    sets: Sets = ()

    def require(self, about: Sequence[int]) -> None:
        """Refuse a fork about what is not there."""
        raise NotImplementedError

    def least(
        self, worth: Sequence[int], d: int, path: Iterable[Decided] = (), prices: Sequence[int] = ()
    ) -> int | None:
        """Return d times a bound in the cost unit under some decisions; None if no solution falls under them."""
        raise NotImplementedError


class FewRows(Pricing):
    """Worths of the rows of a table, in its order, for groups of k to 2k - 1 of them; or of k, where one end without sets says it all."""

    def __init__(self, problem: DiameterSum | CellSuppression, sets: Sets = ()) -> None:
        self._problem, self.rows, self.sets = problem, problem.table.rows, sets
        self.k, self._kinds, self._why_short = groups_of(problem)
        if not self._why_short and not few_enough(self.rows, self.k):
            self._why_short = f"the proof is about every group of {self.rows:,} rows, which are too many"
        may_be_short = isinstance(problem, CellSuppression) and not sets and few_enough_sets(self.rows, self.k)
        if self._why_short and not may_be_short:
            raise BadInput(self._why_short)
        for number, members in enumerate(sets):
            is_odd = len(members) % 2 == 1 and len(set(members)) == len(members)
            if not is_odd or not all(0 <= row < self.rows for row in members):
                raise BadInput(f"set {number} must have an odd number of the {self.rows:,} rows, none twice")

    @cached_property
    def groups(self) -> RowGroups:
        """What groups cost."""
        return RowGroups(self._problem, self.k, self._kinds)

    @cached_property
    def _least(self) -> LeastGroups:
        assert isinstance(self._problem, CellSuppression)
        return LeastGroups(self._problem, self.k, self._kinds)

    def require(self, about: Sequence[int]) -> None:
        """A fork is about two rows."""
        if self._why_short:
            raise BadInput(self._why_short)
        if len(about) != 2 or not 0 <= about[0] < about[1] < self.rows:
            raise BadInput(
                f"a fork is about {list(about)}; it must be two of the {self.rows:,} rows, the first one first"
            )

    def least(
        self, worth: Sequence[int], d: int, path: Iterable[Decided] = (), prices: Sequence[int] = ()
    ) -> int | None:
        """Return what the rows are worth and the sets pay, less the largest gain for each group that there can be."""
        decided, problem = list(path), self._problem
        is_plain = isinstance(problem, CellSuppression) and not decided
        if is_plain and not self.sets and not self._least.some_gain(worth, d):
            return sum(worth)
        if self._why_short:
            raise BadInput(f"{self.k} rows gain; {self._why_short}")
        if isinstance(problem, CellSuppression) and self.k == 2 and self.rows > _FEW_PAIRS and not decided:
            gain = PairsAndTriples(problem, self._kinds, d, worth, self.sets, prices).largest()
        else:
            gain = self.groups.largest_gain(worth, d, decided, self.sets, prices)
        return sum(worth) + sum(prices) - self.rows // self.k * gain


def groups_of(problem: DiameterSum | CellSuppression) -> tuple[int, Sequence[int], str]:
    """Return the least size k, a number for each row that no other row of its group may have, and why groups of k to 2k - 1 rows are not
    enough; '' if they are.

    >>> from anoptima.instances.papers import ten_rows
    >>> groups_of(DiameterSum(ten_rows(), 3))
    (3, range(0, 10), '')
    """
    every = range(problem.table.rows)
    if isinstance(problem, DiameterSum):
        return problem.k, every, ""
    principle = problem.principle
    if type(principle) is KAnonymity:
        return principle.k, every, ""
    if type(principle) is LDiversity and principle.version == "frequency" and principle.l.denominator == 1:
        column = problem.table.sensitive_column(principle.column or problem.table.sensitive[0])
        return int(principle.l), column.codes.tolist(), ""
    why = f"the proof is for k-anonymity, or frequency l-diversity with a whole l, not for {principle}"
    return principle.least_size(problem.table), every, why


class Places(Pricing):
    """Worths of sorts of rows, of which `copies` are there; place p serves those in `costs[p]`, at that cost each."""

    def __init__(self, copies: Sequence[int], costs: Sequence[Mapping[int, int]], least: int, must: bool) -> None:
        self.rows, self.copies, self.costs, self.size, self.must = len(copies), copies, costs, least, must

    def require(self, about: Sequence[int]) -> None:
        """A fork is about a facility; given patterns are all open."""
        if self.must or len(about) != 1 or not 0 <= about[0] < len(self.costs):
            raise BadInput(f"a fork is about {list(about)}; it must be a facility that may be open or shut")

    def least(
        self, worth: Sequence[int], d: int, path: Iterable[Decided] = (), prices: Sequence[int] = ()
    ) -> int | None:
        """Return what all rows are worth, less what each place gains at most."""
        decided, total = dict(path), sum(s * w for s, w in zip(self.copies, worth, strict=True))
        for place, costs in enumerate(self.costs):
            is_open = True if self.must else decided.get((place,))
            gained = self._gained([(worth[r] - d * cost, self.copies[r]) for r, cost in costs.items()])
            if is_open and gained is None:
                return None
            if is_open is not False and gained is not None:
                total -= gained if is_open else max(0, gained)
        return total

    def _gained(self, gains: list[tuple[int, int]]) -> int | None:
        """Return the largest gain of `size` rows or more; None if there are not so many."""
        gained, lacking = 0, self.size
        for gain, copies in sorted(gains, reverse=True):
            taken = copies if gain > 0 else min(copies, max(0, lacking))
            gained, lacking = gained + gain * taken, lacking - taken
        return None if lacking > 0 else gained


def pricing_of(problem: Problem[Any], sets: Sets = ()) -> Pricing:
    """Return what prices a problem's groups; `BadInput` if that would take too long, or the problem has other groups."""
    if not isinstance(problem, DiameterSum | CellSuppression | GivenPatterns | LowerBoundedFacilities):
        raise BadInput(f"the proof is about stars, diameters, given patterns or facilities, and this is {problem.name}")
    impossible = problem.why_infeasible()
    if impossible is not None:
        raise BadInput(f"no solution exists, so there is no least cost: {impossible}")
    if isinstance(problem, DiameterSum | CellSuppression):
        return FewRows(problem, sets)
    if sets:
        raise BadInput("the proof has odd sets of rows, and places have no groups of few rows")
    if isinstance(problem, GivenPatterns):
        matched = [np.flatnonzero(types).tolist() for types in problem.matches]
        costs = [dict.fromkeys(types, int(cost)) for types, cost in zip(matched, problem.scaled_costs, strict=True)]
        return Places(problem.table.multiplicity.tolist(), costs, problem.least, must=True)
    number = {facility: place for place, facility in enumerate(problem.facilities)}
    served: list[dict[int, int]] = [{} for _ in number]
    for facility, client, cost in problem.connections:
        served[number[facility]][client] = int(cost * problem.cost_scale)
    return Places(problem.clients, served, problem.least, must=False)


def worth_proof(problem: Problem[Any], least: int, d: int, tree: WorthTree, sets: Sets = ()) -> WorthProof:
    """Return a proof of `least` in the problem's cost unit, not below 0."""
    principle = problem.principle.as_json() if isinstance(problem, CellSuppression) else None
    return WorthProof(simplest(Fraction(max(0, least), problem.cost_scale)), d, tree, sets, principle)


def cheapest_worths(problem: GivenPatterns) -> WorthProof:
    """Return the bound that each row pays for the cheapest pattern that it matches.

    >>> problem = next(GivenPatterns.examples())
    >>> cheapest_worths(problem).proved(problem) == problem.lower_bound()
    True
    """
    costs = np.where(problem.matches, problem.scaled_costs[:, None], np.iinfo(np.int64).max)
    worth = tuple(costs.min(axis=0).tolist())
    return worth_proof(problem, int(np.dot(problem.table.multiplicity, worth)), 1, WorthEnd(worth))


def _ends(tree: WorthTree, pricing: Pricing) -> Iterator[tuple[WorthEnd, tuple[Decided, ...]]]:
    """Yield each end, and what leads there."""
    for end, forks in ends(tree, "low", "high"):
        path = tuple((fork.about, not is_low) for fork, is_low in forks)
        for number, (about, _) in enumerate(path):
            pricing.require(about)
            if any(about == other for other, _ in path[:number]):
                raise BadInput(f"a fork decides about {list(about)} a second time")
        if len(end.worth) != pricing.rows:
            raise BadInput(f"an end has {len(end.worth):,} worths; it must be {pricing.rows:,}")
        if len(end.prices) != len(pricing.sets) or min(end.prices, default=0) < 0:
            raise BadInput(f"an end must have a price of 0 or more for each of {len(pricing.sets):,} sets")
        yield end, path
