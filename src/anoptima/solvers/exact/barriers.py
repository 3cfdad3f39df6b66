"""What stands in the way of a set of columns: barriers that it does not meet, many at a time.

A barrier is a set of columns that every sufficient set meets (`problems/column_choice.py`). `unmet(chosen)` returns barriers disjoint
from `chosen`, and none only if `chosen` suffices: that is the oracle of implicit hitting sets. Any choice of columns can be asked by
growing; the three that we have are asked faster:

- identifying columns: two row types that agree on `chosen` must be told apart by a column on which they differ;
- witness columns: grow `chosen` one column at a time, refining its classes, while all of them stay large;
- attribute suppression: the least sets of columns that cannot be kept, level by level, or around a row whose class is too small; where
  sizes do not say what fails, shrink the kept columns around a record whose class fails, as long as it fails.

A barrier is a bit mask of columns. What is returned is right whatever is sampled; it is only not always minimal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.principles import Splitting
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.columns import classes_of_types, is_small_each, mask_of, minimal, refined
from anoptima.problems.quasi_identifier import IdentifyingColumns, WitnessColumns
from anoptima.solvers.exact.covering import bits, joined
from anoptima.table import Counts

P = TypeVar("P", bound=ColumnChoice[Any])

_PAIRS = 200_000
"""How many pairs of row types are compared at a time."""
_SAMPLED = 60_000
"""Among how many row types, of classes drawn at random, such pairs are looked for."""
_FEW = 4_096
"""How many row types of the smallest classes usually show whether a column makes a class small."""
_ORDERS = 3
"""In how many orders row types are sorted to find pairs that differ in little."""
_COMPARED = 2_000
"""How many differences of pairs, the smallest, are compared with each other."""
_RETURNED = 200
"""How many barriers are returned at most."""
_RECORDS = 16
"""Around how many records the kept columns are shrunk."""
_TYPES = 48
"""Around how many row types columns are taken on which they are alone."""
_STALE = 5
"""How many of them in a row may show nothing new before the search for them ends."""
_SEEDED = 5_000
"""How many barriers are returned at most where a whole level of the lattice is known."""
_LOOKS = 8_000_000_000
"""How many (column set, row type) pairs a level may have."""
_QUICK_LOOKS = 10_000_000
"""How many of them a level has that is gone through at once; before a larger one, samples are looked at."""
_SAMPLES = 20
"""How many samples are looked at before that."""
_AT_ONCE = 32
"""Sets of a level from one look at the clock to the next."""
_GROWN = 6
"""In how many orders columns are added."""


class Barriers(ABC, Generic[P]):
    """The oracle for one problem."""

    def __init__(self, problem: P, seed: int) -> None:
        self.problem = problem
        self.all = (1 << len(problem.table.quasi)) - 1
        self.chance = np.random.default_rng(seed)
        self.meanwhile: Callable[[], None] = check_time
        """Called again and again where a search for barriers may take long."""

    @abstractmethod
    def unmet(self, chosen: Collection[int]) -> list[int]:
        """Return barriers that `chosen` does not meet; none if and only if it suffices."""

    def every(self) -> list[int] | None:
        """Return every least barrier, once these are known."""
        return None

    def others(self, chosen: Collection[int]) -> list[int]:
        """Return the other columns in a random order."""
        order: list[int] = self.chance.permutation(len(self.problem.table.quasi)).tolist()
        return [c for c in order if c not in chosen]


class Growing(Barriers[ColumnChoice[Any]]):
    """For any problem: add columns as long as they do not suffice; what is then outside is a minimal barrier."""

    def unmet(self, chosen: Collection[int]) -> list[int]:
        """Grow in a few orders. One question to the checker a column and order."""
        if self.problem.suffices(chosen):
            return []
        found = []
        for _ in range(_GROWN):
            grown = set(chosen)
            for c in self.others(chosen):
                check_time()
                if not self.problem.suffices(grown | {c}):
                    grown.add(c)
            found.append(self.all & ~mask_of(grown))
        return minimal(found, _RETURNED)


class LargeClasses(Barriers[WitnessColumns]):
    """For witness columns: O(T) a column and order, as classes are refined and not made anew."""

    def __init__(self, problem: WitnessColumns, seed: int) -> None:
        super().__init__(problem, seed)
        # Column by column, not type by type: a column is what is read, thousands of times.
        self._codes = problem.table.types_by_column

    def unmet(self, chosen: Collection[int]) -> list[int]:
        """Grow in a few orders, columns of few values first on the whole: they split least."""
        if self.problem.suffices(chosen):
            return []
        columns = self.problem.table.quasi_columns
        widths = np.array([len(column.values) for column in columns], dtype=float)
        first = classes_of_types(self.problem.table, chosen)
        found = []
        lead = self._leading(*first)
        for turn in range(_GROWN):
            classes, grown, smallest = first, mask_of(chosen), lead
            rank = widths * self.chance.exponential(size=len(widths)) if turn else widths
            for c in sorted(self.others(chosen), key=rank.tolist().__getitem__):
                check_time()
                finer = None if self._shows(classes[0], smallest, c) else self._finer(*classes, c)
                if finer is not None:
                    classes, grown = finer, grown | 1 << c
                    smallest = self._leading(*classes)
            found.append(self.all & ~grown)
        return minimal(found, _RETURNED)

    def _leading(self, labels: Counts, count: int) -> Counts:
        """Return the row types of the smallest classes, whole ones, at most `_FEW` of them; none if each class has more."""
        if len(labels) <= _FEW:
            return np.arange(len(labels))
        lengths = np.bincount(labels, minlength=count)
        order = np.argsort(self._sizes(labels, count), kind="stable")
        among = np.zeros(count, dtype=np.bool_)
        among[order[: int(np.searchsorted(np.cumsum(lengths[order]), _FEW, side="right"))]] = True
        return np.flatnonzero(among[labels])

    def _shows(self, labels: Counts, some: Counts, column: int) -> bool:
        """Tell whether a column makes one of these whole classes small."""
        if not len(some):
            return False
        width = len(self.problem.table.quasi_columns[column].values)
        _, place = np.unique(labels[some] * width + self._codes[column][some], return_inverse=True)
        sizes = np.bincount(place.reshape(-1), weights=self.problem.table.multiplicity[some])
        return bool(np.rint(sizes).min() < self.problem.k)

    def _finer(self, labels: Counts, count: int, column: int) -> tuple[Counts, int] | None:
        """Split classes by a column; None if one of them becomes small, which is mostly so and seen before they are numbered."""
        width = len(self.problem.table.quasi_columns[column].values)
        if count * width > len(labels):
            labels, count = refined(labels, count, self._codes[column], width)
            return None if self._sizes(labels, count).min() < self.problem.k else (labels, count)
        key = labels * width + self._codes[column]
        sizes = self._sizes(key, count * width)
        occurs = sizes > 0
        if sizes[occurs].min() < self.problem.k:
            return None
        number = np.cumsum(occurs) - 1
        return number[key], int(number[-1]) + 1

    def _sizes(self, labels: Counts, count: int) -> Counts:
        """Count the rows of each class."""
        if len(labels) == self.problem.table.rows:
            return np.bincount(labels, minlength=count)
        sizes = np.bincount(labels, weights=self.problem.table.multiplicity, minlength=count)
        return np.rint(sizes).astype(np.int64)


class EqualPairs(Barriers[IdentifyingColumns]):
    """For identifying columns: row types that agree on the chosen columns, compared where sorting brings them close together."""

    def unmet(self, chosen: Collection[int]) -> list[int]:
        """Sort each class by the other columns in random orders and compare neighbours, near ones first. O(T m) an order."""
        table = self.problem.table
        labels, count = classes_of_types(table, chosen)
        if count == len(labels):
            return []
        shared = np.flatnonzero(self._sampled(np.bincount(labels, minlength=count))[labels])
        if len(shared) > _SAMPLED:
            # A class alone is larger than that: some of it will do.
            shared = np.sort(self.chance.choice(shared, _SAMPLED, replace=False))
        types, labels = table.types[shared], labels[shared]
        found: list[NDArray[np.bool_]] = []
        for _ in range(_ORDERS):
            check_time()
            place = np.unique(labels, return_inverse=True)[1].reshape(-1)
            number = int(place.max()) + 1
            for c in self.others(chosen):
                place, number = refined(place, number, types[:, c], len(table.quasi_columns[c].values))
            order = np.argsort(place, kind="stable")
            left, apart = _PAIRS, 1
            while left > 0:
                first, second = order[:-apart], order[apart:]
                together = labels[first] == labels[second]
                if not together.any():
                    break
                first, second = first[together][:left], second[together][:left]
                found.append(_fewest(types[first] != types[second]))
                left -= len(first)
                apart += 1
        rows = np.unique(np.packbits(_fewest(np.concatenate(found)), axis=1, bitorder="little"), axis=0)
        return minimal((int.from_bytes(row.tobytes(), "little") for row in rows), _RETURNED)

    def _sampled(self, sizes: Counts) -> NDArray[np.bool_]:
        """Return which classes are looked at: those of two row types or more, or a random sample of them."""
        chosen = sizes > 1
        if int(sizes[chosen].sum()) > _SAMPLED:
            order = self.chance.permutation(np.flatnonzero(chosen))
            most = 1 + int(np.searchsorted(np.cumsum(sizes[order]), _SAMPLED))
            chosen = np.zeros(len(sizes), dtype=np.bool_)
            chosen[order[:most]] = True
        return chosen


class FailingClasses(Barriers[AttributeSuppression]):
    """For attribute suppression: one of the columns on which a class fails must go, and few of them suffice to say so.

    Where sizes say what fails, all least sets of 1, 2, 3, ... columns that cannot be kept are found, a level when it is asked for, as
    long as a level is not too large (`covering.joined`); beyond that, those around a sample of row types.
    """

    def __init__(self, problem: AttributeSuppression, seed: int) -> None:
        super().__init__(problem, seed)
        self._by_size = problem.principle.splitting is Splitting.ANYWHERE
        self._least = problem.principle.least_size(problem.table)
        self._often = [np.bincount(codes, problem.table.multiplicity) for codes in problem.table.types_by_column]
        self._level: list[int] = []
        self._fail: list[int] = []
        self._next: list[int] = [1 << c for c in range(len(problem.table.quasi))]
        """The sets of the next level that are still to be gone through: all of whose parts can be kept."""
        self._samples = 0

    def unmet(self, chosen: Collection[int]) -> list[int]:
        """Return what is known to fail and unmet; if there is nothing, go a level further, or look at a sample of failing classes."""
        if not self._by_size:
            return self._of_records(chosen)
        mask = mask_of(chosen)
        if not is_small_each(self.problem.table, [self.others(chosen)], self._least)[0]:
            return []
        while True:
            known = [barrier for barrier in self._fail if not barrier & mask]
            if known:
                return minimal(known, _SEEDED)
            looks = len(self._next) * len(self.problem.table.types)
            if not 0 < looks <= _LOOKS or (looks > _QUICK_LOOKS and self._samples < _SAMPLES):
                break
            self._go_further()
        self._samples += 1
        kept = self.others(chosen)
        labels, count = classes_of_types(self.problem.table, kept)
        sizes = np.rint(np.bincount(labels, self.problem.table.multiplicity, count))
        return minimal(self._around(labels, np.flatnonzero(sizes < self._least), kept), _RETURNED)

    def every(self) -> list[int] | None:
        """Return all least sets that fail, once no level is left to be gone through."""
        return self._fail if self._by_size and not self._next else None

    def _go_further(self) -> None:
        """Find out which sets of the next level fail."""
        self._level = []
        for first in range(0, len(self._next), _AT_ONCE):
            self.meanwhile()
            some = self._next[first : first + _AT_ONCE]
            small = is_small_each(self.problem.table, [list(bits(mask)) for mask in some], self._least)
            for mask, fails in zip(some, small.tolist(), strict=True):
                (self._fail if fails else self._level).append(mask)
        self._next = list(joined(self._level))

    def _of_records(self, chosen: Collection[int]) -> list[int]:
        """Shrink the kept columns around a sample of failing classes. O(R m) a class for R records."""
        table, principle = self.problem.table, self.problem.principle
        kept = self.others(chosen)
        labels = classes_of_types(table, kept)[0][table.records.type]
        failing = np.flatnonzero(~principle.holds_each(table.groups_of_records(labels)))
        sample = self.chance.permutation(failing)[:_RECORDS].tolist()
        return minimal((self._shrunk(int((labels == group).argmax()), kept) for group in sample), _RETURNED)

    def _around(self, labels: Counts, failing: Counts, kept: list[int]) -> list[int]:
        """Return, for row types of a sample of small classes, few columns on which they are alone already.

        Columns on which a type's value is rare come first on the whole: they leave few rows to look at. The sample ends where it brings
        nothing new.
        """
        found: list[int] = []
        stale = 0
        codes = self.problem.table.types_by_column
        for number in self.chance.permutation(np.flatnonzero(np.isin(labels, failing)))[:_TYPES].tolist():
            check_time()
            rank = [self._often[c][codes[c][number]] * self.chance.exponential() for c in kept]
            barrier = self._alone(number, [kept[i] for i in np.argsort(rank).tolist()])
            stale = stale + 1 if barrier in found else 0
            found.append(barrier)
            if stale == _STALE:
                break
        return found

    def _alone(self, number: int, kept: list[int]) -> int:
        """Return a least set of columns on which the class of a row type is too small.

        Columns are taken in order until it is; the last one is needed. Among the rows that agree on what is needed the same is done with
        those before it, again and again. O(T) for each of the first columns, and soon for few rows only.
        """
        codes, copies = self.problem.table.types_by_column, self.problem.table.multiplicity
        needed, rows = 0, None
        while rows is None or int(copies[rows].sum()) >= self._least:
            inside = rows
            for place, c in enumerate(kept):
                inside = _alike(codes[c], number, inside)
                if int(copies[inside].sum()) < self._least:
                    needed |= 1 << c
                    rows = _alike(codes[c], number, rows)
                    kept = kept[:place]
                    break
        return needed

    def _shrunk(self, record: int, kept: list[int]) -> int:
        """Let go of columns, in a random order, while the class of `record` fails on those that stay."""
        table, principle = self.problem.table, self.problem.principle
        type_ = table.records.type
        codes = table.types_by_column
        differ = {c: (codes[c] != codes[c][type_[record]])[type_] for c in kept}
        disagreements = np.zeros(len(type_), dtype=np.int32)
        for c in kept:
            disagreements += differ[c]
        stays = mask_of(kept)
        for c in self.chance.permutation(kept).tolist():
            check_time()
            fewer = disagreements - differ[c]
            members = np.flatnonzero(fewer == 0)
            if not principle.holds(table.groups_of_records(np.zeros(len(members), dtype=np.int64), members)):
                disagreements, stays = fewer, stays & ~(1 << c)
        return stays


def barriers_of(problem: ColumnChoice[Any], seed: int) -> Barriers[Any]:
    """Return the fastest oracle for `problem`."""
    if isinstance(problem, IdentifyingColumns):
        return EqualPairs(problem, seed)
    if isinstance(problem, WitnessColumns):
        return LargeClasses(problem, seed)
    if isinstance(problem, AttributeSuppression):
        return FailingClasses(problem, seed)
    return Growing(problem, seed)


def _alike(codes: NDArray[Any], number: int, among: Counts | None) -> Counts:
    """Return those of some row types, or of all, that have the code of a row type."""
    same = codes == codes[number] if among is None else codes[among] == codes[number]
    return np.flatnonzero(same) if among is None else among[same]


def _fewest(differences: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rows with the fewest ones, at most `_COMPARED` of them."""
    if len(differences) <= _COMPARED:
        return differences
    return differences[np.argpartition(differences.sum(axis=1), _COMPARED)[:_COMPARED]]
