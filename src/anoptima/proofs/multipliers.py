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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text, simplest
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.cuts import Charges, Cut, Cuts, charged_to_group
from anoptima.proofs.explaining import GroupCost, explained, prices_of_rows
from anoptima.proofs.kinds import register
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.reading import TooLarge, require_few_patterns
from anoptima.proofs.refinement import Classes, Whole, sums, walk
from anoptima.proofs.simplifying import MOST_CHECKS, Ascent, Checks, in_smaller_parts, rounded_to, with_less

_ROOM = 2**62
"""What sums must stay below, so that 64-bit integers hold them."""


@register
@dataclass(frozen=True)
class MultiplierProof(PlainData):
    """No k-anonymous release costs less than `value`: by a worth for each row type, and prices of cuts.

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

    kind: ClassVar[str] = "multipliers"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. O(2^m T (m + log T)) for T row types, m columns.

        >>> from anoptima import KAnonymity, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> MultiplierProof(0, problem.table.digest, 3, 1, (0,) * 10).proved(problem)
        0
        """
        about = require_about(problem, self.digest, self.k)
        case = Multipliers(about, self.denominator, Cuts(about, self.k, self.cuts), self.worth, self.prices)
        require_proved(self.value, -(-least_of_all([case]) // self.denominator), problem)
        return self.value

    def row_prices(self, problem: CellSuppression) -> tuple[Exact, ...]:
        """Return what each row of the table is worth, in the order of the rows, in the problem's unit."""
        require_about(problem, self.digest, self.k)
        return prices_of_rows(problem, self.worth, problem.table.type_of_row, self.denominator)

    def explain(self, group: Iterable[int], problem: CellSuppression) -> str:
        """Say in words what a group of rows, numbered from 0, costs beside the sum of its rows' prices.

        >>> from anoptima import KAnonymity, row_prices, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> print(row_prices(problem).proof.explain([7, 8, 9], problem))
        Rows 7, 8 and 9 (counted from 0) agree on zip1, zip2 and zip3 and differ in zip4, zip5, age1, age2 and education.
        A group of them pays 5 a row: 3 x 5 = 15.
        Their prices add up to 15 = 6 + 6 + 3.
        So it costs just what its rows' prices say: groups of an optimal release are like this.
        """
        group, prices = [*group], self.row_prices(problem)
        GroupCost.of(problem, group)
        charged = charged_to_group(problem, self.k, self.cuts, self.prices, group)
        return explained(
            problem,
            group,
            prices,
            self.value,
            simplest(Fraction(charged, self.denominator * problem.cost_scale)),
        )

    def simplified(self, problem: CellSuppression, checks: int = MOST_CHECKS) -> MultiplierProof:
        """Return a proof of the same value with a smaller denominator and fewer cuts, as far as `checks` tries find one.

        On a small table without cuts, worths are also improved one by one. Each proof that is taken passes `proved`.

        >>> from anoptima import KAnonymity, solve, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> found = solve(problem, "sifting").proof
        >>> simpler = found.simplified(problem)
        >>> found.denominator, simpler.denominator, simpler.proved(problem)
        (504000, 1, 54)
        """
        left = Checks(require_about(problem, self.digest, self.k), checks)
        shorter = with_less(self, lambda proof: proof._fewer(), left)
        ascent = None if shorter.cuts else Ascent.of(problem, self.k)
        wanted = int(self.value * problem.cost_scale) - 1

        def rounded(smaller: int) -> Iterator[MultiplierProof]:
            for numbers in rounded_to((*shorter.worth, *shorter.prices), shorter.denominator, smaller):
                worth, prices = numbers[: len(self.worth)], numbers[len(self.worth) :]
                if ascent is not None:
                    worth = ascent.improved(worth, smaller, smaller * wanted + 1)
                yield replace(shorter, denominator=smaller, worth=worth, prices=prices)
                if ascent is not None:
                    return

        return in_smaller_parts(shorter, shorter.denominator, rounded, left)

    def _fewer(self) -> Iterator[MultiplierProof]:
        """Yield the proof without one of its cuts, those of price 0 first."""
        for i in sorted(range(len(self.cuts)), key=self.prices.__getitem__):
            rest = {
                "cuts": (*self.cuts[:i], *self.cuts[i + 1 :]),
                "prices": (*self.prices[:i], *self.prices[i + 1 :]),
            }
            yield replace(self, **rest)  # type: ignore[arg-type]


def require_about(problem: Problem[Any], digest: str, k: int) -> CellSuppression:
    """Return `problem` if a proof is about it: cell suppression of the table with this digest, in groups of at least k rows.

    Any principle that asks for at least k rows will do, whatever else it asks for. Refuse the problem if it is another one.
    """
    if not isinstance(problem, CellSuppression):
        raise BadInput(f"the proof is about cell-suppression, and this is {problem.name}")
    if problem.table.digest != digest:
        raise BadInput(f"the proof is about another table, with digest {digest[:12]}...")
    least = problem.plain.principle.least_size(problem.table)
    if least < k:
        raise BadInput(f"the proof is for groups of at least k = {k} rows, and the problem allows groups of {least}")
    return problem


def least_of_all(cases: Sequence[Multipliers]) -> int:
    """Return the least of D times the bounds of some cases, on one walk through the patterns; those of no release do not count."""
    first = cases[0]
    require_few_patterns(len(first.names), len(first.copies))
    totals = [case.outset() for case in cases]
    for on in walk(first.codes, first.copies, first.k):
        charges = first.cuts.charges(on)
        for number, case in enumerate(cases):
            totals[number] += case.of_patterns(on, charges)
    left = [total for case, total in zip(cases, totals, strict=True) if not case.is_void]
    if not left:
        raise BadInput("the decisions leave no release at any end of the tree")
    return min(left)


def require_proved(value: Exact, proved: int, problem: Problem[Any]) -> None:
    """Refuse a value above what was proved, which is in parts of the cost unit."""
    if proved < value * problem.cost_scale:
        raise BadInput(
            f"the multipliers prove {exact_text(simplest(Fraction(proved, problem.cost_scale)))}, not {exact_text(simplest(value))}"
        )


@dataclass(frozen=True)
class Decision:
    """What a case supposes of one pattern, that which keeps `kept` at the values of row type `example`: it has a group, or none."""

    kept: frozenset[str]
    example: int
    is_open: bool


class Multipliers:
    """Multipliers that are what they must be, ready to be applied to classes of row types.

    With decisions they are for one case. A pattern that has no group adds nothing, one that has a group adds v_p whatever its sign. A
    decision about what is no closed pattern of k rows or more is left aside: the bound then holds beyond the case, too.
    """

    def __init__(
        self,
        problem: CellSuppression,
        denominator: int,
        cuts: Cuts,
        worth: Sequence[int],
        prices: Sequence[int],
        decisions: Sequence[Decision] = (),
    ) -> None:
        table = problem.table
        self.k, self.d, self.cuts = cuts.k, denominator, cuts
        self.names = table.quasi
        self.codes: Whole = table.types.astype(np.int64)
        self.copies = cuts.copies
        self.weights = [int(weight) for weight in table.scaled_weights]
        self.worth = self._whole(worth, len(self.copies), "worths")
        if self.d < 1:
            raise BadInput(f"the denominator is {self.d}; it must be at least 1")
        if len(prices) != len(cuts.all) or any(price < 0 for price in prices):
            raise BadInput("there must be one price a cut, and none below 0")
        self._require_room(prices)
        self.prices: Whole = np.array(prices, dtype=np.int64)
        self._decisions = self._by_columns(decisions)
        self.is_void = False

    def _by_columns(self, decisions: Sequence[Decision]) -> dict[frozenset[int], list[Decision]]:
        found: dict[frozenset[int], list[Decision]] = {}
        position = {name: j for j, name in enumerate(self.names)}
        for decision in decisions:
            if not decision.kept <= position.keys() or not 0 <= decision.example < len(self.copies):
                raise BadInput("a case decides on a pattern with a column or a row type that is not there")
            found.setdefault(frozenset(position[name] for name in decision.kept), []).append(decision)
        return found

    @staticmethod
    def _whole(numbers: Sequence[int], length: int, what: str) -> Whole:
        if len(numbers) != length:
            raise BadInput(f"there are {len(numbers):,} {what} for {length:,} row types")
        if any(abs(number) >= _ROOM for number in numbers):
            raise BadInput(f"one of the {what} is too large to be counted in 64 bits")
        return np.array(numbers, dtype=np.int64)

    def _require_room(self, prices: Sequence[int]) -> None:
        """Refuse numbers with which some sum might not fit.

        Times its price, a cut charges a copy at most 1, and a class at most the rows a that it rounds, since 0 <= (d - r) F(a) <= a. On
        one set of columns these are s(W) in all for *together*, whose sets are parts of W, and at most k for every class that has a
        type of W or a term *outside*. So rows gain at most `gain` each in size, and no sum over classes, in whatever order, reaches
        2 (gain (n + k) + charges).
        """
        rows = int(self.copies.sum())
        gain = max(map(abs, (int(self.worth.max()), int(self.worth.min())))) + self.d * sum(self.weights) + sum(prices)
        charges = sum(
            price * (cut.size + self.k * (len(cut.types) + len(cut.terms)))
            for price, cut in zip(prices, self.cuts.all, strict=True)
        )
        if 2 * (gain * (rows + self.k) + charges) >= _ROOM:
            raise TooLarge("the multipliers")

    def outset(self) -> int:
        """Return D times the bound before any pattern has been looked at."""
        total: int = sum(s * w for s, w in zip(self.copies.tolist(), self.worth.tolist(), strict=True))
        for price, cut in zip(self.prices.tolist(), self.cuts.all, strict=True):
            total -= price * cut.most
        return total

    def of_patterns(self, on: Classes, charges: Charges) -> int:
        """Return the sum of min(0, D v_p), or what is decided, over closed patterns that keep the columns `on.kept`."""
        gain = (self.worth - self.d * on.starred(self.weights))[on.types]
        np.add.at(gain, charges.at, -self.prices[charges.surcharged_by] * charges.surcharge)
        charge = np.zeros(len(on.start), dtype=np.int64)
        np.add.at(charge, charges.owner, self.prices[charges.charged_by] * charges.charge)
        is_open, is_shut = self._decided(on)
        values = self._values(on, gain, charge, is_open)
        return int(np.where(is_open, values, np.where(is_shut, 0, np.minimum(0, values))).sum())

    def _decided(self, on: Classes) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which classes are decided to have a group, and which to have none."""
        found = np.zeros((2, len(on.start)), dtype=np.bool_)
        for decision in self._decisions.get(on.kept, ()):
            place = np.flatnonzero(on.types == decision.example)
            if len(place):
                found[0 if decision.is_open else 1, on.owner[place[0]]] = True
        # No release has a group of a pattern and none.
        self.is_void |= bool((found[0] & found[1]).any())
        return found[0], found[1]

    def _values(self, on: Classes, gain: Whole, charge: Whole, is_open: NDArray[np.bool_]) -> Whole:
        """Return D v_p for every class, or 0 or more where that is 0 or more and the class is not decided to have a group."""
        copies = self.copies[on.types]
        taken = on.sums(np.where(gain > 0, copies, 0))
        value = charge - on.sums(np.where(gain > 0, copies * gain, 0))
        # A class with fewer than k copies of some gain takes its k best copies instead.
        short = (taken < self.k) & ((taken > 0) | (charge < 0) | is_open)
        among = np.flatnonzero(short[on.owner])
        if len(among):
            among = among[np.lexsort((-gain[among], on.owner[among]))]
            start = np.cumsum(on.length[short]) - on.length[short]
            before = np.cumsum(copies[among]) - copies[among]
            before -= np.repeat(before[start], on.length[short])
            z = np.clip(self.k - before, 0, copies[among])
            value[short] = charge[short] - sums(z * gain[among], start)
        value[(taken < self.k) & ~short] = 0
        return value
