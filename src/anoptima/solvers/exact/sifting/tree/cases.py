"""Cases of a tree: what was decided, the multipliers that bound it best, and that bound. By open patterns, or by sizes of groups."""

from __future__ import annotations

from dataclasses import dataclass

from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.bound.group_program import Between, Cell
from anoptima.solvers.exact.sifting.rules.rule import Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import Sizes

Fixed = tuple[tuple[int, bool], ...]
"""Patterns with whether they are open, in the order in which they were fixed."""


@dataclass(frozen=True, eq=False)
class CaseOfPatterns:
    """What it fixes, its multipliers in parts of D, and D times what they prove of it."""

    fixed: Fixed
    at: Multipliers
    proved: int


@dataclass(frozen=True)
class Decision:
    """The group of a pattern has at most `most` rows (of a value, unless that is None), or more."""

    pattern: int
    value: int | None
    most: int
    is_low: bool


@dataclass(frozen=True, eq=False)
class At:
    """Multipliers: what rows are worth, and prices of limits on values."""

    worth: Numbers
    prices: dict[Cell, float]


@dataclass(frozen=True, eq=False)
class CaseOfSizes:
    """What was decided, the multipliers that bound it best, that bound in floats, and what the decisions come to."""

    decisions: tuple[Decision, ...]
    at: At
    proved: float
    sizes: Sizes
    between: Between
