"""A proof by multipliers for tables of many columns: only patterns of few stars are looked at, and lonely rows shown to have no others.

As in `proofs.multipliers`, every row is worth pi_t to whoever publishes it, and a release costs at least

    sum_t s_t pi_t + sum_p min(0, v_p),    v_p = min { sum z_t (c_p - pi_t) : 0 <= z_t <= s_t, sum z_t >= k },

one term for each pattern p that could have a group. A pattern below 0 has a row with pi_t > c_p. Let no worth exceed a `reach`, except
those of lonely row types: t is lonely at pi_t if fewer than k rows, those of t included, are at a distance below pi_t, the weight of the
columns on which they differ from t. All rows of a group agree on what its pattern p keeps, so they are at a distance of at most c_p from
each other, and no pattern of a lonely row type costs less than pi_t. Hence only the patterns with c_p < `reach` count: a few thousand
column sets, where 2^m are out of the question.

This checker uses nothing of the engine that found the multipliers. It refines classes column by column and counts in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.explaining import explained, prices_of_rows
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import require_about, require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.reading import MOST_LOOKS, TooLarge
from anoptima.proofs.simplifying import MOST_CHECKS, Checks, in_smaller_parts, rounded_to

Whole = NDArray[np.int64]

_ROOM = 2**62
"""What sums must stay below, so that 64-bit integers hold them."""
_CELLS = 1 << 19
"""How many distances are held at a time."""


@register
@dataclass(frozen=True)
class NearProof(PlainData):
    """No k-anonymous release costs less than `value`: by a worth for each row type, on tables of many columns.

    Attributes
    ----------
    digest
        The table's.
    denominator
        D: what worths are counted in parts of.
    reach
        What no worth exceeds but those of lonely row types, in the table's cost unit (`Problem.cost_scale`).
    worth
        D pi_t for each row type, in the table's order; pi_t in the cost unit.
    """

    value: Exact
    digest: str
    k: int
    denominator: int
    reach: int
    worth: tuple[int, ...]

    kind: ClassVar[str] = "near"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold.

        O(S T log T) for T row types and S sets of columns that weigh less than `reach`, and O(T m) a row type of a larger worth.

        >>> from anoptima import KAnonymity, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> NearProof(10, problem.table.digest, 3, 1, 1, (1,) * 10).proved(problem)
        10
        >>> NearProof(100, problem.table.digest, 3, 1, 1, (10,) * 10).proved(problem)
        Traceback (most recent call last):
        anoptima.errors.BadInput: row type 0 is not lonely: 10 rows are nearer than the 10 it is to be worth, and k = 3
        """
        walk = _Walk(self, require_about(problem, self.digest, self.k))
        walk.require_lonely()
        require_proved(self.value, -(-walk.least() // self.denominator), problem)
        return self.value

    def row_prices(self, problem: CellSuppression) -> tuple[Exact, ...]:
        """Return what each row of the table is worth, in the order of the rows, in the problem's unit."""
        require_about(problem, self.digest, self.k)
        return prices_of_rows(problem, self.worth, problem.table.type_of_row, self.denominator)

    def explain(self, group: Iterable[int], problem: CellSuppression) -> str:
        """Say in words what a group of rows, numbered from 0, costs beside the sum of its rows' prices."""
        return explained(problem, group, self.row_prices(problem), self.value)

    def simplified(self, problem: CellSuppression, checks: int = MOST_CHECKS) -> NearProof:
        """Return a proof of the same value with a smaller denominator, as far as `checks` tries find one."""

        def rounded(smaller: int) -> Iterator[NearProof]:
            for worth in rounded_to(self.worth, self.denominator, smaller):
                yield replace(self, denominator=smaller, worth=worth)

        return in_smaller_parts(self, self.denominator, rounded, Checks(problem, checks))


class _Walk:
    """One look at every pattern that weighs less than the reach, and at the neighbours of every row type of a larger worth."""

    def __init__(self, proof: NearProof, problem: CellSuppression) -> None:
        table = problem.table
        self._k, self._d, self._reach = proof.k, proof.denominator, proof.reach
        self._copies: Whole = np.asarray(table.multiplicity, dtype=np.int64)
        if self._d < 1 or self._reach < 0:
            raise BadInput("the denominator must be at least 1, and the reach at least 0")
        if len(proof.worth) != len(self._copies):
            raise BadInput(f"there are {len(proof.worth):,} worths for {len(self._copies):,} row types")
        weights = [int(weight) for weight in table.scaled_weights]
        largest = max(abs(number) for number in proof.worth) + self._d * sum(weights)
        if largest * (table.rows + self._k) >= _ROOM:
            raise TooLarge("the multipliers")
        self._worth: Whole = np.array(proof.worth, dtype=np.int64)
        # Columns of many values come first: they tell apart most, and what they leave alone needs no further look.
        order = sorted(range(len(weights)), key=lambda j: -len(table.quasi_columns[j].values))
        self._weights = [weights[j] for j in order]
        self._codes = [np.asarray(table.types[:, j], dtype=np.int64) for j in order]
        self._radix = [int(codes.max()) + 1 for codes in self._codes]
        # The classes of row types that agree on the columns from j on.
        everything = np.zeros(len(self._copies), dtype=np.int64)
        self._from = [everything]
        for codes, radix in zip(reversed(self._codes), reversed(self._radix), strict=True):
            self._from.append(_numbered(self._from[-1] * radix + codes))
        self._from.reverse()

    def require_lonely(self) -> None:
        """Check every row type whose worth exceeds the reach."""
        asked = np.flatnonzero(self._worth > self._d * self._reach)
        step = max(1, _CELLS // len(self._copies))
        for first in range(0, len(asked), step):
            some = asked[first : first + step]
            distance = np.zeros((len(some), len(self._copies)), dtype=np.int64)
            for codes, weight in zip(self._codes, self._weights, strict=True):
                distance += weight * (codes[some, None] != codes)
            nearer = np.where(self._d * distance < self._worth[some, None], self._copies, 0).sum(axis=1)
            crowded = np.flatnonzero(nearer >= self._k)
            if len(crowded):
                at = int(crowded[0])
                worth = exact_text(Fraction(int(self._worth[some[at]]), self._d))
                raise BadInput(
                    f"row type {some[at]} is not lonely: {nearer[at]} rows are nearer than the {worth} it is to be worth, and k = {self._k}"
                )

    def least(self) -> int:
        """Return D times the bound."""
        total = sum(int(s) * int(w) for s, w in zip(self._copies, self._worth, strict=True))
        everything = np.arange(len(self._copies))
        looks = 0
        for rows, labels, starred in self._classes(0, everything, np.zeros_like(everything), ()):
            looks += max(1, len(rows))
            if looks > MOST_LOOKS:
                raise BadInput(f"the proof's reach of {self._reach} makes more patterns than can be looked at")
            total += self._below_zero(rows, labels, starred)
        return total

    def _classes(
        self, first: int, rows: Whole, labels: Whole, starred: tuple[int, ...]
    ) -> Iterator[tuple[Whole, Whole, tuple[int, ...]]]:
        """Yield every set of starred columns below the reach, with the classes of row types that agree on all others.

        `labels` are those of `rows` on the unstarred columns before `first`. Row types that have fewer than k rows in such a class,
        or none in it that is worth more than the stars so far, are left out: no finer class of them is below 0.
        """
        paid = sum(self._weights[j] for j in starred)
        yield rows, _numbered(labels * len(self._copies) + self._from[first][rows]), starred
        for column in range(first, len(self._codes)):
            if not len(rows):
                return
            if paid + self._weights[column] < self._reach:
                useful = self._useful(rows, labels, paid + self._weights[column])
                yield from self._classes(column + 1, rows[useful], labels[useful], (*starred, column))
            labels = _numbered(labels * self._radix[column] + self._codes[column][rows])
            useful = self._useful(rows, labels, paid)
            rows, labels = rows[useful], labels[useful]

    def _useful(self, rows: Whole, labels: Whole, paid: int) -> NDArray[np.bool_]:
        if not len(rows):
            return np.zeros(0, dtype=np.bool_)
        classes = int(labels.max()) + 1
        hopeful = np.zeros(classes, dtype=np.bool_)
        hopeful[labels[self._worth[rows] > self._d * paid]] = True
        hopeful &= _sums(labels, self._copies[rows], classes) >= self._k
        return hopeful[labels]

    def _below_zero(self, rows: Whole, labels: Whole, starred: tuple[int, ...]) -> int:
        """Return the sum of min(0, D v_p) over the closed patterns that star these columns."""
        if not len(rows):
            return 0
        classes = int(labels.max()) + 1
        alive = _sums(labels, self._copies[rows], classes) >= self._k
        some = np.zeros(classes, dtype=np.int64)
        some[labels] = rows
        for column in starred:
            varies = np.zeros(classes, dtype=np.bool_)
            varies[labels[self._codes[column][rows] != self._codes[column][some][labels]]] = True
            alive &= varies
        inside = alive[labels]
        rows, labels = rows[inside], labels[inside]
        gain = self._worth[rows] - self._d * sum(self._weights[j] for j in starred)
        order = np.lexsort((-gain, labels))
        labels, gain, copies = labels[order], gain[order], self._copies[rows[order]]
        # By falling gain: every copy of a gain, and further ones up to k.
        before = np.cumsum(copies) - copies
        start = np.zeros(classes, dtype=np.int64)
        start[labels[::-1]] = before[::-1]
        taken = np.where(gain > 0, copies, np.clip(self._k - (before - start[labels]), 0, copies))
        return -int(np.maximum(0, _sums(labels, taken * gain, classes)).sum())


def _numbered(keys: Whole) -> Whole:
    return np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _sums(place: Whole, amounts: Whole, length: int) -> Whole:
    found = np.zeros(length, dtype=np.int64)
    np.add.at(found, place, amounts)
    return found
