"""Fake points by a covering program: single fakes beside data, and stacks of k fakes anywhere."""

from anoptima.solvers.approximate.stacks.algorithm import Stacks, stacked

__all__ = ["Stacks", "stacked"]
