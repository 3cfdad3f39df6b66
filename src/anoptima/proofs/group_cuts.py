"""A proof as in `groups`, with cuts: what they ask of the sizes of groups, under a principle by which no group is smaller than some size.

A cut (`cuts`) holds for every release in which the groups of a pattern p have k_p rows or more. Under k-anonymity that is k; under any
principle a group of p has at least the rows k_p that its conditions allow inside the class of p, as the checker of `groups` finds. So cuts
of records hold, too, with k_p in the place of k. At prices, each charges patterns, and copies that they take, and a release costs at least

    sum_r s_r pi_r - what the prices pay + sum_p min(0, charge_p - F_p),    F_p >= max { sum g_r z_r : z a satisfying group },

with g_r = pi_r - c_p less what cuts charge a copy of r in p. Where a charge is below 0, F_p may be, too: it is for a group that is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.cuts import Cut, Cuts
from anoptima.proofs.equality import STEEPEST
from anoptima.proofs.group_pricing import Part
from anoptima.proofs.groups import GroupProof, Walk
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.reading import TooLarge
from anoptima.proofs.refinement import Classes
from anoptima.proofs.simplifying import MOST_CHECKS, Checks, with_less
from anoptima.proofs.views import ROOM, View, Whole


@register
@dataclass(frozen=True)
class GroupCutsProof(PlainData):
    """No release under `principle` costs less than `value`: by a worth for each record, and prices of cuts.

    Attributes
    ----------
    digest
        The table's.
    principle
        What `Principle.as_json` says.
    denominator
        D: what worths and prices are counted in parts of.
    worth
        D pi_r for each record, as in `GroupProof`.
    cuts, prices
        Cuts, whose sets are of records, and D times the price of each.
    """

    value: Exact
    digest: str
    principle: Mapping[str, Any]
    denominator: int
    worth: tuple[int, ...]
    cuts: tuple[Cut, ...]
    prices: tuple[int, ...]

    kind: ClassVar[str] = "groups-with-cuts"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. Patterns are walked through as in `GroupProof.proved`.

        >>> from anoptima import LDiversity, ten_rows
        >>> problem = CellSuppression(ten_rows(), LDiversity(2))
        >>> about = (0, problem.table.digest, problem.principle.as_json(), 1, (0,) * 10)
        >>> GroupCutsProof(*about, (Cut((0, 1, 2), 2),), (0,)).proved(problem)
        0
        """
        about = self._without_cuts.require_about(problem)
        require_proved(self.value, self.proves(about), about)
        return self.value

    def proves(self, problem: CellSuppression) -> int:
        """Return the bound that the multipliers give for this very problem, in parts of the cost unit, whatever `value` is."""
        least = _Priced(self, self._without_cuts, problem).least()
        return -(-least.numerator // (least.denominator * self.denominator))

    @property
    def _without_cuts(self) -> GroupProof:
        return GroupProof(self.value, self.digest, self.principle, self.denominator, self.worth)

    def simplified(self, problem: CellSuppression, checks: int = MOST_CHECKS) -> GroupCutsProof:
        """Return a proof of the same value with fewer cuts, as far as `checks` tries find one."""
        return with_less(self, lambda proof: proof._fewer(), Checks(problem, checks))

    def _fewer(self) -> Iterator[GroupCutsProof]:
        """Yield the proof without one of its cuts, those of price 0 first."""
        for i in sorted(range(len(self.cuts)), key=self.prices.__getitem__):
            cuts, prices = (*self.cuts[:i], *self.cuts[i + 1 :]), (*self.prices[:i], *self.prices[i + 1 :])
            yield replace(self, cuts=cuts, prices=prices)


class _Priced:
    """One look at every pattern, at the prices of cuts."""

    def __init__(self, proof: GroupCutsProof, plain: GroupProof, problem: CellSuppression) -> None:
        self._walk = Walk(plain, problem)
        self._cuts = Cuts(problem, problem.table.rows, proof.cuts, self._walk.copies)
        if len(proof.prices) != len(proof.cuts) or any(price < 0 for price in proof.prices):
            raise BadInput("there must be one price a cut, and none below 0")
        self._require_room(proof, problem.table.rows)
        self._prices: Whole = np.array(proof.prices, dtype=np.int64)

    def _require_room(self, proof: GroupCutsProof, rows: int) -> None:
        """Refuse numbers with which some sum of one pattern might not fit; a cut charges it no more than its price for each of its rows."""
        largest = max(map(abs, proof.worth)) + self._walk.d * sum(self._walk.weights) + sum(proof.prices)
        if 2 * (STEEPEST + 2) * largest * rows * max(part.scale for part in self._walk.parts) >= ROOM:
            raise TooLarge("the multipliers")

    def least(self) -> Fraction:
        """Return D times the bound."""
        worth: int = sum(s * w for s, w in zip(self._walk.copies.tolist(), self._walk.worth.tolist(), strict=True))
        paid: int = sum(price * cut.most for price, cut in zip(self._prices.tolist(), self._cuts.all, strict=True))
        total = Fraction(worth - paid)
        for on in self._walk.patterns():
            check_time()
            hopeful = on.sums((self._walk.gain(on) > 0).astype(np.int64)) > 0
            hopeful |= self._cuts.is_named(on)
            if hopeful.any():
                total += self._below_zero(on.only(hopeful))
        return total

    def _below_zero(self, on: Classes) -> Fraction:
        """Return the sum of min(0, D v_p) over some patterns."""
        least = self._walk.least_rows(self._walk.views(on, self._walk.gain(on)))
        able = least > 0
        if not able.any():
            return Fraction(0)
        on, least = on.only(able), least[able]
        gain, charge = self._walk.gain(on), np.zeros(len(least), dtype=np.int64)
        charges = self._cuts.charges(on, least)
        np.add.at(gain, charges.at, -self._prices[charges.surcharged_by] * charges.surcharge)
        np.add.at(charge, charges.owner, self._prices[charges.charged_by] * charges.charge)
        open_ = (on.sums((gain > 0).astype(np.int64)) > 0) | (charge < 0)
        if not open_.any():
            return Fraction(0)
        gain, least, charge, on = gain[open_[on.owner]], least[open_], charge[open_], on.only(open_)
        found = [
            (_best(part, view, least), part.scale)
            for part, view in zip(self._walk.parts, self._walk.views(on, gain), strict=True)
        ]
        if len(found) == 1:
            prices, scale = found[0]
            return Fraction(sum(map(int, np.minimum(0, scale * charge - prices))), scale)
        gained = np.min([-(-prices // scale) for prices, scale in found], axis=0)
        return Fraction(sum(map(int, np.minimum(0, charge - gained))))


def _best(part: Part, view: View, least: Whole) -> Whole:
    """Return the part's scale times what a group that is there gains at most, even if that is below 0."""
    if part.rule is None:
        return part.price(view, least)
    nothing = np.full(view.patterns, -ROOM // 2)
    return part.rule.price_within(view, least, part.rule.largest_of(view), nothing, 1)
