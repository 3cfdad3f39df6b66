"""A search for releases on a thread of its own, beside the work at the bound: HiGHS and compiled loops let other threads run.

The two meet at four places, each a single assignment: the release that the search has come to, the multipliers it is to be guided by, a
fractional release to search near, and a release that somebody else has found.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.bound.ascent import DualPoint
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.regions import SECONDS
from anoptima.solvers.exact.sifting.releases.release import Release


class Background:
    """Runs a search until it is stopped. Whoever works at the bound asks for `release` and `cost`, and may `guide` it."""

    def __init__(self, search: AnnealedRegions, is_over: Callable[[], bool]) -> None:
        self._search = search
        self._is_over = is_over
        self._stopped = threading.Event()
        self._guide: tuple[DualPoint, Terms] | None = None
        self._hint: NDArray[np.float64] | None = None
        self._found: Release | None = None
        self._error: BaseException | None = None
        self._best = search.release, search.cost
        self.bettered = time.monotonic()
        """When the release became better last."""
        self._thread = self._started()

    @property
    def release(self) -> Release:
        """The best release so far. What broke the search is raised here."""
        if self._error is not None:
            raise self._error
        return self._best[0]

    @property
    def cost(self) -> int:
        """The scaled cost of the release."""
        return self._best[1]

    @property
    def anneals_patterns(self) -> bool:
        """Whether the search anneals patterns, which takes long to find something."""
        return self._search.anneals_patterns

    def take(self, release: Release) -> None:
        """Let the search go on from another release if it is better; it looks after its next step."""
        self._found = release

    def guide_by(self, near: DualPoint, terms: Terms) -> None:
        """Take other multipliers, and their rows, to guide the search; it looks after its next step."""
        self._guide = near, terms

    def hint(self, mean: NDArray[np.float64]) -> None:
        """Take a fractional release to search near; it looks after its next step."""
        self._hint = mean

    def stop(self) -> None:
        """Stop the search, and wait until it has."""
        self._stopped.set()
        self._thread.join()

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Let the search rest, so that others have its core."""
        self.stop()
        try:
            yield
        finally:
            self._stopped.clear()
            self._thread = self._started()

    def _started(self) -> threading.Thread:
        thread = threading.Thread(target=self._run, name="search for releases", daemon=True)
        thread.start()
        return thread

    def _is_stopped(self) -> bool:
        return self._stopped.is_set() or self._is_over()

    def _run(self) -> None:
        search = self._search
        try:
            while not self._is_stopped():
                guide, self._guide = self._guide, None
                if guide is not None:
                    search.guide_by(*guide)
                hint, self._hint = self._hint, None
                if hint is not None:
                    search.hint(hint)
                found, self._found = self._found, None
                if found is not None:
                    search.take(found)
                search.step(SECONDS, self._is_stopped)
                if search.cost < self._best[1]:
                    self._best = search.release, search.cost
                    self.bettered = time.monotonic()
        except BaseException as error:  # noqa: BLE001 - it is raised again where the release is asked for
            self._error = error
