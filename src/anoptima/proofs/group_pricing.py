"""What a group of one pattern gains at most under each condition of a principle: an upper bound on F_p of `case_bounds`.

For a condition of one's own `priced_by.register` says how the checker prices it, as for those here. One that is not known asks for nothing:
that proves less, and never too much.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch

import numpy as np

from anoptima.bisection import largest_where, least_where
from anoptima.errors import BadInput
from anoptima.exact import floor_within
from anoptima.principles import (
    AtLeastEntropy,
    AtLeastRows,
    AtLeastValues,
    Close,
    CloseByFlow,
    CloseOnTree,
    Condition,
    LimitedShares,
    Outweighed,
)
from anoptima.proofs.caps import Capped, best_of_caps, up_to
from anoptima.proofs.entropy import more_or_alike
from anoptima.proofs.equality import Equality
from anoptima.proofs.outweighed import OutweighedMost
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.reading import TooLarge
from anoptima.proofs.refinement import Classes
from anoptima.proofs.views import ROOM, Truth, View, Whole
from anoptima.table import Table

_MOST_PARTS = 12
"""The largest denominator of an l that is priced as it is; for others the next smaller such l is, which allows more groups."""

_MOST_UNITS = 10_000
"""The largest denominator of a t that is priced as it is; for others the next larger such t is, which allows more groups."""


@dataclass(frozen=True)
class Potentials(PlainData):
    """D phi_v of one pattern, that which keeps `kept` at the values of record `example`, for the principle's condition number `part`."""

    part: int
    kept: frozenset[str]
    example: int
    values: tuple[int, ...]


Pricer = Callable[[View, Whole], Whole]
"""From patterns and least sizes to `scale` times F, at least; 0 where that is enough."""


@dataclass(frozen=True, eq=False)
class Part:
    """A condition to the checker: the value of each record, how to price, what prices are multiplied by, and how large sums may grow."""

    value: Whole
    price: Pricer
    smallest: Callable[[View, Whole], Whole]
    scale: int
    shifts: _Shifts | None = None
    rule: Equality | None = None


@dataclass(frozen=True, eq=False)
class Asked:
    """What a proof says of one condition: the table, a row of each record, potentials, and which of the principle's conditions it is."""

    table: Table
    first: Whole
    potentials: tuple[Potentials, ...]
    number: int

    def value(self, column: str) -> Whole:
        """Return each record's value in a sensitive column."""
        return self.table.sensitive_column(column).codes[self.first].astype(np.int64)


@singledispatch
def priced_by(condition: Condition, asked: Asked) -> Part | None:
    """Return what prices groups under a condition; None where the least size, known to all, is everything that is priced of it."""
    return None


def is_priced(condition: Condition) -> bool:
    """Tell whether the checker knows what a condition asks."""
    return priced_by.dispatch(type(condition)) is not priced_by.dispatch(object)


@priced_by.register
def _(condition: AtLeastRows, asked: Asked) -> Part | None:
    return None


@priced_by.register
def _(condition: AtLeastValues, asked: Asked) -> Part | None:
    values = min(condition.values, asked.table.rows + 1)  # more than there are cannot be, however many are asked for
    return Part(asked.value(condition.column), distinct(values), enough_values(values), 1)


@priced_by.register
def _(condition: LimitedShares, asked: Asked) -> Part | None:
    # A share of at most n rows has a denominator of at most n; and less of an l allows more.
    share = floor_within(min(Fraction(1), condition.share), asked.table.rows)
    if share <= 0:
        raise BadInput(f"no group satisfies the condition {condition}")
    l = floor_within(1 / share, _MOST_PARTS)  # noqa: E741
    is_limited = condition.limits(len(asked.table.sensitive_column(condition.column).values))
    limits, exact = (
        _Shares(l.numerator, l.denominator, is_limited),
        _Shares(share.denominator, share.numerator, is_limited),
    )
    return Part(asked.value(condition.column), limits.price, exact.smallest, 1)


@priced_by.register
def _(condition: AtLeastEntropy, asked: Asked) -> Part | None:
    values = min(condition.values, asked.table.rows + 1)
    price = more_or_alike(values, distinct) if condition.is_alike_at_least else distinct(values)
    return Part(asked.value(condition.column), price, enough_values(values), 1)


@priced_by.register
def _(condition: Outweighed, asked: Asked) -> Part | None:
    # For groups of n rows, the next larger factor with a denominator of at most n says the same; any larger one allows more.
    factor = min(Fraction(asked.table.rows), -floor_within(-condition.factor, asked.table.rows))
    inverse = floor_within(1 / factor, _MOST_PARTS)
    different, first = (min(number, asked.table.rows + 1) for number in (condition.values, condition.first))
    most = OutweighedMost(inverse.denominator, inverse.numerator, first, different)
    exact = OutweighedMost(*factor.as_integer_ratio(), first, different)
    return Part(asked.value(condition.column), most.price, exact.smallest, 1)


@priced_by.register(CloseOnTree)
@priced_by.register(CloseByFlow)
def _(condition: Close, asked: Asked) -> Part | None:
    value = asked.value(condition.column)
    if not condition.metric.is_equal:
        return Part(value, distinct(1), _enough_rows(condition), 1, _Shifts(asked, condition))
    if condition.limit >= 1:
        return Part(value, distinct(1), enough_values(1), 1, _Shifts(asked, condition))
    limit = _tamed(condition.limit, asked.table.rows)
    equal = Equality(np.asarray(condition.whole, dtype=np.int64), limit.numerator, limit.denominator)
    return Part(value, equal.price, equal.smallest, equal.rows * equal.d, rule=equal)


def _tamed(t: Fraction, rows: int) -> Fraction:
    """Return a limit with a small denominator, and t says the same or less: distances are parts of 1 / (n N) for a group of N rows."""
    near = floor_within(t, rows**2)
    return near if near.denominator <= _MOST_UNITS else 1 - floor_within(1 - t, _MOST_UNITS)


class _Shifts:
    """What potentials add to the gains: w_v = lam t + E[phi] - phi_v, rounded up to parts of 1 / D, with the least lam that will do."""

    def __init__(self, asked: Asked, closeness: Close) -> None:
        table = asked.table
        position = {name: j for j, name in enumerate(table.quasi)}
        counts = [int(count) for count in closeness.whole]
        self._values = len(counts)
        most = ROOM // (4 * table.rows)
        self._by_kept: dict[frozenset[int], list[tuple[int, Whole]]] = {}
        own = [potentials for potentials in asked.potentials if potentials.part == asked.number]
        for potentials in own:
            if (
                len(potentials.values) != self._values
                or not potentials.kept <= position.keys()
                or not 0 <= potentials.example < len(asked.first)
            ):
                raise BadInput("there are potentials for a pattern, a record or a number of values that is not there")
            if max(map(abs, potentials.values)) >= most:
                raise TooLarge("the potentials")
        phi = np.array([potentials.values for potentials in own], dtype=np.int64).reshape(-1, self._values)
        mean = -(-(phi @ np.array(counts, dtype=np.int64)) // sum(counts))
        largest = np.abs(phi).max(axis=1, initial=0)
        for number, steepness in enumerate(closeness.metric.steepnesses(phi)):
            if steepness is None:
                raise BadInput("the potentials of two values at distance 0 differ")
            lifted = math.ceil(steepness * closeness.limit) + int(mean[number])
            if lifted + int(largest[number]) >= most:
                raise TooLarge("the potentials")
            place = frozenset(position[name] for name in own[number].kept)
            self._by_kept.setdefault(place, []).append((own[number].example, lifted - phi[number]))

    def of(self, on: Classes, value: Whole) -> Whole:
        """Return what is added to the gain of each record of some patterns, which have these values."""
        found = np.zeros(len(on.types), dtype=np.int64)
        for example, shift in self._by_kept.get(on.kept, ()):
            its = np.isin(on.owner, on.owner[on.types == example])
            found[its] = shift[value[its]]
        return found


def enough_values(values: int) -> Callable[[View, Whole], Whole]:
    """Return a rule: how many rows a group of `values` different values must have; 0 where there is no such group."""

    def smallest(view: View, least: Whole) -> Whole:
        different = view.total((view.before_of_value(view.copies) == 0).astype(np.int64))
        wanted = np.maximum(least, values)
        return np.where((different >= values) & (view.total(view.copies) >= wanted), wanted, 0)

    return smallest


def _enough_rows(condition: Close) -> Callable[[View, Whole], Whole]:
    """Return a rule: how many rows a group must have to be close, whatever their values, for the numbers below edges are whole."""
    enough = enough_values(1)
    if not isinstance(condition, CloseOnTree):
        return enough

    def smallest(view: View, least: Whole) -> Whole:
        sizes, its = np.unique(least, return_inverse=True)
        return enough(view, np.array([condition.least_from(size) for size in sizes.tolist()], dtype=np.int64)[its])

    return smallest


def distinct(values: int) -> Pricer:
    """Price groups with at least a given number of different values: all that gains, then values that are missing, then rows."""

    def price(view: View, least: Whole) -> Whole:
        taken = np.where(view.gain > 0, view.copies, 0)
        leads = view.before_of_value(view.copies) == 0
        covered = view.total((leads & (view.gain > 0)).astype(np.int64))
        extra = leads & (view.gain <= 0)
        taken[extra & (view.before(extra.astype(np.int64)) < (values - covered)[view.owner])] = 1
        left = view.copies - taken
        missing = np.maximum(0, least - view.total(taken))
        taken = taken + np.clip(missing[view.owner] - view.before(left), 0, left)
        return view.total(view.gain * taken)

    return price


@dataclass(frozen=True, eq=False)
class _Shares:
    """No value that `is_limited` more often than `b` / `a` of a group: l = a / b."""

    a: int
    b: int
    is_limited: Truth

    def smallest(self, view: View, least: Whole) -> Whole:
        """Return how many rows a group must have; 0 where there is no such group."""
        before = self._before(view)
        size = view.total(up_to(view, before, self._largest_cap(view, before)))
        wanted = np.maximum(least, -(-self.a // self.b) if self.is_limited.all() else 1)
        return np.where(size >= wanted, wanted, 0)

    def price(self, view: View, least: Whole) -> Whole:
        """Return the most over all caps of what the best group gains that has each limited value so often at most."""
        before, least = self._before(view), np.maximum(least, 1)
        largest = self._largest_cap(view, before)
        smallest = least_where(lambda cap: view.total(up_to(view, before, cap)) >= least, largest)
        return best_of_caps(self._best, Capped(view, before, least), self.b, smallest, largest)

    def _before(self, view: View) -> Whole:
        """Return how many copies of its value come before each record; fewer than none where it is not limited, so that any number fits."""
        return np.where(self.is_limited[view.value], view.before_of_value(view.copies), -ROOM)

    def _largest_cap(self, view: View, before: Whole) -> Whole:
        """Return the largest C with l C rows if limited values come C times at most; they are concave in C, so smaller C do."""
        return largest_where(
            lambda cap: self.b * view.total(up_to(view, before, cap)) >= self.a * cap,
            view.total(np.where(before < 0, 0, view.copies)),
        )

    def _best(self, groups: Capped, cap: Whole) -> Whole:
        """Return what the best group with `least` rows, and enough for the cap, gains."""
        view = groups.view
        room = up_to(view, groups.before, cap)
        wanted = np.maximum(groups.least, -(-self.a * cap // self.b))
        short = np.clip(wanted[view.owner] - view.before(room), 0, room)
        return view.total(view.gain * np.where(view.gain > 0, room, short))
