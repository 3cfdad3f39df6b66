"""Searches for releases in the background, each on a thread of its own: HiGHS and compiled loops let other threads run.

All of them go on from one release. What a search has changed is carried over to what others have made of that release meanwhile, which
is a release again unless two of them have let the same groups go or added to the same one; then the better of the two stays.

Stages that work at the bound meanwhile ask for `release` and `cost`, and hand over what may guide the searches, which take it up before
their next step.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from anoptima.deadline import current_deadline, within
from anoptima.errors import OutOfTime
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.regions import SECONDS, Guide, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import Release, carried_over
from anoptima.solvers.exact.sifting.rules.rule import Numbers
from anoptima.solvers.left_behind import leave

S = TypeVar("S", bound=RegionSearch)

LAST_S = 0.2
"""Seconds that all searches together have to hear that the run is over."""


def _own_step(search: RegionSearch, seconds: float, is_over: Callable[[], bool]) -> bool:
    return search.step(seconds, is_over)


class Background(Generic[S]):
    """The release that some searches work at, on threads of theirs from `start` to `stop` or `end`; others may join by `step`.

    `act` is what a search does in a step: its own one, unless it can be somebody else's turn.
    """

    def __init__(
        self,
        programs: Programs,
        release: Release,
        is_over: Callable[[], bool],
        act: Callable[[S, float, Callable[[], bool]], bool] = _own_step,
    ) -> None:
        self._programs, self._is_over, self._act = programs, is_over, act
        self._searches: Sequence[S] = ()
        self._release = release
        self.bettered = time.monotonic()
        """When the release became better last."""
        self._told: dict[str, tuple[Callable[[S], None], set[S]]] = {}
        """What was told last about each thing, and which searches have heard it."""
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []
        self._error: BaseException | None = None

    @property
    def release(self) -> Release:
        """The best release so far. What broke a search is raised here."""
        if self._error is not None:
            raise self._error
        return self._release

    @property
    def cost(self) -> int:
        """The scaled cost of the release."""
        return self._programs.cost_of(self._release)

    @property
    def is_in_background(self) -> bool:
        """Whether searches have threads of their own."""
        return bool(self._threads)

    @property
    def anneals_patterns(self: Background[AnnealedRegions]) -> bool:
        """Whether searches anneal patterns, which takes long to find something."""
        return any(search.anneals_patterns for search in self._searches)

    def take(self, release: Release) -> None:
        """Let the searches go on from another release if it is legal and better, and know of it if it is not."""
        with self._lock:
            self._better(release)
        self._tell("take", lambda search: search.take(release))

    def guide(self, guide: Guide) -> None:
        """Let the searches take another guide."""
        self._tell("guide", lambda search: search.guide(guide))

    def hint(self: Background[AnnealedRegions], mean: Numbers) -> None:
        """Let the searches take a fractional release to search near."""
        self._tell("hint", lambda search: search.hint(mean))

    def start(self, searches: Sequence[S]) -> None:
        """Let searches go on, each on a thread of its own."""
        self._searches = searches
        self._stopped.clear()
        self._threads = [
            threading.Thread(
                target=self._run, args=(search, current_deadline()), name="search for releases", daemon=True
            )
            for search in searches
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop the searches, and wait until they have."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def end(self) -> None:
        """Stop the searches for good, and do not wait for one that is sorting a hundred million arcs."""
        self._stopped.set()
        until = time.monotonic() + LAST_S
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
            if thread.is_alive():
                leave(thread)

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Let the searches rest, so that others have their cores."""
        self.stop()
        try:
            yield
        finally:
            self.start(self._searches)

    def meet(self, search: S) -> Release:
        """Let a search hear what it was told, and go on from the release, or share its own if that is better; return which it is."""
        for act in self._news(search):
            act(search)
        with self._lock:
            self._better(search.release)
            search.release = self._release
            return search.release

    def step(self, search: S, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Let a search take one step from the release on, and carry over what that has changed; tell whether it has become better."""
        before = self.meet(search)
        self._act(search, seconds, is_over)
        with self._lock:
            if search.cost < self._programs.cost_of(before):
                found = carried_over(before, search.release, self._release)
                if found is None or not self._better(found):
                    self._better(search.release)
            search.release = self._release
        return search.cost < self._programs.cost_of(before)

    def _better(self, release: Release) -> bool:
        """Take a release if it is legal and better; tell whether it is."""
        if self._programs.cost_of(release) >= self.cost or not self._programs.is_legal(release):
            return False
        self._release, self.bettered = release, time.monotonic()
        return True

    def _tell(self, about: str, act: Callable[[S], None]) -> None:
        """Leave word for every search; of what is told about the same, it hears the last."""
        with self._lock:
            self._told[about] = act, set()

    def _news(self, search: S) -> list[Callable[[S], None]]:
        """Return what a search has not heard yet."""
        with self._lock:
            news = [(act, heard) for act, heard in self._told.values() if search not in heard]
            for _, heard in news:
                heard.add(search)
            return [act for act, _ in news]

    def _is_stopped(self) -> bool:
        return self._stopped.is_set() or self._is_over()

    def _run(self, search: S, deadline: Callable[[], bool]) -> None:
        try:
            with within(deadline), suppress(OutOfTime):
                while not self._is_stopped():
                    self.step(search, SECONDS, self._is_stopped)
        except BaseException as error:  # noqa: BLE001 - it is raised again where the release is asked for
            self._error = error
