"""3-partition to t-closeness: strongly NP-hard with one quasi-identifying column, at equal distance and t = 1/2.

3-partition asks whether 3m numbers b_1, ..., b_3m >= 0 of sum S = m B go into m triples of sum B each; it is NP-complete even with numbers
in unary (Garey and Johnson 1975). In a table of one column a release costs as much as it has starred rows, and those are a residue
(`anoptima.solvers.approximate.residue`). So finding a least residue, which is within a factor of the number of columns in any table, is
as hard: unless P = NP, no algorithm does so in polynomial time under t-closeness for any number of sensitive values. For few values, and
for t = 0, `counted-residue` does.

Construction: with nu = 4 (S + 3 m^2), N_i = 3 (b_i + m) and theta = 3 (B + 3 m), a table of n = 12 nu rows. The sensitive values are
e_1, ..., e_3m with N_i rows each, w with 6 nu - theta, u with 3 nu, and g with 3 nu + theta - sum N_i. The classes of equal rows are

- m slots: one row of each e_i and three of w;
- the ground G: G_i = 2 (b_i + m) - 1 rows of each e_i, all rows of g, and rows of w, so that it has 8 nu - 6 m rows in all;
- for u, for w and for each e_i a class of all other rows of that value: b_i + 1 of e_i, nu - S - 3 m^2 of w.

Relation: OPT = 4 nu if the numbers have a 3-partition, and more otherwise; numbers left over, c of them, cost 2 c at most. OPT does not
decide whether c > 0 numbers are enough to leave over.

Why: s rows, a_v of value v, are close if sum_v min(a_v / s, N_v / n) >= 1/2.

1. Rows of one value v are not, since N_v < n / 2. So the last classes are starred. The ground is close: its sum falls short of 1 by 1/4 for
   u, and by 1 / |G| at most for each e_i, since |G| < 2 n / 3 and 2 N_i / 3 = G_i + 1; it has its share of w and g, and |G| >= 12 m.
2. At most six rows of a slot stay, in one close group or several: what they are together is close, too. Seven or more, with y <= 3 of w,
   have y / s <= 3/7, and all e_i add less than 1/14, as n > 14 sum N_i. Six rows with y <= 2 have y / s <= 1/3. Six with y = 3 are
   close exactly if sum N_i >= theta over their three e_i, that is, sum b_i >= B, since 1/6 >= N_i / n and 3/6 >= N_w / n.
3. So 8 nu rows at most stay, and 4 nu at least are starred; exactly 4 nu if all of the ground stays, and a triple of sum >= B of each
   slot. Let D be what stays then, d = 8 nu = 2 n / 3 rows, and R the rest. R is close if
   sum_v (R_v - N_v |R| / n)^+ <= |R| / 2 = 2 nu, and

       sum_v (R_v - N_v |R| / n)^+ = sum_v (N_v d / n - D_v)^+ = 2 nu + sum_i (1 - number of slots in which e_i stays)^+ :

   u gives 2 nu, as none of it is in D; w and g give nothing; e_i gives 2 N_i / 3 - G_i = 1 less the slots in which it stays, if that is
   positive. So R is close exactly if every e_i stays in a slot. There are 3m places, so each stays in one: a partition into triples of
   sum >= B, hence = B.
4. Conversely, let the ground and the given triples stay, each triple in a slot of its own with the slot's w, and star the slots that no
   triple takes. With c numbers left over, d = 8 nu - 2 c and |R| = 4 nu + 2 c; u gives 2 nu - c / 2 and each of the c numbers 1 at
   most, together no more than |R| / 2 = 2 nu + c.

Maps: those of step 4, and of step 3: in each slot the numbers that stay, where they are a triple of sum B that shares no number with those
of earlier slots. n is polynomial in m and S, the numbers in unary.
Size: 48 (S + 3 m^2) rows, one column.
With rows of one more value the same holds for t = 3/q, q = 6, 7, 8, ...: docs/beyond.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anoptima.exact import Exact
from anoptima.packages import pd
from anoptima.principles import TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.names import Name
from anoptima.problems.sources.three_partition import ThreePartition
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.tables import SENSITIVE
from anoptima.table import Table

CLASS = "class"
"""The name of the quasi-identifying column."""


@dataclass(frozen=True, eq=False)
class TriplesInSlots(Reduced[Matching, Partition]):
    """Rows that stay in a slot name a triple; the ground stays, and all other rows are one starred group."""

    def forward(self, solution: Matching) -> Partition:
        """Let the ground stay, and of one slot for each triple the rows of its three numbers and of w."""
        stay = {"ground": {*self._rows[1]}}
        for slot, number in enumerate(self._numbers.numbers(solution), start=1):
            stay[_slot(slot)] = {"w", *map(_element, self._numbers.choices[number])}
        groups = [own if value in stay.get(own, ()) else "starred" for own, value in zip(*self._rows, strict=True)]
        return Partition.from_labels(np.unique(groups, return_inverse=True)[1])

    def backward(self, solution: Partition) -> Matching:
        """Take the numbers that stay in each slot, where they are a triple of sum B without a number that is taken already."""
        classes, values = map(np.array, self._rows)
        first = np.unique(solution.labels, return_index=True)[1]
        starred = solution.labels[classes != classes[first][solution.labels]]
        stays = ~np.isin(solution.labels, starred)
        found: list[tuple[int, ...]] = []
        free = set(self._numbers.places)
        for slot in filter(_is_slot, dict.fromkeys(self._rows[0])):
            held = set(values[stays & (classes == slot)].tolist())
            triple = tuple(place for place in self._numbers.places if _element(place) in held)
            if triple in self._numbers.choices and free.issuperset(triple):
                free.difference_update(triple)
                found.append(triple)
        return Matching.of(found)

    def target_cost(self, source_cost: Exact) -> Exact:
        """Return 4 nu + 2 c."""
        return self._least + 2 * source_cost  # no mutant: tests hold it to what every solution is pushed to

    def source_cost(self, target_cost: Exact) -> Exact:
        """Return 0 for 4 nu; any number of numbers may be left over where the cost is higher."""
        return 0 if target_cost <= self._least else len(self._numbers.places)

    @property
    def _numbers(self) -> ThreePartition:
        assert isinstance(self.source, ThreePartition)
        return self.source

    @property
    def _least(self) -> int:
        return self.target.size()["rows"] // 3

    @cached_property
    def _rows(self) -> tuple[list[str], list[str]]:
        """Return the class and the sensitive value of every row."""
        assert isinstance(self.target, CellSuppression)
        frame = self.target.table.frame
        return frame[CLASS].to_list(), frame[SENSITIVE].to_list()


@reductions.register
@dataclass(frozen=True)
class ThreePartitionToTCloseness(Reduction[Matching, Partition]):
    """3-partition as cell suppression of one column for t-closeness, t = 1/2: a least residue needs each number in one slot.

    Examples
    --------
    >>> reduced = ThreePartitionToTCloseness().apply(ThreePartition([0, 1, 1]))
    >>> reduced.target.size()["rows"], reduced.threshold()
    (240, 80)
    """

    name = "3-partition-to-t-closeness"
    cites = "docs/beyond.md, t-closeness is strongly NP-hard in one column"
    problems = (ThreePartition,)

    def target_size(self, problem: Problem[Matching]) -> Mapping[str, int]:
        """48 (S + 3 m^2) rows, one column."""
        size = problem.size()
        return {"rows": 48 * (size["sum"] + size["numbers"] ** 2 // 3), "columns": 1}

    def apply_unchecked(self, problem: Problem[Matching]) -> Reduced[Matching, Partition]:
        """List the rows, the ground first and the slots last. O(n)."""
        assert isinstance(problem, ThreePartition)
        rows = [(own, value) for own, held in _classes(problem) for value, count in held.items() for _ in range(count)]
        table = Table.from_frame(pd.DataFrame(rows, columns=[CLASS, SENSITIVE]), [CLASS], SENSITIVE)
        return TriplesInSlots(problem, CellSuppression(table, TCloseness("1/2")))


def _element(place: Name) -> str:
    return f"e{place}"


def _slot(number: int) -> str:
    return f"slot {number}"


def _is_slot(own: str) -> bool:
    return own.startswith("slot ")


def _classes(problem: ThreePartition) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield each class with the number of its rows of every value."""
    m, total = problem.triples, sum(problem.addends)
    nu = 4 * (total + 3 * m * m)
    theta = 3 * (problem.bound + 3 * m)
    named = {_element(place): b for place, b in enumerate(problem.addends, start=1)}
    ground = {value: 2 * (b + m) - 1 for value, b in named.items()}
    ground["g"] = 3 * nu + theta - 3 * sum(b + m for b in problem.addends)
    ground["w"] = 8 * nu - 6 * m - sum(ground.values())
    yield "ground", ground
    yield "only u", {"u": 3 * nu}
    yield "only w", {"w": nu - total - 3 * m * m}
    yield from ((f"only {value}", {value: b + 1}) for value, b in named.items())
    for slot in range(1, m + 1):
        yield _slot(slot), {**dict.fromkeys(named, 1), "w": 3}
