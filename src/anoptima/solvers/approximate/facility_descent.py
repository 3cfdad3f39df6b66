"""Facilities with lower bounds and any costs: stars first, then facilities are opened and closed as long as connections become cheaper.

There is no guarantee, and there can be none: without a metric it is NP-complete already to say whether feasible connections exist
(`problems.lower_bounded_facilities`). All clients of a sort go together here, until the end.

0. *Nearest.* Everybody goes where it is cheapest, and facilities with too few clients close (`problems.nearest_facilities`).
1. *Stars.* Open the facility whose cheapest clients, as many as it needs, cost least apiece; go on with those who are left. Those who
   fill no facility in the end go where it is cheapest among the open ones.
2. *Steps.* Send a sort to a cheaper open facility; open a closed one for those who gain most by it, and for as many others as it needs,
   as long as their own facilities keep enough; or close an open one. Whatever makes the connections cheaper is done, until nothing does.
3. *Flow.* The cheapest connections at the open facilities, exactly (`serve_cheapest`), where there are few enough of them.
"""

from __future__ import annotations

import heapq
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.problems.base import Problem
from anoptima.problems.lower_bounded_facilities import Connections, LowerBoundedFacilities
from anoptima.problems.lower_bounds import serve_cheapest
from anoptima.problems.nearest_facilities import MOST_ARCS
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger

Whole = NDArray[np.int64]

MOST_PLACES = 20_000_000
"""Pairs of a sort of client and a facility, connected or not, of which a table of costs is made: 160 MB."""


@algorithms.register
class FacilityDescent(Algorithm[Connections]):
    """Opens stars, then opens and closes facilities as long as connections become cheaper; for any costs, without a guarantee.

    O(F C) a step for F facilities and C sorts of clients.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.LowerBoundedFacilities([2, 1], [(0, 0, 0), (1, 0, 1), (1, 1, 1)], least=2)
    >>> ao.solve(problem, "facility-descent").cost
    3
    """

    name = "facility-descent"
    kind = Kind.APPROXIMATE
    problems = (LowerBoundedFacilities,)
    family = "facilities"
    quick = 0
    uses_seed = False
    uses_limit = False

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It makes a table of all costs, in 64-bit numbers."""
        if not isinstance(problem, LowerBoundedFacilities):
            return super().why_not(problem)
        if len(problem.clients) * len(problem.facilities) > MOST_PLACES:
            return f"{self.name} makes a table of clients and facilities, of at most {MOST_PLACES:,} places"
        dearest = max((cost for _, _, cost in problem.connections), default=0) * problem.cost_scale
        if int(dearest) * (sum(problem.clients) + 1) >= 1 << 62:
            return f"{self.name} adds up costs in 64-bit numbers, for which these are too large"
        return None

    def search(self, problem: LowerBoundedFacilities, ledger: Ledger[Connections], start: Connections | None) -> None:
        """Offer what the nearest are, what the stars are, what the steps end in, and the cheapest connections at its facilities."""
        if problem.nearest is not None:
            ledger.offer(problem.nearest)
        descent = _Descent(problem)
        if not descent.open_stars():
            return
        ledger.offer(descent.connections())
        descent.step()
        ledger.offer(descent.connections())
        opened = descent.opened()
        arcs = [arc for arc in descent.arcs if arc[0] in opened]
        if len(arcs) <= MOST_ARCS and not ledger.is_over():
            ledger.offer(Connections.of(serve_cheapest(problem.clients, arcs, opened, problem.least)))


class _Descent:
    """Which facility serves each sort of client, and what that costs."""

    def __init__(self, problem: LowerBoundedFacilities) -> None:
        self._problem = problem
        self._clients: Whole = np.array(problem.clients, dtype=np.int64)
        self._least = problem.least
        self.arcs = [(f, c, int(cost * problem.cost_scale)) for f, c, cost in problem.connections]
        """All connections with their whole costs."""
        triples = np.array(self.arcs, dtype=np.int64)
        place = np.searchsorted(problem.facilities, triples[:, 0])
        self._far = int(triples[:, 2].max(initial=0)) * (int(self._clients.sum()) + 1) + 1
        """More than all connections cost together: the cost of one that is not given."""
        self._cost = np.full((len(self._clients), len(problem.facilities)), self._far, dtype=np.int64)
        self._cost[triples[:, 1], place] = triples[:, 2]
        self._open = np.zeros(len(problem.facilities), dtype=np.bool_)
        self._at: Whole = np.zeros(len(self._clients), dtype=np.int64)

    def open_stars(self) -> bool:
        """Open facilities for the cheapest clients that they need, and send the others to these; False if somebody cannot go to any."""
        order = self._cost.argsort(axis=0, kind="stable")
        waiting = np.ones(len(self._clients), dtype=np.bool_)
        stars = [(Fraction(0), f) for f in range(len(self._open))]
        while stars:
            check_time()
            _, f = heapq.heappop(stars)
            star, price = self._star(order[:, f], f, waiting)
            if not len(star):
                continue
            if stars and price > stars[0][0]:
                heapq.heappush(stars, (price, f))
                continue
            self._open[f] = True
            self._at[star], waiting[star] = f, False
        if not self._open.any():
            return False
        self._go_where_it_is_cheapest(np.flatnonzero(waiting))
        while (stranded := self._now() >= self._far).any():
            able = self._clients[stranded] @ (self._cost[stranded] < self._far)
            if not any(self._open_for_those_who_gain(f) for f in np.argsort(-able, kind="stable").tolist() if able[f]):
                return False
        return True

    def _star(self, order: Whole, facility: int, waiting: NDArray[np.bool_]) -> tuple[Whole, Fraction]:
        """Return the cheapest of those who wait that fill a facility, and what they cost apiece; nobody if they are too few."""
        able = order[waiting[order] & (self._cost[order, facility] < self._far)]
        count = np.cumsum(self._clients[able])
        last = int(np.searchsorted(count, self._least))
        if last == len(count):
            return able[:0], Fraction(0)
        star = able[: last + 1]
        return star, Fraction(int(self._clients[star] @ self._cost[star, facility]), int(count[last]))

    def step(self) -> None:
        """Open and close facilities as long as connections become cheaper."""
        changed = True
        while changed:
            changed = self._go_to_cheaper()
            for f in range(len(self._open)):
                check_time()
                changed |= self._close_if_cheaper(f) if self._open[f] else self._open_for_those_who_gain(f)

    def opened(self) -> set[int]:
        """Return the numbers of the facilities that serve anybody."""
        return {self._problem.facilities[f] for f in distinct(self._at).tolist()}

    def connections(self) -> Connections:
        """Return the connections as they are now."""
        number, clients = self._problem.facilities, self._problem.clients
        return Connections.of({(number[f], c): clients[c] for c, f in enumerate(self._at.tolist())})

    def _now(self) -> Whole:
        """Return what each client of a sort costs now."""
        return self._cost[np.arange(len(self._at)), self._at]

    def _load(self) -> Whole:
        """Return how many clients each facility serves: those that have no connection where they are do not count."""
        served = np.where(self._now() < self._far, self._clients, 0)
        return np.rint(np.bincount(self._at, served, len(self._open))).astype(np.int64)

    def _go_where_it_is_cheapest(self, sorts: Whole) -> None:
        self._at[sorts] = np.where(self._open, self._cost[sorts], self._far + 1).argmin(axis=1)

    def _loss(self, facility: int) -> int:
        """Return what closing a facility costs its clients; `_far` or more if one has nowhere else to go."""
        sorts = np.flatnonzero(self._at == facility)
        others = self._open.copy()
        others[facility] = False
        if not others.any():
            return self._far
        elsewhere = self._cost[np.ix_(sorts, np.flatnonzero(others))].min(axis=1)
        if (elsewhere >= self._far).any():
            return self._far
        return int(self._clients[sorts] @ (elsewhere - self._cost[sorts, facility]))

    def _go_to_cheaper(self) -> bool:
        """Send each sort to a cheaper open facility if its own has enough without it."""
        load, changed = self._load(), False
        best = np.where(self._open, self._cost, self._far + 1).argmin(axis=1)
        gain = self._now() - self._cost[np.arange(len(best)), best]
        for c in np.flatnonzero(gain > 0)[np.argsort(-gain[gain > 0], kind="stable")].tolist():
            if load[self._at[c]] - self._clients[c] >= self._least:
                load[self._at[c]] -= self._clients[c]
                load[best[c]] += self._clients[c]
                self._at[c], changed = best[c], True
        return changed

    def _close(self, facility: int) -> None:
        self._open[facility] = False
        self._go_where_it_is_cheapest(np.flatnonzero(self._at == facility))

    def _close_if_cheaper(self, facility: int) -> bool:
        if self._loss(facility) >= 0:
            return False
        self._close(facility)
        return True

    def _open_for_those_who_gain(self, facility: int) -> bool:
        """Open a facility for those who gain by it and, if these are too few, for those who lose least; if that pays.

        Those who have no connection where they are gain most, and their facility need not keep them.
        """
        now = self._now()
        gain, is_stranded = now - self._cost[:, facility], now >= self._far
        load, mine = self._load(), 0
        moved: list[int] = []
        total = 0
        for c in np.argsort(-gain, kind="stable").tolist():
            if (gain[c] <= 0 and mine >= self._least) or self._cost[c, facility] >= self._far:
                break
            if not is_stranded[c]:
                if load[self._at[c]] - self._clients[c] < self._least:
                    continue
                load[self._at[c]] -= self._clients[c]
            mine += int(self._clients[c])
            total += int(gain[c] * self._clients[c])
            moved.append(c)
        if mine < self._least or total <= 0:
            return False
        self._open[facility] = True
        self._at[moved] = facility
        return True
