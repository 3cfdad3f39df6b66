"""The proof for groups of two and three: a worth for each row, and prices of odd sets of rows.

Under 2-anonymity some cheapest release has groups of two and three rows only, and under frequency 2-diversity such groups without two rows
of one value. A set S of an odd number of rows meets one of its groups, at least, in an odd number of rows. So for any worths w and prices
z >= 0, with the gain of a group e

    gain(e) = sum of w over e + sum of z_S over the S that e meets oddly - D cost(e)

and G the largest gain (or 0), D times the cost is at least sum w + sum z - (n // 2) G.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_plain, simplest
from anoptima.principles import KAnonymity, LDiversity, Principle
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.kinds import register
from anoptima.proofs.reading import Fields

MOST_ROWS = 4_000
"""How many rows there may be: each two are looked at."""

Whole = NDArray[Any]


def has_groups_of_two_and_three(principle: Principle) -> bool:
    """Tell whether some cheapest release has such groups only, by the principle: 2-anonymity, or frequency 2-diversity.

    >>> [has_groups_of_two_and_three(one) for one in (KAnonymity(2), LDiversity(2), LDiversity(2, version="distinct"), KAnonymity(3))]
    [True, True, False, False]
    """
    if type(principle) is LDiversity:
        return principle.version == "frequency" and principle.l == 2
    return type(principle) is KAnonymity and principle.k == 2


@register
@dataclass(frozen=True)
class MatchingProof:
    """No release under 2-anonymity or frequency 2-diversity costs less than `value`: by worths of rows and prices of odd sets.

    Attributes
    ----------
    value
        The bound.
    denominator
        D: what worths and prices are counted in parts of, in the cost unit.
    worth
        A number for each row, in the table's order.
    sets
        Sets of rows, each of an odd number of them.
    prices
        A number of at least 0 for each set.

    Examples
    --------
    >>> from anoptima.instances.papers import ten_rows
    >>> problem = CellSuppression(ten_rows(), KAnonymity(2))
    >>> MatchingProof(30, 1, (3,) * 10).proved(problem)
    30
    >>> MatchingProof(50, 1, (5,) * 10).proved(problem)
    Traceback (most recent call last):
    anoptima.errors.BadInput: the worths prove 40, not 50
    """

    value: Exact
    denominator: int
    worth: Sequence[int]
    sets: Sequence[tuple[int, ...]] = ()
    prices: Sequence[int] = ()

    kind: ClassVar[str] = "matching"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "value": exact_plain(self.value),
            "denominator": self.denominator,
            "worth": list(self.worth),
            "sets": [list(members) for members in self.sets],
            "prices": list(self.prices),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MatchingProof:
        """Return the proof that `as_json` wrote, unchecked; `BadInput` says what is none."""
        fields = Fields(data, "the proof")
        value, d, worth = fields.exact("value"), fields.whole("denominator"), fields.wholes("worth")
        proof = cls(value, d, worth, fields.each("sets", _members), fields.wholes("prices"))
        fields.end()
        return proof

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. O(n^2 (m + sets)), and triples that might gain."""
        least = proves(problem, self.denominator, self.worth, self.sets, self.prices)
        if least < self.value * problem.cost_scale:
            raise BadInput(f"the worths prove {Fraction(least, problem.cost_scale)}, not {self.value}")
        return self.value


def _members(data: Any, what: str) -> tuple[int, ...]:
    if not isinstance(data, list) or any(type(row) is not int for row in data):
        raise BadInput(f"{what} must be a list of rows")
    return tuple(data)


def proves(
    problem: Problem[Any], d: int, worth: Sequence[int], sets: Sequence[Sequence[int]], prices: Sequence[int]
) -> int:
    """Return the bound in the problem's cost unit that worths and prices in parts of `d` prove; `BadInput` if they are none."""
    if not isinstance(problem, CellSuppression) or not has_groups_of_two_and_three(problem.principle):
        raise BadInput("the proof is about cell-suppression under 2-anonymity or frequency 2-diversity")
    impossible = problem.why_infeasible()
    if impossible is not None:
        raise BadInput(f"no solution exists, so there is no least cost: {impossible}")
    rows = problem.table.rows
    if rows > MOST_ROWS:
        raise BadInput(f"the proof is about every two of {rows:,} rows, which are too many; {MOST_ROWS:,} are the most")
    if d < 1 or len(worth) != rows or len(prices) != len(sets) or min(prices, default=0) < 0:
        raise BadInput(
            f"a worth for each of {rows:,} rows is needed, a price of 0 or more for each set, and a denominator of 1 or more"
        )
    for number, members in enumerate(sets):
        if len(members) % 2 == 0 or len(set(members)) < len(members) or not all(0 <= row < rows for row in members):
            raise BadInput(f"set {number} must have an odd number of the {rows:,} rows, none twice")
    largest = _Gains(problem, d, worth, sets, prices).largest()
    return -(-(sum(worth) + sum(prices) - rows // 2 * largest) // d)


class _Gains:
    """Gains of pairs, as a square array, and what is needed for those of triples."""

    def __init__(
        self,
        problem: CellSuppression,
        d: int,
        worth: Sequence[int],
        sets: Sequence[Sequence[int]],
        prices: Sequence[int],
    ) -> None:
        table = problem.table
        self.codes = table.types[table.type_of_row]
        weights = [int(weight) for weight in table.scaled_weights]
        # Python's integers where a gain might not fit 60 bits.
        most = 3 * d * sum(weights) + 3 * max(map(abs, worth)) + 4 * sum(prices)
        kind: Any = np.int64 if most < 1 << 60 else object
        self.weights = [d * weight for weight in weights]
        self.worth = np.array(worth, dtype=kind)
        self.held = np.zeros((len(sets), table.rows), dtype=kind)
        for number, members in enumerate(sets):
            self.held[number, list(members)] = 1
        self.prices = np.array(prices, dtype=kind)
        self.inside = (
            (self.held * self.prices[:, None]).T @ self.held if len(sets) else np.zeros((table.rows,) * 2, kind)
        )
        own = self.worth + self.inside.diagonal()
        self.gain = own[:, None] + own[None, :] - 2 * self.inside
        for column, weight in zip(self.codes.T, self.weights, strict=True):
            check_time()
            self.gain -= 2 * weight * (column[:, None] != column[None, :]).astype(kind)
        values = np.arange(table.rows)
        if isinstance(problem.principle, LDiversity):
            values = np.asarray(table.sensitive_column(problem.principle.column or table.sensitive[0]).codes)
        self.may = values[:, None] != values[None, :]

    def largest(self) -> int:
        """Return the largest gain, or 0.

        A triple's gain is at most half the sum of its pairs' gains, and the prices of the sets that hold all of it: three times the
        columns on which three rows differ are at least the sum of those on which two of them do. So each pair of a triple that gains
        more than all pairs has a gain above minus twice the prices of the sets that hold both of its rows.
        """
        found = max(0, int(self.gain[self.may].max(initial=0)))
        able = (self.may & (self.gain + 2 * self.inside > 0)).astype(bool)
        for u, v, w in self._triangles(able):
            found = max(found, int(self._of_triples(u, v, w).max()))
        return found

    @staticmethod
    def _triangles(able: NDArray[np.bool_]) -> Iterator[tuple[Whole, Whole, Whole]]:
        for u in range(len(able)):
            check_time()
            beyond = u + 1 + np.flatnonzero(able[u, u + 1 :])
            first, second = np.nonzero(np.triu(able[np.ix_(beyond, beyond)], 1))
            if len(first):
                yield np.full(len(first), u), beyond[first], beyond[second]

    def _of_triples(self, u: Whole, v: Whole, w: Whole) -> Whole:
        gain: Whole = self.worth[u] + self.worth[v] + self.worth[w]
        for column, weight in zip(self.codes.T, self.weights, strict=True):
            gain = gain - 3 * weight * ((column[u] != column[v]) | (column[u] != column[w])).astype(gain.dtype)
        for members, price in zip(self.held, self.prices, strict=True):
            gain = gain + price * ((members[u] + members[v] + members[w]) % 2)
        return gain


PARTS = (1, 2, 12, 60, 5_040, 5_040_000)
"""The denominators that prices are tried in."""


def matching_proof(
    problem: CellSuppression,
    unit: int,
    worth: Sequence[int],
    sets: Sequence[Sequence[int]],
    prices: Sequence[int],
    wanted: int,
) -> MatchingProof:
    """Return a proof by worths and prices in parts of `unit`, or in smaller parts that prove `wanted` in the cost unit, too."""
    best = (-1, unit, tuple(worth), tuple(prices))
    for d in (*PARTS, unit):
        its, other = (tuple((2 * number * d + unit) // (2 * unit) for number in numbers) for numbers in (worth, prices))
        least = proves(problem, d, its, sets, other)
        if least > best[0]:
            best = (least, d, its, other)
        if least >= wanted:
            break
    least, d, its, other = best
    kept = sorted((tuple(sorted(members)), price) for members, price in zip(sets, other, strict=True) if price)
    value = simplest(Fraction(max(0, least), problem.cost_scale))
    return MatchingProof(value, d, its, tuple(members for members, _ in kept), tuple(price for _, price in kept))
