"""Loops that numba compiles. They are written once, in plain Python, and stay callable as they are.

`loop` marks a function that Python calls compiled, `part` one that only loops call. `compiled` returns the compiled twin of a loop;
`fastest` does so only if no time is lost by it: if the loop has been prepared (`preparing`).
Nothing in a run compiles: a loop names the types that it is called with by examples, and those are all that is prepared.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np

from anoptima.packages import loading
from anoptima.solvers.compiling.cache import PLACE, Cache, digest_of, places

F = TypeVar("F", bound=Callable[..., Any])
Examples = Callable[[], Iterable[tuple[Any, ...]]]

WHOLE, HALF, REAL, TRUTH = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.bool_)
"""Arrays for examples: of whole numbers of 64 and 32 bits, of floats, and of truths."""

_SIFTING = "anoptima.solvers.exact.sifting"
KERNELS = tuple(
    f"{_SIFTING}.{name}"
    for name in ("kernels.sizes", "kernels.row_moves", "kernels.cut_search", "kernels.pattern_moves")
)
PRINCIPLED = tuple(
    f"{_SIFTING}.kernels.{name}"
    for name in ("pricing", "tree", "tree_cutting", "by_value", "single_row_moves", "repair_moves", "cut_search")
)
COVERING = ("anoptima.solvers.exact.covering_kernel",)
LEAST_GROUPS = ("anoptima.solvers.exact.least_groups.kernel",)
NEAR = tuple(
    f"anoptima.solvers.approximate.near_patterns.kernels.{name}" for name in ("neighbours", "publishing", "walking")
)
MODULES = tuple(dict.fromkeys(KERNELS + PRINCIPLED + COVERING + LEAST_GROUPS + NEAR))
"""Where the loops are, in the order in which they are prepared."""


@dataclass(frozen=True, eq=False)
class Loop:
    """A function that Python calls compiled, examples of its arguments, and about how many seconds compiling them takes."""

    function: Callable[..., Any]
    examples: Examples
    seconds: float

    @property
    def name(self) -> str:
        """Where it is, and what it is called."""
        return f"{self.function.__module__}.{self.function.__name__}"

    @property
    def key(self) -> str:
        """The name of its folder in the cache."""
        return key_of(self.function)


_loops: dict[Callable[..., Any], Loop] = {}
_parts: set[Callable[..., Any]] = set()
_twins: dict[Callable[..., Any], Any] = {}
_loaded: set[Callable[..., Any]] = set()
_making = threading.RLock()
_spent = 0.0


def part(function: F) -> F:
    """Mark a function that only loops call. It is compiled with them."""
    _parts.add(function)
    return function


def loop(examples: Examples, seconds: float) -> Callable[[F], F]:
    """Mark a function that Python calls compiled, with `examples` of all types of arguments that it is called with."""

    def mark(function: F) -> F:
        _parts.add(function)
        _loops[function] = Loop(function, examples, seconds)
        return function

    return mark


def loops(modules: Iterable[str] = MODULES) -> list[Loop]:
    """Return the loops of some modules, in the order in which they are prepared."""
    wanted = {importlib.import_module(name): None for name in modules}
    names = [module.__name__ for module in wanted]
    return sorted(
        (one for one in _loops.values() if one.function.__module__ in names),
        key=lambda one: names.index(one.function.__module__),
    )


def compiled(function: F) -> F:
    """Return the compiled twin of a loop, with all its types. What has not been prepared is compiled now."""
    global _spent
    if function not in _loaded:
        with _making:
            if function not in _loaded:
                began = time.monotonic()
                # Compiling makes garbage, loading does not.
                with loading() if is_kept(function) else nullcontext():
                    twin = _twin(function)
                    for arguments in _loops[function].examples():
                        twin.compile(tuple(twin.typeof_pyval(argument) for argument in arguments))
                _loaded.add(function)
                _spent += time.monotonic() - began
    return cast(F, _twins[function])


def here() -> Cache:
    """Return where compiled loops are kept."""
    return _cache(os.environ.get(PLACE))


@cache
def _cache(_: str | None) -> Cache:
    return Cache(places())


@cache
def key_of(function: Callable[..., Any]) -> str:
    """Return the name of the folder of a loop: what it is called, and a digest of all that it is compiled from. Needs numba."""
    used = _used_by(function)
    files = {Path(str(sys.modules[one.__module__].__file__)) for one in used}
    digest = digest_of(files, [(one.__name__, _constants(one)) for one in used])
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}-{digest}"


def _used_by(function: Any) -> list[Any]:
    """Return a loop or part and all parts that it calls, those that parts call among them."""
    found = [function]
    for one in found:
        found += [other for other in _called(one).values() if other not in found]
    return found


def _called(function: Any) -> dict[str, Any]:
    known = ((name, function.__globals__.get(name)) for name in function.__code__.co_names)
    return {name: value for name, value in known if isinstance(value, FunctionType) and value in _parts}


def _constants(function: Any) -> list[tuple[str, object]]:
    """Return the numbers and strings outside a function that are compiled into it."""
    known = ((name, function.__globals__.get(name)) for name in function.__code__.co_names)
    return [(name, value) for name, value in known if isinstance(value, int | float | str | tuple)]


def seconds_spent() -> float:
    """Return how many seconds this process has spent on loading compiled loops, or on compiling them."""
    return _spent


@cache
def why_no_numba() -> str:
    """Return why numba cannot be imported here, which happens in a broken install alone; empty if it can."""
    try:
        with loading():
            import numba  # noqa: F401
    except (ImportError, OSError, ValueError) as error:
        # The last two where a shared library is missing, and where numpy is not the one that an extension was built for.
        return " ".join(str(error).split())
    return ""


def is_ready(*functions: Callable[..., Any], at_hand: bool = False) -> bool:
    """Tell whether loops can be had compiled at once; with `at_hand`, whether they have been loaded."""
    if at_hand:
        return all(function in _loaded for function in functions)
    return not why_no_numba() and all(function in _loaded or is_kept(function) for function in functions)


def is_kept(function: Callable[..., Any]) -> bool:
    """Tell whether the cache has a loop compiled. Needs numba."""
    return here().has(key_of(function))


def fastest(function: F) -> F:
    """Return the compiled twin of a loop if it can be had at once, and the loop itself if not."""
    return compiled(function) if is_ready(function) else function


def kernels_here(reference: ModuleType) -> ModuleType:
    """Return the compiled twin of a module of kernels, which its `COMPILED` names, if its loops can be had at once; else the module."""
    twin = importlib.import_module(reference.COMPILED)
    used = [value for value in vars(twin).values() if isinstance(value, FunctionType) and value in _loops]
    return twin if is_ready(*used) else reference


def _twin(function: Any) -> Any:
    """Return what numba makes of a function. The loops and parts that it calls are replaced by what numba makes of those."""
    with _making:
        if function not in _twins:
            import numba

            njit: Any = numba.njit
            called = {name: _twin(value) for name, value in _called(function).items()}
            copy = FunctionType(
                function.__code__, {**function.__globals__, **called}, function.__name__, function.__defaults__
            )
            copy.__qualname__ = function.__qualname__
            # Only loops are called from Python and kept in the cache; parts need no door of their own.
            if function in _loops:
                with here().for_numba(key_of(function)) as is_kept:
                    _twins[function] = njit(copy, nogil=True, cache=is_kept, no_cfunc_wrapper=True)
            else:
                _twins[function] = _for_types(njit(copy, no_cpython_wrapper=True, no_cfunc_wrapper=True))
        return _twins[function]


def _for_types(dispatcher: Any) -> Any:
    """Let a part be compiled once for a type, and not once for every number that stands in a call of it."""
    from numba.core.types import unliteral

    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(tuple(map(unliteral, args)), kws)
    return dispatcher
