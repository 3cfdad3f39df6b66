"""Reductions by name."""

from __future__ import annotations

from typing import Any

from anoptima.arguments import checked
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduction


@checked
def get_reduction(name: str) -> Reduction[Any, Any]:
    """Return the reduction that `name` stands for, `source-to-target`.

    >>> get_reduction("vertex-cover-to-k-anonymity").target_kind
    'k-anonymity'
    """
    return reductions.get(name)
