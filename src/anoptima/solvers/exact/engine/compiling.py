"""Loops that are compiled where the extra `anoptima[fast]` is installed, and run as they are where it is not."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar, cast

from anoptima.machine import is_installed

F = TypeVar("F", bound=Callable[..., Any])


def _as_it_is(function: F) -> F:
    return function


def _compiled(function: F) -> F:
    import numba

    return cast(F, numba.njit(cache=True, nogil=True)(function))


def _inlined(function: F) -> F:
    import numba

    return cast(F, numba.njit(cache=True, nogil=True, inline="always")(function))


compiled = _compiled if is_installed("numba") else _as_it_is
"""Decorates a function in the part of Python that numba compiles."""
inlined = _inlined if is_installed("numba") else _as_it_is
"""The same, for a few lines that belong in the loops that call them: passing tuples of arrays on takes longer than what they do."""


def kernels_here(reference: ModuleType) -> ModuleType:
    """Return the compiled twin of a module of kernels if the extra `fast` is installed, the module itself if not.

    The twin of `x` is the module `x_compiled` beside it.
    """
    return importlib.import_module(f"{reference.__name__}_compiled") if is_installed("numba") else reference
