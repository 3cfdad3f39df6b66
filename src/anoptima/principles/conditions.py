"""Conditions on the counts of one group, for models and engines to state in their own way."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import require
from anoptima.exact import Exact
from anoptima.origins import SORTS
from anoptima.principles.entropies import has_entropy
from anoptima.principles.words import counts_of_each
from anoptima.spaces import Metric, TreeMetric, near_trees_of
from anoptima.table import Groups

_SIZES = 1 << 12
"""The most sizes of groups that are looked at together. Of 200,000 rows of 74 ages, t = 0, one at a time took 15 s."""


class Condition:
    """A condition on a group's counts of rows and values. Your own derive from this class or `OnColumn`, and from none that is known."""

    merge_closed: ClassVar[bool] = False
    """Whether two groups that satisfy it satisfy it together, whatever the principle says. To be said once it is proved."""

    def __init_subclass__(cls, **more: Any) -> None:
        """Refuse another condition as a sort of one that is known: it would be priced, stated and proved as if it were that one."""
        super().__init_subclass__(**more)
        for known in cls.__mro__[1:]:
            if vars(known).get("__final__"):
                raise TypeError(
                    f"{cls.__name__} would be taken for {known.__name__} wherever that is known; derive it from Condition or OnColumn, "
                    f"or let the principle state {known.__name__} and the new condition side by side"
                )

    def holds_each(self, groups: Groups) -> NDArray[np.bool_]:
        """Return, exactly, for each group, whether it satisfies the condition: a principle is compared with its conditions by it."""
        raise NotImplementedError(f"{type(self).__name__} does not say which groups satisfy it")

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive columns whose values count."""
        return ()


SORTS[Condition] = "condition"


@dataclass(frozen=True)
class NotLinear(Condition):
    """A condition that no other class here can state.

    Programs and rules of pricing refuse the principle with the reason `why`; solvers that only ask the principle itself can use it.

    >>> str(NotLinear("the entropy of a group is not linear in its counts"))
    'the entropy of a group is not linear in its counts'
    """

    why: str

    def __str__(self) -> str:
        return self.why


@final
@dataclass(frozen=True)
class AtLeastRows(Condition):
    """A group is empty, or has at least `rows` rows."""

    rows: int
    merge_closed = True

    def holds_each(self, groups: Groups) -> NDArray[np.bool_]:
        """Compare sizes."""
        return groups.sizes >= self.rows


@dataclass(frozen=True)
class OnColumn(Condition):
    """A condition on the values of one sensitive column."""

    column: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.column,)


@final
@dataclass(frozen=True)
class AtLeastValues(OnColumn):
    """A group is empty, or at least `values` different values of `column` occur in it."""

    values: int
    merge_closed = True

    def holds_each(self, groups: Groups) -> NDArray[np.bool_]:
        """Count the values that occur."""
        occurring = np.bincount(groups.tally(self.column).group, minlength=len(groups))
        truths: NDArray[np.bool_] = occurring >= self.values
        return truths


@dataclass(frozen=True)
class LimitedShares(OnColumn, ABC):
    """Some values of `column` each make up at most `share` of the group: count_v <= share * rows for every such v."""

    share: Fraction
    merge_closed = True

    def __post_init__(self) -> None:
        # A share of 2 / 3 in floats is less than two thirds.
        require(self.share, Exact, "the share of a condition")

    @abstractmethod
    def limits(self, values: int) -> NDArray[np.bool_]:
        """Tell of each of so many values whether its share is limited."""

    def holds_each(self, groups: Groups) -> NDArray[np.bool_]:
        """Compare the counts of limited values."""
        tally = groups.tally(self.column)
        most, sizes = tally.count.astype(object), groups.sizes[tally.group].astype(object)
        over = np.asarray(most * self.share.denominator > sizes * self.share.numerator, dtype=bool)
        over &= self.limits(int(tally.value.max(initial=-1)) + 1)[tally.value]
        truths: NDArray[np.bool_] = np.bincount(tally.group[over], minlength=len(groups)) == 0
        return truths


@final
@dataclass(frozen=True)
class AtMostShare(LimitedShares):
    """Each value of `column` makes up at most `share` of the group."""

    def limits(self, values: int) -> NDArray[np.bool_]:
        """All are limited."""
        return np.ones(values, dtype=np.bool_)


@final
@dataclass(frozen=True)
class AtMostShareOf(LimitedShares):
    """Each of the chosen `values` of `column`, given by their codes, makes up at most `share` of the group; the others may make up any."""

    values: tuple[int, ...]

    def limits(self, values: int) -> NDArray[np.bool_]:
        """Those that were chosen are."""
        return np.isin(np.arange(values), self.values)


@final
@dataclass(frozen=True)
class Outweighed(OnColumn):
    """Each value of `column` is in fewer rows than `factor` times those of the values from number `first` on, by falling counts.

    With the counts r_1 >= r_2 >= ... and `factor` = a / b, in a group of N rows: b r_1 + a (r_1 + ... + r_(first - 1)) <= a N - 1.
    """

    factor: Fraction
    first: int
    merge_closed = True

    @property
    def values(self) -> int:
        """How many values must occur: v of them can if 1 < factor (v - first + 1), as no r_i is above r_1."""
        return self.first + int(1 / self.factor)

    def holds(self, counts: Iterable[int]) -> bool:
        """Tell whether a group that has values so often satisfies the condition.

        >>> Outweighed("ill", Fraction(2), 3).holds([1, 1, 1]), Outweighed("ill", Fraction(2), 3).holds([2, 1, 1])
        (True, False)
        """
        falling = sorted(counts, reverse=True)
        return falling[0] * self.factor.denominator < self.factor.numerator * sum(falling[self.first - 1 :])

    def holds_each(self, groups: Groups) -> NDArray[np.bool_]:
        """Sort the counts of each group."""
        return np.array([self.holds(counts) for counts in counts_of_each(groups, self.column)], dtype=bool)


@final
@dataclass(frozen=True)
class AtLeastEntropy(OnColumn):
    """The entropy of `column` in the group is at least that of `equal` equally frequent values: n^n >= equal^n prod_v count_v^count_v.

    Programs do not state it, and say why with the words of `str`.

    >>> str(AtLeastEntropy("ill", Fraction(5, 2)))
    'the entropy of a group is not linear in its counts'
    """

    equal: Fraction
    merge_closed = True

    @property
    def values(self) -> int:
        """How many values must occur: m of them have entropy log m at most."""
        return math.ceil(self.equal)

    @property
    def is_alike_at_least(self) -> bool:
        """Whether a group with no more values than must occur has all of them equally often: only then is its entropy log m."""
        return self.equal == self.values

    def holds(self, counts: Iterable[int]) -> bool:
        """Tell whether a group that has values so often satisfies the condition.

        >>> AtLeastEntropy("ill", Fraction(3)).holds([2, 2, 2]), AtLeastEntropy("ill", Fraction(3)).holds([2, 2, 1])
        (True, False)
        """
        return has_entropy([count for count in counts if count], self.equal)

    def holds_each(self, groups: Groups) -> NDArray[np.bool_]:
        """Decide it in whole numbers, once for groups whose counts are the same up to their order."""
        known: dict[tuple[int, ...], bool] = {}
        truths = []
        for counts in counts_of_each(groups, self.column):
            key = tuple(sorted(counts))
            if key not in known:
                known[key] = self.holds(key)
            truths.append(known[key])
        return np.array(truths, dtype=bool)

    def __str__(self) -> str:
        return "the entropy of a group is not linear in its counts"


@dataclass(frozen=True)
class Close(OnColumn):
    """The group's distribution is within `limit` of the table's, whose counts are `whole`, by the earth mover's distance of `metric`."""

    metric: Metric
    whole: Sequence[int]
    limit: Fraction
    merge_closed = True

    @property
    def scale(self) -> int:
        """The factor that makes distances whole."""
        return self.metric.scale

    @cached_property
    def along_trees(self) -> tuple[CloseOnTree, CloseOnTree]:
        """The same along a tree nowhere longer, which every close group satisfies, and one nowhere shorter, which only close groups do."""
        looser, stricter = (
            CloseOnTree(self.column, tree, self.whole, self.limit) for tree in near_trees_of(self.metric)
        )
        return looser, stricter

    def holds_each(self, groups: Groups) -> NDArray[np.bool_]:
        """Compare the exact distances with the limit."""
        return self.metric.within(groups, self.column, self.limit)


@final
@dataclass(frozen=True)
class CloseOnTree(Close):
    """The same, on a tree of values.

    `sum_e lengths_e |sum_{v below e} (n count_v - whole_v rows)| <= limit n scale rows`, all integers but for `limit`.
    """

    metric: TreeMetric

    @cached_property
    def sides(self) -> NDArray[np.bool_]:
        """Which values lie below which edge: edges x values."""
        return self.metric.sides

    @cached_property
    def lengths(self) -> Sequence[int]:
        """The lengths of the edges, times the scale."""
        return self.metric.scaled_lengths

    @cached_property
    def depths(self) -> list[int]:
        """How deep each value hangs: the lengths of the edges above it, in all."""
        depths = np.zeros(self.sides.shape[1], dtype=object)
        for side, length in zip(self.sides, self.lengths, strict=True):
            depths[side] += length
        return [int(depth) for depth in depths]

    @cached_property
    def common_depth(self) -> int:
        """The depth that most values have."""
        return Counter(self.depths).most_common(1)[0][0]

    @cached_property
    def mean_depth(self) -> Fraction:
        """The depth of a row of the table, on average."""
        total = sum(depth * count for depth, count in zip(self.depths, self.whole, strict=True))
        return Fraction(total, sum(self.whole))

    @cached_property
    def _rows(self) -> int:
        return sum(self.whole)

    @cached_property
    def _edges(self) -> list[tuple[int, int]]:
        """How many rows of the table are below an edge, once for each number, and the lengths of such edges together."""
        below: list[int] = self.metric.below(np.asarray(self.whole)[None, :])[0].tolist()
        lengths: Counter[int] = Counter()
        for length, rows in zip(self.lengths, below, strict=True):
            lengths[rows] += int(length)
        return [(length, rows) for rows, length in lengths.items()]

    def could_be(self, size: int) -> bool:
        """Tell whether `size` rows might be close; False only if none are.

        Rows are whole: of N rows, the number below an edge is at least as far from N times the table's share as a whole number is.
        """
        return bool(self._room_for(size) >= 0)

    def _room_for(self, size: Any) -> Any:
        """Return how much nearer than the limit rows as many as `size` might be, a number or some; below 0 if they might not be close."""
        rows = self._rows
        # Twice the least of a rest and of what it lacks of all rows.
        twice = sum(length * (rows - abs(rows - 2 * (size * below % rows))) for length, below in self._edges)
        return 2 * self.limit.numerator * self.scale * rows * size - self.limit.denominator * twice

    def least_from(self, size: int) -> int:
        """Return the least size from `size` on that a group might have: at most the next multiple of the table's rows.

        >>> from anoptima import Ordered, TCloseness, ten_rows
        >>> order = Ordered(sorted(ten_rows().sensitive_column("disease").values))
        >>> [close] = TCloseness("0.1", space=order).conditions(ten_rows())
        >>> close.least_from(1)
        3
        """
        if size not in self._known:
            last, total = (size // self._rows + 1) * self._rows + _SIZES, sum(length for length, _ in self._edges)
            largest = max(2 * self.limit.numerator * self.scale * last, self.limit.denominator * total, last)
            kind = np.int64 if largest * self._rows < 2**62 else object
            begin, count = size, 1
            while not len(found := np.flatnonzero(self._room_for(np.arange(begin, begin + count).astype(kind)) >= 0)):
                begin, count = begin + count, min(2 * count, _SIZES)
            self._known[size] = begin + int(found[0])
        return self._known[size]

    @cached_property
    def _known(self) -> dict[int, int]:
        return {}

    def by_flow(self) -> CloseByFlow:
        """Say the same by flows between the values: what comes out of the tree are the lengths of its paths."""
        return CloseByFlow(self.column, self.metric, self.whole, self.limit)


@final
@dataclass(frozen=True)
class CloseByFlow(Close):
    """The same, for any distances: the group's distribution can be carried to the whole's at a cost within `limit`.

    There are flows F >= 0 with `sum_j F_ij = n count_i`, `sum_i F_ij = whole_j rows`, `sum_ij distances_ij F_ij <= limit n scale rows`.
    """

    @cached_property
    def distances(self) -> NDArray[Any]:
        """The distance of every two values, times the scale."""
        return self.metric.distances()


def rows_alone(conditions: Iterable[Condition]) -> int | None:
    """Return the least number of rows of a group, if the conditions ask for nothing else; None if they do.

    >>> rows_alone([AtLeastRows(3), AtLeastRows(2)]), rows_alone([]), rows_alone([AtLeastRows(2), AtLeastValues("ill", 2)])
    (3, 1, None)
    """
    stated = list(conditions)
    return least_rows(stated) if all(isinstance(condition, AtLeastRows) for condition in stated) else None


def least_rows(conditions: Iterable[Condition]) -> int:
    """Return how many rows conditions on the size alone ask for.

    >>> least_rows([AtLeastRows(2), AtLeastValues("ill", 3)])
    2
    """
    return max((condition.rows for condition in conditions if isinstance(condition, AtLeastRows)), default=1)
