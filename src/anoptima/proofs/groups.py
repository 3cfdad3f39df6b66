"""A proof by multipliers that no release under sizes, shares, numbers of values, closeness or several of them costs less than a value.

Every record r (a row type with its sensitive values; s_r copies) is worth pi_r a copy to whoever publishes it. A release consists of
groups that satisfy the principle; one that keeps the columns K pays c_K a row, the weight of all others. So a release costs at least

    sum_r s_r pi_r - sum_p max(0, F_p),    F_p >= max { sum (pi_r - c_p) z_r : 0 <= z_r <= s_r, z a group that satisfies the principle },

one term for each pattern p: groups of one pattern count as one, since their union satisfies the principle, too. Only closed patterns count,
those that no further quasi-identifying column could be fixed in: a group's own pattern is closed. A group satisfies every condition of
the principle, so F_p may be the least over the conditions; each is taken with the least size k that there is besides (`group_pricing`):

- no value, or none of some, above a share 1/l (`_Shares`): some whole C has no such value more than C times in the group, of l C rows or
  more. At fixed C a greedy pass finds the best group, and along C = r, r + b, ... (l = a/b) its worth is concave, so bisection finds the
  largest;
- at least l values (`rules.values`): all that gains, then values that are missing, then rows;
- within t of the table at any distance d (`_Shifts`): potentials phi_v, one set a pattern, differ by at most lam d(v, w), so that a group
  within t has sum_v z(v) (lam t + E[phi] - phi_v) >= 0, E over the table (Kantorovich). That can be added to the gains for nothing;
- within t at equal distance: by prices of the slots that values share, and by cases where they are not enough (`proofs.equality`).

It is a proof by cases without any (`case_bounds`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.case_bounds import Ended, Said, bound
from anoptima.proofs.explaining import explained, prices_of_rows
from anoptima.proofs.group_pricing import Potentials
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.records import asked_about, record_of_row
from anoptima.proofs.simplifying import MOST_CHECKS, Checks, in_smaller_parts, rounded_to, with_less


@register
@dataclass(frozen=True)
class GroupProof(PlainData):
    """No release under `principle` costs less than `value`: by a worth for each record, and potentials of patterns where needed.

    Attributes
    ----------
    digest
        The table's.
    principle
        What `Principle.as_json` says.
    denominator
        D: what worths are counted in parts of.
    worth
        D pi_r for each record, in the order of `record_of_row`. In parts of the table's cost unit (`Problem.cost_scale`).
    potentials
        For conditions that ask for closeness at other than equal distance: potentials of patterns; those without any have 0.
    """

    value: Exact
    digest: str
    principle: Mapping[str, Any]
    denominator: int
    worth: tuple[int, ...]
    potentials: tuple[Potentials, ...] = ()

    kind: ClassVar[str] = "groups"

    def row_prices(self, problem: CellSuppression) -> tuple[Exact, ...]:
        """Return what each row of the table is worth, in the order of the rows, in the problem's unit."""
        return prices_of_rows(problem, self.worth, record_of_row(self.require_about(problem)), self.denominator)

    def explain(self, group: Iterable[int], problem: CellSuppression) -> str:
        """Say in words what a group of rows, numbered from 0, costs beside the sum of its rows' prices."""
        return explained(problem, group, self.row_prices(problem), self.value)

    def simplified(self, problem: CellSuppression, checks: int = MOST_CHECKS) -> GroupProof:
        """Return a proof of the same value with a smaller denominator and fewer potentials, as far as `checks` tries find one.

        >>> from anoptima import KAnonymity, LDiversity, solve, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3) & LDiversity(2))
        >>> found = solve(problem, "sifting").proof
        >>> simpler = found.simplified(problem)
        >>> found.denominator, simpler.denominator, simpler.proved(problem)
        (504000, 1, 64)
        """
        left = Checks(problem, checks)
        shorter = with_less(self, lambda proof: proof._fewer(), left)

        def rounded(smaller: int) -> Iterator[GroupProof]:
            for worth in rounded_to(shorter.worth, shorter.denominator, smaller):
                potentials = tuple(
                    replace(one, values=next(rounded_to(one.values, shorter.denominator, smaller)))
                    for one in shorter.potentials
                )
                yield replace(shorter, denominator=smaller, worth=worth, potentials=potentials)

        return in_smaller_parts(shorter, shorter.denominator, rounded, left)

    def _fewer(self) -> Iterator[GroupProof]:
        """Yield the proof without one pattern's potentials."""
        for i in range(len(self.potentials)):
            yield replace(self, potentials=(*self.potentials[:i], *self.potentials[i + 1 :]))

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. O(2^m R (m + log R log n)) for R records, m columns.

        >>> from anoptima import LDiversity, ten_rows
        >>> problem = CellSuppression(ten_rows(), LDiversity(2))
        >>> records = len(set(record_of_row(problem).tolist()))
        >>> GroupProof(0, problem.table.digest, problem.principle.as_json(), 1, (0,) * records).proved(problem)
        0
        """
        about = self.require_about(problem)
        require_proved(self.value, self.proves(about), about)
        return self.value

    def require_about(self, problem: Problem[Any]) -> CellSuppression:
        """Return the problem that the proof is about: as it is, as it comes to, or under what its principle implies. Refuse another one."""
        return asked_about(problem, self.digest, self.principle, self.denominator)

    def proves(self, problem: CellSuppression) -> int:
        """Return the bound that the multipliers give for this very problem, in parts of the cost unit, whatever `value` is."""
        return bound(problem, Said(self.denominator, potentials=self.potentials), [Ended(self.worth)])
