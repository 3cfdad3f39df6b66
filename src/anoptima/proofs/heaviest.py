"""The largest gain of a group of k to 2k - 1 rows: what its rows are worth, less D times its diameter.

For each distance r that occurs, the groups of diameter r or less are the cliques of the rows that are r or less apart. They are grown
row by row, by falling worth; a clique is given up once the best rows that it may still take cannot make it the best.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from anoptima.deadline import check_time

MOST_GROUPS = 1 << 28
"""How many sets of 1 to 2k - 1 rows there may be: those of 100 rows for k = 3, of 1,000 for k = 2."""


def few_enough(rows: int, k: int) -> bool:
    """Tell whether rows have at most `MOST_GROUPS` sets of 1 to 2k - 1.

    >>> few_enough(100, 3), few_enough(200, 3), few_enough(10**9, 10**6)
    (True, False, False)
    """
    total = 0
    for size in range(1, min(2 * k - 1, rows) + 1):
        if min(size, rows - size) > MOST_GROUPS.bit_length():
            return False
        total += math.comb(rows, size)
    return total <= MOST_GROUPS


class Grouping:
    """Rows in atoms, which stay together, and how far apart those are; atoms that must be apart are in no group together."""

    def __init__(
        self, apart: Sequence[Sequence[int]], k: int, path: Iterable[tuple[tuple[int, ...], bool]] = ()
    ) -> None:
        decided = list(path)
        atom_of = list(range(len(apart)))
        for (i, j), is_together in decided:
            if is_together:
                old, new = atom_of[j], atom_of[i]
                atom_of = [new if atom == old else atom for atom in atom_of]
        members: dict[int, list[int]] = {}
        for row, atom in enumerate(atom_of):
            members.setdefault(atom, []).append(row)
        self.k, self.atoms = k, list(members.values())
        number = {row: a for a, rows in enumerate(self.atoms) for row in rows}
        self.far: list[list[int | None]] = [
            [max(apart[i][j] for i in one for j in other) for other in self.atoms] for one in self.atoms
        ]
        for (i, j), is_together in decided:
            if not is_together:
                self.far[number[i]][number[j]] = self.far[number[j]][number[i]] = None

    def largest_gain(self, worth: Sequence[int], d: int) -> int:
        """Return the largest gain of a group, or 0 if none gains.

        >>> Grouping([[0, 2, 5], [2, 0, 5], [5, 5, 0]], 2).largest_gain([3, 3, 1], 2)
        2
        """
        return int(max((gain for gain, _ in self.gaining(worth, d, 0)), default=0))

    def gaining(
        self, worth: Sequence[float], d: int, above: float, wanted: int = 1
    ) -> Iterator[tuple[float, list[int]]]:
        """Yield gains and rows of groups that gain more than `above`, and more than those so far once `wanted` have come.

        The last one to come is the best if only one is wanted. No order is promised, and a group may come more than once.
        """
        order = sorted(range(len(self.atoms)), key=lambda a: -sum(worth[row] for row in self.atoms[a]))
        each = [sum(worth[row] for row in self.atoms[a]) for a in order]
        sizes = [len(self.atoms[a]) for a in order]
        most = 2 * self.k - 1
        found = 0
        for level in sorted({r for row in self.far for r in row if r is not None}):
            check_time()
            if sum(max(0, w) for w in each[:most]) - d * level <= above:
                break
            near = [
                sum(1 << b for b, other in enumerate(order) if (r := self.far[one][other]) is not None and r <= level)
                for one in order
            ]
            able = sum(1 << a for a in range(len(order)) if near[a] >> a & 1)
            waiting: list[tuple[int, tuple[int, ...], int, float]] = [(able, (), 0, -d * level)]
            while waiting:
                left, chosen, size, gain = waiting.pop()
                grown = []
                while left and size < most and _best(left, each, most - size, gain) > above:
                    first = left & -left
                    a, left = first.bit_length() - 1, left ^ first
                    if size + sizes[a] > most:
                        continue
                    new = ((*chosen, a), size + sizes[a], gain + each[a])
                    if new[1] >= self.k and new[2] > above:
                        yield new[2], [row for b in new[0] for row in self.atoms[order[b]]]
                        found += 1
                        above = new[2] if found >= wanted else above
                    grown.append((left & near[a], *new))
                waiting += reversed(grown)


def _best(left: int, each: Sequence[float], room: int, gain: float) -> float:
    """Return the gain with the best atoms that are left, as many as there is room for at most."""
    while left and room:
        first = left & -left
        worth = each[first.bit_length() - 1]
        if worth <= 0:
            break
        left, room, gain = left ^ first, room - 1, gain + worth
    return gain
