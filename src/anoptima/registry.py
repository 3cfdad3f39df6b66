"""Registries: things by name, found without a hand-kept list.

A `Registry` holds things (a model, a solver, an instance), a `Kinds` holds classes of which many things are made (a principle, a
problem, a space, a proof). Our own register by decorator when their module is imported, and their package is walked once, on the first
look. Other people's come in through an entry-point group. If one of theirs is faulty, one `PluginWarning` says what is wrong and names the
distribution that it comes from; it alone is left out.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import threading
import typing
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, Protocol, TypeVar

from anoptima.errors import BadInput, OutOfTime, PluginWarning
from anoptima.limits import first_of
from anoptima.naming import did_you_mean, near_names, with_article
from anoptima.origins import OURS, SORTS, Named, at_fault, note_origin, origin_of, raised, with_origin
from anoptima.packages import loading

__all__ = [
    "OURS",
    "SORTS",
    "Kinds",
    "Named",
    "Registry",
    "at_fault",
    "import_modules",
    "is_for",
    "leave_out",
    "note_origin",
    "origin_of",
    "plugin_words",
    "what_is_wrong",
    "why_not_for",
    "with_origin",
]


class Asked(Named, Protocol):
    """Something that says which problems it is for."""

    def why_not(self, problem: Any) -> str | None:
        """Say why it is not for `problem`; None if it is."""


T = TypeVar("T", bound=Named)
C = TypeVar("C", bound=type[Any])
E = TypeVar("E")

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")

MOST_NAMED = 40
"""Names that a message lists."""

_RESERVED = frozenset({"auto"})
"""Words that mean something wherever a name is asked for."""

_said: set[str] = set()


def distribution_of(point: EntryPoint) -> str:
    """Return the name and version of the distribution that declares an entry point; '' if nothing tells."""
    return "" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def plugin_words(sort: str, point: EntryPoint) -> str:
    """Name a plug-in: its name, its place, and the distribution that it comes from."""
    origin = distribution_of(point)
    return f"the {sort} plug-in {point.name!r} ({point.value}{f' of {origin}' if origin else ''})"


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
    """Return why `thing` is not for `problem`, in its own words; None if it is. One that raises an error is not, and is named."""
    try:
        reason: object = thing.why_not(problem)
    except (OutOfTime, MemoryError):
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001  (whatever a plug-in does wrong, the others go on)
        # It may be the problem that it could not ask, or what is in it.
        who, wrong = at_fault(thing, error, "asked whether it is for a problem")
        if isinstance(error, BadInput) and who == with_origin(thing) and origin_of(thing) == OURS:
            return str(error)  # It is about the problem, such as weights that are too fine.
    else:
        if reason is None or isinstance(reason, str):
            return reason
        who, wrong = (
            with_origin(thing),
            f"asked whether it is for a problem, it says {reason!r}; it must give a reason, or None",
        )
    leave_out(who, wrong)
    return wrong if who == with_origin(thing) else f"{who}: {wrong}"


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
    with loading():
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)


class _Door(Generic[E]):
    """Entries of one sort by name: ours, those of plug-ins, and those that are added by hand.

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
        self.sort = sort
        self._group = group
        self._packages = packages
        self._entries: dict[str, E] = {}
        self.declared: dict[str, str] = {}
        self._walked = False
        self._walking = threading.RLock()
        self._is_within = False

    def name_of(self, entry: E) -> str:
        """Return the name that an entry is known by."""
        raise NotImplementedError

    def require(self, entry: E) -> None:
        """Raise `BadInput` if `entry` is not of this sort."""
        raise NotImplementedError

    def came_by(self, loaded: Any) -> E:
        """Return the entry that an entry point means by what it leads to."""
        raise NotImplementedError

    def add(self, entry: E) -> None:
        """Keep `entry` under its name. What is of another sort, and a name that is taken, is refused."""
        self.require(entry)
        name = self.name_of(entry)
        if not _NAME.fullmatch(name):
            raise BadInput(
                f"{name!r} is no name for {with_article(self.sort)}: it must consist of letters, digits, '-', '_' and '.', "
                "and to begin with a letter or a digit"
            )
        self._refuse_taken(name)
        self._entries[name] = entry

    def require_free(self, name: str) -> None:
        """Raise `BadInput` if an entry called `name` would be refused because the name is taken."""
        self._walk()
        self._refuse_taken(name)

    def _refuse_taken(self, name: str) -> None:
        if name in _RESERVED:
            raise BadInput(f"{name!r} is no name for {with_article(self.sort)}: the word is taken")
        if name in self._entries:
            raise BadInput(f"there already is {with_article(self.sort)} named {name!r}, of {self.origin(name)}")

    def remove(self, name: str) -> None:
        """Forget an entry that was added by hand."""
        del self._entries[name]

    def all(self) -> list[E]:
        """Return everything there is, by name."""
        return [self._entries[name] for name in self.names()]

    def get(self, name: str) -> E:
        """Return what `name` stands for, or raise `BadInput` that lists the names there are."""
        self._walk()
        if not isinstance(name, str) or name not in self._entries:
            hint = did_you_mean(near_names(name, self.names())) if isinstance(name, str) else ""
            known = f"there are {first_of(self.names(), MOST_NAMED)}"
            raise BadInput(f"there is no {self.sort} named {name!r}; {hint or known}")
        return self._entries[name]

    def origin(self, name: str) -> str:
        """Return the distribution that the entry called `name` comes from."""
        return self.declared.get(name) or origin_of(self.get(name))

    def names(self) -> list[str]:
        """Return the names there are; numbers in them count as such, so that k2 comes before k10."""
        self._walk()
        return sorted(self._entries, key=_by_numbers)

    def __contains__(self, name: object) -> bool:
        self._walk()
        return name in self._entries

    def _walk(self) -> None:
        if not self._walked:
            with self._walking:
                self._walk_once()

    def _walk_once(self) -> None:
        if self._is_within or self._walked:  # a plug-in may ask what there is while it is loaded
            return
        self._is_within = True
        try:
            for package in self._packages:
                import_modules(package)
            self._take_plugins()
            self._walked = True
        finally:
            self._is_within = False

    def _take_plugins(self) -> None:
        for point in entry_points(group=self._group):
            try:
                entry = self.came_by(point.load())
                self.add(entry)
                note_origin(entry, point)
                self.declared[self.name_of(entry)] = "" if point.dist is None else str(point.dist.name)
            except (Exception, SystemExit) as error:  # noqa: BLE001  (whatever a plug-in does wrong, the others go on)
                leave_out(plugin_words(self.sort, point), raised(error))


class Registry(_Door[T]):
    """Things of one sort by name; `kind` is the class that they are of."""

    def __init__(self, sort: str, kind: type[Any], group: str, *packages: str) -> None:
        super().__init__(sort, group, *packages)
        self._kind = kind
        SORTS[kind] = sort

    def register(self, made: type[T]) -> type[T]:
        """Make one and keep it under its name; the decorator. A thing of another class, or a name that is taken, is refused at once."""
        self.add(made())
        return made

    def name_of(self, entry: T) -> str:
        """Return its name."""
        return entry.name

    def require(self, entry: T) -> None:
        """A thing is of the class, with every attribute that the class declares."""
        wrong = what_is_wrong(entry, self._kind)
        if wrong is not None:
            raise BadInput(f"this is no {self.sort}: {wrong}")

    def came_by(self, loaded: Any) -> T:
        """An entry point leads to what makes the thing: its class, or a function; or to the thing itself."""
        make: Callable[[], T] = (lambda: loaded) if isinstance(loaded, self._kind) else loaded
        return make()


class Kinds(_Door[C]):
    """Classes of one sort, by the name in their attribute `word`; each has a method of its own for everything in `needs`.

    `base` is the class that they derive from; None where what counts is what they have.
    """

    def __init__(
        self,
        sort: str,
        base: type[Any] | None,
        group: str,
        *packages: str,
        word: str = "kind",
        needs: Sequence[str] = (),
    ) -> None:
        super().__init__(sort, group, *packages)
        self._base = base
        if base is not None:
            SORTS[base] = sort
        self._word = word
        self._needs = needs

    def register(self, made: C) -> C:
        """Keep a class under its name; the decorator."""
        self.add(made)
        return made

    def name_of(self, entry: C) -> str:
        """Return the word that the class is known by."""
        found: str = getattr(entry, self._word)
        return found

    def require(self, entry: C) -> None:
        """A class of the sort is finished, has a name, and what is needed."""
        wrong = self._what_is_wrong(entry)
        if wrong is not None:
            raise BadInput(f"this is no {self.sort}: {wrong}")

    def came_by(self, loaded: Any) -> C:
        """An entry point leads to the class."""
        found: C = loaded
        return found

    def _what_is_wrong(self, made: object) -> str | None:
        if not isinstance(made, type):
            return f"{made!r} is no class"
        if self._base is not None and not issubclass(made, self._base):
            return f"the class {made.__qualname__} does not derive from {self._base.__qualname__}"
        if inspect.isabstract(made):
            return f"the class {made.__qualname__} leaves out {', '.join(sorted(getattr(made, '__abstractmethods__', ())))}"
        if not isinstance(getattr(made, self._word, None), str):
            return f"the class {made.__qualname__} has no {self._word!r} that is a text"
        lacking = [need for need in self._needs if not callable(getattr(made, need, None))]
        return f"the class {made.__qualname__} has no method {lacking[0]!r}" if lacking else None


def _by_numbers(name: str) -> list[tuple[bool, int, str]]:
    parts = re.split(r"(\d+)", name)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]
