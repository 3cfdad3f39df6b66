"""The search for a proof that is easier to read: in parts of a smaller denominator, with fewer numbers, and of the same value.

Any worths prove something, and rounded ones nearly as much. Costs are whole numbers of the cost unit, so a proof may lose up to one unit
before it proves less. Nothing here is trusted: a simpler proof counts only if its own checker accepts it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from anoptima.answer import Proof
from anoptima.errors import BadInput
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.refinement import walk

P = TypeVar("P", bound=Proof)

DENOMINATORS = (
    *range(1, 13),
    15,
    16,
    18,
    20,
    24,
    30,
    36,
    40,
    48,
    60,
    72,
    90,
    120,
    180,
    240,
    360,
    720,
    840,
    1260,
    2520,
    5040,
)
"""What worths are rounded to parts of, one after the other."""

MOST_CHECKS = 100
"""How many proofs are checked unless a caller says otherwise."""

_MOST_PATTERNS = 20_000
"""Of how many patterns worths are improved one by one; above, they are only rounded."""

_KICKS = 200
"""How often the ascent starts again from its best worths, three of them changed."""


class Checks:
    """Asks a proof's own checker, up to a number of times."""

    def __init__(self, problem: Problem[Any], most: int) -> None:
        self._problem, self.left = problem, most

    def accepts(self, proof: Proof) -> bool:
        """Tell whether a proof holds; False once all checks are used up."""
        if not self.left:
            return False
        self.left -= 1
        try:
            proof.proved(self._problem)
        except BadInput:
            return False
        return True


def with_less(proof: P, fewer: Callable[[P], Iterable[P]], checks: Checks) -> P:
    """Return the proof without all that it holds without: one of `fewer` takes its place as long as one is accepted."""
    found = True
    while found:
        found = False
        for candidate in fewer(proof):
            if checks.accepts(candidate):
                proof, found = candidate, True
                break
    return proof


def in_smaller_parts(proof: P, denominator: int, rounded: Callable[[int], Iterable[P]], checks: Checks) -> P:
    """Return the first accepted of what `rounded` makes for one denominator after the other, or the proof itself."""
    for smaller in itertools.takewhile(lambda d: d < denominator, DENOMINATORS):
        for candidate in rounded(smaller):
            if checks.accepts(candidate):
                return candidate
    return proof


def rounded_to(numbers: Sequence[int], denominator: int, smaller: int) -> Iterator[tuple[int, ...]]:
    """Yield numbers of parts of `denominator` in parts of `smaller`: rounded to the nearest, down, and up.

    >>> list(rounded_to((3, 10), 6, 2))
    [(1, 3), (1, 4)]
    """
    found = [
        tuple((number * smaller + extra) // denominator for number in numbers)
        for extra in (denominator // 2, 0, denominator - 1)
    ]
    yield from dict.fromkeys(found)


@dataclass(frozen=True)
class _Pattern:
    """What a row pays in a group of a pattern, and the row types that match it."""

    pays: int
    members: tuple[int, ...]


class Ascent:
    """Worths of the row types of a small table, improved one and two at a time: what they prove rises, or at least the next try differs."""

    def __init__(self, problem: CellSuppression, k: int) -> None:
        table = problem.table
        self._k, self._copies = k, [int(s) for s in table.multiplicity]
        self._of: list[list[int]] = [[] for _ in self._copies]
        self.patterns: list[_Pattern] = []
        codes, weights = table.types.astype(np.int64), [int(weight) for weight in table.scaled_weights]
        for on in walk(codes, np.asarray(table.multiplicity, dtype=np.int64), k):
            pays = on.starred(weights)
            for start, length in zip(on.start.tolist(), on.length.tolist(), strict=True):
                members = tuple(on.types[start : start + length].tolist())
                for t in members:
                    self._of[t].append(len(self.patterns))
                self.patterns.append(_Pattern(pays, members))

    @classmethod
    def of(cls, problem: CellSuppression, k: int) -> Ascent | None:
        """Return an ascent where the table is small enough for one."""
        table = problem.table
        return cls(problem, k) if len(table.multiplicity) << len(table.quasi) <= _MOST_PATTERNS else None

    def improved(self, worth: Sequence[int], d: int, wanted: int) -> tuple[int, ...]:
        """Return worths from `worth` on that prove more, at best `wanted` parts of 1 / d."""
        chance, best = random.Random(d), list(worth)
        most = self._climb(best, d, wanted)
        for _ in range(_KICKS):
            if most >= wanted:
                break
            trial = list(best)
            for _ in range(3):
                trial[chance.randrange(len(trial))] += chance.choice((-1, 1))
            reached = self._climb(trial, d, wanted)
            if reached >= most:
                best, most = trial, reached
        return tuple(best)

    def _climb(self, worth: list[int], d: int, wanted: int) -> int:
        """Change `worth` step by step, each the first that proves more; return d times what they prove in the end."""
        values = [self._value(pattern, worth, d) for pattern in self.patterns]
        total = sum(s * w for s, w in zip(self._copies, worth, strict=True)) + sum(values)
        every = range(len(worth))
        steps: list[tuple[tuple[int, int], ...]] = [((t, by),) for t in every for by in (1, -1)]
        steps += [((t, 1), (u, -1)) for t in every for u in every if t != u]
        found = True
        while found and total < wanted:
            found = False
            for step in steps:
                met = {pattern for t, _ in step for pattern in self._of[t]}
                for t, by in step:
                    worth[t] += by
                new = {pattern: self._value(self.patterns[pattern], worth, d) for pattern in met}
                rise = sum(by * self._copies[t] for t, by in step) + sum(new[p] - values[p] for p in met)
                if rise > 0:
                    total, found = total + rise, True
                    for pattern, value in new.items():
                        values[pattern] = value
                    break
                for t, by in step:
                    worth[t] -= by
        return total

    def _value(self, pattern: _Pattern, worth: Sequence[int], d: int) -> int:
        """Return min(0, d v_p)."""
        gains = sorted(((worth[t] - d * pattern.pays, self._copies[t]) for t in pattern.members), reverse=True)
        value, lacking = 0, self._k
        for gain, copies in gains:
            if gain <= 0 and lacking <= 0:
                break
            taken = copies if gain > 0 else min(copies, lacking)
            value, lacking = value - gain * taken, lacking - taken
        return min(0, value)
