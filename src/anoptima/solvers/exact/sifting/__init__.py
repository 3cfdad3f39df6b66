"""The engine for large tables: a Lagrangian bound over all closed patterns, a core program with cuts, search, and a proof."""

from anoptima.solvers.exact.sifting.algorithm import Sifting

__all__ = ["Sifting"]
