"""All minimal keys of a table, the lightest first, with a proof that none is missing.

A set of columns is a key exactly when it meets every barrier (`problems/column_choice.py`). Partial hitting sets of the barriers found
so far wait in a queue, the lightest first. One that misses a barrier is split by which column of that barrier is its first; one that
meets them all is asked about. If it is a key, it is minimal: whatever is lighter has been looked at. If it is none, new barriers say why
(`barriers.py`), and it waits again. Each set of columns is reached in one way, so no key is found twice. When the queue is empty, keys
and barriers are dual families, and `proofs/key_families.py` proves it by other means.

References
----------
K. Murakami and T. Uno: Efficient algorithms for dualizing large-scale hypergraphs. Discrete Applied Mathematics 170 (2014).
T. Papenbrock and F. Naumann: A hybrid approach for efficient unique column combination discovery. BTW 2017.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Budget, Stop
from anoptima.arguments import checked
from anoptima.deadline import check_time, within
from anoptima.errors import BadInput, NotApplicable, OutOfTime
from anoptima.exact import Number, as_fraction, counted, exact_text, simplest
from anoptima.packages import pd
from anoptima.problems.column_choice import ColumnChoice
from anoptima.proofs.key_families import KeyFamilies
from anoptima.solvers.exact.barriers import barriers_of
from anoptima.solvers.exact.covering import bits, with_minimal

_AT_ONCE = 64
"""How many sets of columns are asked about together: those that begin alike share work."""
_COMPARED = 32
"""Among how many missed barriers, the smallest, the one with fewest columns left is chosen to split by."""


@dataclass(frozen=True)
class MinimalKeys:
    """Minimal keys in the order of their weights, and what is known of the others.

    Attributes
    ----------
    problem
        The choice of columns whose minimal solutions they are.
    families
        Keys and non-keys, from which anyone can check that no key is missing.
    stop
        PROVED: these are all. COMPLETE: as many as were asked for, or all that weigh as little as was asked for. TIME or CANCELLED.
    seconds
        How long the search took.

    Examples
    --------
    >>> import anoptima as ao
    >>> found = ao.minimal_keys(ao.IdentifyingColumns(ao.ten_rows()))
    >>> len(found), found.complete, found.verify()
    (17, True, True)
    """

    problem: ColumnChoice[Any]
    families: KeyFamilies
    stop: Stop
    seconds: float

    @property
    def complete(self) -> bool:
        """Tell whether every minimal key is listed."""
        return self.families.below is None

    def __len__(self) -> int:
        return len(self.families.keys)

    def __iter__(self) -> Iterator[frozenset[str]]:
        return iter(self.families.keys)

    def verify(self) -> bool:
        """Tell whether the list is shown, from the data alone, to hold minimal keys and to leave out none that it says it has."""
        try:
            self.families.check(self.problem)
        except BadInput:
            return False
        return True

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The keys as a DataFrame: their columns in the table's order, how many those are, and what they weigh."""
        quasi, weights = self.problem.table.quasi, self.problem.table.weights
        rows = [
            (", ".join(quasi[j] for j in key), len(key), simplest(sum((weights[j] for j in key), start=0)))
            for key in ([j for j, name in enumerate(quasi) if name in found] for found in self)
        ]
        return pd.DataFrame(rows, columns=["columns", "size", "weight"]).astype({"weight": object})

    def __str__(self) -> str:
        return f"{counted(len(self), 'minimal keys')}: {self.extent()}"

    def extent(self) -> str:
        """Say which minimal keys are listed: all, or all up to some size or weight."""
        below = self.families.below
        if below is None:
            return "all there are"
        if set(self.problem.table.weights) != {1}:
            return f"all that weigh less than {exact_text(below)}"
        least = int(below) - 1
        return f"all of at most {counted(least, 'columns')}" if least > 0 else "not all of any size"


@checked
def minimal_keys(
    problem: ColumnChoice,  # type: ignore[type-arg]
    *,
    most: int | None = None,
    heaviest: Number | None = None,
    time_limit: float | None = None,
    seed: int = 0,
) -> MinimalKeys:
    """Return the minimal sets of columns that solve `problem`, in the order of their weights, with a proof that none is missing.

    `IdentifyingColumns` gives the minimal keys of a table (of its distinct rows), `WitnessColumns` the minimal sets that single out
    fewer than k rows; any other choice of columns will do. A minimal key is a minimal hitting set of the complements of all maximal
    non-keys. Both families are found together, with O(keys + non-keys) questions of O(n m) each for n rows and m columns; in between, up
    to 2^m sets of columns are looked at.

    Parameters
    ----------
    most
        Stop after this many keys.
    heaviest
        Look for keys of at most this weight: without weights, of at most this many columns.
    time_limit
        Stop after this many seconds.
    seed
        What the samples of pairs of rows are drawn with. The keys do not depend on it.

    Examples
    --------
    >>> import pandas as pd
    >>> import anoptima as ao
    >>> frame = pd.DataFrame({"zip": [1, 1, 2, 2], "age": [30, 40, 30, 40], "name": ["Ann", "Bob", "Cleo", "Dan"]})
    >>> keys = ao.minimal_keys(ao.IdentifyingColumns(ao.Table.from_frame(frame, quasi=["zip", "age", "name"])))
    >>> print(keys)
    2 minimal keys: all there are
    >>> [sorted(key) for key in keys], [sorted(columns) for columns in keys.families.non_keys]
    ([['name'], ['age', 'zip']], [['age'], ['zip']])
    >>> keys.verify()
    True
    """
    if most is not None and most < 1:
        raise BadInput(f"most is {most}; it must be at least 1")
    if why := problem.why_not_monotone():
        raise NotApplicable(f"minimal sets say nothing of all others here: {why}")
    budget = Budget.of(seconds=time_limit, seed=seed)
    began = time.monotonic()
    until = None if time_limit is None else began + time_limit
    scale = problem.table.weight_scale
    bound = None if heaviest is None else as_fraction(heaviest, "heaviest") * scale
    search = _Search(problem, budget.seed)
    try:
        with within(lambda: until is not None and time.monotonic() >= until, time_limit):
            stop = search.run(most, None if bound is None else int(bound // 1))
    except OutOfTime:
        stop = Stop.TIME
    except KeyboardInterrupt:
        stop = Stop.CANCELLED
    return MinimalKeys(problem, search.families(), stop, time.monotonic() - began)


class _Search:
    """The queue of partial hitting sets, and both families as far as they are known."""

    def __init__(self, problem: ColumnChoice[Any], seed: int) -> None:
        self._problem = problem
        self._weights: list[int] = problem.table.scaled_weights.tolist()
        self._oracle = barriers_of(problem, seed)
        self._keys: list[int] = []
        self._barriers: list[int] = [] if problem.why_infeasible() is None else [0]
        self._waiting: list[tuple[int, int, int]] = [(0, 0, 0)]
        """Weight, columns taken, columns left out."""
        self._below: int | None = 0
        """All keys that weigh less are found; None when all are."""

    def families(self) -> KeyFamilies:
        """Return what has been found."""
        names = self._problem.table.quasi
        everything = (1 << len(names)) - 1
        keys, gaps = self._keys, sorted(self._barriers, key=lambda mask: (mask.bit_count(), mask))
        below = None if self._below is None else as_fraction(self._below, "a weight") / self._problem.table.weight_scale
        return KeyFamilies(
            [frozenset(names[j] for j in bits(key)) for key in keys],
            [frozenset(names[j] for j in bits(everything & ~gap)) for gap in gaps],
            None if below is None else simplest(below),
        )

    def run(self, most: int | None, heaviest: int | None) -> Stop:
        """Go on until all keys are found, or as many as are wanted, or none is left that is light enough."""
        while self._waiting:
            self._below = self._waiting[0][0]
            if (heaviest is not None and self._below > heaviest) or (most is not None and len(self._keys) >= most):
                return Stop.COMPLETE
            self._ask(self._meeting_all(self._below))
            if most is not None and len(self._keys) > most:
                self._keys = self._keys[:most]
                return Stop.COMPLETE
        self._below = None
        return Stop.PROVED

    def _meeting_all(self, level: int) -> list[tuple[int, int, int]]:
        """Take sets of one weight from the queue and split those that miss a barrier; return some that meet all and contain no key."""
        kind: Any = np.int64 if len(self._weights) <= 62 else object
        keys = np.array(self._keys, dtype=kind)
        barriers = np.array(sorted(self._barriers, key=int.bit_count), dtype=kind)
        found: list[tuple[int, int, int]] = []
        while self._waiting and self._waiting[0][0] == level and len(found) < _AT_ONCE:
            check_time()
            _, taken, left_out = node = heapq.heappop(self._waiting)
            if ((keys & ~taken) == 0).any():
                continue
            missed = barriers[(barriers & taken) == 0]
            if not len(missed):
                found.append(node)
            elif ((missed & ~left_out) != 0).all():
                self._split(node, missed)
        return found

    def _split(self, node: tuple[int, int, int], missed: NDArray[Any]) -> None:
        """Put the sets into the queue that meet one of the missed barriers, each by the first of its columns that they take."""
        weight, taken, left_out = node
        for j in bits(min((mask & ~left_out for mask in missed[:_COMPARED].tolist()), key=int.bit_count)):
            heapq.heappush(self._waiting, (weight + self._weights[j], taken | 1 << j, left_out))
            left_out |= 1 << j

    def _ask(self, nodes: list[tuple[int, int, int]]) -> None:
        """Keep the keys among sets of one weight, and put the others back beside barriers that they miss."""
        if not nodes:
            return
        are_keys = self._problem.suffice_each([list(bits(taken)) for _, taken, _ in nodes]).tolist()
        self._keys += [taken for (_, taken, _), is_key in zip(nodes, are_keys, strict=True) if is_key]
        new: list[int] = []
        for node, is_key in zip(nodes, are_keys, strict=True):
            if not is_key:
                check_time()
                if all(mask & node[1] for mask in new):
                    new += self._oracle.unmet(list(bits(node[1])))
                heapq.heappush(self._waiting, node)
        self._barriers = with_minimal(self._barriers, new, len(self._weights))
