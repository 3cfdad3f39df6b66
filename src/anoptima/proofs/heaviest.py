"""The largest gain of a group of k to 2k - 1 rows: its rows' worths, and the prices of odd sets that it meets oddly, less D times its cost.

Groups grow row by row. A row is left out once no larger gain can come of it: further rows bring at most what they are worth and what their
sets pay, and each of them pays for the columns that are starred already.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.diameter_sum import DiameterSum, scaled_distances
from anoptima.table import Codes

MOST_SETS = 1 << 34
"""How many sets of 1 to 2k - 1 rows there may be: those of 4,000 rows for k = 2, of 200 rows for k = 3."""

Decided = tuple[tuple[int, ...], bool]
"""Two rows and whether they are in one group (or a facility and whether it is open)."""

_Step = tuple[list[int], Any, float, int]
"""A growing group: its rows, how far apart they are, what they are worth, and the odd sets (as bits) of which it has an odd number."""


def few_enough(rows: int, k: int) -> bool:
    """Tell whether rows have at most `MOST_SETS` sets of 1 to 2k - 1.

    >>> few_enough(200, 3), few_enough(400, 3), few_enough(10**9, 10**6)
    (True, False, False)
    """
    total = 0
    for size in range(1, min(2 * k - 1, rows) + 1):
        if min(size, rows - size) > MOST_SETS.bit_length():
            return False
        total += math.comb(rows, size)
        if total > MOST_SETS:
            return False
    return True


@dataclass(frozen=True, eq=False)
class _Atom:
    """Rows that stay together: their worth, the odd sets of which they have an odd number, and all that they may bring."""

    rows: list[int]
    worth: float
    odd: int
    reach: float


class RowGroups:
    """What groups of k to 2k - 1 rows cost: a diameter, or their number times the weight of the columns on which they differ.

    `kinds` has a number for each row that no other row of its group may have.
    """

    def __init__(self, problem: DiameterSum | CellSuppression, k: int, kinds: Sequence[int]) -> None:
        table = problem.table
        self.k, self.rows, self.of_cells = k, table.rows, isinstance(problem, CellSuppression)
        self.weights = [int(weight) for weight in table.scaled_weights]
        rows = table.type_of_row
        apart = _differing(table.types[rows]) if self.of_cells else scaled_distances(table, rows).tolist()
        self.apart: list[list[Any]] = [
            [None if kinds[i] == kinds[j] and i != j else far for j, far in enumerate(row)]
            for i, row in enumerate(apart)
        ]
        self._weighed: dict[int, int] = {}

    def weigh(self, far: int) -> int:
        """Return the weight of columns, given as bits; or a distance as it is."""
        if not self.of_cells:
            return far
        if far not in self._weighed:
            self._weighed[far] = sum(weight for column, weight in enumerate(self.weights) if far >> column & 1)
        return self._weighed[far]

    def joined(self, far: Iterable[Any]) -> Any:
        """Return how far apart rows are, from how far each two of them are."""
        found = 0
        for its in far:
            found = found | its if self.of_cells else max(found, its)
        return found

    def cost(self, group: Sequence[int]) -> int:
        """Return the scaled cost of a group."""
        far = self.weigh(self.joined(self.apart[i][j] for i in group for j in group))
        return far * len(group) if self.of_cells else far

    def largest_gain(
        self,
        worth: Sequence[int],
        d: int,
        path: Iterable[Decided] = (),
        sets: Sequence[Sequence[int]] = (),
        prices: Sequence[int] = (),
    ) -> int:
        """Return the largest gain of a group, or 0 if none gains.

        >>> from anoptima.instances.papers import ten_rows
        >>> RowGroups(DiameterSum(ten_rows(), 3), 3, range(10)).largest_gain([2] * 10, 1)
        5
        """
        return int(max((gain for gain, _ in self.gaining(worth, d, 0, path, sets, prices)), default=0))

    def gaining(
        self,
        worth: Sequence[float],
        d: int,
        above: float,
        path: Iterable[Decided] = (),
        sets: Sequence[Sequence[int]] = (),
        prices: Sequence[int] = (),
        wanted: int = 1,
    ) -> Iterator[tuple[float, list[int]]]:
        """Yield gains and rows of groups that gain more than `above`, and more than those so far once `wanted` have come.

        The last one to come is the best if only one is wanted. No order is promised.
        """
        apart, atoms = self._under(list(path))
        made = [self._atom(rows, worth, sets, prices) for rows in atoms]
        made.sort(key=lambda atom: -atom.reach)
        paid: dict[int, float] = {0: 0}
        waiting: list[tuple[_Step, list[_Atom]]] = [(([], 0, 0, 0), made)]
        found, most = 0, 2 * self.k - 1
        while waiting:
            check_time()
            (rows, far, worth_of_rows, odd), left = waiting.pop()
            grown: list[tuple[float, float, _Step, _Atom]] = []
            for atom in left:
                inside = [*rows, *atom.rows]
                pairs = [apart[i][j] for i in atom.rows for j in inside]
                if len(inside) > most or None in pairs:
                    continue
                now, meets = self.joined([far, *pairs]), odd ^ atom.odd
                if meets not in paid:
                    paid[meets] = sum(price for number, price in enumerate(prices) if meets >> number & 1)
                cost = d * self.weigh(now)
                gain = worth_of_rows + atom.worth + paid[meets] - (len(inside) * cost if self.of_cells else cost)
                if len(inside) >= self.k and gain > above:
                    yield gain, inside
                    found += 1
                    above = gain if found >= wanted else above
                grown.append(
                    (gain, cost if self.of_cells else 0, (inside, now, worth_of_rows + atom.worth, meets), atom)
                )
            kept = [
                (step, atom)
                for gain, each, step, atom in grown
                if len(step[0]) < most and _may_exceed(above, gain, each, most - len(step[0]), atom, grown)
            ]
            for at, (step, _) in enumerate(kept, 1):
                waiting.append((step, [atom for _, atom in kept[at:]]))

    def _under(self, path: list[Decided]) -> tuple[list[list[Any]], list[list[int]]]:
        """Return how far rows are apart under some decisions, and the rows that stay together."""
        atom_of = list(range(self.rows))
        for (i, j), is_together in path:
            if is_together:
                old, new = atom_of[j], atom_of[i]
                atom_of = [new if atom == old else atom for atom in atom_of]
        members: dict[int, list[int]] = {}
        for row, atom in enumerate(atom_of):
            members.setdefault(atom, []).append(row)
        apart = self.apart if all(together for _, together in path) else [[*row] for row in self.apart]
        for (i, j), is_together in path:
            if not is_together:
                for one in members[atom_of[i]]:
                    for other in members[atom_of[j]]:
                        apart[one][other] = apart[other][one] = None
        return apart, list(members.values())

    @staticmethod
    def _atom(rows: list[int], worth: Sequence[float], sets: Sequence[Sequence[int]], prices: Sequence[int]) -> _Atom:
        odd = [number for number, members in enumerate(sets) if len({*rows} & {*members}) % 2]
        own = sum(worth[row] for row in rows)
        return _Atom(rows, own, sum(1 << number for number in odd), own + sum(prices[number] for number in odd))


def _may_exceed(
    above: float, gain: float, each: float, room: int, atom: _Atom, grown: list[tuple[float, float, _Step, _Atom]]
) -> bool:
    """Tell whether a group that has an atom might gain more, with the best others that may be beside it."""
    for *_, other in grown:
        if gain > above or not room or other.reach <= each:
            break
        if other is not atom:
            gain, room = gain + other.reach - each, room - 1
    return gain > above


def _differing(codes: Codes) -> list[list[int]]:
    """Return, for each two rows, the columns in which they differ, as bits."""
    found = np.zeros((len(codes), len(codes)), dtype=object)
    for first in range(0, codes.shape[1], 62):
        part = np.zeros((len(codes), len(codes)), dtype=np.int64)
        for column in range(first, min(first + 62, codes.shape[1])):
            check_time()
            part |= (codes[:, None, column] != codes[None, :, column]).astype(np.int64) << (column - first)
        found = found | (part.astype(object) << first)
    made: list[list[int]] = found.tolist()
    return made
