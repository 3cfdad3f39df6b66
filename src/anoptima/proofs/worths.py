"""Proofs by worths and cases of problems whose groups are not patterns of a table: diameters, given patterns, facilities.

Give each row (or client) a worth, D times what it is to pay. Any solution then costs at least what all rows are worth together, less
what its groups gain: a group gains what its rows are worth beyond D times its cost. With the largest gains F that groups can have,

    D cost >= sum_r s_r worth_r - (n // k) max(0, F)            for diameters: a partition has n // k groups at most;
    D cost >= sum_r s_r worth_r - sum_p F_p,                    for places p that serve rows, where F_p counts
                                                                max(0, F_p) unless p must be open.

A fork says of two rows whether they are in one group, or of a facility whether it is open. Each solution falls under one end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_plain, simplest
from anoptima.problems.base import Problem
from anoptima.problems.diameter_sum import DiameterSum, scaled_distances
from anoptima.problems.given_patterns import GivenPatterns
from anoptima.problems.lower_bounded_facilities import LowerBoundedFacilities
from anoptima.proofs.heaviest import Grouping, few_enough
from anoptima.proofs.kinds import register
from anoptima.proofs.reading import Fields

Decided = tuple[tuple[int, ...], bool]
"""Two rows and whether they are in one group, or a facility and whether it is open."""


@dataclass(frozen=True, slots=True)
class WorthEnd:
    """An end of the tree: a worth for each row, row type or sort of client."""

    worth: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WorthFork:
    """Two rows that are apart on the low side and in one group on the high side, or a facility that is shut or open."""

    about: tuple[int, ...]
    low: WorthTree
    high: WorthTree


WorthTree = WorthFork | WorthEnd


@register
@dataclass(frozen=True)
class WorthProof:
    """No solution of `DiameterSum`, `GivenPatterns` or `LowerBoundedFacilities` costs less than `value`: by worths, and cases.

    Attributes
    ----------
    value
        The bound.
    denominator
        D: what a worth is counted in parts of, in the problem's cost unit.
    tree
        An end, or forks with an end in each case.

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

    kind: ClassVar[str] = "worths"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"value": exact_plain(self.value), "denominator": self.denominator, "tree": _as_json(self.tree)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> WorthProof:
        """Return the proof that `as_json` wrote, unchecked; `BadInput` says what is none."""
        fields = Fields(data, "the proof")
        proof = cls(fields.exact("value"), fields.whole("denominator"), _from_json(fields.take("tree"), "the tree"))
        fields.end()
        return proof

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold."""
        pricing = pricing_of(problem)
        if self.denominator < 1:
            raise BadInput(f"the denominator is {self.denominator}; it must be at least 1")
        found = [pricing.least(worth, self.denominator, path) for worth, path in _ends(self.tree, (), pricing)]
        left = [least for least in found if least is not None]
        if not left:
            raise BadInput("the decisions leave no solution at any end of the tree")
        proved = -(-min(left) // self.denominator)
        if proved < self.value * problem.cost_scale:
            raise BadInput(f"the worths prove {Fraction(proved, problem.cost_scale)}, not {self.value}")
        return self.value


class Pricing:
    """What worths prove of a problem; `rows` of them are asked for."""

    rows: int

    def require(self, about: Sequence[int]) -> None:
        """Refuse a fork about what is not there."""
        raise NotImplementedError

    def least(self, worth: Sequence[int], d: int, path: Iterable[Decided]) -> int | None:
        """Return d times a bound in the cost unit under some decisions; None if no solution falls under them."""
        raise NotImplementedError


class Diameters(Pricing):
    """Worths of the rows of a table, in its order."""

    def __init__(self, problem: DiameterSum) -> None:
        table = problem.table
        self.rows, self.k = table.rows, problem.k
        self.apart: list[list[int]] = scaled_distances(table, table.type_of_row).tolist()

    def require(self, about: Sequence[int]) -> None:
        """A fork is about two rows."""
        if len(about) != 2 or not 0 <= about[0] < about[1] < self.rows:
            raise BadInput(
                f"a fork is about {list(about)}; it must be two of the {self.rows:,} rows, the first one first"
            )

    def least(self, worth: Sequence[int], d: int, path: Iterable[Decided]) -> int | None:
        """Return what the rows are worth, less the largest gain for each group that there can be."""
        grouping = Grouping(self.apart, self.k, path)
        return sum(worth) - self.rows // self.k * grouping.largest_gain(worth, d)


class Places(Pricing):
    """Worths of sorts of rows, of which `copies` are there; place p serves those in `costs[p]`, at that cost each."""

    def __init__(self, copies: Sequence[int], costs: Sequence[Mapping[int, int]], least: int, must: bool) -> None:
        self.rows, self.copies, self.costs, self.size, self.must = len(copies), copies, costs, least, must

    def require(self, about: Sequence[int]) -> None:
        """A fork is about a facility; given patterns are all open."""
        if self.must or len(about) != 1 or not 0 <= about[0] < len(self.costs):
            raise BadInput(f"a fork is about {list(about)}; it must be a facility that may be open or shut")

    def least(self, worth: Sequence[int], d: int, path: Iterable[Decided]) -> int | None:
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


def pricing_of(problem: Problem[Any]) -> Pricing:
    """Return what prices a problem's groups; `BadInput` if that would take too long, or the problem has other groups."""
    if not isinstance(problem, DiameterSum | GivenPatterns | LowerBoundedFacilities):
        raise BadInput(f"the proof is about diameters, given patterns or facilities, and this is {problem.name}")
    impossible = problem.why_infeasible()
    if impossible is not None:
        raise BadInput(f"no solution exists, so there is no least cost: {impossible}")
    if isinstance(problem, DiameterSum):
        if not few_enough(problem.table.rows, problem.k):
            raise BadInput(f"the proof is about every group of {problem.table.rows:,} rows, which are too many")
        return Diameters(problem)
    if isinstance(problem, GivenPatterns):
        matched = [np.flatnonzero(types).tolist() for types in problem.matches]
        costs = [dict.fromkeys(types, int(cost)) for types, cost in zip(matched, problem.scaled_costs, strict=True)]
        return Places(problem.table.multiplicity.tolist(), costs, problem.least, must=True)
    number = {facility: place for place, facility in enumerate(problem.facilities)}
    served: list[dict[int, int]] = [{} for _ in number]
    for facility, client, cost in problem.connections:
        served[number[facility]][client] = int(cost * problem.cost_scale)
    return Places(problem.clients, served, problem.least, must=False)


def worth_proof(problem: Problem[Any], least: int, d: int, tree: WorthTree) -> WorthProof:
    """Return a proof of `least` in the problem's cost unit, not below 0."""
    return WorthProof(simplest(Fraction(max(0, least), problem.cost_scale)), d, tree)


def cheapest_worths(problem: GivenPatterns) -> WorthProof:
    """Return the bound that each row pays for the cheapest pattern that it matches.

    >>> problem = next(GivenPatterns.examples())
    >>> cheapest_worths(problem).proved(problem) == problem.lower_bound()
    True
    """
    costs = np.where(problem.matches, problem.scaled_costs[:, None], np.iinfo(np.int64).max)
    worth = tuple(costs.min(axis=0).tolist())
    return worth_proof(problem, int(np.dot(problem.table.multiplicity, worth)), 1, WorthEnd(worth))


def _ends(
    tree: WorthTree, path: tuple[Decided, ...], pricing: Pricing
) -> Iterator[tuple[tuple[int, ...], tuple[Decided, ...]]]:
    """Yield the worths of each end, and what leads there."""
    if isinstance(tree, WorthEnd):
        if len(tree.worth) != pricing.rows:
            raise BadInput(f"an end has {len(tree.worth):,} worths; it must be {pricing.rows:,}")
        yield tree.worth, path
        return
    pricing.require(tree.about)
    if any(about == tree.about for about, _ in path):
        raise BadInput(f"a fork decides about {list(tree.about)} a second time")
    for side, is_high in ((tree.low, False), (tree.high, True)):
        yield from _ends(side, (*path, (tree.about, is_high)), pricing)


def _as_json(tree: WorthTree) -> dict[str, Any]:
    if isinstance(tree, WorthEnd):
        return {"worth": list(tree.worth)}
    return {"about": list(tree.about), "low": _as_json(tree.low), "high": _as_json(tree.high)}


def _from_json(data: Any, where: str) -> WorthTree:
    fields = Fields(data, where)
    tree: WorthTree
    if fields.has("worth"):
        tree = WorthEnd(fields.wholes("worth"))
    else:
        about = fields.wholes("about")
        low, high = (_from_json(fields.take(side), f"the {side} side of {where}") for side in ("low", "high"))
        tree = WorthFork(about, low, high)
    fields.end()
    return tree
