"""Scores: exact ratios, among them those over nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from typing import Any

from anoptima.exact import Exact, as_fraction, exact_plain, exact_text, simplest


@total_ordering
@dataclass(frozen=True, eq=False)
class Score:
    """`of / over`, two exact numbers of at least 0: more than any number where `over` alone is 0, and 1 where both are.

    >>> Score(3, 2) < Score(2, 1) < Score(1, 0), Score(0, 0) == Score(5, 5)
    (True, True)
    >>> str(Score(6, 4)), str(Score(6, 0))
    ('3/2 (6 / 4)', 'unbounded (6 / 0)')
    """

    of: Exact
    over: Exact

    @property
    def value(self) -> Exact | None:
        """The ratio; None where it is unbounded."""
        if not self.over:
            return None if self.of else 1
        return simplest(Fraction(self.of) / Fraction(self.over))

    def _sides(self) -> tuple[Exact, Exact]:
        return (1, 1) if not self.of and not self.over else (self.of, self.over)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and not self < other and not other < self

    def __lt__(self, other: Score) -> bool:
        (a, b), (c, d) = self._sides(), other._sides()
        if not b:
            return False
        return a * d < c * b if d else True

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        value = "unbounded" if self.value is None else exact_text(self.value)
        return f"{value} ({exact_text(self.of)} / {exact_text(self.over)})"

    def as_json(self) -> dict[str, Any]:
        """Return both numbers as plain data."""
        return {"of": exact_plain(self.of), "over": exact_plain(self.over)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Score:
        """Return the score that `as_json` wrote."""
        of, over = (simplest(as_fraction(data[name], name)) for name in ("of", "over"))
        return cls(of, over)
