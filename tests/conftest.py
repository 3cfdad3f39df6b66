"""What all tests share: how many examples Hypothesis draws."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# `ci` draws the same examples every time, so that a change breaks a test and chance does not. `deep` looks for news, by
# hand: `make test-deep`, or HYPOTHESIS_PROFILE=deep with any choice of tests.
settings.register_profile(
    "ci",
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "deep",
    max_examples=5000,
    derandomize=False,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
