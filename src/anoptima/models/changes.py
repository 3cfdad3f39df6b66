"""Changes to a program since it was built: none, a restriction, or any other.

A change *restricts* if it is plain that every solution of the program as it is now, less the columns that are new, is one of the program as
built, at the same objective: the columns are all there, and within their old bounds; every old row is there as it was or tighter, or
follows from the bounds that columns have now; the objective is the same. Whatever is not plain counts as something else. All numbers are
compared exactly, those of fixed columns taken into the rows' limits.
"""

from __future__ import annotations

import enum
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from anoptima.models.cp_sat_changes import compare_constraints
from anoptima.models.cp_sat_reading import ConstraintReading
from anoptima.models.matrix import MatrixForm
from anoptima.models.pyomo_reading import Reading

Terms = tuple[tuple[int, float], ...]
"""Columns and coefficients of a row."""
Limits = tuple[Fraction | float, Fraction | float]


class Change(enum.Enum):
    """The effect of a change on the solutions of a program."""

    NONE = "unchanged"
    RESTRICTED = "restricted"
    OTHER = "changed"


@dataclass(frozen=True, eq=False)
class Comparison:
    """The current program compared with the program as built.

    `details` say in words what is new, or for a change of the sort `OTHER` why it does not only restrict. `places` are the columns of now
    that the old ones are, in the old order.
    """

    change: Change
    details: tuple[str, ...]
    places: NDArray[np.int64] | None


def compare(old: Reading | ConstraintReading | None, now: Reading | ConstraintReading) -> Comparison:
    """Compare the current program with the program as built. O(coefficients)."""
    if isinstance(old, Reading) and isinstance(now, Reading):
        return _Pair(old, now).comparison()
    if isinstance(old, ConstraintReading) and isinstance(now, ConstraintReading):
        news, why_other = compare_constraints(old, now)
        places = np.arange(len(old.names))
        return _comparison(news, why_other, places)
    return Comparison(Change.OTHER, ("what it was as built is not known: it was not made by Model.build",), None)


def _comparison(news: list[str], why_other: str | None, places: NDArray[np.int64]) -> Comparison:
    if why_other is not None:
        return Comparison(Change.OTHER, (why_other,), places)
    return Comparison(Change.RESTRICTED if news else Change.NONE, tuple(news), places)


class _Pair:
    """Two readings of a Pyomo program; its columns go by the numbers they had as built, and new ones by numbers above those."""

    def __init__(self, old: Reading, now: Reading) -> None:
        self.old = old
        self.now = now
        number = {id(variable): j for j, variable in enumerate(old.variables)}
        extra = iter(range(len(number), len(number) + len(now.variables)))
        self.number = [number[id(v)] if id(v) in number else next(extra) for v in now.variables]
        column = {number: j for j, number in enumerate(self.number)}
        self.places = np.array([column.get(j, -1) for j in range(len(old.variables))], dtype=np.int64)
        self.lower = dict(zip(self.number, now.form.lower.tolist(), strict=True))
        self.upper = dict(zip(self.number, now.form.upper.tolist(), strict=True))
        self.fixed = {
            number: Fraction(low)
            for number, low in self.lower.items()
            if low == self.upper[number] and math.isfinite(low)
        }

    def comparison(self) -> Comparison:
        if (self.places < 0).any():
            gone = self.old.names[int(np.argmax(self.places < 0))]
            return Comparison(Change.OTHER, (f"the column {gone} is gone",), None)
        why_other = self._other_objective() or self._wider_column() or self._wider_row()
        return _comparison([] if why_other else self._news(), why_other, self.places)

    def _other_objective(self) -> str | None:
        def objective(form: MatrixForm, numbers: list[int]) -> tuple[Fraction, dict[int, float]]:
            terms = {j: c for j, c in zip(numbers, form.objective.tolist(), strict=True) if c}
            fixed = sum(
                (Fraction(c) * self.fixed[j] for j, c in terms.items() if j in self.fixed), Fraction(form.constant)
            )
            return fixed, {j: c for j, c in terms.items() if j not in self.fixed}

        if self.now.maximised:
            return "the objective is maximised"
        same = objective(self.old.form, list(range(len(self.places)))) == objective(self.now.form, self.number)
        return None if same else "the objective is another"

    def _wider_column(self) -> str | None:
        old, now, places = self.old.form, self.now.form, self.places
        lower, upper = now.lower[places], now.upper[places]
        whole = now.integer[places] | ((lower == upper) & (lower == np.rint(lower)))
        wider = (lower < old.lower) | (upper > old.upper) | (old.integer & ~whole)
        return f"{self.old.names[int(np.argmax(wider))]} may take values that it could not" if wider.any() else None

    def _wider_row(self) -> str | None:
        there: dict[Terms, list[Limits]] = defaultdict(list)
        for terms, limits in self._rows(self.now.form, self.number):
            there[terms].append(limits)
        for i, (terms, (least, most)) in enumerate(self._rows(self.old.form, range(len(self.places)))):
            known = [*there.get(terms, ()), self._range(terms)]
            if max(low for low, _ in known) < least or min(high for _, high in known) > most:
                return f"the row {self.old.row_names[i]} is gone, or allows what it did not"
        return None

    def _rows(self, form: MatrixForm, numbers: range | list[int]) -> Iterator[tuple[Terms, Limits]]:
        """Yield the rows: the terms of columns that are not fixed now, and the limits of their sum."""
        columns, coefficients, starts = form.column.tolist(), form.coefficient.tolist(), form.row_start.tolist()
        limits = zip(form.row_lower.tolist(), form.row_upper.tolist(), strict=True)
        for i, (least, most) in enumerate(limits):
            terms = [(numbers[columns[e]], coefficients[e]) for e in range(starts[i], starts[i + 1]) if coefficients[e]]
            shift = sum((Fraction(c) * self.fixed[j] for j, c in terms if j in self.fixed), Fraction(0))
            free = tuple(sorted(term for term in terms if term[0] not in self.fixed))
            yield free, (_exact(least, shift), _exact(most, shift))

    def _range(self, terms: Terms) -> Limits:
        """Return between which limits a sum of terms is within the bounds of the columns alone."""
        least = most = Fraction(0)
        unlimited = [False, False]
        for j, c in terms:
            ends = [self.lower[j], self.upper[j]] if c > 0 else [self.upper[j], self.lower[j]]
            unlimited = [without or math.isinf(end) for without, end in zip(unlimited, ends, strict=True)]
            if not any(unlimited):
                least, most = least + Fraction(c) * Fraction(ends[0]), most + Fraction(c) * Fraction(ends[1])
            elif not unlimited[0]:
                least += Fraction(c) * Fraction(ends[0])
            elif not unlimited[1]:
                most += Fraction(c) * Fraction(ends[1])
        return -math.inf if unlimited[0] else least, math.inf if unlimited[1] else most

    def _news(self) -> list[str]:
        """Say what is new, where nothing is wider."""
        old, now, places = self.old.form, self.now.form, self.places
        said = []
        tighter = (
            (now.lower[places] > old.lower) | (now.upper[places] < old.upper) | (now.integer[places] & ~old.integer)
        )
        for j in np.flatnonzero(tighter).tolist():
            low, high = now.lower[places[j]], now.upper[places[j]]
            said.append(f"{self.old.names[j]} is " + (f"{low:g}" if low == high else f"between {low:g} and {high:g}"))
        known = set(map(id, self.old.variables))
        said += [f"the column {v.name} is new" for v in self.now.variables if id(v) not in known]
        rows = dict(zip(self.old.row_names, self._rows(old, range(len(places))), strict=True))
        for name, row in zip(self.now.row_names, self._rows(now, self.number), strict=True):
            if name not in rows:
                said.append(f"the row {name} is new")
            elif rows[name] != row:
                said.append(f"the row {name} is another")
        return said


def _exact(limit: float, shift: Fraction) -> Fraction | float:
    return Fraction(limit) - shift if math.isfinite(limit) else limit
