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

This checker walks through all patterns by itself, by refining classes column by column, and counts in whole numbers. It uses nothing of
the engine that found the multipliers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.principles import least_rows
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.table_problem import TableProblem
from anoptima.proofs.equality import STEEPEST
from anoptima.proofs.explaining import explained, prices_of_rows
from anoptima.proofs.group_pricing import Asked, Part, distinct, enough_values, priced_by
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.reading import TooLarge, require_few_patterns
from anoptima.proofs.refinement import Classes, walk
from anoptima.proofs.simplifying import MOST_CHECKS, Checks, in_smaller_parts, rounded_to, with_less
from anoptima.proofs.statements import under
from anoptima.proofs.views import ROOM, View, Whole


@dataclass(frozen=True)
class Potentials(PlainData):
    """D phi_v of one pattern, that which keeps `kept` at the values of record `example`, for the principle's condition number `part`."""

    part: int
    kept: frozenset[str]
    example: int
    values: tuple[int, ...]


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
        if not isinstance(problem, CellSuppression):
            raise BadInput(f"the proof is about cell-suppression, and this is {problem.name}")
        if problem.table.digest != self.digest:
            raise BadInput(f"the proof is about another table, with digest {self.digest[:12]}...")
        if self.denominator < 1:
            raise BadInput(f"the denominator is {self.denominator}; it must be at least 1")
        return under(problem, self.principle)

    def proves(self, problem: CellSuppression) -> int:
        """Return the bound that the multipliers give for this very problem, in parts of the cost unit, whatever `value` is."""
        least = Walk(self, problem).least()
        return -(-least.numerator // (least.denominator * self.denominator))


def named_columns(problem: TableProblem[Any]) -> set[str]:
    """Return the sensitive columns that some condition of the principle is about."""
    return {name for condition in problem.principle.conditions(problem.table) for name in condition.columns}


def record_of_row(problem: CellSuppression) -> Whole:
    """Return the record of each row: row types with the values of the sensitive columns that the principle speaks of, numbered in order.

    By row type first, then by the values in the order in which they first occur, column after column.

    >>> from anoptima import LDiversity, ten_rows
    >>> int(record_of_row(CellSuppression(ten_rows(), LDiversity(2))).max())
    9
    """
    table = problem.table
    label = np.asarray(table.type_of_row, dtype=np.int64)
    named = named_columns(problem)
    for name in table.sensitive:
        if name in named:
            codes = table.sensitive_column(name).codes
            label = np.unique(label * (int(codes.max()) + 1) + codes, return_inverse=True)[1].reshape(-1)
    return label.astype(np.int64)


class Walk:
    """One look at every pattern."""

    def __init__(self, proof: GroupProof, problem: CellSuppression) -> None:
        table = problem.table
        of_row = record_of_row(problem)
        first = np.unique(of_row, return_index=True)[1]
        self.copies: Whole = np.bincount(of_row).astype(np.int64)
        self.codes: Whole = np.asarray(table.types)[table.type_of_row[first]].astype(np.int64)
        require_few_patterns(len(table.quasi), len(self.copies))
        self.d = proof.denominator
        self.weights = [int(weight) for weight in table.scaled_weights]
        if len(proof.worth) != len(self.copies):
            raise BadInput(f"there are {len(proof.worth):,} worths for {len(self.copies):,} records")
        conditions = problem.principle.conditions(table)
        self.k = min(max(least_rows(conditions), problem.principle.least_size(table)), table.rows + 1)
        priced = (
            priced_by(condition, Asked(table, first, proof, number)) for number, condition in enumerate(conditions)
        )
        self.parts = [part for part in priced if part is not None] or [
            Part(np.zeros(len(self.copies), dtype=np.int64), distinct(1), enough_values(1), 1)
        ]
        largest = max(map(abs, proof.worth)) + self.d * sum(self.weights)
        if 2 * (STEEPEST + 2) * largest * table.rows * max(part.scale for part in self.parts) >= ROOM:
            raise TooLarge("the multipliers")
        self.worth: Whole = np.array(proof.worth, dtype=np.int64)

    def least(self) -> Fraction:
        """Return D times the bound."""
        total = Fraction(sum(int(s) * int(w) for s, w in zip(self.copies, self.worth, strict=True)))
        return total - sum(map(self._above_zero, self.patterns()))

    def patterns(self) -> Iterator[Classes]:
        """Yield the closed patterns that have enough rows for a group, with their records."""
        return walk(self.codes, self.copies, max(1, self.k))

    def gain(self, on: Classes) -> Whole:
        """Return what a copy of each record of some patterns gains."""
        gain: Whole = self.worth[on.types] - self.d * on.starred(self.weights)
        return gain

    def views(self, on: Classes, gain: Whole) -> list[View]:
        """Return the records of patterns as each condition sees them."""
        order = np.lexsort((-gain, on.owner))
        record = on.types[order]
        return [
            View(on.owner, gain[order], self.copies[record], part.value[record], len(on.start)) for part in self.parts
        ]

    def least_rows(self, views: list[View]) -> Whole:
        """Return a size that no group of each pattern, as the conditions see them, is below; 0 where there is none."""
        least = np.full(views[0].patterns, self.k, dtype=np.int64)
        for part, view in (*zip(self.parts, views, strict=True),) * min(2, len(views)):
            # 0 where no group is legal, from then on.
            least = np.where(least > 0, part.smallest(view, np.maximum(1, least)), 0)
        return least

    def _above_zero(self, on: Classes) -> Fraction:
        """Return the sum of max(0, D F_p) over some patterns."""
        check_time()
        hopeful = on.sums((self.gain(on) > 0).astype(np.int64)) > 0
        if not hopeful.any():
            return Fraction(0)
        on = on.only(hopeful)
        views = self.views(on, self.gain(on))
        least = self.least_rows(views)
        able = least > 0
        if not able.any():
            return Fraction(0)
        for i, part in enumerate(self.parts):
            if part.shifts is not None:
                views[i] = views[i].shifted(part.shifts.of(on))
        found = [
            (part.price(view.only(able), least[able]), part.scale) for part, view in zip(self.parts, views, strict=True)
        ]
        if len(found) == 1:
            prices, scale = found[0]
            return Fraction(sum(map(int, np.maximum(0, prices))), scale)
        # Rounded up to whole parts of 1 / D, so that they compare.
        return Fraction(int(np.maximum(0, np.min([-(-prices // scale) for prices, scale in found], axis=0)).sum()))
