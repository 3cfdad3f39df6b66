"""Models: problems written as declarative programs, in Pyomo or CP-SAT, one file a formulation."""

from __future__ import annotations

from typing import Any

from anoptima.models.base import Model
from anoptima.registry import Registry

models: Registry[Model[Any]] = Registry("model", Model, "anoptima.models", __name__, f"{__name__}.sources")
"""All formulations by name."""
