"""Searches beside each other, each on a thread of its own: HiGHS lets other threads run while it solves a region.

All of them go on from one release. What a search has changed is carried over to what the others have made of that release meanwhile, which
is a release again unless two of them have let the same groups go or added to the same one; then the later change is forgotten.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from anoptima.solvers.exact.sifting.releases.regions import SECONDS
from anoptima.solvers.exact.sifting.releases.regions_under_rules import Search
from anoptima.solvers.exact.sifting.releases.release import Release, carried_over
from anoptima.solvers.exact.sifting.rules.rule import Numbers


class Shared:
    """The release that searches work at, and the reduced costs that guide them, which may be changed at any time."""

    def __init__(self, release: Release, reduced: Numbers) -> None:
        self.release = release
        self.reduced = reduced
        self._lock = threading.Lock()

    def meet(self, search: Search) -> Release:
        """Let a search go on from the release, or share its own if that is better; return what it goes on from."""
        if search.reduced is not self.reduced:
            search.guide(self.reduced)
        with self._lock:
            if search.cost < search.cost_of(self.release):
                self.release = search.release
            search.release = self.release
            return search.release

    def turn(self, search: Search, act: Callable[[], bool]) -> bool:
        """Let a search go on from the release and act on it, and carry over what that has changed; return what the act does."""
        before = self.meet(search)
        outcome = act()
        with self._lock:
            if search.cost < search.cost_of(before):
                found = carried_over(before, search.release, self.release)
                if found is not None and search.is_legal(found):
                    self.release = found
            search.release = self.release
        return outcome

    def step(self, search: Search, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Let a search solve one region of the release; tell whether that, or what others did meanwhile, has made it better."""
        before = search.cost_of(self.meet(search))
        self.turn(search, lambda: search.step(seconds, is_over))
        return search.cost < before


@contextmanager
def beside(shared: Shared, others: Sequence[Search], is_over: Callable[[], bool]) -> Iterator[None]:
    """Let other searches work at the release as long as the body runs. What broke one of them is raised here."""
    stopped = threading.Event()
    errors: list[BaseException] = []

    def is_stopped() -> bool:
        return stopped.is_set() or is_over()

    def run(search: Search) -> None:
        try:
            while not is_stopped():
                shared.step(search, SECONDS, is_stopped)
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            errors.append(error)

    threads = [
        threading.Thread(target=run, args=(search,), name="search for releases", daemon=True) for search in others
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]
