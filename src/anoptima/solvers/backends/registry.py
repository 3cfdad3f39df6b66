"""The backends there are, by name.

They come through the entry points `anoptima.backends`, ours by the same door as everybody's, and are loaded when they are asked for.
Where this package runs from its source without being installed there is no metadata to read; then `OURS` says the same.
"""

from __future__ import annotations

import warnings
from importlib.metadata import EntryPoint, entry_points

from anoptima.errors import BadInput, SolverFailure
from anoptima.solvers.backends.base import Backend

GROUP = "anoptima.backends"

OURS = (
    EntryPoint("highs", "anoptima.solvers.backends.highs:Highs", GROUP),
    EntryPoint("cp-sat", "anoptima.solvers.backends.cp_sat:CpSat", GROUP),
)

_instances: dict[str, Backend] = {}


def register_backend(backend: Backend) -> None:
    """Make `backend` known by its name in this process: for tests and notebooks. Raises `BadInput` if the name is taken."""
    if backend.name in _instances or backend.name in _declared():
        raise BadInput(f"there is a backend named {backend.name!r} already; give yours another name")
    _instances[backend.name] = backend


def backend_names() -> list[str]:
    """Return the names of all backends that can be loaded, sorted. One that cannot becomes a warning."""
    names = set(_instances)
    for name, entry in _declared().items():
        try:
            _load(entry)
        except SolverFailure as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
        else:
            names.add(name)
    return sorted(names)


def get_backend(name: str) -> Backend:
    """Return the backend called `name`. Raises `BadInput`, listing those there are, or `SolverFailure` if it cannot be loaded."""
    if name in _instances:
        return _instances[name]
    declared = _declared()
    if name not in declared:
        known = ", ".join(sorted({*declared, *_instances}))
        raise BadInput(f"there is no backend named {name!r}; there are: {known}")
    return _load(declared[name])


def _declared() -> dict[str, EntryPoint]:
    """Return what is declared, ours first: a plug-in cannot take one of our names."""
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    return {**found, **{entry.name: entry for entry in OURS}}


def _load(entry: EntryPoint) -> Backend:
    try:
        backend = entry.load()()
    except Exception as error:
        raise SolverFailure(
            entry.name, f"the backend at {entry.value} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(backend, Backend) or backend.name != entry.name:
        raise SolverFailure(entry.name, f"{entry.value} is not a backend of that name")
    return backend
