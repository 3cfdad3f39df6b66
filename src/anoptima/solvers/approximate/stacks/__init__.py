"""Fake points by a covering program: single fakes beside data, and stacks of k fakes anywhere."""

from anoptima.solvers.approximate.stacks.algorithm import Stacks, stacked
from anoptima.solvers.approximate.stacks.quick import quick_covers

__all__ = ["Stacks", "quick_covers", "stacked"]
