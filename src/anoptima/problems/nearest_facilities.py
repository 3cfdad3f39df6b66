"""Facilities with lower bounds: everybody goes where it is cheapest, and facilities with too few clients close, one after the other.

A facility that has enough clients keeps them, so at most all facilities close. Where lower bounds are low this is near the best there is.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from anoptima.deadline import check_time
from anoptima.exact import Exact
from anoptima.problems.lower_bounds import Arc


def closed_down(
    clients: Sequence[int], connections: Iterable[tuple[int, int, Exact]], least: int
) -> dict[Arc, int] | None:
    """Return who is served where when all facilities that are left have enough clients; None if somebody has none left. O(E log E).

    The facility with the fewest clients closes first, and each of its sorts goes on to the next cheapest one that is open.

    >>> closed_down([2, 1, 1], [(0, 0, 0), (1, 0, 3), (1, 1, 0), (0, 1, 5), (1, 2, 0)], 2)
    {(0, 0): 2, (1, 1): 1, (1, 2): 1}
    >>> closed_down([1, 1], [(0, 0, 0), (1, 1, 0)], 2) is None
    True
    """
    dearest_first: list[list[int]] = [[] for _ in clients]
    for f, c, _ in sorted(connections, key=lambda connection: connection[2], reverse=True):
        dearest_first[c].append(f)
    load: dict[int, int] = {f: 0 for places in dearest_first for f in places}
    at: dict[int, list[int]] = {f: [] for f in load}
    waiting: list[tuple[int, int]] = []

    def go_on(c: int) -> bool:
        """Send a sort to its cheapest facility that is open; tell whether there is one."""
        places = dearest_first[c]
        while places and places[-1] not in at:
            places.pop()
        if not places:
            return False
        at[places[-1]].append(c)
        load[places[-1]] += clients[c]
        if load[places[-1]] < least:
            heapq.heappush(waiting, (load[places[-1]], places[-1]))
        return True

    if not all(map(go_on, range(len(clients)))):
        return None
    while waiting:
        check_time()
        count, f = heapq.heappop(waiting)
        if f in at and count == load[f] and not all(map(go_on, at.pop(f))):
            return None
    return {(f, c): clients[c] for f, sorts in sorted(at.items()) for c in sorted(sorts)}
