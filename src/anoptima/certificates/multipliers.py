"""A proof by multipliers that no release costs less than a value: one number a row type, one a cut, and nothing to believe.

Every row is worth pi_t to whoever publishes it. A release consists of groups of at least k rows; a group that keeps the columns K pays
c_K a row, the weight of all others. So a release costs at least

    sum_t s_t pi_t + sum_p min(0, v_p),    v_p = min { sum z_t (c_p - pi_t) : 0 <= z_t <= s_t, sum z_t >= k },

one term for each pattern p that could have a group: groups of one pattern count as one. Only closed patterns count, those that no further
column could be fixed in: a group's own pattern is closed. Cuts, inequalities that hold for every release, add a charge to patterns, a
surcharge to rows published as one, and take their right side away, all times a price of 0 or more (see `Cut`).

This checker walks through all patterns by itself, by refining classes column by column, and counts in whole numbers. It uses nothing of
the engine that found the multipliers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text, simplest
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression

Whole = NDArray[np.int64]

_ROOM = 2**62
"""What sums must stay below, so that 64-bit integers hold them."""


@dataclass(frozen=True)
class Term:
    """The term that a cut names for one pattern: the one that keeps `kept` at the values of row type `example`.

    `together` (inside true): the row types `types` lie in the cut's set. `outside`: they do not.
    """

    kept: frozenset[str]
    example: int
    inside: bool
    types: tuple[int, ...]


@dataclass(frozen=True)
class Cut:
    """A rounding cut. For the row types W = `types`, with s(W) = q d + r rows, d = `divisor` in 2..k and 1 <= r < d:

        sum_p [ F(a_p) y_p - e_p / (d - r) ] <= q,     F(a) = floor(a / d) + max(0, a mod d - r) / (d - r),

    where y_p says whether pattern p has a group, and a_p y_p - e_p is at most what the group takes of W, for one of these reasons. By
    *together*, a = s(S), e = sum over S of (s_t y - x_t), with S inside W: what lacks of S is all that is not taken. By *outside*, a = k -
    s(O), e = sum of x_t over its row types neither in W nor in O: a group has k rows, and what is not of W is of O or paid. Patterns that
    no term is named for take *outside* with O all they have outside of W, where that leaves a > 0. Adding up over all patterns gives
    sum (a_p y_p - e_p) <= s(W), and mixed-integer rounding (Nemhauser and Wolsey) the cut. Kept times d - r, in whole numbers.
    """

    types: tuple[int, ...]
    divisor: int
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True)
class MultiplierProof:
    """A proof that no k-anonymous release costs less than `value`.

    Attributes
    ----------
    digest
        The table's.
    denominator
        D: what worths and prices are counted in parts of.
    worth
        D pi_t for each row type, in the table's order. In parts of the table's cost unit (`Problem.cost_scale`).
    cuts, prices
        Cuts, and D times the price of each.
    """

    value: Exact
    digest: str
    k: int
    denominator: int
    worth: tuple[int, ...]
    cuts: tuple[Cut, ...] = ()
    prices: tuple[int, ...] = ()

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. O(2^m T (m + log T)) for T row types, m columns.

        >>> from anoptima import ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> MultiplierProof(0, problem.table.digest, 3, 1, (0,) * 10).proved(problem)
        0
        """
        if not isinstance(problem, CellSuppression) or not isinstance(problem.principle, KAnonymity):
            raise BadInput(f"the proof is about cell-suppression under k-anonymity, and this is {problem.name}")
        table = problem.table
        if table.digest != self.digest:
            raise BadInput(f"the proof is about another table, with digest {self.digest[:12]}...")
        if problem.principle.k != self.k:
            raise BadInput(f"the proof is for k = {self.k}, and the problem has k = {problem.principle.k}")
        least = _Walk(self, problem).least()
        proved = -(-least // self.denominator)
        if proved < self.value * problem.cost_scale:
            raise BadInput(
                f"the multipliers prove {exact_text(problem.unscale(proved))}, not {exact_text(simplest(self.value))}"
            )
        return self.value


class _Walk:
    """One look at every pattern."""

    def __init__(self, proof: MultiplierProof, problem: CellSuppression) -> None:
        table = problem.table
        self.k, self.d = proof.k, proof.denominator
        self.names = table.quasi
        self.codes = table.types
        self.copies: Whole = np.asarray(table.multiplicity, dtype=np.int64)
        self.weights = [int(weight) for weight in table.scaled_weights]
        self.worth = self._whole(proof.worth, len(self.copies), "worths")
        if self.d < 1:
            raise BadInput(f"the denominator is {self.d}; it has to be at least 1")
        if len(proof.prices) != len(proof.cuts) or any(price < 0 for price in proof.prices):
            raise BadInput("there has to be one price a cut, and none below 0")
        self.prices = proof.prices
        self.cuts = [_Checked(self, number, cut) for number, cut in enumerate(proof.cuts)]
        self._require_room()

    @staticmethod
    def _whole(numbers: Sequence[int], length: int, what: str) -> Whole:
        if len(numbers) != length:
            raise BadInput(f"there are {len(numbers):,} {what} for {length:,} row types")
        if any(abs(number) >= _ROOM for number in numbers):
            raise BadInput(f"one of the {what} is too large to be counted in 64 bits")
        return np.array(numbers, dtype=np.int64)

    def _require_room(self) -> None:
        """Refuse numbers with which some sum might not fit: no sum of at most n gains and all charges reaches 2^62."""
        rows = int(self.copies.sum())
        gain = max(map(abs, (int(self.worth.max()), int(self.worth.min())))) + self.d * sum(self.weights)
        charges = sum(price * cut.most_charged for price, cut in zip(self.prices, self.cuts, strict=True))
        if (gain + charges) * (rows + self.k) >= _ROOM:
            raise BadInput(
                "the multipliers are too large for sums of them to be counted in 64 bits; take a smaller denominator"
            )

    def least(self) -> int:
        """Return D times the bound."""
        total = sum(int(s) * int(w) for s, w in zip(self.copies, self.worth, strict=True))
        total -= sum(price * cut.most for price, cut in zip(self.prices, self.cuts, strict=True))
        everything = np.zeros(len(self.copies), dtype=np.int64)
        return total + sum(self._below_zero(kept, labels) for kept, labels in self._classes(0, frozenset(), everything))

    def _classes(self, first: int, kept: frozenset[int], labels: Whole) -> Iterator[tuple[frozenset[int], Whole]]:
        """Yield every set of columns, with the class of each row type on it."""
        yield kept, labels
        for column in range(first, len(self.names)):
            pairs = labels * (int(self.codes[:, column].max()) + 1) + self.codes[:, column]
            yield from self._classes(column + 1, kept | {column}, np.unique(pairs, return_inverse=True)[1].reshape(-1))

    def _below_zero(self, kept: frozenset[int], labels: Whole) -> int:
        """Return the sum of min(0, D v_p) over the closed patterns that keep `kept`."""
        classes = int(labels.max()) + 1
        size = _sums(labels, self.copies, classes)
        alive = size >= self.k
        some = np.zeros(classes, dtype=np.int64)
        some[labels] = np.arange(len(labels))
        for column in set(range(len(self.names))) - kept:
            codes = self.codes[:, column]
            varies = np.zeros(classes, dtype=bool)
            varies[labels[codes != codes[some][labels]]] = True
            alive &= varies
        if not alive.any():
            return 0
        starred = sum(self.weights[j] for j in range(len(self.names)) if j not in kept)
        gain = self.worth - self.d * starred
        charge = np.zeros(classes, dtype=np.int64)
        for price, cut in zip(self.prices, self.cuts, strict=True):
            if price:
                cut.apply(price, kept, labels, size, charge, gain)
        return self._value(labels, classes, alive, gain, charge)

    def _value(self, labels: Whole, classes: int, alive: NDArray[np.bool_], gain: Whole, charge: Whole) -> int:
        positive = np.where(gain > 0, self.copies, 0)
        taken = _sums(labels, positive, classes)
        value = charge - _sums(labels, positive * gain, classes)
        # A class with fewer than k copies of some gain takes its k best copies instead.
        short = alive & (taken < self.k) & ((taken > 0) | (charge < 0))
        among = np.flatnonzero(short[labels])
        among = among[np.lexsort((-gain[among], labels[among]))]
        copies, owner = self.copies[among], labels[among]
        before = np.cumsum(copies) - copies
        begun = before[np.searchsorted(owner, owner)] if len(owner) else before
        z = np.clip(self.k - (before - begun), 0, copies)
        value[short] = (charge - _sums(owner, z * gain[among], classes))[short]
        counts = alive & (short | (taken >= self.k))
        return int(np.minimum(0, value[counts]).sum())


class _Checked:
    """A cut that is what it has to be, ready to be applied."""

    def __init__(self, walk: _Walk, number: int, cut: Cut) -> None:
        self._walk = walk
        types = len(walk.copies)
        where = f"cut {number}"
        if not cut.types or len(set(cut.types)) != len(cut.types) or not all(0 <= t < types for t in cut.types):
            raise BadInput(f"{where} names no set of row types from 0 to {types - 1}")
        if not 2 <= cut.divisor <= walk.k:
            raise BadInput(f"{where} has the divisor {cut.divisor}; it has to be from 2 to k = {walk.k}")
        self.types = np.array(cut.types)
        self._inside = np.zeros(types, dtype=bool)
        self._inside[self.types] = True
        self._d = cut.divisor
        whole, self._rest = divmod(int(walk.copies[self.types].sum()), cut.divisor)
        if not self._rest:
            raise BadInput(f"{where} rounds nothing: its divisor divides its number of rows")
        self.most = (self._d - self._rest) * whole
        self._terms: dict[frozenset[int], list[Term]] = {}
        position = {name: j for j, name in enumerate(walk.names)}
        for term in cut.terms:
            if not term.kept <= position.keys() or not 0 <= term.example < types:
                raise BadInput(f"{where} names a pattern with a column or a row type that is not there")
            if len(set(term.types)) != len(term.types) or not all(0 <= t < types for t in term.types):
                raise BadInput(f"{where} has a term with no set of row types")
            if any(bool(self._inside[t]) != term.inside for t in term.types):
                raise BadInput(f"{where} has a term with a row type on the wrong side")
            self._terms.setdefault(frozenset(position[name] for name in term.kept), []).append(term)
        self.most_charged = 2 * (self._d + int(walk.copies.sum()))

    def _rounded(self, amount: Whole) -> Whole:
        return (self._d - self._rest) * (amount // self._d) + np.maximum(0, amount % self._d - self._rest)

    def apply(self, price: int, kept: frozenset[int], labels: Whole, size: Whole, charge: Whole, gain: Whole) -> None:
        """Charge the patterns that keep `kept`, and take surcharges off the gains of their rows."""
        walk = self._walk
        met = np.unique(labels[self.types])
        within = _sums(labels[self.types], walk.copies[self.types], len(size))
        coefficient = self._rounded(np.maximum(0, walk.k - (size[met] - within[met])))
        coefficient[size[met] - within[met] >= walk.k] = 0
        owned: set[int] = set()
        for term in self._terms.get(kept, ()):
            label = int(labels[term.example])
            members = labels == label
            chosen = np.zeros(len(labels), dtype=bool)
            chosen[list(term.types)] = True
            if label in owned or (chosen & ~members).any():
                raise BadInput("a cut names two terms for a pattern, or a row type that the pattern does not match")
            owned.add(label)
            amount = int(walk.copies[chosen].sum())
            if term.inside:
                charge[label] += price * (int(self._rounded(np.array([amount]))[0]) - amount)
                gain[chosen] -= price
            else:
                charge[label] += price * int(self._rounded(np.array([max(0, walk.k - amount)]))[0])
                gain[members & ~self._inside & ~chosen] += price
        free = ~np.isin(met, list(owned))
        charge[met[free]] += price * coefficient[free]


def _sums(place: Whole, amounts: Whole, length: int) -> Whole:
    found = np.zeros(length, dtype=np.int64)
    np.add.at(found, place, amounts)
    return found
