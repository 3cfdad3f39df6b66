"""A clock that tests put forward."""

from __future__ import annotations

import time

import pytest


class Clock:
    """Replaces `time.monotonic`: it goes on as the real one does, and `forward` takes it further at once.

    A limit of an hour then ends when an event says so, and not after some seconds of a machine whose pace nobody knows.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._real = time.monotonic
        self._ahead = 0.0
        monkeypatch.setattr(time, "monotonic", self)

    def __call__(self) -> float:
        return self._real() + self._ahead

    def forward(self, seconds: float) -> None:
        """Let `seconds` have passed."""
        self._ahead += seconds
