"""A proof by multipliers for tables of many columns: only patterns of few stars are looked at, and lonely rows shown to have no others.

As in `multipliers`, every row is worth pi_t to whoever publishes it, and a release costs at least

    sum_t s_t pi_t + sum_p min(0, v_p),    v_p = min { sum z_t (c_p - pi_t) : 0 <= z_t <= s_t, sum z_t >= k },

one term for each pattern p that could have a group. A pattern below 0 has a row with pi_t > c_p. Let no worth exceed a `reach`, except
those of lonely row types: t is lonely at pi_t if fewer than k rows, those of t included, are at a distance below pi_t, the weight of the
columns on which they differ from t. All rows of a group agree on what its pattern p keeps, so they are at a distance of at most c_p from
each other, and no pattern of a lonely row type costs less than pi_t. Hence only the patterns with c_p < `reach` count: a few thousand
column sets, where 2^m are out of the question.

It is a proof by cases without any (`case_bounds`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.case_bounds import Ended, Said, bound
from anoptima.proofs.explaining import explained, prices_of_rows
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import of_sizes, require_about, require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.simplifying import MOST_CHECKS, Checks, in_smaller_parts, rounded_to


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
        about = of_sizes(problem, self.digest, self.k)
        if self.denominator < 1 or self.reach < 0:
            raise BadInput("the denominator must be at least 1, and the reach at least 0")
        proved = bound(about, Said(self.denominator, reach=self.reach), [Ended(self.worth)])
        require_proved(self.value, proved, problem)
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
