"""The limits of a run, and the clock that enforces them."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Real

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, as_integer

OptionValue = bool | int | float | str
"""What an option of a backend may be set to."""


@checked
@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a solver, and further options for a backend.

    Parameters
    ----------
    seconds : float or None
        Wall-clock limit; None means none. Zero is allowed, and answered honestly.
    gap : number
        Stop once (cost - bound) / cost is at most this; 0, the default, asks for a proof of optimality.
    threads : int or None
        How many threads a backend may use; None leaves it to the backend.
    memory : int or None
        Bytes that a backend's process and a model may take; None means all that the machine has.
    seed : int
        Two runs with the same seed, one thread and no time limit give the same answer. Of solvers that share out their time by what
        has gained most in it (`sifting`, `near-patterns`), releases may differ, at the same cost where they are optimal.
    options : dictionary
        Options of the backend, under the backend's own names.

    Examples
    --------
    >>> import anoptima as ao
    >>> budget = ao.Budget(seconds=60, gap=Fraction(1, 100), threads=1)
    >>> ao.get_solver("mondrian").solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), budget).cost
    57
    """

    seconds: float | None = None
    gap: Fraction = Fraction(0)
    threads: int | None = None
    memory: int | None = None
    seed: int = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.seconds is not None and not (isinstance(self.seconds, Real) and 0 <= self.seconds < math.inf):
            raise BadInput(
                f"the time limit is {self.seconds!r}; it must be a number of seconds from 0 up, or None for no limit"
            )
        if not isinstance(self.seconds, int | float | None):
            object.__setattr__(self, "seconds", float(self.seconds))
        object.__setattr__(self, "gap", as_fraction(self.gap, "the gap"))
        if not 0 <= self.gap <= 1:
            raise BadInput(f"the gap is {self.gap}; it must lie between 0 and 1")
        for name in ("threads", "memory"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, as_integer(value, name))
                if value < 1:
                    raise BadInput(f"{name} is {value}; it must be at least 1, or None")
        object.__setattr__(self, "seed", as_integer(self.seed, "the seed"))
        if not 0 <= self.seed < 2**31:
            raise BadInput(f"the seed is {self.seed}; it must lie between 0 and {2**31 - 1}")

    @classmethod
    def of(
        cls,
        seconds: float | None = None,
        gap: Number = 0,
        threads: int | None = None,
        memory: int | None = None,
        seed: int = 0,
    ) -> Budget:
        """Build a budget from the words of a person: a `gap` of 1 % is 0.01 or '0.01'.

        >>> Budget.of(gap=0.01).gap
        Fraction(1, 100)
        """
        return cls(seconds, as_fraction(gap, "the gap"), threads, memory, seed)


class Clock:
    """Seconds since a run began and seconds that its budget leaves. Starts when it is made, never earlier."""

    def __init__(self, limit: float | None = None) -> None:
        self._began = time.monotonic()
        self._limit = limit

    def seconds(self) -> float:
        """Return the seconds that have passed."""
        return time.monotonic() - self._began

    def left(self) -> float | None:
        """Return the seconds that are left, at least 0, or None when there is no limit."""
        return None if self._limit is None else max(0.0, self._limit - self.seconds())

    def share_of_left(self, share: float, otherwise: float = math.inf) -> float:
        """Return this share of the seconds that are left; `otherwise` when there is no limit.

        >>> Clock().share_of_left(0.5), Clock(-1.0).share_of_left(0.5)
        (inf, 0.0)
        """
        left = self.left()
        return otherwise if left is None else share * left

    def is_over(self) -> bool:
        """Return whether the limit has been reached."""
        return self._limit is not None and self.seconds() >= self._limit
