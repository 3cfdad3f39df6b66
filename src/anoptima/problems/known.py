"""Every kind of problem there is."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import anoptima.problems
from anoptima.problems.base import Problem


def problem_classes() -> list[type[Problem[Any]]]:
    """Return every kind of problem there is, ours and those that plug-ins bring, by name."""
    for module in pkgutil.walk_packages(anoptima.problems.__path__, "anoptima.problems."):
        importlib.import_module(module.name)
    return sorted(
        set(_below(Problem)),  # type: ignore[type-abstract]
        key=lambda kind: (kind.name, kind.__qualname__),
    )


def _below(kind: type[Problem[Any]]) -> Iterator[type[Problem[Any]]]:
    for child in kind.__subclasses__():
        # A class that nobody can name is a base of other classes, or not finished.
        if not inspect.isabstract(child) and isinstance(getattr(child, "name", None), str):
            yield child
        yield from _below(child)
