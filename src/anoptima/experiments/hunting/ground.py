"""Grounds: the tables or points of a hunt, and how new ones are made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Generic, Protocol, Self, TypeVar

from anoptima.experiments.hunting.every_table import EveryTable
from anoptima.experiments.hunting.grids import Grid
from anoptima.experiments.hunting.moves import child, random_grid
from anoptima.experiments.hunting.places import EveryPointSet, Places, changed, drawn
from anoptima.experiments.hunting.sizes import HuntSizes

MOST_FORMS = 20_000
"""All tables of a size are tried only if it has at most this number of canonical forms; all sets of points, of multisets of places."""


class Subject(Protocol):
    """A table or a set of points that a question is asked of."""

    @property
    def key(self) -> Any:
        """The same for all that are the same up to symmetry."""

    def features(self) -> dict[str, int]:
        """Return what tells one sort from another: an archive keeps the best of each."""

    def data(self) -> Any:
        """Return the table, or the points, that a problem is made of."""

    def smaller(self) -> Iterator[Self]:
        """Yield what is left without one thing."""

    def reordered(self, chance: Random) -> Self:
        """Return the same in another order, by which ties may fall otherwise."""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""


S = TypeVar("S", bound=Subject)


class Ground(ABC, Generic[S]):
    """Where subjects of one sort come from."""

    @abstractmethod
    def every(self) -> Iterator[S]:
        """Yield all there are up to symmetry, the smallest sizes first, as long as a size has few enough."""

    @property
    @abstractmethod
    def done(self) -> list[tuple[int, int]]:
        """The sizes (rows, columns) of which every subject has been yielded."""

    @abstractmethod
    def draw(self, chance: Random) -> S:
        """Draw one at random."""

    @abstractmethod
    def child(self, parents: Sequence[S], chance: Random) -> S:
        """Change one, or join two."""


class Tables(Ground[Grid]):
    """Tables within sizes."""

    def __init__(self, sizes: HuntSizes) -> None:
        self._sizes = sizes
        self._every = EveryTable(sizes.rows, sizes.columns, sizes.values, sizes.sensitive, MOST_FORMS)

    @property
    def done(self) -> list[tuple[int, int]]:
        """The sizes (rows, columns) of which every table has been yielded."""
        return self._every.done

    def every(self) -> Iterator[Grid]:
        """Yield all tables up to symmetry."""
        return self._every.grids(self._sizes.least_rows)

    def draw(self, chance: Random) -> Grid:
        """Draw a table."""
        return random_grid(self._sizes, chance)

    def child(self, parents: Sequence[Grid], chance: Random) -> Grid:
        """Change a table, or join two."""
        return child(parents, self._sizes, chance)


class PointSets(Ground[Places]):
    """Points within sizes."""

    def __init__(self, sizes: HuntSizes) -> None:
        self._sizes = sizes
        self._every = EveryPointSet(sizes, MOST_FORMS)

    @property
    def done(self) -> list[tuple[int, int]]:
        """The sizes (points, dimensions) of which every set has been yielded."""
        return self._every.done

    def every(self) -> Iterator[Places]:
        """Yield all sets of points up to symmetry."""
        return self._every.sets()

    def draw(self, chance: Random) -> Places:
        """Draw points."""
        return drawn(self._sizes, chance)

    def child(self, parents: Sequence[Places], chance: Random) -> Places:
        """Move, double, add or drop points."""
        return changed(parents[0], self._sizes, chance)
