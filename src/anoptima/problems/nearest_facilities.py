"""Facilities with lower bounds: everybody goes where it is cheapest, and facilities with too few clients close, one after the other.

A facility that has enough clients keeps them, so at most all facilities close. One that somebody cannot do without stays open, and if it
has too few clients in the end, a flow says who goes where. Where lower bounds are low this is near the best there is.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from anoptima.deadline import check_time
from anoptima.problems.lower_bounds import Arc, serve_all, serve_cheapest

MOST_ARCS = 100_000
"""With no more connections than this to open facilities, the cheapest use of them is found as a flow: in about a second."""


def nearest_with_enough(
    clients: Sequence[int], connections: Sequence[tuple[int, int, int]], least: int
) -> dict[Arc, int] | None:
    """Return who is served where when all facilities that are left have `least` clients; None if this way leads to none.

    `connections` are facility, client and whole cost. The facility with the fewest clients closes first, and each of its sorts goes on to
    the next cheapest one that is open. O(E log E) for E connections, and a flow where some facility must stay open.

    >>> nearest_with_enough([2, 1, 1], [(0, 0, 0), (1, 0, 3), (1, 1, 0), (0, 1, 5), (1, 2, 0)], 2)
    {(0, 0): 2, (1, 1): 1, (1, 2): 1}
    >>> nearest_with_enough([1, 1, 1], [(0, 0, 0), (1, 1, 0), (1, 2, 4), (0, 2, 5), (2, 2, 0)], 2) is None
    True
    >>> nearest_with_enough([3, 1], [(0, 0, 0), (1, 0, 9), (1, 1, 0)], 2)
    {(0, 0): 2, (1, 0): 1, (1, 1): 1}
    """
    dearest_first: list[list[int]] = [[] for _ in clients]
    for f, c, _ in sorted(connections, key=lambda connection: connection[2], reverse=True):
        dearest_first[c].append(f)
    load: dict[int, int] = {f: 0 for places in dearest_first for f in places}
    at: dict[int, list[int]] = {f: [] for f in load}
    waiting: list[tuple[int, int]] = []

    def go_on(c: int) -> None:
        """Send a sort to its cheapest facility that is open."""
        f = next(f for f in reversed(dearest_first[c]) if f in at)
        at[f].append(c)
        load[f] += clients[c]
        if load[f] < least:
            heapq.heappush(waiting, (load[f], f))

    for c in range(len(clients)):
        go_on(c)
    short: set[int] = set()
    while waiting:
        check_time()
        count, f = heapq.heappop(waiting)
        if f not in at or count < load[f]:
            continue
        if any(all(other == f or other not in at for other in dearest_first[c]) for c in at[f]):
            short.add(f)
            continue
        for c in at.pop(f):
            go_on(c)
    opened = [f for f, sorts in at.items() if sorts]
    if all(load[f] >= least for f in short):
        return {(f, c): clients[c] for f in sorted(opened) for c in sorted(at[f])}
    left = [(f, c, cost) for f, c, cost in connections if at.get(f)]
    served = serve_all(clients, [(f, c) for f, c, _ in left], opened, least)[0]
    return serve_cheapest(clients, left, opened, least) if served and len(left) <= MOST_ARCS else served or None
