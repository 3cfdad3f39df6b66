"""The base class of principles, and the conjunction of several."""

from __future__ import annotations

import enum
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import checked
from anoptima.errors import AnoptimaError, BadInput
from anoptima.origins import OURS, origin_of, raised
from anoptima.principles.conditions import Condition, NotLinear
from anoptima.registry import Kinds, leave_out
from anoptima.table import Groups, Table

Truths = NDArray[np.bool_]


class Splitting(enum.Enum):
    """Whether large groups can be split, so that an exact search may limit group sizes."""

    ANYWHERE = "anywhere"
    """Any split into parts of the least size or more satisfies the principle."""
    SOMEHOW = "somehow"
    """A group of twice the least size or more has some split; not every split will do."""
    NOT = "not in general"


def entry(data: Mapping[str, Any], name: str) -> Any:
    """Return an entry of what a principle wrote down, or say that it is missing."""
    if name not in data:
        raise BadInput(f"the principle lacks the entry {name!r}")
    return data[name]


@checked
class Principle(ABC):
    """A condition on groups. Frozen and independent of any table; it decides on a table's `Groups`.

    >>> import anoptima as ao
    >>> both = ao.KAnonymity(3) & ao.LDiversity(2)
    >>> isinstance(both, ao.Principle), len(both.parts)
    (True, 2)
    >>> ao.solve(ao.CellSuppression(ao.ten_rows(), both)).cost
    64
    """

    kind: ClassVar[str]
    """What documents call it."""

    holds_values: ClassVar[tuple[str, ...]] = ()
    """The entries of `as_json` that hold values of the sensitive column; read back, they are the column's own."""

    splitting: Splitting = Splitting.NOT

    merge_closed: bool = False
    """Whether two groups that satisfy the principle satisfy it together. To be said by one that its conditions do not say in full."""

    def __init_subclass__(cls, **more: Any) -> None:
        """Have others' principles whose `conditions` fail served by what asks the principle itself, as those without conditions are."""
        super().__init_subclass__(**more)
        stated = vars(cls).get("conditions")
        if stated is not None and not cls.__module__.startswith(f"{OURS}."):
            setattr(cls, "conditions", _or_not_linear(stated))  # noqa: B010 - the type checker knows methods only

    def survives_merging(self, table: Table) -> bool:
        """Return whether satisfying groups of this table's rows satisfy the principle together, as it or its conditions say."""
        return self.merge_closed or all(condition.merge_closed for condition in self.conditions(table))

    @abstractmethod
    def holds_each(self, groups: Groups) -> Truths:
        """Return, for each group, whether it satisfies the principle. Exact; vectorised."""

    @abstractmethod
    def could_hold_each(self, groups: Groups) -> Truths:
        """Return, for each group, whether some non-empty part of it might satisfy the principle; False only if none can."""

    @abstractmethod
    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Say in words why one group fails, with the numbers; None if it does not."""

    @abstractmethod
    def conditions(self, table: Table) -> list[Condition]:
        """Return the conditions on a group's counts that state the principle for this table."""

    def stricter(self, table: Table) -> Principle | None:
        """Return a principle that implies this one on this table, stated by conditions of size, values and shares; None if there is none.

        For a principle that its own conditions do not state in full: `bracketing` looks for releases under the stricter one.
        """
        return None

    @abstractmethod
    def require_columns(self, table: Table) -> None:
        """Raise `BadInput` if the table lacks a column or value that the principle names."""

    @abstractmethod
    def least_size(self, table: Table) -> int:
        """Return a size below which no group of this table's rows satisfies the principle."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return what `principle_from_json` takes: the kind, as `principle`, and what `from_json` takes."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Principle:
        """Return the principle that `as_json` wrote down."""
        raise BadInput(f"{cls.__name__} cannot be read back from a document")

    @classmethod
    def examples(cls) -> Iterator[Principle]:
        """Yield principles of this kind for any table with one sensitive column, such that some hold for small groups and some do not."""
        return iter(())

    @property
    def sort(self) -> str:
        """The name of this sort of principle: the kind, unless solvers treat versions of it differently."""
        return self.kind

    @property
    def parts(self) -> tuple[Principle, ...]:
        """The principles that this one is the conjunction of."""
        return (self,)

    def holds(self, groups: Groups) -> bool:
        """Return whether every group satisfies the principle."""
        return bool(self.holds_each(groups).all())

    def __and__(self, other: Principle) -> Principle:
        return All((*self.parts, *other.parts))

    def __rand__(self, other: Principle) -> Principle:
        return other & self


def _or_not_linear(stated: Callable[[Any, Table], list[Condition]]) -> Callable[[Any, Table], list[Condition]]:
    """Return a method that names a principle whose conditions cannot be had, once, and says that nothing states it."""

    @functools.wraps(stated)
    def conditions(self: Any, table: Table) -> list[Condition]:
        try:
            found = stated(self, table)
        except (AnoptimaError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001  (whatever a plug-in does wrong, others go on)
            wrong = f"it raises {raised(error)}"
        else:
            if isinstance(found, list) and all(isinstance(one, Condition) for one in found):
                return found
            wrong = f"it returns {found!r:.100}, and must return a list of conditions"
        what = f"conditions() of the principle {self.kind} (of {origin_of(self)})"
        leave_out(what, wrong)
        return [NotLinear(f"{what} cannot be used: {wrong}")]

    return conditions


principle_kinds: Kinds[type[Principle]] = Kinds("principle", Principle, "anoptima.principles", "anoptima.principles")
"""Every kind of principle, by the name that documents give it."""

P = TypeVar("P", bound=Principle)


def register(made: type[P]) -> type[P]:
    """Make a kind of principle known by the name that documents give it; the decorator."""
    principle_kinds.add(made)
    return made


def principle_from_json(data: Mapping[str, Any]) -> Principle:
    """Return the principle that `as_json` wrote down.

    >>> from anoptima import KAnonymity, LDiversity
    >>> principle_from_json((KAnonymity(3) & LDiversity("5/2", "disease")).as_json())
    KAnonymity(k=3) & LDiversity(l=Fraction(5, 2), column='disease', version='frequency')
    """
    return principle_kinds.get(entry(data, "principle")).from_json(data)


MOST_PARTS = 1_000
"""A document may join this many principles; each is read, checked and held against the table on its own."""


@register
@dataclass(frozen=True)
class All(Principle):
    """The conjunction of principles; made by `&`."""

    kind: ClassVar[str] = "all"

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
        """The members, and in place of a conjunction its own."""
        return tuple(part for member in self.members for part in member.parts)

    def survives_merging(self, table: Table) -> bool:
        """Every member does."""
        return all(member.survives_merging(table) for member in self.members)

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
        return {"principle": self.kind, "members": [member.as_json() for member in self.members]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> All:
        """Return the conjunction of the members. A document that has too many is refused before they are read."""
        members: list[Principle] = []
        count = 0
        for one in entry(data, "members"):
            members.append(principle_from_json(one))
            count += len(members[-1].parts)
            if count > MOST_PARTS:
                raise BadInput(f"the principle asks for more than {MOST_PARTS:,} conditions together")
        return cls(tuple(members))

    def __repr__(self) -> str:
        return " & ".join(map(repr, self.members))

    def __str__(self) -> str:
        return " and ".join(map(str, self.members))
