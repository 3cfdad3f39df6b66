"""Principles: what a group of rows must satisfy before it may be published with one image.

`KAnonymity(3)`, `LDiversity(2)`, `TCloseness(0.2)`; they combine with `&`. A principle decides on exact counts (`holds`), says why it
does not hold (`why_not`), and states itself as `Condition`s: linear conditions on the counts of a group, from which any model makes
its constraints. A new principle that can be said in the conditions that exist is one class here, and no model changes.

All principles here are *merge-closed*: the union of two groups that satisfy one satisfies it too. (Sizes add; shares of a union lie
between the shares; the earth mover's distance is convex.) So a problem is feasible exactly when the whole table, as one group, is.
"""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, as_integer, exact_text, floor_within
from anoptima.spaces import EqualDistance, Space, TreeMetric, path_lengths, space_from_json
from anoptima.table import Groups, Table

Truths = NDArray[np.bool_]


class Splitting(enum.Enum):
    """Whether large groups can be split: what an exact search may assume about group sizes."""

    ANYWHERE = "anywhere"
    """Any split into parts of the least size or more satisfies the principle."""
    SOMEHOW = "somehow"
    """A group of twice the least size or more has some split; not every split will do."""
    NOT = "not in general"


@dataclass(frozen=True)
class AtLeastRows:
    """A group is empty, or has at least `rows` rows."""

    rows: int


@dataclass(frozen=True)
class AtLeastValues:
    """A group is empty, or at least `values` different values of `column` occur in it."""

    column: str
    values: int


@dataclass(frozen=True)
class AtMostShare:
    """Each value of `column` makes up at most `share` of the group: count_v <= share * rows for every v."""

    column: str
    share: Fraction


@dataclass(frozen=True)
class CloseOnTree:
    """The group's distribution is within `limit` of the whole's, on a tree of values.

    `sum_e lengths_e |sum_{v below e} (n count_v - whole_v rows)| <= limit n scale rows`, all integers but for `limit`.
    """

    column: str
    sides: NDArray[np.bool_]
    lengths: Sequence[int]
    scale: int
    whole: Sequence[int]
    limit: Fraction

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

    def by_flow(self) -> CloseByFlow:
        """Say the same by flows between the values: what comes out of the tree are the lengths of its paths."""
        distances = path_lengths(self.sides, self.lengths)
        return CloseByFlow(self.column, distances, self.scale, self.whole, self.limit)


@dataclass(frozen=True)
class CloseByFlow:
    """The group's distribution can be carried to the whole's at a cost within `limit`, for any distances.

    There are flows F >= 0 with `sum_j F_ij = n count_i`, `sum_i F_ij = whole_j rows`, `sum_ij distances_ij F_ij <= limit n scale rows`.
    """

    column: str
    distances: NDArray[Any]
    scale: int
    whole: Sequence[int]
    limit: Fraction


Condition = AtLeastRows | AtLeastValues | AtMostShare | CloseOnTree | CloseByFlow


@checked
class Principle(ABC):
    """What a group must satisfy. Frozen and independent of any table; hand it a table's `Groups`."""

    splitting: Splitting = Splitting.NOT

    @abstractmethod
    def holds_each(self, groups: Groups) -> Truths:
        """Tell, for each group, whether it satisfies the principle. Exact; vectorised."""

    @abstractmethod
    def could_hold_each(self, groups: Groups) -> Truths:
        """Tell, for each group, whether some non-empty part of it might satisfy the principle; False only if none can."""

    @abstractmethod
    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Say in words why one group fails, with the numbers; None if it does not."""

    @abstractmethod
    def conditions(self, table: Table) -> list[Condition]:
        """Return the conditions on a group's counts that state the principle for this table."""

    @abstractmethod
    def require_columns(self, table: Table) -> None:
        """Raise `BadInput` if the table lacks what the principle speaks of."""

    @abstractmethod
    def least_size(self, table: Table) -> int:
        """Return a size that no satisfying group of this table's rows is below."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return what `principle_from_json` takes."""

    @property
    def parts(self) -> tuple[Principle, ...]:
        """The principles that this one is the conjunction of."""
        return (self,)

    def holds(self, groups: Groups) -> bool:
        """Tell whether every group satisfies the principle."""
        return bool(self.holds_each(groups).all())

    def __and__(self, other: Principle) -> Principle:
        return All((*self.parts, *other.parts))

    def __rand__(self, other: Principle) -> Principle:
        return other & self


@checked
@dataclass(frozen=True)
class KAnonymity(Principle):
    """At least k rows.

    >>> KAnonymity(3) & KAnonymity(2)
    KAnonymity(k=3) & KAnonymity(k=2)
    """

    k: int
    splitting = Splitting.ANYWHERE

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", as_integer(self.k, "k"))
        if self.k < 1:
            raise BadInput(f"k is {self.k}; it must be at least 1")

    def holds_each(self, groups: Groups) -> Truths:
        """|group| >= k."""
        return groups.sizes >= self.k

    could_hold_each = holds_each

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Compare size and k."""
        size = groups.size(group)
        return None if size >= self.k else f"k = {self.k} but {_has(size)}"

    def conditions(self, table: Table) -> list[Condition]:
        """Return a least size."""
        return [AtLeastRows(self.k)]

    def require_columns(self, table: Table) -> None:
        """Nothing is needed."""

    def least_size(self, table: Table) -> int:
        """Return k."""
        return self.k

    def as_json(self) -> dict[str, Any]:
        """Return kind and k."""
        return {"principle": "k-anonymity", "k": self.k}

    def __str__(self) -> str:
        return f"{self.k}-anonymity"


@checked
@dataclass(frozen=True)
class LDiversity(Principle):
    """Diversity of a sensitive column, in one of two versions.

    'frequency': no value occurs in more than a share 1/l of the group, `l * maxcount <= size`; l any rational >= 1.
    'distinct': at least l different values occur; l whole. Frequency implies distinct, not conversely.

    Parameters
    ----------
    l
        How diverse.
    column
        The sensitive column; may be left out where the table has one only.
    version
        'frequency' (the default) or 'distinct'.
    """

    l: Fraction  # noqa: E741  (the literature's letter)
    column: str | None = None
    version: Literal["frequency", "distinct"] = "frequency"

    def __init__(
        self,
        l: Number,  # noqa: E741
        column: str | None = None,
        version: Literal["frequency", "distinct"] = "frequency",
    ) -> None:
        object.__setattr__(self, "l", as_fraction(l, "l"))
        object.__setattr__(self, "column", column)
        object.__setattr__(self, "version", version)
        if version not in ("frequency", "distinct"):
            raise BadInput(f"the version of l-diversity is {version!r}; it must be 'frequency' or 'distinct'")
        if self.l < 1:
            raise BadInput(f"l is {l}; it must be at least 1")
        if version == "distinct" and self.l.denominator != 1:
            raise BadInput(f"l is {l}; distinct l-diversity counts values, so l must be whole")

    @property
    def splitting(self) -> Splitting:  # type: ignore[override]
        """Frequency, l whole: some split, by dealing sorted rows round-robin. Distinct: {a, a, a, a, b}, l = 2, has none."""
        whole = self.version == "frequency" and self.l.denominator == 1
        return Splitting.SOMEHOW if whole else Splitting.NOT

    def holds_each(self, groups: Groups) -> Truths:
        """Compare the largest count, or the number of values, with l."""
        tally = groups.tally(_column(self.column, groups.sensitive, "l-diversity"))
        starts = np.searchsorted(tally.group, np.arange(len(groups)))
        if self.version == "distinct":
            return np.diff(np.append(starts, len(tally.group))) >= int(self.l)
        # Python's integers, because l may have any numerator and denominator.
        largest, sizes = np.maximum.reduceat(tally.count, starts).astype(object), groups.sizes.astype(object)
        truths: Truths = np.asarray(largest * self.l.numerator <= sizes * self.l.denominator, dtype=bool)
        return truths

    def could_hold_each(self, groups: Groups) -> Truths:
        """At least l values must occur: with fewer, one of them has a share above 1/l in any part."""
        tally = groups.tally(_column(self.column, groups.sensitive, "l-diversity"))
        values = np.bincount(tally.group, minlength=len(groups))
        return values >= math.ceil(self.l)

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Name the value that is too frequent, or count the values."""
        column = _column(self.column, groups.sensitive, "l-diversity")
        counts = groups.counts(column, group)
        if self.version == "distinct":
            found = int((counts > 0).sum())
            return (
                None
                if found >= self.l
                else f"l = {self.l} but only {_values(found)} of {column!r} in {int(counts.sum())} rows"
            )
        most, size = int(counts.max()), int(counts.sum())
        if self.l * most <= size:
            return None
        value = groups.sensitive[column].values[int(counts.argmax())]
        return (
            f"l = {exact_text(self.l)} but the value {value!r} of {column!r} is in {most} of {size} rows, "
            f"more than {exact_text(1 / self.l)} of them"
        )

    def conditions(self, table: Table) -> list[Condition]:
        """Return a largest share, or a least number of values."""
        column = _column(self.column, table.sensitive, "l-diversity")
        if self.version == "distinct":
            return [AtLeastValues(column, int(self.l))]
        return [AtMostShare(column, floor_within(1 / self.l, table.rows))]

    def require_columns(self, table: Table) -> None:
        """A sensitive column is needed."""
        _column(self.column, table.sensitive, "l-diversity")

    def least_size(self, table: Table) -> int:
        """Return l, rounded up: the most frequent value occurs at least once."""
        return math.ceil(self.l)

    def as_json(self) -> dict[str, Any]:
        """Return kind, l as text, column and version."""
        return {"principle": "l-diversity", "l": str(self.l), "column": self.column, "version": self.version}

    def __str__(self) -> str:
        return f"{self.version} {exact_text(self.l)}-diversity{_of(self.column)}"


@checked
@dataclass(frozen=True)
class TCloseness(Principle):
    """The group's distribution of a sensitive column is within t of the whole table's, by the earth mover's distance of a space.

    Parameters
    ----------
    t
        How close, from 0 (the same distribution) to 1 (anything).
    column
        The sensitive column; may be left out where the table has one only.
    space
        Distances between the values; equal distance unless given.

    >>> from anoptima.spaces import Numeric
    >>> TCloseness(0.2, column="salary", space=Numeric())
    TCloseness(t=Fraction(1, 5), column='salary', space=Numeric())
    """

    t: Fraction
    column: str | None = None
    space: Space = field(default_factory=EqualDistance)

    def __init__(self, t: Number, column: str | None = None, space: Space | None = None) -> None:
        object.__setattr__(self, "t", as_fraction(t, "t"))
        object.__setattr__(self, "column", column)
        object.__setattr__(self, "space", space if space is not None else EqualDistance())
        if not 0 <= self.t <= 1:
            raise BadInput(f"t is {t}; it must lie between 0 and 1")

    def holds_each(self, groups: Groups) -> Truths:
        """Compare the exact distance with t: numerators and denominators are cross-multiplied, so a boundary is a boundary."""
        column = _column(self.column, groups.sensitive, "t-closeness")
        metric = self.space.fit(groups.sensitive[column].values)
        n = int(groups.sensitive[column].counts.sum())
        distances = metric.emd_numerators(groups, column)
        # Both sides are below 2^62 when this is, and then int64 is exact.
        if metric.scale * n * n * max(self.t.numerator, self.t.denominator) >= 2**62:
            distances = distances.astype(object)
        factor = self.t.numerator * metric.scale * n
        sizes = groups.sizes.astype(distances.dtype)
        truths: Truths = np.asarray(distances * self.t.denominator <= sizes * factor, dtype=bool)
        return truths

    def could_hold_each(self, groups: Groups) -> Truths:
        """Any group might, as far as a quick look tells."""
        return np.ones(len(groups), dtype=bool)

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Give the distance."""
        column = _column(self.column, groups.sensitive, "t-closeness")
        metric = self.space.fit(groups.sensitive[column].values)
        distance = metric.emd(groups.counts(column, group).tolist(), groups.sensitive[column].counts.tolist())
        if distance <= self.t:
            return None
        return f"t = {exact_text(self.t)} but the distribution of {column!r} is {exact_text(distance)} from the whole table's"

    def conditions(self, table: Table) -> list[Condition]:
        """Return closeness on a tree where the metric is one, by flow otherwise."""
        name = _column(self.column, table.sensitive, "t-closeness")
        column = table.sensitive_column(name)
        metric = self.space.fit(column.values)
        whole = column.counts.tolist()
        # A distance times this is a whole number over the group's size.
        unit = metric.scale * table.rows
        limit = floor_within(self.t * unit, table.rows) / unit
        if isinstance(metric, TreeMetric):
            return [CloseOnTree(name, metric.sides, metric.scaled_lengths, metric.scale, whole, limit)]
        return [CloseByFlow(name, metric.distances(), metric.scale, whole, limit)]

    def require_columns(self, table: Table) -> None:
        """A sensitive column is needed, with values that the space knows."""
        name = _column(self.column, table.sensitive, "t-closeness")
        self.space.fit(table.sensitive_column(name).values)

    def least_size(self, table: Table) -> int:
        """For t = 0 a group repeats the whole distribution, so its size is a multiple of n / gcd(counts); otherwise 1."""
        if self.t > 0:
            return 1
        column = table.sensitive_column(_column(self.column, table.sensitive, "t-closeness"))
        return table.rows // int(np.gcd.reduce(self.space.fit(column.values).merged(column.counts)))

    def as_json(self) -> dict[str, Any]:
        """Return kind, t as text, column and space."""
        return {"principle": "t-closeness", "t": str(self.t), "column": self.column, "space": self.space.as_json()}

    def __str__(self) -> str:
        space = "" if isinstance(self.space, EqualDistance) else f" ({self.space.kind} distance)"
        return f"{exact_text(self.t)}-closeness{_of(self.column)}{space}"


@dataclass(frozen=True)
class All(Principle):
    """The conjunction of principles; made by `&`."""

    members: tuple[Principle, ...]

    def __post_init__(self) -> None:
        if not self.members:
            raise BadInput("a conjunction needs at least one principle")

    @property
    def splitting(self) -> Splitting:  # type: ignore[override]
        """Anywhere if every member allows it; otherwise members may want different splits."""
        anywhere = all(member.splitting is Splitting.ANYWHERE for member in self.members)
        return Splitting.ANYWHERE if anywhere else Splitting.NOT

    @property
    def parts(self) -> tuple[Principle, ...]:
        """The members."""
        return self.members

    def holds_each(self, groups: Groups) -> Truths:
        """Every member holds."""
        truths: Truths = np.logical_and.reduce([member.holds_each(groups) for member in self.members])
        return truths

    def could_hold_each(self, groups: Groups) -> Truths:
        """Every member could hold."""
        truths: Truths = np.logical_and.reduce([member.could_hold_each(groups) for member in self.members])
        return truths

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Join the reasons of the members that fail."""
        reasons = [reason for member in self.members if (reason := member.why_not(groups, group))]
        return "; ".join(reasons) or None

    def conditions(self, table: Table) -> list[Condition]:
        """Return all members' conditions."""
        return [condition for member in self.members for condition in member.conditions(table)]

    def require_columns(self, table: Table) -> None:
        """Every member's columns are needed."""
        for member in self.members:
            member.require_columns(table)

    def least_size(self, table: Table) -> int:
        """Return the largest of the members' least sizes."""
        return max(member.least_size(table) for member in self.members)

    def as_json(self) -> dict[str, Any]:
        """Return the members."""
        return {"principle": "all", "members": [member.as_json() for member in self.members]}

    def __repr__(self) -> str:
        return " & ".join(map(repr, self.members))

    def __str__(self) -> str:
        return " and ".join(map(str, self.members))


def principle_from_json(data: Mapping[str, Any]) -> Principle:
    """Return the principle that `as_json` wrote down.

    >>> principle_from_json((KAnonymity(3) & LDiversity("5/2", "disease")).as_json())
    KAnonymity(k=3) & LDiversity(l=Fraction(5, 2), column='disease', version='frequency')
    """
    match data.get("principle"):
        case "k-anonymity":
            return KAnonymity(data["k"])
        case "l-diversity":
            return LDiversity(data["l"], data["column"], data["version"])
        case "t-closeness":
            return TCloseness(data["t"], data["column"], space_from_json(data["space"]))
        case "all":
            return All(tuple(principle_from_json(member) for member in data["members"]))
        case other:
            raise BadInput(f"{other!r} is no principle; those are k-anonymity, l-diversity, t-closeness, all")


def _column(wanted: str | None, sensitive: Mapping[str, Any] | Sequence[str], who: str) -> str:
    names = list(sensitive)
    if wanted is None:
        if len(names) == 1:
            return names[0]
        if not names:
            raise BadInput(f"{who} needs a sensitive column, and the table has none")
        raise BadInput(f"{who} must name its column: the table has the sensitive columns {', '.join(names)}")
    if wanted not in names:
        raise BadInput(
            f"{who} speaks of {wanted!r}, which is no sensitive column; those are {', '.join(names) or 'none'}"
        )
    return wanted


def _of(column: str | None) -> str:
    return f" of {column}" if column else ""


def _has(size: int) -> str:
    return f"there {'is' if size == 1 else 'are'} only {size} row{'' if size == 1 else 's'}"


def _values(count: int) -> str:
    return f"{count} value{'' if count == 1 else 's'}"
