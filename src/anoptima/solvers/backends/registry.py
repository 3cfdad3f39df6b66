"""The backends there are, by name.

Ours are the classes of this package that `register` decorates. Other people's come through the entry points `anoptima.backends`. Either is
loaded when it is asked for.

A name leads to a `Backend`, or to a `BackendFamily`, whose members are named `family:member`: `pyomo:cbc`.
"""

from __future__ import annotations

import contextlib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from anoptima.errors import BadInput, SolverFailure
from anoptima.naming import MOST, did_you_mean, near_names
from anoptima.origins import raised
from anoptima.registry import SORTS, import_modules, leave_out, note_origin, plugin_words, what_is_wrong, with_origin
from anoptima.solvers.backends.base import Availability, Backend, BackendFamily

GROUP = "anoptima.backends"

SORTS[Backend] = "backend"
SORTS[BackendFamily] = "backend family"

B = TypeVar("B", bound=Backend | BackendFamily)

_ours: dict[str, EntryPoint] = {}
_instances: dict[str, Backend] = {}


def register(made: type[B]) -> type[B]:
    """Make a backend of this package, or a family, known by its name; the decorator."""
    _ours[made.name] = EntryPoint(made.name, f"{made.__module__}:{made.__qualname__}", GROUP)
    return made


@cache
def ours() -> dict[str, EntryPoint]:
    """Return where this package's backends and families are, by name. Their solvers are not loaded."""
    import_modules(__name__.rpartition(".")[0])
    return dict(sorted(_ours.items()))


def register_backend(backend: Backend) -> None:
    """Make `backend` known by its name in this process: for tests and notebooks. Raises `BadInput` if the name is taken."""
    require_free(backend.name)
    _instances[backend.name] = backend


def require_free(name: str) -> None:
    """Raise `BadInput` if there is a backend called `name`."""
    if name in _instances or name in _declared():
        raise BadInput(f"there is a backend named {name!r} already; give yours another name")


def backend_names() -> list[str]:
    """Return the names of all backends that can be loaded, sorted; of a family, those that are here."""
    return [backend.name for backend in all_backends()]


def all_backends() -> list[Backend]:
    """Return all backends that can be loaded, by name; of a family, those that are here. What cannot be loaded is left out and named."""
    found = dict(_instances)
    for name, entry in _declared().items():
        try:
            loaded = _load(entry)
            if isinstance(loaded, BackendFamily):
                found |= {f"{name}:{one}": _checked(loaded.member(one), entry) for one in loaded.members()}
            else:
                found[name] = loaded
        except (Exception, SystemExit) as error:  # noqa: BLE001  (whatever a plug-in does wrong, the others go on)
            leave_out(plugin_words("backend", entry), error)
    return [found[name] for name in sorted(found)]


def usable_backends() -> list[Backend]:
    """Return the backends that can be used here, by name."""
    return [backend for backend in all_backends() if availability_of(backend)]


def availability_of(backend: Backend) -> Availability:
    """Return whether a backend can be used here; one that cannot say so cannot be used, and is named."""
    try:
        return backend.availability()
    except Exception as error:  # noqa: BLE001  (whatever a plug-in does wrong, the others go on)
        wrong = f"asked whether it can be used, it raises {raised(error)}"
        leave_out(f"the backend {with_origin(backend)}", wrong)
        return Availability(False, wrong)


def get_backend(name: str) -> Backend:
    """Return the backend called `name`. Raises `BadInput`, listing those there are, or `SolverFailure` if it cannot be loaded."""
    if name in _instances:
        return _instances[name]
    declared = _declared()
    family, colon, member = name.partition(":")
    entry = declared.get(name) or declared.get(family)
    if entry is None:
        known = ", ".join(sorted({*declared, *_instances}))
        hint = did_you_mean(related_backends(name))
        raise BadInput(f"there is no backend named {name!r}; {hint or f'there are: {known}'}")
    loaded = _load(entry)
    if isinstance(loaded, Backend):
        if colon and entry.name == family:
            raise BadInput(f"there is no backend named {name!r}: {family} is one backend and has no members")
        return loaded
    if not member:
        here = ", ".join(f"{family}:{one}" for one in loaded.members()) or "none of them"
        raise BadInput(f"{family} stands for several backends; name one, as {family}:NAME; here are: {here}")
    return loaded.member(member)


def related_backends(word: str) -> list[str]:
    """Return the names that somebody may have meant by `word`: near ones, or of a family's members those that contain it."""
    near = near_names(word, [*_declared(), *_instances])
    if near or len(word) < 2:
        return near
    for entry in _declared().values():
        with contextlib.suppress(Exception):  # whatever a plug-in does wrong, the others go on
            loaded = _load(entry)
            if isinstance(loaded, BackendFamily):
                near += [f"{loaded.name}:{member}" for member in loaded.related(word)]
    return near[:MOST]


@cache
def _declared() -> dict[str, EntryPoint]:
    """Return what is declared, ours first; what has a name that is taken is left out and named. Reads all metadata there is, once."""
    found = dict(ours())
    for entry in entry_points(group=GROUP):
        taken = found.setdefault(entry.name, entry)
        if taken.value != entry.value:
            leave_out(
                plugin_words("backend", entry), f"there already is a backend named {entry.name!r} ({taken.value})"
            )
    return found


@cache
def _load(entry: EntryPoint) -> Backend | BackendFamily:
    try:
        loaded: Any = entry.load()()
    except (Exception, SystemExit) as error:
        raise SolverFailure(entry.name, f"the backend at {entry.value} cannot be loaded: {raised(error)}") from error
    if not isinstance(loaded, BackendFamily):
        _checked(loaded, entry)
    note_origin(loaded, entry)
    if loaded.name != entry.name:
        raise SolverFailure(entry.name, f"the backend at {entry.value} is named {loaded.name!r}")
    return loaded  # type: ignore[no-any-return]


def _checked(backend: Any, entry: EntryPoint) -> Backend:
    wrong = what_is_wrong(backend, Backend)
    if wrong is not None:
        raise SolverFailure(entry.name, f"{entry.value} is no backend: {wrong}")
    return backend  # type: ignore[no-any-return]
