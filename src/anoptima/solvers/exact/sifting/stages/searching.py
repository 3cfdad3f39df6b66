"""A step of the search for releases: made here, or, where the search has a thread of its own, left to that thread for a moment."""

from __future__ import annotations

import time

from anoptima.solvers.exact.sifting.portfolio import Portfolio
from anoptima.solvers.exact.sifting.releases.regions import SECONDS
from anoptima.solvers.exact.sifting.standing import StandingUnderSize
from anoptima.solvers.exact.sifting.tree.tree import A_MOMENT

SHORTEST_S, STEP_SHARE = 0.5, 0.05
"""A step takes no more than this share of the seconds that have passed, or these seconds if that is more: on small tables a core is solved
in no time, and a step must not take longer than the bound does."""


BOUND, RELEASE = "bound", "release"
LEAST_SHARE = 0.2
"""What each of the two sides of the gap has of the time, whatever it gains."""


def both_sides() -> Portfolio[str]:
    """Return what tells whether to work at the bound next, or at the release."""
    return Portfolio({BOUND: (LEAST_SHARE, 1.0), RELEASE: (LEAST_SHARE, 1.0)})


def search_once(standing: StandingUnderSize) -> None:
    """Let the search take a step."""
    if standing.shared.is_in_background:
        time.sleep(A_MOMENT)
    else:
        seconds = min(SECONDS, standing.share_of_spent(STEP_SHARE, SHORTEST_S))
        standing.shared.step(standing.search, seconds, standing.is_over)
    standing.offer(standing.release)


def search_a_turn(standing: StandingUnderSize, sides: Portfolio[str]) -> None:
    """Let the search take a step, and note what it has gained."""
    began, cost = time.monotonic(), standing.cost
    search_once(standing)
    sides.note(RELEASE, cost - standing.cost, time.monotonic() - began)
