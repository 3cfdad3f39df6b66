"""Who gets the time next: the bound or the release, one search for releases or another, one way to cut a region out or another.

Each way has a least share of all time, and a largest one. Between the two, the turn goes to the way that has lately gained most per second.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

_LATELY = 0.15
"""After turns of the same way that have taken this share of all time spent, a gain counts 1/e of what it did."""

W = TypeVar("W")


@dataclass(eq=False)
class _Turns:
    least: float
    most: float
    gain: float = 0.0
    lately: float = 0.0
    spent: float = 0.0

    @property
    def rate(self) -> float:
        return self.gain / self.lately if self.lately else math.inf


class Portfolio(Generic[W]):
    """Gains and seconds of some ways, the later ones weighing more: what came before a long turn is forgotten.

    >>> turns = Portfolio({"bound": (0.2, 1.0), "release": (0.2, 1.0)})
    >>> turns.next()
    'bound'
    >>> turns.note("bound", 3.0, 2.0)
    >>> turns.next()
    'release'
    >>> turns.note("release", 10.0, 2.0)
    >>> turns.next()
    'release'
    """

    def __init__(self, shares: Mapping[W, tuple[float, float]]) -> None:
        self._turns: dict[W, _Turns] = {}
        self.spent = 0.0
        """The seconds that all have taken."""
        for way, (least, most) in shares.items():
            self.add(way, least, most)

    def add(self, way: W, least: float, most: float = 1.0) -> None:
        """Add a way, with its shares."""
        self._turns[way] = _Turns(least, most)

    def next(self, among: Collection[W] | None = None) -> W:
        """Return whose turn it is, of some; equals come in the order in which they have had less time, or were added."""
        turns = {way: its for way, its in self._turns.items() if among is None or way in among}
        lacking = [way for way, its in turns.items() if its.spent <= its.least * self.spent]
        if lacking:
            return min(lacking, key=lambda way: turns[way].spent)
        able = [way for way, its in turns.items() if its.spent <= its.most * self.spent]
        return max(able or turns, key=lambda way: (turns[way].rate, -turns[way].spent))

    def note(self, way: W, gain: float, seconds: float) -> None:
        """Note a turn."""
        its = self._turns[way]
        its.spent += seconds
        self.spent += seconds
        fade = math.exp(-seconds / (_LATELY * self.spent)) if self.spent else 1.0
        its.gain, its.lately = fade * its.gain + gain, fade * its.lately + seconds

    def renew(self, way: W) -> None:
        """Forget what a way has gained, so that it is tried soon."""
        self._turns[way].gain = self._turns[way].lately = 0.0
