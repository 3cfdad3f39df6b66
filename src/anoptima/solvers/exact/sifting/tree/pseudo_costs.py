"""What deciding patterns has gained before: pseudo-costs, shared by all who branch on them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import TINY, Numbers

SHUT, OPEN = 0, 1
"""The two sides of a decision, as rows of arrays."""


class PseudoCosts:
    """What deciding a pattern has gained, per unit of what its value changed by; the mean of all where it has not been decided yet.

    It only guides, so that threads may write to it at the same time: a note that is lost is lost.
    """

    def __init__(self, patterns: int) -> None:
        self._gain = np.zeros((2, patterns))
        self._times = np.zeros((2, patterns))

    def note(self, pattern: int, is_open: bool, gain: float, fraction: float) -> None:
        """Note by how much the value rose when a pattern that was open to some fraction was decided."""
        by = 1 - fraction if is_open else fraction
        if by > TINY and np.isfinite(gain):
            self._gain[int(is_open), pattern] += max(gain, 0.0) / by
            self._times[int(is_open), pattern] += 1

    def knows(self, pattern: int) -> bool:
        """Tell whether a pattern has been both shut and opened."""
        return bool((self._times[:, pattern] > 0).all())

    def gains(self, patterns: NDArray[np.int64], y: Numbers) -> Numbers:
        """Return what shutting and opening each pattern is expected to gain, in two rows."""
        times, gain = self._times[:, patterns], self._gain[:, patterns]
        mean = (self._gain.sum(axis=1) + TINY) / (self._times.sum(axis=1) + TINY)
        rate = np.where(times > 0, gain / np.maximum(times, 1), mean[:, None])
        found: Numbers = rate * np.stack([y[patterns], 1 - y[patterns]])
        return found

    def worthwhile(self, patterns: NDArray[np.int64], y: Numbers, wanted: float) -> Numbers:
        """Return how much both sides of each pattern are expected to gain: the product of the two, up to what is `wanted` of each."""
        gains = np.clip(self.gains(patterns, y), 1e-4, max(wanted, TINY))
        product: Numbers = gains[SHUT] * gains[OPEN]
        return product
