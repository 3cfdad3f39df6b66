"""Which side of the gap to work at next: whichever has gained more in its time lately, and each at least a share of it."""

from __future__ import annotations

import math

LEAST_SHARE = 0.2
_LATELY = 0.15
"""After turns of the same side that have taken this share of all time spent, a gain counts 1/e of what it did."""


class Balance:
    """Gains and seconds of the two sides, the later ones weighing more: what came before a long turn is forgotten.

    >>> balance = Balance()
    >>> balance.is_bound_next()
    True
    >>> balance.bound(3.0, 2.0)
    >>> balance.is_bound_next()
    False
    >>> balance.release(10.0, 2.0)
    >>> balance.is_bound_next()
    False
    """

    def __init__(self) -> None:
        self._gain = [0.0, 0.0]
        self._lately = [0.0, 0.0]
        self._spent = [0.0, 0.0]

    def bound(self, gain: float, seconds: float) -> None:
        """Note a turn at the bound."""
        self._note(0, gain, seconds)

    def release(self, gain: float, seconds: float) -> None:
        """Note a turn at the release."""
        self._note(1, gain, seconds)

    def is_bound_next(self) -> bool:
        """Tell whether the bound is next; if not, the release is."""
        total = sum(self._spent)
        if min(self._spent) <= LEAST_SHARE * total:
            return self._spent[0] <= self._spent[1]
        return self._gain[0] * self._lately[1] >= self._gain[1] * self._lately[0]

    def _note(self, side: int, gain: float, seconds: float) -> None:
        self._spent[side] += seconds
        total = sum(self._spent)
        fade = math.exp(-seconds / (_LATELY * total)) if total else 1.0
        self._gain[side] = fade * self._gain[side] + gain
        self._lately[side] = fade * self._lately[side] + seconds
