"""A proof by multipliers that no release costs less than a value: one number a row type, one a cut, and nothing to believe.

Every row is worth pi_t to whoever publishes it. A release consists of groups of at least k rows; a group that keeps the columns K pays
c_K a row, the weight of all others. So a release costs at least

    sum_t s_t pi_t + sum_p min(0, v_p),    v_p = min { sum z_t (c_p - pi_t) : 0 <= z_t <= s_t, sum z_t >= k },

one term for each pattern p that could have a group: groups of one pattern count as one. Only closed patterns count, those that no further
column could be fixed in: a group's own pattern is closed. Cuts, inequalities that hold for every release, add a charge to patterns, a
surcharge to rows published as one, and take their right side away, all times a price of 0 or more (see `Cut`).

It is a proof by cases without any (`case_bounds`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text, simplest
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.case_bounds import Ended, Said, bound
from anoptima.proofs.cuts import Cut, charged_to_group
from anoptima.proofs.explaining import GroupCost, explained, prices_of_rows
from anoptima.proofs.kinds import register
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.simplifying import MOST_CHECKS, Ascent, Checks, in_smaller_parts, rounded_to, with_less


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
        about, said = of_sizes(problem, self.digest, self.k), Said(self.denominator, self.cuts)
        require_proved(self.value, bound(about, said, [Ended(self.worth, self.prices)]), problem)
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


def of_sizes(problem: Problem[Any], digest: str, k: int) -> CellSuppression:
    """Return the question under k-anonymity alone that a proof about this table is about (`require_about`)."""
    return replace(require_about(problem, digest, k), principle=KAnonymity(k))


def require_proved(value: Exact, proved: int, problem: Problem[Any]) -> None:
    """Refuse a value above what was proved, which is in parts of the cost unit."""
    if proved < value * problem.cost_scale:
        raise BadInput(
            f"the multipliers prove {exact_text(simplest(Fraction(proved, problem.cost_scale)))}, not {exact_text(simplest(value))}"
        )
