"""Whole prices for the rows of a small table that prove a bound by addition: a proof that a class can check by hand.

Give every row a price so that no group of k to 2k - 1 rows costs less than its rows' prices. A larger group splits into such groups
without costing more, and every row is in one group, so no release costs less than all prices together. The prices here are the
optimum of a small integer program; the proof that they make is checked like any other, with no solver.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import NotApplicable, SolverFailure
from anoptima.exact import Exact, simplest
from anoptima.principles import rows_alone
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.multipliers import MultiplierProof

_MOST_GROUPS = 20_000
"""How many groups are looked at: as many as eighteen rows have for k = 4."""

_DEAREST = 10_000_000
"""The most that a group may cost, once costs are whole and have no common divisor: searches for dearer prices end late, or are rounded."""

_SUM = 1 << 10
"""What one unit of the prices' sum is worth beside the spread of the prices, which only makes them easier to read."""


@dataclass(frozen=True)
class RowPrices:
    """Prices that no group of `sizes[0]` to `sizes[1]` rows costs less than: one a row, what they prove, and how many groups there are."""

    prices: tuple[Exact, ...]
    proof: MultiplierProof
    groups: int
    sizes: tuple[int, int]


@checked
def row_prices(problem: CellSuppression) -> RowPrices:
    """Return whole prices with the largest sum, and among those the ones that differ least.

    Raises `NotApplicable` where the principle is no k-anonymity, no release exists, or there are too many groups, or digits of weights.

    >>> from anoptima import KAnonymity, ten_rows
    >>> found = row_prices(CellSuppression(ten_rows(), KAnonymity(3)))
    >>> sum(found.prices), found.groups, found.proof.proved(CellSuppression(ten_rows(), KAnonymity(3)))
    (54, 582, 54)
    """
    table, principle = problem.table, problem.principle
    k = rows_alone(principle.conditions(table))
    if k is None:
        raise NotApplicable(f"row prices prove bounds under k-anonymity, and this is {principle}")
    impossible = problem.why_infeasible()
    if impossible is not None:
        raise NotApplicable(f"there is nothing to price: {impossible}")
    sizes = (k, min(2 * k - 1, table.rows))
    groups = sum(math.comb(table.rows, size) for size in range(sizes[0], sizes[1] + 1))
    if groups > _MOST_GROUPS:
        raise NotApplicable(f"the table has {groups:,} groups to look at; row prices are for at most {_MOST_GROUPS:,}")
    copies = table.multiplicity.tolist()
    costs = _groups(problem, sizes)
    divisor = math.gcd(*costs.values()) or 1
    dearest = max(costs.values()) // divisor
    if dearest > _DEAREST:
        raise NotApplicable(
            f"a group costs up to {dearest:,}, in parts in which all costs are whole; row prices are for at most {_DEAREST:,}: "
            "give weights with fewer digits"
        )
    reduced = {members: cost // divisor for members, cost in costs.items()}
    worth = tuple(price * divisor for price in _prices(reduced, copies))
    if any(sum(worth[kind] * number for kind, number in members) > cost for members, cost in costs.items()):
        raise SolverFailure("highs", "claimed prices that add up to more than a group costs")
    total = sum(price * number for price, number in zip(worth, copies, strict=True))
    value = simplest(Fraction(total, table.weight_scale))
    proof = MultiplierProof(value, table.digest, k, 1, worth)
    proof.proved(problem)
    prices = tuple(simplest(Fraction(worth[kind], table.weight_scale)) for kind in table.type_of_row.tolist())
    return RowPrices(prices, proof, groups, sizes)


def _groups(problem: CellSuppression, sizes: tuple[int, int]) -> dict[tuple[tuple[int, int], ...], int]:
    """Return what each group costs, in parts of the cost unit, by how many rows of each row type it has."""
    table = problem.table
    found: dict[tuple[tuple[int, int], ...], int] = {}
    for size in range(sizes[0], sizes[1] + 1):
        for rows in itertools.combinations(range(table.rows), size):
            kinds = Counter(table.type_of_row[list(rows)].tolist())
            starred = (table.types[list(kinds)] != table.types[next(iter(kinds))]).any(axis=0)
            found[tuple(sorted(kinds.items()))] = size * int(table.scaled_weights[starred].sum())
    return found


def _prices(groups: dict[tuple[tuple[int, int], ...], int], copies: list[int]) -> tuple[int, ...]:
    """Return whole prices of at least 0 that no group costs less than, with the largest sum, then the least spread.

    The program is on HiGHS, whose floats decide nothing: what they are rounded to is proved afterwards.
    """
    import highspy

    program = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0)):
        program.setOptionValue(option, value)
    kinds, infinity = len(copies), highspy.kHighsInf
    # Columns: the price of each row type, the largest price, the least.
    for column, gain in enumerate([*(_SUM * number for number in copies), -1, 1]):
        program.addVar(0.0, infinity)
        program.changeColCost(column, float(gain))
    for column in range(kinds):
        program.changeColIntegrality(column, highspy.HighsVarType.kInteger)
        for other, sign in ((kinds, 1.0), (kinds + 1, -1.0)):
            program.addRow(0.0, infinity, 2, np.array([other, column], dtype=np.int32), np.array([sign, -sign]))
    for members, cost in groups.items():
        columns, taken = zip(*members, strict=True)
        program.addRow(
            -infinity, float(cost), len(members), np.array(columns, dtype=np.int32), np.array(taken, dtype=float)
        )
    program.changeObjectiveSense(highspy.ObjSense.kMaximize)
    program.run()
    return tuple(round(value) for value in program.getSolution().col_value[:kinds])
