"""Approximations of facility location with lower bounds, where its costs are a metric (Guha, Meyerson and Munagala 2000; Svitkina 2010).

Costs are a metric here if every client may be connected everywhere, and no way round is shorter:

    c(f, x) <= c(f, y) + c(g, y) + c(g, x)        for all facilities f, g and clients x, y.

Without a metric there are no such guarantees: deciding whether feasible connections exist is then NP-complete
(`problems.lower_bounded_facilities`). Cell suppression is such a case. Its patterns are infinitely far from the rows that they do not
match, so the theorems do not apply by way of `cell-suppression-to-facilities`, and these algorithms refuse its problems. A metric comes
back if facilities are rows (`rows_as_facilities`), at the price of a factor 2k - 1.

Let L be the lower bound, OPT the optimum, C(f) the cost of connecting to f the L clients that are nearest to it, and OPT_f the part of OPT
that is paid at a facility f which is open there. It has L clients or more, so it pays at least C(f) / L for each, on average.

**Stars** (4 L OPT). Let p(x) = min over f of c(f, x) + C(f) / L. The sum of p over all clients is at most
sum_f (OPT_f + n_f C(f) / L) <= 2 OPT, n_f the clients of f. Look at clients by rising p. If the L nearest clients of x's facility f are
free, f is opened, and they are reserved. Otherwise a client y no further from f than they are is reserved by an open g, with
C(g) / L <= p(x). Its distance to f is at most C(f), that to g at most C(g): so c(g, x) <= c(f, x) + C(f) + C(g) <= 2 L p(x). Those that are
not reserved go to the nearest open facility, at 2 L p(x) or less; those reserved by the star of x cost C(f) <= L p(x) together. Each client
opens one star at most, and if it does and is not reserved, pays p(x) for itself: at most 2 L p(x) a client in all, 4 L OPT.

**Gather** (3 rho OPT_{2L}, rho = 1.861). For OPT_{2L}, the optimum at the lower bound 2L: let opening f cost twice what its 2L nearest
clients cost. The optimum's facilities then cost 2 OPT_{2L} to open at most, so the greedy algorithm for facility location without lower
bounds, of ratio rho (Jain, Mahdian, Markakis, Saberi and Vazirani 2003), finds connections and openings of 3 rho OPT_{2L} in all. Connect
every client to the nearest open facility. While one, f, has fewer than L clients, close it. Of its 2L nearest clients, which cost C
together, L or more are connected elsewhere. The nearest of these, y, is at C / L at most from f, and its facility g is no further from y.
So the fewer than L clients of f pay 2 C at most to go to g besides, which is what opening f had cost. The connections that are left serve
L each, and cost 3 rho OPT_{2L} at most.

The second is the bicriteria result of the literature with alpha = 1/2, read so that what it finds is feasible: OPT_{2L} may be any multiple
of OPT. Constant factors of OPT itself are known (Svitkina 2010: 448; Ahmadian and Swamy 2012: 82.6), and are below 4 L from L = 113 and
L = 21 on.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.exact import Exact, exact_text, simplest
from anoptima.problems.base import Problem
from anoptima.problems.diameter_sum import scaled_distances
from anoptima.problems.lower_bounded_facilities import Connections, LowerBoundedFacilities
from anoptima.problems.lower_bounds import serve_cheapest
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger
from anoptima.table import Table

Whole = NDArray[Any]

GREEDY = Fraction(1861, 1000)
"""The ratio of the greedy algorithm for facility location without lower bounds."""

_ROOM = 2**60
"""Costs below this are compared in 64-bit integers."""
_MOST_ARCS = 20_000
"""With no more connections than this to open facilities, the cheapest use of those is found as a flow."""


class FacilityApproximation(Algorithm[Connections]):
    """An approximation of facility location with lower bounds and metric costs; subclasses choose the facilities that are open."""

    kind = Kind.APPROXIMATE
    problems = (LowerBoundedFacilities,)

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for facilities with lower bounds whose costs are a metric."""
        if not isinstance(problem, LowerBoundedFacilities):
            return super().why_not(problem)
        reason = why_no_metric(problem)
        return None if reason is None else f"{self.name} is for metric costs, and {reason}"

    def search(self, problem: LowerBoundedFacilities, ledger: Ledger[Connections], start: Connections | None) -> None:
        """Offer everybody at one facility, then the connections that the algorithm finds, then the cheapest at its facilities."""
        costs = _Costs(problem)
        one = int((costs.cost @ costs.clients).argmin())
        ledger.offer(costs.connections(costs.all_at(one)))
        if sum(problem.clients) < 2 * problem.least:
            return
        served = self.served(costs, problem.least)
        found = costs.connections(served)
        ledger.offer(found)
        self.raise_by_ratio(problem, ledger, problem.cost(found))
        opened = np.flatnonzero(served.sum(axis=1)).tolist()
        if len(opened) * len(problem.clients) <= _MOST_ARCS and not ledger.is_over():
            arcs = [(f, c, int(costs.cost[f, c])) for f in opened for c in range(len(problem.clients))]
            cheapest = serve_cheapest(problem.clients, arcs, opened, problem.least)
            ledger.offer(Connections.of({(problem.facilities[f], c): count for (f, c), count in cheapest.items()}))

    def served(self, costs: _Costs, least: int) -> Whole:
        """Return how many of each sort of client each facility serves, `least` or more in all or none."""
        raise NotImplementedError


@algorithms.register
class FacilityStars(FacilityApproximation):
    """Opens disjoint stars of a facility and its L nearest clients, and connects all others to the nearest open one: 4 L OPT at most.

    O(F C (F + log C)) for F facilities and C sorts of clients.

    References
    ----------
    S. Guha, A. Meyerson and K. Munagala: Hierarchical placement and network design problems (FOCS 2000), for the lower bound on OPT.

    Examples
    --------
    >>> import anoptima as ao
    >>> places = [0, 1, 5, 6]
    >>> problem = ao.LowerBoundedFacilities([1] * 4, [(f, c, abs(places[f] - places[c])) for f in range(4) for c in range(4)], 2)
    >>> ao.solve(problem, "facility-stars").cost, ao.get_solver("facility-stars").ratio(problem)
    (2, 8)
    """

    name = "facility-stars"
    family = "facilities"

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return 4 L."""
        assert isinstance(problem, LowerBoundedFacilities)
        return 4 * problem.least

    def served(self, costs: _Costs, least: int) -> Whole:
        """Open stars, and connect the rest to the nearest open facility."""
        stars = costs.stars(least)
        # L p(x), whole.
        prices = least * costs.cost + stars[:, np.newaxis]
        left, served = costs.clients.copy(), np.zeros_like(costs.cost)
        for c in np.argsort(prices.min(axis=0), kind="stable").tolist():
            check_time()
            f = int(prices[:, c].argmin())
            if served[f].any() or left.sum() < least:
                continue
            star = costs.nearest(f, left, least)
            if star @ costs.cost[f] == stars[f]:
                served[f] += star
                left -= star
        costs.to_nearest(served, left, np.asarray(served.any(axis=1)))
        return served


@algorithms.register
class FacilityGather(FacilityApproximation):
    """Facility location with opening costs in the place of lower bounds: at most 5.583 times the optimum at the lower bound 2L.

    Opening a facility costs what gathering 2L clients there would cost.

    `relaxed_ratio` is the factor; of OPT at the lower bound L itself nothing is promised. O(F C^2) for F facilities and C sorts of clients.

    References
    ----------
    S. Guha, A. Meyerson and K. Munagala: Hierarchical placement and network design problems (FOCS 2000); D. Karger and M. Minkoff:
    Building Steiner trees with incomplete global knowledge (FOCS 2000).

    Examples
    --------
    >>> import anoptima as ao
    >>> places = [0, 1, 5, 6]
    >>> problem = ao.LowerBoundedFacilities([1] * 4, [(f, c, abs(places[f] - places[c])) for f in range(4) for c in range(4)], 2)
    >>> ao.solve(problem, "facility-gather").cost, FacilityGather().relaxed_ratio
    (10, Fraction(5583, 1000))
    """

    name = "facility-gather"
    family = "facilities"

    relaxed_ratio = 3 * GREEDY
    """The cost is at most this factor times the optimum at the lower bound 2L, if there are 2L clients."""

    def served(self, costs: _Costs, least: int) -> Whole:
        """Open greedily, connect to the nearest, and close what has too few."""
        opened = costs.greedy(2 * costs.stars(2 * least))
        while True:
            check_time()
            served = np.zeros_like(costs.cost)
            costs.to_nearest(served, costs.clients, opened)
            held = np.where(opened, served.sum(axis=1), costs.clients.sum())
            fewest = int(held.argmin())
            if held[fewest] >= least:
                return served
            opened[fewest] = False


class _Costs:
    """The costs of a metric problem as a matrix of facilities and sorts of clients, in whole numbers."""

    def __init__(self, problem: LowerBoundedFacilities) -> None:
        self._facilities, scale = problem.facilities, problem.cost_scale
        number = {f: i for i, f in enumerate(self._facilities)}
        self.clients: Whole = np.array(problem.clients, dtype=object)
        self.cost: Whole = np.zeros((len(number), len(problem.clients)), dtype=object)
        for f, c, cost in problem.connections:
            self.cost[number[f], c] = int(cost * scale)
        largest = int(self.cost.max()) * 4 * sum(problem.clients) * max(problem.least, sum(problem.clients))
        if largest < 2**62:
            self.clients, self.cost = self.clients.astype(np.int64), self.cost.astype(np.int64)
        self._order = np.argsort(self.cost, axis=1, kind="stable")

    def nearest(self, f: int, left: Whole, count: int) -> Whole:
        """Return how many of each sort the `count` nearest of the clients that are left make up, or all that are left."""
        order = self._order[f]
        found = np.zeros_like(left)
        before = np.cumsum(left[order]) - left[order]
        found[order] = np.minimum(left[order], np.maximum(0, count - before))
        return found

    def stars(self, count: int) -> Whole:
        """Return what the `count` nearest clients of each facility cost."""
        return np.array(
            [self.nearest(f, self.clients, count) @ self.cost[f] for f in range(len(self.cost))], self.cost.dtype
        )

    def all_at(self, f: int) -> Whole:
        """Return everybody at one facility."""
        served = np.zeros_like(self.cost)
        served[f] = self.clients
        return served

    def to_nearest(self, served: Whole, left: Whole, opened: NDArray[np.bool_]) -> None:
        """Serve the clients that are left at the nearest open facility."""
        able = np.flatnonzero(opened)
        best = able[self.cost[able].argmin(axis=0)]
        served[best, np.arange(len(left))] += left

    def greedy(self, opening: Whole) -> NDArray[np.bool_]:
        """Open facilities: again and again the star of unconnected clients that costs least for each of them, with what opening costs."""
        left, opening = self.clients.copy(), opening.copy()
        opened = np.zeros(len(self.cost), dtype=np.bool_)
        while left.any():
            check_time()
            best: tuple[int, int, int, list[int]] | None = None
            for f in range(len(self.cost)):
                total, number, sorts = int(opening[f]), 0, []
                for c in self._order[f].tolist():
                    # Another client makes it cheaper as long as it costs less than those before, on average.
                    if left[c] and number and self.cost[f, c] * number >= total:
                        break
                    if left[c]:
                        total, number = total + int(self.cost[f, c] * left[c]), number + int(left[c])
                        sorts.append(c)
                if best is None or total * best[1] < best[0] * number:
                    best = total, number, f, sorts
            assert best is not None
            opened[best[2]], opening[best[2]] = True, 0
            left[best[3]] = 0
        return opened

    def connections(self, served: Whole) -> Connections:
        """Return what a matrix says, in the problem's numbers of facilities."""
        return Connections.of(
            {(self._facilities[f], int(c)): int(served[f, c]) for f, c in np.argwhere(served).tolist()}
        )


def why_no_metric(problem: LowerBoundedFacilities) -> str | None:
    """Say why the costs are no metric; None if they are one. O(F^2 C) for F facilities and C sorts of clients.

    >>> why_no_metric(LowerBoundedFacilities([2, 1], [(0, 0, 0), (1, 0, 1), (1, 1, 1)], 2))
    'client 1 cannot be connected to facility 0'
    >>> why_no_metric(LowerBoundedFacilities([1, 1], [(0, 0, 0), (0, 1, 9), (1, 0, 1), (1, 1, 1)], 2))
    'connecting client 1 to facility 0 costs 9, more than the 2 by way of client 0 and facility 1'
    """
    sorts: Sequence[int] = range(len(problem.clients))
    for f in problem.facilities:
        for c in sorts:
            if (f, c) not in problem.costs:
                return f"client {c} cannot be connected to facility {f}"
    scale = problem.cost_scale
    cost = np.array([[int(problem.costs[f, c] * scale) for c in sorts] for f in problem.facilities], dtype=object)
    if int(cost.max(initial=0)) < _ROOM:
        cost = cost.astype(np.int64)
    for i, there in enumerate(cost):
        check_time()
        for j in np.flatnonzero((there - cost).max(axis=1) > (there + cost).min(axis=1))[:1].tolist():
            here, x, y = cost[j], int((there - cost[j]).argmax()), int((there + cost[j]).argmin())
            dear, way = (
                exact_text(simplest(Fraction(int(n), scale))) for n in (there[x], there[y] + here[y] + here[x])
            )
            f, g = problem.facilities[i], problem.facilities[j]
            return f"connecting client {x} to facility {f} costs {dear}, more than the {way} by way of client {y} and facility {g}"
    return None


def rows_as_facilities(table: Table, k: int) -> LowerBoundedFacilities:
    """Return a metric question near that for the fewest stars: row types are facilities and clients, and differences are what they cost.

    Its optimum D is a lower bound on that of cell suppression under k-anonymity: connect the rows of each group to one of them; a row has
    at least as many stars as it differs from another of its group. And connections to groups S of at most 2k - 1 rows, cost d(S) each, are
    a release of at most (2k - 1) sum d(S) stars, as each bad column of a group is one in which some row differs from the facility. So D <=
    OPT, and what costs alpha D in groups of at most 2k - 1 rows is a release of at most alpha (2k - 1) OPT. Larger groups can be cut into
    such groups at no cost.

    >>> from anoptima import ten_rows
    >>> rows_as_facilities(ten_rows(), 3).size()
    {'facilities': 10, 'sorts of clients': 10, 'clients': 10, 'connections': 100}
    """
    types = np.arange(len(table.types))
    apart = scaled_distances(table, types)
    costs = [(int(f), int(c), simplest(Fraction(int(apart[f, c]), table.weight_scale))) for f in types for c in types]
    return LowerBoundedFacilities(table.multiplicity.tolist(), costs, k)
