"""What a principle asks of groups, as pricing sees it: one rule for each condition that it states.

A group takes z_r copies of record r, of the value val(r) in the rule's column. At gains g_r (what a copy is worth, less what it pays) the
best group of a pattern is worth

    F = max { sum g_r z_r : 0 <= z_r <= s_r, z legal, |z| >= least },

and a rule returns F, or a number that F is not above. A group that must be legal by several rules is legal by each, so the least of
what they return holds for it. Sizes combine: every rule is told the largest of the least sizes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.origins import SORTS

Numbers = NDArray[Any]
"""Floats while searching, 64-bit integers where it must be exact."""

Counts = NDArray[np.int64]

SHARES, DIFFERENT, TOTAL_VARIATION, ON_TREE, OUTWEIGHED, ENTROPY = range(6)
"""The kinds of rules that compiled loops know, which compare whole numbers."""


@dataclass(frozen=True, eq=False)
class Rule(ABC):
    """One condition on the values of a sensitive column.

    Attributes
    ----------
    column
        The column's name.
    value
        The code of each record's value.
    values
        How many values there are.
    """

    column: str
    value: NDArray[np.int32]
    values: int
    kind: ClassVar[int | None] = None
    """Which of the kinds above it is, whose kernel prices it; None where `price` does."""

    @property
    def scale(self) -> int:
        """What prices are whole multiples of 1 over, where gains are whole."""
        return 1

    @property
    def numbers(self) -> Counts:
        """What the compiled kernel must know."""
        return np.zeros(2, dtype=np.int64)

    @property
    def asked(self) -> Numbers:
        """What moves of single rows must know, in floats (`kernels.single_row_moves`); nothing where there are none under such a rule."""
        return np.zeros(0)

    def counts(self, group: Counts, record: NDArray[Any], count: Numbers, groups: int) -> Counts:
        """Return how many rows of each value so many groups have: `count` rows of `record` are in `group`, entry by entry."""
        found = np.bincount(group * self.values + self.value[record], count, groups * self.values)
        return found.astype(np.int64).reshape(-1, self.values)

    @abstractmethod
    def smallest(self, counts: Counts, least: Counts) -> Counts:
        """Return, for groups inside each row of `counts` (patterns x values), a size that none of at least `least` is below; 0: none is."""

    def price(self, gain: Numbers, copies: Counts, value: NDArray[np.int32], least: int) -> tuple[Any, Numbers]:
        """Return `scale` times F for one pattern, and what its group takes of each record; records come by falling gain."""
        raise NotImplementedError(f"{type(self).__name__} has neither a kernel nor a way to price groups")

    @abstractmethod
    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Return a large legal group inside each row of `counts`, all 0 where there is none."""

    @property
    def spares(self) -> bool:
        """Whether rows of some values are spared for others, which may not be as frequent: what `spared` leaves of a group."""
        return False

    def spared(self, counts: Counts, least: Counts) -> Counts:
        """Return, of each of these legal groups, all rows of values that may not be frequent, with as few others as they need."""
        return counts

    @abstractmethod
    def lacking(self, counts: Counts) -> Numbers:
        """Return how far from legal each row of `counts` is: 0 if it is."""


SORTS[Rule] = "rule"
