"""A few records of one pattern: every group of them, and what a rule prices them at, in loops compiled and as they are written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.kernels.pricing import price_all
from anoptima.solvers.exact.sifting.kernels.rows import Rows, Tallies
from anoptima.solvers.exact.sifting.rules.rule import Counts, Rule


@dataclass(frozen=True, eq=False)
class Lots:
    """Records by falling gain."""

    gain: Counts
    copies: Counts
    value: Counts
    values: int

    @property
    def rows(self) -> Rows:
        """The same as loops take them."""
        return Rows(self.gain, self.copies, self.value, len(self.gain))

    @property
    def tallies(self) -> Tallies:
        """Room to work in, where all values are limited."""
        have, got, best, limited = (np.full(self.values, number) for number in (0, 0, 0, 1))
        return Tallies(have, got, best, np.zeros(self.values, dtype=np.bool_), limited)

    @cached_property
    def groups(self) -> Counts:
        """Every group, and the empty one."""
        return np.array(list(np.ndindex(*(self.copies + 1))), dtype=np.int64).reshape(-1, len(self.gain))

    @cached_property
    def gains(self) -> Counts:
        """What every group gains."""
        return self.groups @ self.gain

    @cached_property
    def counts(self) -> Counts:
        """How many rows of each value every group has."""
        return self.counts_of(self.groups)

    def counts_of(self, groups: NDArray[Any]) -> Counts:
        """Return how many rows of each value some groups have."""
        counts: Counts = (groups @ (self.value[:, None] == np.arange(self.values))).astype(np.int64)
        return counts


def drawn(seed: int, values: int = 3, records: int = 5, most: int = 3) -> Lots:
    """Draw up to so many records, one at least, with up to `most` copies each."""
    chance = np.random.default_rng(seed)
    count = int(chance.integers(1, records + 1))
    gain = np.sort(chance.integers(-4, 6, count))[::-1].copy()
    return Lots(gain, chance.integers(1, most + 1, count), chance.integers(0, values, count), values)


def priced(rule: Rule, lots: Lots, least: int, *, plain: bool, everything: bool = True) -> tuple[int, NDArray[Any]]:
    """Return `rule.scale` times F of the pattern, and what its group takes."""
    count = len(lots.gain)
    start, member = np.array([0, count]), np.arange(count, dtype=np.int32)
    arcs = Arcs(start, member, np.zeros(1, dtype=np.int64), lots.copies, np.array([least]))
    prices, taken = price_all(rule, arcs, lots.gain, everything=everything, plain=plain)
    return int(prices[0]), taken
