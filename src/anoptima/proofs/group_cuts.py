"""A proof as in `groups`, with cuts: what they ask of the sizes of groups, under a principle by which no group is smaller than some size.

A cut (`cuts`) holds for every release in which the groups of a pattern p have k_p rows or more. Under k-anonymity that is k; under any
principle a group of p has at least the rows k_p that its conditions allow inside the class of p, as the checker finds. So cuts
of records hold, too, with k_p in the place of k. At prices, each charges patterns, and copies that they take, and a release costs at least

    sum_r s_r pi_r - what the prices pay + sum_p min(0, charge_p - F_p),    F_p >= max { sum g_r z_r : z a satisfying group },

with g_r = pi_r - c_p less what cuts charge a copy of r in p. Where a charge is below 0, F_p may be, too: it is for a group that is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.case_bounds import Ended, Said, bound
from anoptima.proofs.cuts import Cut
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.records import asked_about
from anoptima.proofs.simplifying import MOST_CHECKS, Checks, with_less


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
        about = asked_about(problem, self.digest, self.principle, self.denominator)
        require_proved(self.value, self.proves(about), about)
        return self.value

    def proves(self, problem: CellSuppression) -> int:
        """Return the bound that the multipliers give for this very problem, in parts of the cost unit, whatever `value` is."""
        return bound(problem, Said(self.denominator, self.cuts), [Ended(self.worth, self.prices)])

    def simplified(self, problem: CellSuppression, checks: int = MOST_CHECKS) -> GroupCutsProof:
        """Return a proof of the same value with fewer cuts, as far as `checks` tries find one."""
        return with_less(self, lambda proof: proof._fewer(), Checks(problem, checks))

    def _fewer(self) -> Iterator[GroupCutsProof]:
        """Yield the proof without one of its cuts, those of price 0 first."""
        for i in sorted(range(len(self.cuts)), key=self.prices.__getitem__):
            cuts, prices = (*self.cuts[:i], *self.cuts[i + 1 :]), (*self.prices[:i], *self.prices[i + 1 :])
            yield replace(self, cuts=cuts, prices=prices)
