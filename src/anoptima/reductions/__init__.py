"""Reductions: maps from one problem to another with solutions carried both ways, one file a theorem."""

from __future__ import annotations

from typing import Any

from anoptima.reductions.base import Reduction
from anoptima.registry import Registry

reductions: Registry[Reduction[Any, Any]] = Registry("reduction", Reduction, "anoptima.reductions", __name__)
"""All reductions by name, `source-to-target`."""
