"""What a proof by prices says of one group, in words: what the group costs beside the sum of its rows' prices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text, simplest
from anoptima.problems.cell_suppression import CellSuppression

MOST_NAMED = 12
"""Of how many rows the prices are named one by one."""


@dataclass(frozen=True)
class GroupCost:
    """A group of rows: the columns on which they agree and those in which they differ, and what it costs, exactly."""

    rows: tuple[int, ...]
    agree: tuple[str, ...]
    differ: tuple[str, ...]
    a_row: Exact

    @property
    def cost(self) -> Exact:
        """What the group pays: what a row pays, times its rows."""
        return simplest(len(self.rows) * Fraction(self.a_row))

    @classmethod
    def of(cls, problem: CellSuppression, group: Iterable[int]) -> GroupCost:
        """Return what a group of row numbers, from 0, costs; `BadInput` where it is none.

        >>> from anoptima import CellSuppression, KAnonymity, ten_rows
        >>> GroupCost.of(CellSuppression(ten_rows(), KAnonymity(3)), [7, 8, 9]).cost
        15
        """
        table, rows = problem.table, sorted(group)
        if not rows or len(set(rows)) < len(rows) or rows[0] < 0 or rows[-1] >= table.rows:
            raise BadInput(
                f"the group is {rows}; it must be different row numbers, at least one, from 0 to {table.rows - 1}"
            )
        types = table.types[table.type_of_row[np.array(rows)]]
        same = (types == types[0]).all(axis=0)
        agree = tuple(name for name, its in zip(table.quasi, same, strict=True) if its)
        differ = tuple(name for name in table.quasi if name not in agree)
        weights = dict(zip(table.quasi, table.weights, strict=True))
        return cls(tuple(rows), agree, differ, simplest(sum((Fraction(weights[name]) for name in differ), Fraction(0))))


def explained(
    problem: CellSuppression, group: Iterable[int], prices: Sequence[Exact], value: Exact, charged: Exact = 0
) -> str:
    """Say in words what a proof of `value` by row prices says of a group of rows, which its cuts charge `charged`."""
    found = GroupCost.of(problem, group)
    lacking = problem.plain.principle.least_size(problem.table)
    own = [prices[row] for row in found.rows]
    total = simplest(sum(map(Fraction, own), Fraction(0)))
    rows = _listed([str(row) for row in found.rows])
    said = [
        f"Rows {rows} (counted from 0) agree on {_listed(found.agree) or 'no column'} and differ in {_listed(found.differ) or 'none'}.",
        f"A group of them pays {exact_text(found.a_row)} a row: {len(found.rows)} x {exact_text(found.a_row)} = {exact_text(found.cost)}.",
    ]
    terms = f" = {' + '.join(map(exact_text, own))}" if len(own) <= MOST_NAMED else ""
    said.append(f"Their prices add up to {exact_text(total)}{terms}.")
    if charged:
        said.append(f"The proof's cuts add {exact_text(charged)} to what the group costs.")
    difference = simplest(Fraction(found.cost) + Fraction(charged) - Fraction(total))
    if len(found.rows) < lacking:
        said.append(
            f"It is too small: the principle asks for at least {lacking} rows, and the prices say nothing of smaller groups."
        )
    elif difference > 0:
        said.append(f"So it costs {exact_text(difference)} more than its rows' prices.")
    elif difference < 0:
        said.append(
            f"So it costs {exact_text(-difference)} less than its rows' prices. The bound of {exact_text(value)} counts that: "
            "it is the sum of all prices less the most that each pattern's group can gain."
        )
    else:
        said.append("So it costs just what its rows' prices say: groups of an optimal release are like this.")
    return "\n".join(said)


def prices_of_rows(
    problem: CellSuppression, worth: Sequence[int], of_row: NDArray[Any], denominator: int
) -> tuple[Exact, ...]:
    """Return the price of each row from the worths of row types (or records), in parts of the cost unit, and the type of each row."""
    parts = denominator * problem.cost_scale
    prices = [simplest(Fraction(number, parts)) for number in worth]
    return tuple(prices[t] for t in of_row.tolist())


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
