"""The lattice of kept columns, level by level: Incognito for chains of two levels, a column as it is and a column of stars.

A set of columns is *valid* if every class of rows that agree on it satisfies the principle. Incognito (LeFevre, DeWitt and
Ramakrishnan 2005) finds all valid recodings breadth first over growing sets of columns, by three properties. Where a column is kept or
starred they read:

- generalisation: what is left of a valid set when columns are starred is valid;
- subset: a set is a candidate only if every set with one column less is valid;
- roll-up: the counts of the classes on few columns are sums of those on many. Here records are summed up over the columns that are in
  no valid set any more, before the next level is looked at.

What is invalid with all parts valid is a *minimal* invalid set: every solution drops one of its columns. So the search ends with all
barriers, and a lightest set that meets them all is the optimum, with a proof (`proofs/hitting.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anoptima.answer import Origin
from anoptima.deadline import check_time
from anoptima.principles import Principle
from anoptima.problems.attribute_suppression import AttributeSuppression, DroppedColumns
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.exact.covering import bits, joined, lightest_hit
from anoptima.solvers.exact.hitting_set import hitting_proof
from anoptima.solvers.ledger import Ledger
from anoptima.table import Codes, Counts, Groups, Table, fold_codes


class ColumnLattice:
    """All sets of columns that may be kept, as bit masks, found a level at a time.

    `invalid` fills with the minimal invalid sets. O(S R m + S log R) for S candidates and R records, fewer the more is summed up.

    >>> from anoptima import KAnonymity, ten_rows
    >>> lattice = ColumnLattice(ten_rows(), KAnonymity(3))
    >>> [[bin(kept) for kept in level] for level in lattice.levels()], len(lattice.invalid)
    ([['0b0'], ['0b1']], 7)
    """

    def __init__(self, table: Table, principle: Principle) -> None:
        self.invalid: list[int] = []
        self._table = table
        self._principle = principle
        records = table.records
        self._codes: Codes = table.types[records.type]
        self._sensitive: Codes = records.sensitive
        self._count: Counts = records.multiplicity

    def levels(self) -> Iterator[list[int]]:
        """Yield the valid sets of 0, 1, 2, ... columns, as long as there are any; nothing if no set is valid at all."""
        columns = range(len(self._table.quasi))
        level = [0] if self._holds(0) else []
        while level:
            yield level
            candidates = [1 << j for j in columns] if level == [0] else joined(level)
            valid: list[int] = []
            for kept in candidates:
                check_time()
                (valid if self._holds(kept) else self.invalid).append(kept)
            level = valid
            self._roll_up(level)

    def _holds(self, kept: int) -> bool:
        return self._principle.holds(self._groups(self._labels(bits(kept))))

    def _labels(self, columns: Iterator[int]) -> Counts:
        key = np.zeros(len(self._count), dtype=np.int64)
        for j in columns:
            key = fold_codes(key, self._codes[:, j], len(self._table.quasi_columns[j].values))
        return np.unique(key, return_inverse=True)[1].reshape(-1)

    def _groups(self, labels: Counts) -> Groups:
        columns = {name: self._table.sensitive_column(name) for name in self._table.sensitive}
        codes = {name: self._sensitive[:, c] for c, name in enumerate(columns)}
        sizes = np.rint(np.bincount(labels, weights=self._count)).astype(np.int64)
        return Groups(sizes, columns, labels, self._count, codes)

    def _roll_up(self, level: list[int]) -> None:
        """Sum up the records that differ only on columns that no set of the level keeps."""
        key = np.zeros(len(self._count), dtype=np.int64)
        for j in bits(int(np.bitwise_or.reduce(np.array(level, dtype=object))) if level else 0):
            key = fold_codes(key, self._codes[:, j], len(self._table.quasi_columns[j].values))
        for c, name in enumerate(self._table.sensitive):
            key = fold_codes(key, self._sensitive[:, c], len(self._table.sensitive_column(name).values))
        _, first, labels = np.unique(key, return_index=True, return_inverse=True)
        self._count = np.rint(np.bincount(labels.reshape(-1), weights=self._count)).astype(np.int64)
        self._codes, self._sensitive = self._codes[first], self._sensitive[first]


@algorithms.register
class ColumnLatticeSearch(Algorithm[DroppedColumns]):
    """Optimal attribute suppression by Incognito's search through all valid sets of kept columns; with a proof.

    As many looks as there are valid and minimal invalid sets: up to 2^m for m columns. Every set is looked at whatever columns weigh.

    References
    ----------
    K. LeFevre, D. J. DeWitt and R. Ramakrishnan: Incognito: efficient full-domain k-anonymity. SIGMOD 2005.
    """

    name = "column-lattice"
    problems = (AttributeSuppression,)
    joins_groups = True
    family = "columns"
    kind = Kind.EXACT
    gives_proofs = True
    uses_start = True

    def search(
        self, problem: AttributeSuppression, ledger: Ledger[DroppedColumns], start: DroppedColumns | None
    ) -> None:
        """Offer the heaviest valid set of each level, then prove that what must be dropped weighs as much."""
        lattice = ColumnLattice(problem.table, problem.principle)
        weights: list[int] = problem.table.scaled_weights.tolist()
        everything = (1 << len(weights)) - 1
        for level in lattice.levels():
            kept = max(level, key=lambda kept: sum(weights[j] for j in bits(kept)))
            ledger.offer(problem.solution_of(bits(everything ^ kept)))
            if ledger.is_over():
                return
        assert ledger.cost is not None
        value = int(ledger.cost * problem.cost_scale)
        proof = lightest_hit(lattice.invalid, weights, value, note_loops=ledger.note_loops).proof
        assert proof is not None
        found = hitting_proof(problem, lattice.invalid, value, proof)
        ledger.raise_bound(found.value, Origin.PROOF, proof=found)
