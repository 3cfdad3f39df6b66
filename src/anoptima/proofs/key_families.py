"""A proof that a list of minimal keys leaves none out, by duality.

Call a set of columns a *key* if it is sufficient for a choice of columns (`problems/column_choice.py`). Keys are closed under adding
columns. A set that is no key lies in a maximal non-key, and misses that set's complement, a *barrier*. So keys are the sets that meet
every barrier: minimal keys and minimal barriers are each other's minimal hitting sets, a pair of dual families. Of two lists, three
things have to be checked:

1. every listed key is a key, and every listed non-key is none: one question each to the problem's own checker;
2. every listed key without any one of its columns lies in a listed non-key: it is minimal;
3. every set of columns contains a listed key or lies in a listed non-key.

By 3 a minimal key contains a listed key, so it is that one. The listed non-keys that no other one contains are then all maximal
non-keys. A list that is cut short proves 3 for the sets that weigh less than a value, and has all minimal keys among those.

Step 3 is decided by taking and leaving columns one after another (Fredman and Khachiyan's recursion); where a dozen columns are left, a
table of all sets of them is filled. That takes O(2^m) in the worst case for m columns, and little where families are small. It shares
nothing with the search.

References
----------
M. L. Fredman and L. Khachiyan: On the complexity of dualization of monotone disjunctive normal forms. Journal of Algorithms 21 (1996).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import distinct
from anoptima.errors import BadInput
from anoptima.exact import Exact, as_fraction, exact_plain, simplest
from anoptima.problems.column_choice import ColumnChoice
from anoptima.proofs.reading import Fields

_TABLED = 12
"""With this many columns left, a table of all sets of them is filled."""


@dataclass(frozen=True)
class KeyFamilies:
    """Minimal keys and non-keys, by the names of columns.

    Attributes
    ----------
    keys
        Minimal keys.
    non_keys
        Sets that are no keys. All maximal ones, where `below` is None.
    below
        Every minimal key that weighs less than this is listed; None: every one is.
    """

    keys: Sequence[frozenset[str]]
    non_keys: Sequence[frozenset[str]]
    below: Exact | None = None

    def check(self, problem: ColumnChoice[Any]) -> None:
        """Raise `BadInput` with the step that does not hold.

        One question to the checker for each set, and O(2^m) in the worst case for m columns.

        >>> import pandas as pd
        >>> from anoptima.problems.quasi_identifier import IdentifyingColumns
        >>> from anoptima.table import Table
        >>> frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 1, 2, 3]})
        >>> problem = IdentifyingColumns(Table.from_frame(frame, quasi=["a", "b", "c"]))
        >>> KeyFamilies([frozenset("c"), frozenset("ab")], [frozenset("a"), frozenset("b")]).check(problem)
        >>> KeyFamilies([frozenset("c")], [frozenset("a"), frozenset("b")]).check(problem)
        Traceback (most recent call last):
        anoptima.errors.BadInput: the columns a, b contain no listed key and lie in no listed non-key
        """
        if why := problem.why_not_monotone():
            raise BadInput(f"families of keys prove nothing here: {why}")
        names = problem.table.quasi
        place = {name: j for j, name in enumerate(names)}
        for columns in (*self.keys, *self.non_keys):
            for name in columns - place.keys():
                raise BadInput(f"the set {_listed(columns)} names {name!r}, which is no quasi-identifying column")
        if len(set(self.keys)) < len(self.keys):
            raise BadInput("a key is listed twice")
        self._check_each(problem, place)
        keys = [sum(1 << place[name] for name in key) for key in self.keys]
        barriers = [sum(1 << j for j, name in enumerate(names) if name not in inside) for inside in self.non_keys]
        _check_minimal(keys, barriers, names)
        weights = problem.table.scaled_weights.tolist()
        least = None if self.below is None else ceil(Fraction(self.below) * problem.table.weight_scale)
        missed = uncovered(weights, keys, barriers, least)
        if missed is not None:
            named = _listed(frozenset(name for j, name in enumerate(names) if missed >> j & 1))
            raise BadInput(f"{named} contain no listed key and lie in no listed non-key")

    def _check_each(self, problem: ColumnChoice[Any], place: Mapping[str, int]) -> None:
        for sets, wanted, what in (
            (self.keys, True, "listed as a key and is none"),
            (self.non_keys, False, "a key and listed as none"),
        ):
            found = problem.suffice_each([sorted(place[name] for name in columns) for columns in sets])
            for number in np.flatnonzero(found != wanted).tolist():
                raise BadInput(f"the set of {_listed(sets[number])} is {what}")

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "keys": [sorted(key) for key in self.keys],
            "non_keys": [sorted(columns) for columns in self.non_keys],
            "below": exact_plain(self.below),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> KeyFamilies:
        """Return what `as_json` wrote, unchecked; `BadInput` says what is none.

        >>> families = KeyFamilies([frozenset("a")], [frozenset()], 3)
        >>> KeyFamilies.from_json(families.as_json()) == families
        True
        """
        fields = Fields(data, "the list of keys")
        keys, non_keys = (list(fields.each(name, _set_of_names)) for name in ("keys", "non_keys"))
        below = fields.take("below")
        fields.end()
        return cls(
            keys, non_keys, None if below is None else simplest(as_fraction(below, "'below' in the list of keys"))
        )


def uncovered(
    weights: Sequence[int], keys: Sequence[int], barriers: Sequence[int], below: int | None = None
) -> int | None:
    """Return a set of columns that weighs less than `below`, contains no key and meets every barrier; None if there is none.

    Sets are bit masks. Where every key meets every barrier, None says for `below` = None that the two families are dual.

    >>> uncovered([1, 1, 1], [0b100, 0b011], [0b110, 0b101])
    >>> uncovered([1, 1, 1], [0b100], [0b110, 0b101])
    3
    >>> uncovered([1, 1, 1], [0b100], [0b110, 0b101], 2)
    """
    often = Counter(j for mask in (*keys, *barriers) for j in range(len(weights)) if mask >> j & 1)
    # The last columns are taken or left first: those that are in most sets, which leave least behind.
    order = sorted(range(len(weights)), key=lambda j: (often[j], j))
    cost = [weights[j] for j in order]
    limit = sum(weights) + 1 if below is None else below
    last = min(len(order), _TABLED)
    prices = _prices(cost[:last])
    waiting = [(len(order), 0, 0, _masks(keys, order), _masks(barriers, order))]
    while waiting:
        left, taken, paid, above, missed = waiting.pop()
        if paid >= limit or (above == 0).any() or (missed == 0).any():
            continue
        if left == last:
            found = _open_set(prices, limit - paid, above.astype(np.int64), missed.astype(np.int64))
            if found is None:
                continue
            return sum(1 << order[i] for i in range(len(order)) if (taken | found) >> i & 1)
        bit = 1 << (left - 1)
        waiting.append((left - 1, taken, paid, above[(above & bit) == 0], distinct(missed & ~bit)))
        waiting.append(
            (left - 1, taken | bit, paid + cost[left - 1], distinct(above & ~bit), missed[(missed & bit) == 0])
        )
    return None


def _masks(sets: Sequence[int], order: Sequence[int]) -> NDArray[Any]:
    """Return masks with the columns in another order; Python's integers where 62 bits do not hold them."""
    moved = [sum(1 << i for i, j in enumerate(order) if mask >> j & 1) for mask in sets]
    return np.array(moved, dtype=np.int64 if len(order) <= 62 else object)


def _prices(weights: Sequence[int]) -> NDArray[np.int64]:
    """Return what each set of columns weighs, by its mask."""
    prices = np.zeros(1 << len(weights), dtype=np.int64)
    for i, weight in enumerate(weights):
        prices.reshape(-1, 2, 1 << i)[:, 1] += weight
    return prices


def _open_set(
    prices: NDArray[np.int64], limit: int, keys: NDArray[np.int64], barriers: NDArray[np.int64]
) -> int | None:
    """Fill the table of all sets: those that contain a key, from below, and those that miss a barrier, from above."""
    sets = len(prices)
    above, missing = np.zeros(sets, dtype=np.bool_), np.zeros(sets, dtype=np.bool_)
    above[keys] = True
    missing[(sets - 1) & ~barriers] = True
    for i in range(sets.bit_length() - 1):
        with_, without = above.reshape(-1, 2, 1 << i), missing.reshape(-1, 2, 1 << i)
        with_[:, 1] |= with_[:, 0]
        without[:, 0] |= without[:, 1]
    open_ = np.flatnonzero(~(above | missing) & (prices < limit))
    return int(open_[0]) if len(open_) else None


def _check_minimal(keys: Sequence[int], barriers: Sequence[int], names: Sequence[str]) -> None:
    """Refuse a key that without one of its columns still meets every barrier."""
    missed = np.array(barriers, dtype=np.int64 if len(names) <= 62 else object)
    for key in keys:
        for j, name in enumerate(names):
            if key >> j & 1 and not ((missed & (key & ~(1 << j))) == 0).any():
                named = _listed(frozenset(name for i, name in enumerate(names) if key >> i & 1))
                raise BadInput(
                    f"the key of {named} is not shown to be minimal: without {name!r} it lies in no listed non-key"
                )


def _set_of_names(data: Any, what: str) -> frozenset[str]:
    if not isinstance(data, list) or not all(isinstance(name, str) for name in data):
        raise BadInput(f"{what} must be a list of column names")
    return frozenset(data)


def _listed(columns: Iterable[str]) -> str:
    named = sorted(columns)
    return f"the column{'' if len(named) == 1 else 's'} {', '.join(named)}" if named else "no columns"
