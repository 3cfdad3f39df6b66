"""Registries: one name, one thing, found without a list that somebody has to keep.

Our own things register by decorator when their module is imported, and their package is walked once, on the first look. Other
people's come in through an entry-point group; one of theirs that fails to load is a warning in a listing, and an error when asked for.
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Generic, Protocol, TypeVar

from anoptima.errors import BadInput
from anoptima.naming import did_you_mean, near_names


class Named(Protocol):
    """Something with a name that a person types."""

    name: str


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """Things of one sort by name.

    Parameters
    ----------
    sort
        What they are, for messages: 'model'.
    group
        The entry-point group through which plug-ins come in.
    packages
        Packages whose modules register ours; packages in them are walked if they are named themselves.
    """

    def __init__(self, sort: str, group: str, *packages: str) -> None:
        self._sort = sort
        self._group = group
        self._packages = packages
        self._things: dict[str, T] = {}
        self._walked = False

    def register(self, made: type[T]) -> type[T]:
        """Make one and keep it under its name; the decorator. A name that is taken is refused at once."""
        self.add(made())
        return made

    def add(self, thing: T) -> None:
        """Keep `thing` under its name."""
        if thing.name in self._things:
            raise BadInput(f"there already is a {self._sort} named {thing.name!r}")
        self._things[thing.name] = thing

    def remove(self, name: str) -> None:
        """Forget a thing that was added by hand."""
        del self._things[name]

    def all(self) -> list[T]:
        """Return everything there is, by name."""
        self._walk()
        return [self._things[name] for name in sorted(self._things)]

    def get(self, name: str) -> T:
        """Return what `name` stands for, or raise `BadInput` that lists the names there are."""
        self._walk()
        if name not in self._things:
            names = sorted(self._things)
            hint = did_you_mean(near_names(name, names)) or f"there are {', '.join(names)}"
            raise BadInput(f"there is no {self._sort} named {name!r}; {hint}")
        return self._things[name]

    def names(self) -> list[str]:
        """Return the names there are."""
        return [thing.name for thing in self.all()]

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def _walk(self) -> None:
        if self._walked:
            return
        for package in self._packages:
            for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
                # What lies deeper is imported by those who need it: it may need an extra.
                if not module.ispkg:
                    importlib.import_module(module.name)
        for point in entry_points(group=self._group):
            try:
                make: Callable[[], T] = point.load()
                self.add(make())
            except Exception as error:  # noqa: BLE001  (whatever a plug-in does wrong, it must not take the others with it)
                warnings.warn(
                    f"the {self._sort} plug-in {point.name!r} ({point.value}) does not load: {error}", stacklevel=3
                )
        self._walked = True
