"""Cell suppression of tables whose patterns cannot be listed: patterns of near rows, with a bound that is proved."""

from anoptima.solvers.approximate.near_patterns.algorithm import NearPatterns

__all__ = ["NearPatterns"]
