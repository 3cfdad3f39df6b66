"""How much a test asks: CI enough to notice what breaks, `make test-deep` as much as has ever been asked."""

from __future__ import annotations

import os

IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


def asked(in_ci: int, in_deep: int) -> int:
    """Return how many instances, seeds or examples a test takes."""
    return in_deep if IS_DEEP else in_ci
