"""Solvers answer problems: models on backends, exact algorithms and approximations, found by name or chosen by `solve`."""

from __future__ import annotations

from typing import Any

from anoptima.registry import Registry
from anoptima.solvers.base import Solver

algorithms: Registry[Solver[Any]] = Registry(
    "solver", Solver, "anoptima.solvers", "anoptima.solvers.exact", "anoptima.solvers.approximate"
)
"""Exact algorithms and approximations by name; models on backends are named `model/backend` and need no entry."""
