"""Facility location with lower bounds, without a metric: connect every client, each open facility serving a least number of them.

Opening costs nothing; a client may be connected only where a connection is given. This is what k-anonymity by cell suppression is
once patterns are seen as facilities and rows as clients (Chakaravarthy, Pandit, Sabharwal 2010, section 4), and a little more: there
may be no solution, and deciding whether there is one is NP-complete already for lower bound 3, by exact cover by triples.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, Number, as_fraction, as_integer, common_denominator, exact_text, simplest
from anoptima.problems.base import Problem, problem_kinds
from anoptima.problems.lower_bounds import Arc, serve_all
from anoptima.problems.nearest_facilities import nearest_with_enough

_MOST_LOOKS = 5_000_000
"""The most arcs that are looked at for facilities that serve everybody: some seconds."""
_MOST_OPENED = 300
"""The most facilities that are opened one after the other by search: it goes a call deeper for each."""


@checked
@dataclass(frozen=True)
class Connections:
    """The number of clients of each sort at each facility: `served` maps (facility, client) to a number above 0, as sorted triples.

    >>> import anoptima as ao
    >>> problem = ao.LowerBoundedFacilities([2, 1], [(0, 0, 0), (1, 0, 1), (1, 1, 1)], least=2)
    >>> ao.solve(problem).solution  # two clients of sort 0 and one of sort 1, all at facility 1
    Connections(served=((1, 0, 2), (1, 1, 1)))
    """

    served: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, served: Mapping[Arc, int]) -> Connections:
        """Make connections from a mapping.

        >>> Connections.of({(1, 0): 2, (0, 0): 0})
        Connections(served=((1, 0, 2),))
        """
        return cls(tuple((f, c, int(count)) for (f, c), count in sorted(served.items()) if count))


@problem_kinds.register
@checked
@dataclass(frozen=True)
class LowerBoundedFacilities(Problem[Connections]):
    """Cheapest connections of all clients such that every facility serves `least` of them or none.

    Parameters
    ----------
    clients
        The number of clients of each sort.
    connections
        (facility, client, cost): a facility, a sort of client that may be served there, and what each one served costs. Both are
        numbered from 0, and costs are at least 0.
    least
        The least number of clients of an open facility.

    Examples
    --------
    >>> problem = LowerBoundedFacilities([2, 1], [(0, 0, 0), (1, 0, 1), (1, 1, 1)], 2)
    >>> problem.cost(problem.trivial()), problem.lower_bound()
    (3, 3)
    """

    clients: Sequence[int]
    connections: Sequence[tuple[int, int, Exact]]
    least: int

    name = "lower-bounded-facilities"
    unit = "units of connection cost"

    def __post_init__(self) -> None:
        object.__setattr__(self, "least", as_integer(self.least, "the lower bound"))
        if self.least < 1:
            raise BadInput(f"the lower bound is {self.least}; it must be at least 1")
        counts = (as_integer(count, f"the number of clients of sort {c}") for c, count in enumerate(self.clients))
        object.__setattr__(self, "clients", tuple(counts))
        for c, count in enumerate(self.clients):
            if count < 1:
                raise BadInput(f"there are {count} clients of sort {c}; there must be at least 1")
        if not self.clients:
            raise BadInput("there are no clients; there must be at least one sort of them")
        object.__setattr__(self, "connections", _checked(self.connections, len(self.clients)))
        dearest: dict[int, Exact] = dict.fromkeys(range(len(self.clients)), 0)
        for _, c, cost in self.connections:
            dearest[c] = max(cost, dearest[c])
        total = sum((count * dearest[c] for c, count in enumerate(self.clients)), start=Fraction(0))
        as_fraction(total, "what all clients cost where they are dearest, together,")

    @cached_property
    def costs(self) -> dict[Arc, Exact]:
        """The cost of each connection that is given."""
        return {(f, c): cost for f, c, cost in self.connections}

    @cached_property
    def facilities(self) -> tuple[int, ...]:
        """The facilities that have a connection."""
        return tuple(sorted({f for f, _, _ in self.connections}))

    def cost(self, solution: Connections) -> Exact:
        """Return the exact cost of all connections."""
        return simplest(sum((self.costs[f, c] * count for f, c, count in solution.served), start=0))

    def violations(self, solution: Connections) -> list[str]:
        """Name connections that are not given, clients not served as often as they are there, and facilities that serve too few."""
        found = [
            f"client {c} cannot be connected to facility {f}" for f, c, _ in solution.served if (f, c) not in self.costs
        ]
        found += [
            f"facility {f} serves {n} of client {c}; a number above 0 is meant" for f, c, n in solution.served if n < 1
        ]
        if found:
            return found
        by_client, by_facility = [0] * len(self.clients), dict.fromkeys(self.facilities, 0)
        for f, c, count in solution.served:
            by_client[c] += count
            by_facility[f] += count
        for c, (count, there) in enumerate(zip(by_client, self.clients, strict=True)):
            if count != there:
                found.append(f"client {c} is served {count} times and is there {there} times")
        for f, count in by_facility.items():
            if 0 < count < self.least:
                found.append(f"facility {f} serves {count} clients; the lower bound is {self.least}")
        return found

    def trivial(self) -> Connections:
        """Return some feasible connections: everybody at one facility where there is such a one; by search otherwise."""
        self.require_feasible()
        assert self._opening is not None
        return Connections.of(serve_all(self.clients, self.costs, self._opening, self.least)[0])

    def lower_bound(self) -> Exact:
        """Connect every client where it costs least; with fewer clients than two facilities need, everybody at the cheapest one for all."""
        self.require_feasible()
        return self._cheapest

    @cached_property
    def _cheapest(self) -> Exact:
        if sum(self.clients) < 2 * self.least:
            return min(
                simplest(sum((n * cost for n, cost in zip(self.clients, costs, strict=True)), start=0))
                for costs in self._complete
            )
        cheapest: dict[int, Exact] = {}
        for _, c, cost in self.connections:
            cheapest[c] = min(cost, cheapest.get(c, cost))
        return simplest(sum((count * cheapest[c] for c, count in enumerate(self.clients)), start=0))

    @property
    def _complete(self) -> Iterator[list[Exact]]:
        """The costs of the clients at each facility that may serve them all."""
        for f in self.facilities:
            if all((f, c) in self.costs for c in range(len(self.clients))):
                yield [self.costs[f, c] for c in range(len(self.clients))]

    def why_infeasible(self) -> str | None:
        """Name a client without a connection, or too few clients; where all else fails, search (see `_opening`)."""
        return self._why_infeasible

    @cached_property
    def _why_infeasible(self) -> str | None:
        connected = {c for _, c, _ in self.connections}
        for c in range(len(self.clients)):
            if c not in connected:
                return f"client {c} can be connected to no facility"
        total = sum(self.clients)
        if total < self.least:
            clients = "is only 1 client" if total == 1 else f"are only {total} clients"
            return f"the lower bound is {self.least} but there {clients}"
        if self._opening is None:
            return f"no choice of facilities connects every client and gives each open facility {self.least} clients"
        return None

    @cached_property
    def nearest(self) -> Connections | None:
        """Everybody at the nearest facility that has enough clients, as far as closing others leads there (`nearest_facilities`)."""
        whole = [(f, c, int(cost * self.cost_scale)) for f, c, cost in self.connections]
        found = nearest_with_enough(self.clients, whole, self.least)
        return None if found is None else Connections.of(found)

    @cached_property
    def _opening(self) -> frozenset[int] | None:
        """Facilities that serve everybody with `least` clients each, or None if there are none.

        One that may serve everybody, or those that are left when others have closed (`nearest`). Otherwise a search branches over the
        facilities of the first client without an open one, as some of them must be open; a set of facilities that cannot all have their
        clients is given up, as more would only be harder. Exponential at worst; `NotApplicable` where that takes long.
        """
        reach: dict[int, set[int]] = {f: set() for f in self.facilities}
        for f, c, _ in self.connections:
            reach[f].add(c)
        usable = {f: cs for f, cs in reach.items() if sum(self.clients[c] for c in cs) >= self.least}
        for f, cs in usable.items():
            if len(cs) == len(self.clients):
                return frozenset({f})
        if self.nearest is not None:
            return frozenset(f for f, _, _ in self.nearest.served)
        return _Opening(self, usable).found(frozenset(), frozenset())

    def solutions(self) -> Iterator[Connections]:
        """Yield every way to spread each sort of client over the facilities that may serve it."""
        ways = []
        for c, count in enumerate(self.clients):
            able = [f for f in self.facilities if (f, c) in self.costs]
            ways.append(
                [dict(zip(((f, c) for f in able), parts, strict=True)) for parts in _compositions(count, len(able))]
            )
        for chosen in itertools.product(*ways):
            yield Connections.of({arc: count for way in chosen for arc, count in way.items()})

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield few clients with a facility to close, with fractions, without a way, and on a line."""
        yield cls([2, 1], [(0, 0, 0), (1, 0, 1), (1, 1, 1)], 2)
        yield cls(
            [1, 2, 1], [(0, 0, 0), (0, 1, 1), (1, 1, 0), (1, 2, Fraction(1, 2)), (2, 0, 3), (2, 1, 3), (2, 2, 3)], 3
        )
        yield cls([1, 1], [(0, 0, 1), (1, 1, 1)], 2)
        line = [(f, c, abs(at - place)) for f, at in enumerate((0, 2, 4)) for c, place in enumerate((0, 1, 4))]
        yield cls([2, 1, 2], line, 2)

    def size(self) -> Mapping[str, int]:
        """Return facilities, sorts of clients, clients and connections."""
        return {
            "facilities": len(self.facilities),
            "sorts of clients": len(self.clients),
            "clients": sum(self.clients),
            "connections": len(self.connections),
        }

    @cached_property
    def cost_scale(self) -> int:
        """The common denominator of the connection costs."""
        return common_denominator(cost for _, _, cost in self.connections)

    def describe_cost(self, cost: Exact) -> str:
        """Say a connection cost."""
        return f"connection cost {exact_text(cost)}"


def _facilities_of(reach: Mapping[int, set[int]], sorts: int) -> list[list[int]]:
    """Return the facilities of each sort of client, in order."""
    places: list[list[int]] = [[] for _ in range(sorts)]
    for f in sorted(reach):
        for c in reach[f]:
            places[c].append(f)
    return places


class _Opening:
    """The search for facilities that serve everybody; it looks at no more than so many arcs."""

    def __init__(self, problem: LowerBoundedFacilities, reach: Mapping[int, set[int]]) -> None:
        self._problem, self._reach = problem, reach
        self._places = _facilities_of(reach, len(problem.clients))
        self._looks = 0

    def found(self, opened: frozenset[int], closed: frozenset[int]) -> frozenset[int] | None:
        """Return what serves everybody with the `opened` facilities, and without the `closed` ones; None if there is nothing."""
        waiting = set(range(len(self._places))).difference(*(self._reach[f] for f in opened))
        if not waiting:
            return opened
        choices = {c: [f for f in self._places[c] if f not in closed] for c in waiting}
        client = min(waiting, key=lambda c: (len(choices[c]), c))
        for f in choices[client]:
            more = opened | {f}
            if self._can_fill(more):
                found = self.found(more, closed)
                if found is not None:
                    return found
            closed |= {f}
        return None

    def _can_fill(self, opened: frozenset[int]) -> bool:
        arcs = [(f, c) for f in opened for c in self._reach[f]]
        self._looks += len(arcs)
        if self._looks > _MOST_LOOKS or len(opened) > _MOST_OPENED:
            raise NotApplicable(
                f"no facilities are known that serve everybody with {self._problem.least} clients each, and there are too many to try"
            )
        return not serve_all(self._problem.clients, arcs, opened, self._problem.least)[1]


def _checked(connections: Iterable[tuple[int, int, Number]], sorts: int) -> tuple[tuple[int, int, Exact], ...]:
    found: dict[Arc, Exact] = {}
    for f, c, cost in connections:
        if type(f) is type(c) is type(cost) is int and f >= 0 and 0 <= c < sorts and cost >= 0 and (f, c) not in found:
            found[f, c] = cost
            continue
        if as_integer(f, "the number of a facility") < 0:
            raise BadInput(f"a connection names facility {f}; facilities are numbered from 0")
        if not 0 <= as_integer(c, "the number of a client") < sorts:
            raise BadInput(f"a connection names client {c}; clients are numbered from 0 to {sorts - 1}")
        if (f, c) in found:
            raise BadInput(f"the connection of facility {f} and client {c} is given twice; each may be given once")
        price = as_fraction(cost, f"the cost of connecting client {c} to facility {f}")
        if price < 0:
            raise BadInput(f"the cost of connecting client {c} to facility {f} is {cost}; it must be at least 0")
        found[f, c] = simplest(price)
    return tuple((f, c, cost) for (f, c), cost in sorted(found.items()))


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts <= 1:
        if parts or not total:
            yield (total,) * parts
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)
