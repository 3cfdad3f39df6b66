"""A proof by cases for l-diversity or t-closeness, with k or without: how many rows groups have, and of a value.

A release gives every pattern one group or none (`groups`). A tree of decisions says of one pattern after another that its group has at
most, or more than, a given number of rows, or of rows of one sensitive value; no group has none. So a release falls under one end of the
tree, and costs at least the least of what the ends prove. An end has worths pi_r of its own, and a price of any sign for each pattern and
value that decisions on its way limit, lo <= z_p(v) <= hi. With w_pv that price, 0 where there is none, its releases cost at least

    sum_r s_r pi_r + sum w_pv (lo if w_pv > 0 else hi) - sum_p F_p,    F_p >= max { sum (pi_r + w_p,val(r) - c_p) z_r : z a legal group },

where only groups count whose size is within the limits of the pattern, and no group, at 0, if these allow that. Under diversity F is
computed as in `groups`, which knows no largest size: decisions say there whether a pattern has a group, and how many rows of a value. Under
closeness it is what a group of whole rows gains at most, size by size: at equal distance alone from prices of common slots, and by cases
where those are not enough (`equality`); along edges of a line or a tree of values, perhaps with diversity in the same column, by going
through the values (`whole_rows`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.principles import AtLeastRows, AtLeastValues, AtMostShare, AtMostShareOf, CloseOnTree, Condition
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.equality import STEEPEST
from anoptima.proofs.group_pricing import Part
from anoptima.proofs.groups import GroupProof, Walk, record_of_row
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.reading import TooLarge
from anoptima.proofs.views import ROOM, Truth, View, Whole
from anoptima.proofs.whole_rows import WholeRows

_NOTHING = np.zeros(0, dtype=np.int64)
_MOST_CASES = 500
"""The most cases that are looked at for one size of a pattern's group: of values that come more often than they have slots of their own."""

_AT_ONCE = 1 << 19
"""How many pairs of a record and a pattern, of several ends, are looked at together."""


@dataclass(frozen=True, slots=True)
class GroupLeaf(PlainData):
    """An end of the tree: D pi_r for each record, and D w for each limited pattern and value, in the order in which decisions name them."""

    worth: tuple[int, ...]
    prices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupFork(PlainData):
    """The group of the pattern that keeps `kept` at the values of record `example` has at most `most` rows on one side, more on the other.

    Rows with the sensitive value of that number, or any rows if `value` is None.
    """

    kept: frozenset[str]
    example: int
    value: int | None
    most: int
    low: GroupTree
    high: GroupTree


GroupTree = GroupFork | GroupLeaf
_Step = tuple[GroupFork, bool]


@register
@dataclass(frozen=True)
class GroupCasesProof(PlainData):
    """No release costs less than `value` under l-diversity or t-closeness on a line or a tree, with k or without: by a tree of cases."""

    value: Exact
    digest: str
    principle: Mapping[str, Any]
    denominator: int
    tree: GroupTree

    kind: ClassVar[str] = "group-cases"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold.

        O(2^m R m), and O(A log A) for each end, size and case of it, for all arcs A.

        >>> from anoptima import TCloseness, ten_rows
        >>> problem = CellSuppression(ten_rows(), TCloseness("0.5"))
        >>> nothing = GroupLeaf((0,) * 10, ())
        >>> GroupCasesProof(0, problem.table.digest, problem.principle.as_json(), 1, nothing).proved(problem)
        0
        """
        require_proved(self.value, self.proves(problem), problem)
        return self.value

    def proves(self, problem: Problem[Any]) -> int:
        """Return the bound that the ends give for this very problem, in parts of the cost unit, whatever `value` is."""
        leaf = next(_ends(self.tree, ()))[0]
        about = GroupProof(0, self.digest, self.principle, self.denominator, leaf.worth).require_about(problem)
        ground = _Ground(self, about)
        step = max(1, _AT_ONCE // len(ground.member))
        ends = [ground.end(leaf, steps) for leaf, steps in _ends(self.tree, ())]
        some = [end for end in ends if end is not None]
        if not some:
            raise BadInput("the decisions leave no release at any end of the tree")
        least = min(ground.least_of(some[first : first + step]) for first in range(0, len(some), step))
        return -(-least // (ground.pricing.scale * self.denominator))


@dataclass(frozen=True, eq=False)
class _End:
    """An end as arrays: worths, what is added to them (patterns x values), what limits add, and the sizes that groups may have."""

    worth: np.ndarray
    shift: np.ndarray
    added: int
    least: np.ndarray
    most: np.ndarray
    opened: Truth


@dataclass(eq=False)
class _Limits:
    low: int
    high: int


class _Pricing:
    """What groups are worth by the values of one column: at equal distance, by going through the values, or as under one diversity."""

    def __init__(self, part: Part, conditions: Sequence[Condition], *, is_alone: bool) -> None:
        self.part = part
        self.equality = part.rule if is_alone else None
        is_close = any(isinstance(condition, CloseOnTree) for condition in conditions)
        self._whole_rows = WholeRows(conditions) if is_close and self.equality is None else None
        self.values = int(part.value.max()) + 1

    @property
    def limits_sizes(self) -> bool:
        """Whether cases may decide on how large groups are."""
        return self.equality is not None or self._whole_rows is not None

    @property
    def scale(self) -> int:
        """What prices are multiplied by."""
        return self.part.scale if self._whole_rows is None else 1

    def largest_of(self, view: View) -> Whole:
        """Return how many rows a group of each pattern may have at most."""
        return view.total(view.copies) if self.equality is None else self.equality.largest_of(view)

    def price(self, view: View, least: Whole, most: Whole, nothing: Whole) -> Whole:
        """Return what groups of `least` to `most` rows gain at most, pattern by pattern, or `nothing` where that is more."""
        if self._whole_rows is not None:
            return self._whole_rows.best(view, least, most, nothing)
        if self.equality is not None:
            return self.equality.price_within(view, least, most, nothing, _MOST_CASES)
        return np.asarray(np.maximum(nothing, self.part.price(view, least)))


class _Ground:
    """All patterns that can hold a group, found by refining classes, with their records, and the sizes of their groups."""

    def __init__(self, proof: GroupCasesProof, problem: CellSuppression) -> None:
        conditions = problem.principle.conditions(problem.table)
        if not has_cases(conditions):
            raise BadInput(
                f"the proof is for l-diversity, or t-closeness along edges, in one column, not for {problem.principle}"
            )
        self.rows, self.d = problem.table.rows, proof.denominator
        nothing = (0,) * (int(record_of_row(problem).max()) + 1)
        walk = Walk(GroupProof(0, proof.digest, proof.principle, self.d, nothing), problem)
        self.copies = walk.copies
        self.pricing = _Pricing(walk.parts[0], conditions, is_alone=len(walk.parts) == 1)
        self.weight = sum(walk.weights)
        self.position = {name: j for j, name in enumerate(problem.table.quasi)}
        self._of: dict[frozenset[int], np.ndarray] = {}
        owners, members, costs = [], [], []
        count = 0
        for on in walk.patterns():
            self._of[on.kept] = np.full(len(self.copies), -1)
            self._of[on.kept][on.types] = count + on.owner
            owners.append(count + on.owner)
            members.append(on.types)
            costs.append(np.full(len(on.start), on.starred(walk.weights), dtype=np.int64))
            count += len(on.start)
        self.owner, self.member, self.cost = (np.concatenate([_NOTHING, *its]) for its in (owners, members, costs))
        value = self.pricing.part.value[self.member]
        view = View(self.owner, np.zeros(len(self.owner), dtype=np.int64), self.copies[self.member], value, count)
        self.least = walk.least_rows([view] * len(walk.parts))
        self.most = np.where(self.least > 0, self.pricing.largest_of(view), 0)

    def _pattern(self, fork: GroupFork) -> int:
        if not fork.kept <= self.position.keys() or not 0 <= fork.example < len(self.copies):
            raise BadInput("a case decides on columns or a record that are not there")
        if fork.value is not None and not 0 <= fork.value < self.pricing.values:
            raise BadInput(f"a case decides on value number {fork.value}; there are {self.pricing.values}")
        if not 0 <= fork.most < self.rows:
            raise BadInput(f"a case decides whether there are more than {fork.most} rows, of {self.rows}")
        if fork.most and fork.value is None and not self.pricing.limits_sizes:
            raise BadInput("a case decides on a size, and only closeness is priced by size")
        of = self._of.get(frozenset(self.position[name] for name in fork.kept))
        pattern = -1 if of is None else int(of[fork.example])
        if pattern < 0 or self.least[pattern] == 0:
            raise BadInput("a case decides on a pattern that can hold no group")
        return pattern

    def end(self, leaf: GroupLeaf, steps: tuple[_Step, ...]) -> _End | None:
        """Return an end as arrays; None if no release falls under it."""
        if len(leaf.worth) != len(self.copies):
            raise BadInput(f"there are {len(leaf.worth):,} worths for {len(self.copies):,} records")
        least, most = self.least.copy(), self.most.copy()
        opened = np.zeros(len(least), dtype=np.bool_)
        limits: dict[tuple[int, int], _Limits] = {}
        for fork, is_low in steps:
            p = self._pattern(fork)
            opened[p] |= not is_low
            if fork.value is not None:
                its = limits.setdefault((p, fork.value), _Limits(0, self.rows))
                its.low, its.high = (
                    (its.low, min(its.high, fork.most)) if is_low else (max(its.low, fork.most + 1), its.high)
                )
            elif is_low:
                most[p] = min(most[p], fork.most)
            else:
                least[p] = max(least[p], fork.most + 1)
        if (opened & (least > most)).any():
            return None
        if len(leaf.prices) != len(limits):
            raise BadInput(f"there are {len(leaf.prices):,} prices for {len(limits):,} limits on values")
        largest = max(map(abs, leaf.worth)) + max(map(abs, leaf.prices), default=0) + self.d * self.weight
        if 2 * (STEEPEST + 2) * largest * self.rows * self.pricing.scale >= ROOM:
            raise TooLarge("the multipliers")
        shift = np.zeros((len(least), self.pricing.values), dtype=np.int64)
        added = sum(int(s) * w for s, w in zip(self.copies.tolist(), leaf.worth, strict=True))
        for (p, v), price in zip(limits, leaf.prices, strict=True):
            shift[p, v] = price
            added += price * (limits[p, v].low if price > 0 else limits[p, v].high)
        return _End(np.array(leaf.worth, dtype=np.int64), shift, added, least, most, opened)

    def least_of(self, ends: list[_End]) -> int:
        """Return D times the least that some ends prove, times the scale of prices."""
        count = len(self.cost)
        possible = np.concatenate([(end.least <= end.most) & (end.least > 0) for end in ends])
        opened = np.concatenate([end.opened for end in ends])
        value, cost = self.pricing.part.value, self.d * self.cost[self.owner]
        gain = np.concatenate(
            [end.worth[self.member] + end.shift[self.owner, value[self.member]] - cost for end in ends]
        )
        owner = np.concatenate([self.owner + number * count for number in range(len(ends))])
        record = np.tile(self.member, len(ends))
        hopeful = opened.copy()
        hopeful[owner[gain > 0]] = True
        chosen = possible & hopeful
        prices = np.zeros(len(chosen), dtype=np.int64)
        if chosen.any():
            order = np.lexsort((-gain, owner))
            record = record[order]
            view = View(owner[order], gain[order], self.copies[record], value[record], len(chosen)).only(chosen)
            least = np.concatenate([end.least for end in ends])[chosen]
            most = np.concatenate([end.most for end in ends])[chosen]
            nothing = np.where(opened[chosen], -ROOM, 0)
            prices[chosen] = self.pricing.price(view, least, most, nothing)
        paid: list[int] = [sum(prices[i * count : (i + 1) * count].tolist()) for i in range(len(ends))]
        return min(self.pricing.scale * end.added - its for end, its in zip(ends, paid, strict=True))


def has_cases(conditions: Iterable[Condition]) -> bool:
    """Tell whether there are proofs by cases of these conditions: of one diversity, or closeness along edges with diversity in its column.

    And of sizes. Where only some values have limited shares, that must be all that is asked but sizes.

    >>> from anoptima import KAnonymity, LDiversity, TCloseness, ten_rows
    >>> principles = KAnonymity(2), KAnonymity(3) & LDiversity(2), TCloseness("0.3"), TCloseness("0.3") & LDiversity(2)
    >>> [has_cases(principle.conditions(ten_rows())) for principle in principles]
    [False, True, True, True]
    """
    others = [condition for condition in conditions if not isinstance(condition, AtLeastRows)]
    diverse = sum(isinstance(condition, AtLeastValues | AtMostShare) for condition in others)
    rare = sum(isinstance(condition, AtMostShareOf) for condition in others)
    close = sum(isinstance(condition, CloseOnTree) for condition in others)
    is_one_column = len({name for condition in others for name in condition.columns}) == 1
    is_known = (close == 1 and not rare) or (close == 0 and diverse + rare == 1)
    return is_one_column and is_known and diverse + rare + close == len(others)


def _ends(tree: GroupTree, steps: tuple[_Step, ...]) -> Iterator[tuple[GroupLeaf, tuple[_Step, ...]]]:
    """Yield the ends of a tree, each with what leads there."""
    waiting = [(tree, steps)]
    while waiting:
        node, path = waiting.pop()
        if isinstance(node, GroupLeaf):
            yield node, path
        else:
            waiting += [(node.high, (*path, (node, False))), (node.low, (*path, (node, True)))]
