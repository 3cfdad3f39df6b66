"""Registries: one name, one thing, found without a list that somebody must keep.

Our own things register by decorator when their module is imported, and their package is walked once, on the first look. Other
people's come in through an entry-point group. What is wrong with one of theirs is said once, in a `PluginWarning`, and it is left out: it
takes nothing else with it.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import typing
import warnings
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, Generic, Protocol, TypeVar

from anoptima.errors import BadInput, OutOfTime, PluginWarning
from anoptima.naming import did_you_mean, near_names


class Named(Protocol):
    """Something with a name that a person types."""

    name: str


class Asked(Named, Protocol):
    """Something that says which problems it is for."""

    def why_not(self, problem: Any) -> str | None:
        """Say why it is not for `problem`; None if it is."""


T = TypeVar("T", bound=Named)

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")

_said: set[str] = set()


def leave_out(what: str, why: object) -> None:
    """Say that `what` is left out, and why; once, however often that happens."""
    if what not in _said:
        _said.add(what)
        warnings.warn(f"{what} is left out: {why}", PluginWarning, stacklevel=3)


def is_for(thing: Asked, problem: object) -> bool:
    """Tell whether a model, a solver or a reduction is for `problem`.

    >>> from anoptima import CellSuppression, KAnonymity, get_model, ten_rows
    >>> is_for(get_model("pattern"), CellSuppression(ten_rows(), KAnonymity(2)))
    True
    """
    return why_not_for(thing, problem) is None


def why_not_for(thing: Asked, problem: object) -> str | None:
    """Return why `thing` is not for `problem`, in its own words; None if it is. One that cannot say so is not, and is named."""
    try:
        reason: object = thing.why_not(problem)
    except (OutOfTime, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001  (whatever a plug-in does wrong, the others go on)
        wrong = f"asked whether it is for a problem, it raises {_words(error)}"
    else:
        if reason is None or isinstance(reason, str):
            return reason
        wrong = f"asked whether it is for a problem, it says {reason!r}; it must give a reason, or None"
    leave_out(thing.name, wrong)
    return wrong


def what_is_wrong(thing: object, kind: type[Any]) -> str | None:
    """Say what keeps `thing` from being of a `kind`: its class, or an attribute that `kind` declares; None if nothing does."""
    if not isinstance(thing, kind):
        return f"it is of the class {type(thing).__qualname__}, not of {kind.__qualname__}"
    for attribute, wanted in typing.get_type_hints(kind).items():
        if not hasattr(thing, attribute):
            return f"its class {type(thing).__qualname__} has no {attribute!r}; a {kind.__qualname__} must have one"
        value = getattr(thing, attribute)
        if not _is_a(value, wanted):
            words = wanted.__qualname__ if isinstance(wanted, type) else wanted
            return f"its {attribute!r} is {value!r}; it must be of the type {words}"
    return None


def _is_a(value: object, wanted: Any) -> bool:
    if typing.get_origin(wanted) is frozenset:
        return isinstance(value, frozenset) and all(_is_a(one, *typing.get_args(wanted)) for one in value)
    try:
        return isinstance(value, wanted)
    except TypeError:  # a type that values do not carry with them
        return True


def import_modules(package: str) -> None:
    """Import the modules of a package, which register what they define.

    A package among them registers what its `__init__` imports; what lies deeper is imported by those who need it: it may need an extra.
    """
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
        importlib.import_module(module.name)


class Registry(Generic[T]):
    """Things of one sort by name.

    Parameters
    ----------
    sort
        What they are, for messages: 'model'.
    kind
        The class that they are of.
    group
        The entry-point group through which plug-ins come in.
    packages
        Packages whose modules register ours; packages in them are walked if they are named themselves.
    """

    def __init__(self, sort: str, kind: type[Any], group: str, *packages: str) -> None:
        self._sort = sort
        self._kind = kind
        self._group = group
        self._packages = packages
        self._things: dict[str, T] = {}
        self._walked = False

    def register(self, made: type[T]) -> type[T]:
        """Make one and keep it under its name; the decorator. What is none, and a name that is taken, is refused at once."""
        self.add(made())
        return made

    def add(self, thing: T) -> None:
        """Keep `thing` under its name."""
        wrong = what_is_wrong(thing, self._kind)
        if wrong is not None:
            raise BadInput(f"this is no {self._sort}: {wrong}")
        if not _NAME.fullmatch(thing.name):
            raise BadInput(
                f"{thing.name!r} is no name for a {self._sort}: it must consist of letters, digits, '-', '_' and '.', "
                "and to begin with a letter or a digit"
            )
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
            import_modules(package)
        for point in entry_points(group=self._group):
            try:
                make: Callable[[], T] = point.load()
                self.add(make())
            except (Exception, SystemExit) as error:  # noqa: BLE001  (whatever a plug-in does wrong, the others go on)
                leave_out(f"the {self._sort} plug-in {point.name!r} ({point.value})", _words(error))
        self._walked = True


def _words(error: BaseException) -> str:
    return str(error) if isinstance(error, BadInput) else f"{type(error).__name__}: {error}"
