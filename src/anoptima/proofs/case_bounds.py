"""The rule of cases: a tree of decisions on how many rows groups have, and of a value; worths, cuts and potentials at its ends.

A release gives every pattern one group or none: if groups satisfy a principle, so does their union. A fork says of a pattern that its group
has at most, or more than, so many rows, or rows of one sensitive value; no group has none. So a release falls under one end of the tree,
and costs at least the least of what the ends prove. With worths pi_r of the records, of which there are s_r, prices of cuts, and a price w
of any sign for each limit lo <= z <= hi on how many rows of a value a pattern has, an end proves

    sum_r s_r pi_r - what the prices of cuts pay + sum w (lo if w > 0 else hi) + sum_p min(0, charge_p - F_p),

without min(0, ...) where the pattern must have a group, and 0 where it can have none. F_p >= max { sum (pi_r + w_p,val(r) - c_p - what cuts
charge a copy) z_r : z a group that satisfies the principle }. It is the least that one condition says (`group_pricing`), with gains raised
by potentials. With *whole* it is what a group of whole rows of one of the allowed sizes gains: at equal distance alone from prices of
common slots, by cases where those are not enough (`equality`), and otherwise by going through the values along edges (`whole_rows`).

With a *reach*, only patterns of fewer stars count, and those that a fork or a cut names. Records that are worth more at an end must be
lonely there: fewer rows are nearer than what they are worth than a group has. All rows of a group are that near to each other.

The patterns are found by refining classes column by column (`refinement`), and everything is counted in whole numbers. Nothing is used of
the engine that found the numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.exact import exact_text
from anoptima.principles import CloseOnTree
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.cuts import Charges, Cut, Cuts
from anoptima.proofs.equality import STEEPEST
from anoptima.proofs.group_pricing import Potentials
from anoptima.proofs.reading import MOST_LOOKS, TooLarge, TooManyLooks, require_few_patterns
from anoptima.proofs.records import Ground
from anoptima.proofs.refinement import Classes
from anoptima.proofs.views import ROOM, Truth, Whole, whole_numbers
from anoptima.proofs.whole_rows import WholeRows

MOST_CASES = 500
"""The most cases that are looked at for one size of a pattern's group: of values that come more often than they have slots of their own."""

_AT_ONCE = 1 << 19
"""How many pairs of a record and a pattern, of several ends, are looked at together."""
_NEVER = -ROOM // 2
"""What a group gains that cannot be."""
_CELLS = 1 << 19
"""How many distances are held at a time."""


@dataclass(frozen=True)
class Said:
    """What a proof says of all its ends.

    `is_whole`: groups are priced by whole rows. `is_lenient`: a fork about what is no pattern with a group says nothing.
    """

    denominator: int
    cuts: tuple[Cut, ...] = ()
    potentials: tuple[Potentials, ...] = ()
    reach: int | None = None
    is_whole: bool = False
    is_lenient: bool = False


@dataclass(frozen=True)
class Ended:
    """D times the worth of each record, the price of each cut, and that of each limit on values on the path, in the order of its forks."""

    worth: Sequence[int]
    prices: Sequence[int] = ()
    limited: Sequence[int] = ()
    path: Sequence[tuple[Any, bool]] = ()


def bound(problem: CellSuppression, said: Said, its_ends: Iterable[Ended]) -> int:
    """Return what ends prove of this very problem, in parts of the cost unit."""
    return -(-Cases(problem, said, list(its_ends)).least() // said.denominator)


@dataclass(eq=False)
class _End:
    """An end as arrays: worths, prices of cuts, and of the named patterns which must have a group, between what sizes, and what is added
    to the gains of each value (patterns x values); D times what it proves so far, None if no release falls under it.
    """

    worth: Whole
    prices: Whole
    total: int | None
    opened: Truth
    least: Whole
    most: Whole
    shift: Whole


@dataclass(frozen=True, eq=False)
class _Patterns:
    """Patterns side by side: of each pair of one and a record which these are, and what its gain is raised by for each condition; of each
    pattern D times what a row pays, and how many a group has at least, 0 if there is none. What cuts charge is kept by least sizes.
    """

    classes: list[Classes]
    owner: Whole
    member: Whole
    raised: list[Whole | None]
    cost: Whole
    least: Whole
    charges: dict[bytes, Charges] = field(default_factory=dict)


class _Names:
    """The patterns that terms of cuts and forks name, those that keep the same columns together, and their numbers.

    Those that are not closed, or have too few rows, are no patterns: a term for one says nothing.
    """

    def __init__(self, ground: Ground, quasi: Sequence[str], names: Iterable[Any]) -> None:
        position = {name: j for j, name in enumerate(quasi)}
        pattern_of: dict[tuple[frozenset[str], int], tuple[frozenset[int], int]] = {}
        members_of: dict[frozenset[int], dict[int, Whole]] = {}
        for its in names:
            if (its.kept, its.example) in pattern_of:
                continue
            if not its.kept <= position.keys() or not 0 <= its.example < len(ground.copies):
                raise BadInput("a case decides on columns or a record that are not there")
            kept = frozenset(position[name] for name in its.kept)
            own = ground.codes[:, sorted(kept)]
            members = np.flatnonzero((own == own[its.example]).all(axis=1))
            pattern_of[its.kept, its.example] = kept, int(members[0])
            differ = (ground.codes[members] != ground.codes[members[0]]).any(axis=0)
            if differ.sum() + len(kept) == len(quasi) and ground.copies[members].sum() >= ground.k:
                members_of.setdefault(kept, {})[int(members[0])] = members
        self.firsts = {kept: [*those] for kept, those in members_of.items()}
        """The first record of each pattern, by the columns that it keeps."""
        every = [(kept, first) for kept, firsts in self.firsts.items() for first in firsts]
        number = {pattern: place for place, pattern in enumerate(every)}
        self.number = {name: number[pattern] for name, pattern in pattern_of.items() if pattern in number}
        """The number of each pattern, by the columns and the example that name it."""
        self.classes = list[Classes]()
        for kept, those in members_of.items():
            length = np.array([len(members) for members in those.values()])
            self.classes.append(Classes(kept, np.concatenate([*those.values()]), np.cumsum(length) - length, length))


class Cases:
    """What ends prove of a problem; forks on their paths have the fields of `trees.AboutSize`."""

    def __init__(self, problem: CellSuppression, said: Said, its_ends: list[Ended]) -> None:
        self._ground = ground = Ground(problem, said.potentials)
        self._said, self._d, self._rows = said, said.denominator, problem.table.rows
        self._cuts = Cuts(problem, ground.k, said.cuts, ground.copies)
        if self._d < 1:
            raise BadInput(f"the denominator is {self._d}; it must be at least 1")
        if said.reach is None:
            require_few_patterns(len(ground.weights), len(ground.copies))
        elif said.reach < 0:
            raise BadInput("the reach must be at least 0")
        self._whole_rows: WholeRows | None = None
        if said.is_whole:
            self._price_by_whole_rows(problem)
        self._require_room(its_ends)
        terms, forks = (
            (term for cut in said.cuts for term in cut.terms),
            (fork for end in its_ends for fork, _ in end.path),
        )
        self._names = _Names(ground, problem.table.quasi, itertools.chain(terms, forks))
        self._named = self._beside(self._names.classes)
        self._ends = [self._end(end) for end in its_ends]

    def _price_by_whole_rows(self, problem: CellSuppression) -> None:
        conditions = problem.principle.conditions(problem.table)
        close = [condition for condition in conditions if isinstance(condition, CloseOnTree)]
        if len(close) != 1 or len(self._ground.columns) != 1 or self._said.potentials:
            raise BadInput(
                "whole rows are priced without potentials, under one closeness along edges, with diversities of its column or not"
            )
        if self._ground.parts[0].rule is None or len(self._ground.parts) > 1:
            self._whole_rows = WholeRows(conditions)

    @property
    def _word(self) -> str:
        """What a record is called."""
        return "record" if self._ground.columns else "row type"

    def _require_room(self, its_ends: list[Ended]) -> None:
        """Refuse numbers with which some sum of one pattern might not fit; a cut charges it no more than its price for each of its rows."""
        ground, largest = self._ground, 0
        for end in its_ends:
            if len(end.worth) != len(ground.copies):
                raise BadInput(f"there are {len(end.worth):,} worths for {len(ground.copies):,} {self._word}s")
            if len(end.prices) != len(self._cuts.all) or min(end.prices, default=0) < 0:
                raise BadInput("there must be one price a cut, and none below 0")
            most = max(map(abs, end.worth)) + max(map(abs, end.limited), default=0) + sum(end.prices)
            largest = max(largest, most + self._d * sum(ground.weights))
        # At a price of common slots a row gains more than it is worth.
        parts = [] if self._whole_rows is not None else ground.parts
        more = max((1 if part.rule is None else (STEEPEST + 2) * part.scale for part in parts), default=1)
        if 2 * more * largest * self._rows >= ROOM:
            raise TooLarge("the multipliers")

    def _beside(self, classes: list[Classes]) -> _Patterns:
        """Return patterns side by side."""
        nothing = np.zeros(0, dtype=np.int64)
        ground, count = self._ground, 0
        owners, members, costs = [nothing], [nothing], [nothing]
        for on in classes:
            owners.append(count + on.owner)
            members.append(on.types)
            costs.append(np.full(len(on.start), self._d * on.starred(ground.weights), dtype=np.int64))
            count += len(on.start)
        owner, member, cost = map(np.concatenate, (owners, members, costs))
        raised = [
            np.concatenate([nothing, *(part.shifts.of(on, part.value[on.types]) for on in classes)])
            if part.shifts is not None and self._said.potentials
            else None
            for part in ground.parts
        ]
        return _Patterns(classes, owner, member, raised, cost, ground.least_rows(owner, member, count))

    def _end(self, its: Ended) -> _End:
        """Return an end as arrays."""
        named, value = self._named, self._ground.parts[0].value
        least, most = named.least.copy(), np.full(len(named.least), self._rows)
        opened = np.zeros(len(least), dtype=np.bool_)
        limits: dict[tuple[int, int], tuple[int, int]] = {}
        for fork, is_low in its.path:
            p = self._decided(fork)
            if p is None:
                continue
            opened[p] |= not is_low
            low, high = (0, fork.most) if is_low else (fork.most + 1, self._rows)
            if fork.value is None:
                least[p], most[p] = max(least[p], low), min(most[p], high)
            else:
                old = limits.get((p, fork.value), (0, self._rows))
                limits[p, fork.value] = max(old[0], low), min(old[1], high)
        if len(its.limited) != len(limits):
            raise BadInput(f"there are {len(its.limited):,} prices for {len(limits):,} limits on values")
        shift = np.zeros((len(least), int(value.max()) + 1 if limits else 0), dtype=np.int64)
        total = sum(s * w for s, w in zip(self._ground.copies.tolist(), its.worth, strict=True))
        total -= sum(price * cut.most for price, cut in zip(its.prices, self._cuts.all, strict=True))
        for (pair, (low, high)), price in zip(limits.items(), its.limited, strict=True):
            shift[pair] = price
            total += price * (low if price > 0 else high)
        worth, prices = np.array(its.worth, dtype=np.int64), np.array(its.prices, dtype=np.int64)
        return _End(worth, prices, total, opened, least, most, shift)

    def _decided(self, fork: Any) -> int | None:
        """Return the number of the pattern that a fork decides on; None if it says nothing."""
        values = int(self._ground.parts[0].value.max()) + 1
        if fork.value is not None and len(self._ground.columns) != 1:
            raise BadInput("a case decides on a value, and the principle is not about one sensitive column")
        if fork.value is not None and not 0 <= fork.value < values:
            raise BadInput(f"a case decides on value number {fork.value}; there are {values}")
        if not 0 <= fork.most < self._rows:
            raise BadInput(f"a case decides whether there are more than {fork.most} rows, of {self._rows}")
        if fork.most and fork.value is None and not self._said.is_whole:
            raise BadInput("a case decides on a size, and only closeness is priced by size")
        pattern = self._names.number.get((fork.kept, fork.example))
        if pattern is not None and self._named.least[pattern] > 0:
            return pattern
        if self._said.is_lenient:
            return None
        raise BadInput("a case decides on a pattern that can hold no group")

    def least(self) -> int:
        """Return the least of D times what the ends prove."""
        top = np.max([end.worth for end in self._ends], axis=0)
        if self._said.reach is not None:
            reach = min(ROOM, self._d * self._said.reach)
            for end in self._ends:
                self._require_lonely(end.worth, reach)
            top = np.minimum(top, reach)
        self._add(self._named, is_named=True)
        some, pairs, looks = list[Classes](), 0, 0
        for on in self._others(top):
            some.append(on)
            pairs, looks = pairs + len(on.types), looks + len(on.types)
            if looks > MOST_LOOKS:
                raise TooManyLooks(f"the proof's reach of {self._said.reach} makes more patterns than can be looked at")
            if pairs >= _AT_ONCE:
                self._add(self._beside(some))
                some, pairs = [], 0
        self._add(self._beside(some))
        left = [end.total for end in self._ends if end.total is not None]
        if not left:
            raise BadInput("the decisions leave no release at any end of the tree")
        return min(left)

    def _others(self, top: Whole) -> Iterator[Classes]:
        """Yield the patterns that nothing names in which some record is worth more than the stars."""
        for on in self._ground.patterns(top, self._d):
            check_time()
            is_other = np.ones(len(on.start), dtype=np.bool_)
            is_other[on.owner[np.isin(on.types, self._names.firsts.get(on.kept, []))]] = False
            yield on.only(is_other)

    def _require_lonely(self, worth: Whole, reach: int) -> None:
        """Check every record whose worth exceeds the reach."""
        ground, asked = self._ground, np.flatnonzero(worth > reach)
        step = max(1, _CELLS // len(ground.copies))
        for first in range(0, len(asked), step):
            some = asked[first : first + step]
            far = np.zeros((len(some), len(ground.copies)), dtype=np.int64)
            for codes, weight in zip(ground.codes.T, ground.weights, strict=True):
                far += self._d * weight * (codes[some, None] != codes)
            nearer = np.where(far < worth[some, None], ground.copies, 0).sum(axis=1)
            for record, near in zip(some.tolist(), nearer.tolist(), strict=True):
                if near >= ground.k:
                    its_worth = exact_text(Fraction(int(worth[record]), self._d))
                    raise BadInput(
                        f"{self._word} {record} is not lonely: {near} rows are nearer than the {its_worth} "
                        f"it is to be worth, and k = {ground.k}"
                    )

    def _add(self, these: _Patterns, *, is_named: bool = False) -> None:
        """Add to each end what patterns take from it."""
        left = [end for end in self._ends if end.total is not None] if len(these.cost) else []
        step = max(1, _AT_ONCE // max(1, len(these.member)))
        for first in range(0, len(left), step):
            self._add_to(left[first : first + step], these, is_named)

    def _add_to(self, some: list[_End], these: _Patterns, is_named: bool) -> None:
        ground, count, pairs = self._ground, len(these.cost), len(these.member)
        owner = np.concatenate([these.owner + number * count for number in range(len(some))])
        gain = np.concatenate([end.worth[these.member] - these.cost[these.owner] for end in some])
        least, charge = np.tile(these.least, len(some)), np.zeros(count * len(some), dtype=np.int64)
        most, opened = np.full(len(least), self._rows), np.zeros(len(least), dtype=np.bool_)
        if is_named:
            least, most, opened = (
                np.concatenate([getattr(end, name) for end in some]) for name in ("least", "most", "opened")
            )
            value = ground.parts[0].value[these.member]
            for number, end in enumerate(some):
                if end.shift.size:
                    gain[number * pairs : (number + 1) * pairs] += end.shift[these.owner, value]
        for number, end in enumerate(some if self._cuts.all else ()):
            its = self._charges(these, least[number * count : (number + 1) * count])
            np.add.at(gain, number * pairs + its.at, -end.prices[its.surcharged_by] * its.surcharge)
            np.add.at(charge, number * count + its.owner, end.prices[its.charged_by] * its.charge)
        can_be_below = opened | (charge < 0)
        chosen = can_be_below.copy()
        chosen[owner[gain > 0]] = True
        chosen &= (least > 0) & (least <= most)
        gained = np.full(len(chosen), _NEVER)
        if chosen.any():
            sizes = np.stack([least, most, np.where(can_be_below, _NEVER, 0)])[:, chosen]
            gained[chosen] = self._gained(these, owner, gain, chosen, sizes)
        is_void = (opened & (gained <= _NEVER)).reshape(len(some), count)
        taken = np.where(gained > _NEVER, charge - gained, 0)
        taken = np.where(opened, taken, np.minimum(0, taken)).reshape(len(some), count)
        for number, end in enumerate(some):
            assert end.total is not None
            end.total = None if is_void[number].any() else end.total + sum(taken[number].tolist())

    def _charges(self, these: _Patterns, least: Whole) -> Charges:
        """Return what the cuts charge patterns whose groups have so many rows at least, and their records."""
        key = least.tobytes()
        if key not in these.charges:
            found, pattern, at = [], 0, 0
            for on in these.classes:
                its = self._cuts.charges(on, least[pattern : pattern + len(on.start)])
                moved = (its.charged_by, its.owner + pattern, its.charge, its.surcharged_by, its.at + at, its.surcharge)
                found.append(moved)
                pattern, at = pattern + len(on.start), at + len(on.types)
            these.charges[key] = Charges(*map(np.concatenate, zip(*found, strict=True)))
        return these.charges[key]

    def _gained(self, these: _Patterns, owner: Whole, gain: Whole, chosen: Truth, sizes: Whole) -> Whole:
        """Return what groups of the chosen patterns gain at most.

        The rows of `sizes` are their least and largest size, and what is returned where that is more.
        """
        found, (least, most, nothing) = np.full(sizes.shape[1], ROOM), sizes
        member = np.tile(these.member, len(gain) // len(these.member))
        for part, raised in zip(self._ground.parts, these.raised, strict=True):
            its = gain if raised is None else gain + np.tile(raised, len(gain) // len(raised))
            view = self._ground.view(part, owner, member, its, len(chosen)).only(chosen)
            if self._whole_rows is not None:
                return self._whole_rows.best(view, least, most, nothing)
            if part.rule is None:
                price = np.maximum(nothing, whole_numbers(part.price(view, least), view.patterns))
            else:
                price, top = np.full(len(nothing), _NEVER), np.minimum(most, part.rule.largest_of(view))
                if (fits := least <= top).any():
                    cases = MOST_CASES if self._said.is_whole else 1
                    its_view, size, to = view.only(fits), least[fits], top[fits]
                    price[fits] = part.rule.price_within(its_view, size, to, nothing[fits], cases)
            # Gains are whole numbers, so that what is above them may be rounded down.
            found = np.minimum(found, np.where(price > _NEVER, price // part.scale, _NEVER))
        return found
