"""Simplex matching: the cheapest partition of the vertices of a graph into pairs and triples.

Some pairs u, v have a cost c_uv >= 0, some triples u, v, w a cost c_uvw >= 0. The *simplex condition* asks that every triple has its
three pairs, and that

    c_uv + c_vw + c_uw <= 2 c_uvw.

Without it the question is NP-hard (three-dimensional matching is a case of it), with it polynomial (Anshelevich and Karagiozova). Cell
suppression under 2-anonymity and under 2-diversity are such questions: a group of 4 or more rows falls into pairs and triples that
cost no more, and on a column where three rows differ, they pay 3 and their pairs 2 each, at most 6.

References
----------
E. Anshelevich and A. Karagiozova: Terminal backup, 3D matching, and covering cubic graphs. SIAM Journal on Computing 40 (2011).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

from anoptima.arguments import checked
from anoptima.errors import BadInput, InfeasibleProblem
from anoptima.exact import Exact, Number, as_fraction, common_denominator, exact_text, simplest
from anoptima.limits import said, shown
from anoptima.problems.base import Problem, problem_kinds
from anoptima.problems.sources.matching import Edge, Matching
from anoptima.problems.sources.names import Name, distinct_names, is_known, listed, members_of, twice
from anoptima.problems.sources.packing import Packing, pack

Costs = Mapping[Any, Number]


@problem_kinds.register
@checked
@dataclass(frozen=True, init=False)
class SimplexMatching(Problem[Matching]):
    """Cheapest partition of the vertices into the given pairs and triples, under the simplex condition.

    Parameters
    ----------
    vertices
        Names, each once.
    pairs, triples
        What each pair and each triple costs, by its vertices in any order; those left out may not be used.

    Examples
    --------
    >>> pairs = {"ab": 2, "bc": 2, "ac": 2, "cd": 5, "de": 0, "ce": 5}
    >>> problem = SimplexMatching("abcde", pairs, {"abc": 3})
    >>> problem.cost(Matching.of(["abc", "de"])), problem.lower_bound()
    (3, 3)
    >>> problem.violations(Matching.of(["ab", "de"]))
    ["vertex 'c' is in no group"]
    """

    name = "simplex-matching"
    unit = "units of cost"

    vertices: tuple[Name, ...]
    pairs: tuple[tuple[Edge, Exact], ...]
    triples: tuple[tuple[Edge, Exact], ...]

    def __init__(self, vertices: Iterable[Any], pairs: Costs, triples: Costs) -> None:
        object.__setattr__(self, "vertices", distinct_names(vertices, "vertex", "the graph"))
        if not self.vertices:
            raise BadInput("the graph has no vertex; it must have at least one")
        object.__setattr__(self, "pairs", tuple(self._costs(pairs, 2, "pair")))
        object.__setattr__(self, "triples", tuple(self._costs(triples, 3, "triple")))
        for triple, cost in self.triples:
            self._require_simplex(triple, cost)
        dearest = max(self.cost_of.values(), default=0)
        as_fraction(len(self.vertices) // 2 * dearest, "what so many groups could cost together")

    def _costs(self, costs: Costs, size: int, what: str) -> Iterator[tuple[Edge, Exact]]:
        seen = set()
        for given, price in costs.items():
            members = members_of(given, f"{what} {shown(given)}")
            for name in members:
                if not is_known(name, self.position):
                    raise BadInput(
                        f"{what} {shown(given)} has {shown(name)}, which is no vertex; the vertices are {listed(self.vertices)}"
                    )
            repeated = twice(members)
            if len(members) != size or repeated is not None:
                raise BadInput(f"{what} {shown(given)} must have {size} different vertices")
            edge = tuple(sorted(members, key=self.position.__getitem__))
            if edge in seen:
                raise BadInput(f"{what} {edge!r} is there twice; it has one cost")
            seen.add(edge)
            cost = simplest(as_fraction(price, f"the cost of {what} {edge!r}"))
            if cost < 0:
                raise BadInput(f"the cost of {what} {edge!r} is {exact_text(cost)}; it must be at least 0")
            yield edge, cost

    def _require_simplex(self, triple: Edge, cost: Exact) -> None:
        total: Exact = 0
        for pair in itertools.combinations(triple, 2):
            if pair not in self.cost_of:
                raise BadInput(f"triple {triple!r} has no pair {pair!r}; the simplex condition asks for all three")
            total += self.cost_of[pair]
        if total > 2 * cost:
            raise BadInput(
                f"triple {triple!r} costs {exact_text(cost)} and its pairs {exact_text(total)}; by the simplex condition "
                "the pairs may cost twice as much as the triple, and no more"
            )

    @cached_property
    def position(self) -> Mapping[Name, int]:
        """The place of each vertex, from 0."""
        return {name: place for place, name in enumerate(self.vertices)}

    @cached_property
    def cost_of(self) -> Mapping[Edge, Exact]:
        """The cost of each pair and triple, by its vertices in the graph's order."""
        return dict((*self.pairs, *self.triples))

    def places(self, edge: Edge) -> tuple[int, ...]:
        """Return the places of a group's vertices."""
        for name in edge:
            if name not in self.position:
                raise BadInput(f"{name!r} is no vertex; the vertices are {listed(self.vertices)}")
        return tuple(self.position[name] for name in edge)

    def matching(self, groups: Iterable[Iterable[int]]) -> Matching:
        """Return the solution that consists of groups of places."""
        return Matching(
            frozenset(tuple(self.vertices[v] for v in sorted(members_of(group, "a group"))) for group in groups)
        )

    def violations(self, solution: Matching) -> list[str]:
        """Name what is no pair or triple, and the vertices that are in no group or in two."""
        unknown = sorted((edge for edge in solution.edges if edge not in self.cost_of), key=repr)
        if unknown:
            return said((f"{edge!r} is no pair or triple that there is" for edge in unknown), "are none")
        found: dict[Name, Edge] = {}
        wrong = []
        for edge in sorted(solution.edges, key=self.places):
            for vertex in edge:
                if vertex in found:
                    wrong.append(f"vertex {vertex!r} is in {found[vertex]!r} and in {edge!r}")
                found[vertex] = edge
        wrong += [f"vertex {vertex!r} is in no group" for vertex in self.vertices if vertex not in found]
        return said(wrong, "vertices")

    def cost(self, solution: Matching) -> Exact:
        """Sum the costs."""
        return simplest(sum((Fraction(self.cost_of[edge]) for edge in solution.edges), start=Fraction(0)))

    @cached_property
    def _packing(self) -> Packing:
        pairs = [(u, v) for u, v in (self.places(edge) for edge, _ in self.pairs)]
        triples = [(u, v, w) for u, v, w in (self.places(edge) for edge, _ in self.triples)]
        return pack(len(self.vertices), pairs, triples)

    def trivial(self) -> Matching:
        """Return some partition, by matchings that look at no costs: see `packing`."""
        if self._packing.groups is None:
            raise InfeasibleProblem(str(self.why_infeasible()))
        return self.matching(self._packing.groups)

    def why_infeasible(self) -> str | None:
        """Name odd parts of the graph that no triple helps, and that more of them need a vertex from outside than there are."""
        found = self._packing
        if found.groups is not None:
            return None
        parts, around = len(found.parts), len(found.around)
        first = listed([self.vertices[v] for v in found.parts[0]])
        which = "one odd part of the graph" if parts == 1 else f"{parts} odd parts of the graph"
        helpers = f" beside {listed([self.vertices[v] for v in found.around])}" if around else ""
        return (
            f"{which} ({first}{', ...' if parts > 1 else ''}) cannot be partitioned into pairs and triples on "
            f"{'its' if parts == 1 else 'their'} own, and {'has' if parts == 1 else 'have'} no neighbours{helpers}"
        )

    def lower_bound(self) -> Exact:
        """Let every vertex pay its part of the cheapest group that it could be in, and round up to what a cost can be. O(groups)."""
        least: dict[Name, Fraction] = {}
        for edge, cost in (*self.pairs, *self.triples):
            for vertex in edge:
                part = Fraction(cost) / len(edge)
                least[vertex] = min(part, least.get(vertex, part))
        total = sum(least.values(), start=Fraction(0))
        return simplest(Fraction(math.ceil(total * self.cost_scale), self.cost_scale))

    def solutions(self) -> Iterator[Matching]:
        """Yield every partition into pairs and triples that there are."""
        groups: dict[int, list[tuple[int, ...]]] = {}
        for edge in self.cost_of:
            places = self.places(edge)
            groups.setdefault(places[0], []).append(places)

        def extend(left: frozenset[int], chosen: list[tuple[int, ...]]) -> Iterator[Matching]:
            if not left:
                yield self.matching(chosen)
                return
            for group in groups.get(min(left), ()):
                if left.issuperset(group):
                    yield from extend(left.difference(group), [*chosen, group])

        return extend(frozenset(range(len(self.vertices))), [])

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield one triple, two far apart, one that no integral relaxation bounds, fractions, and two without a partition."""
        yield cls("abc", {"ab": 2, "bc": 2, "ac": 2}, {"abc": 3})
        near = [*itertools.combinations(range(3), 2), *itertools.combinations(range(3, 6), 2)]
        yield cls(
            range(6),
            {pair: 2 if pair in near else 100 for pair in itertools.combinations(range(6), 2)},
            {(0, 1, 2): 3, (3, 4, 5): 3},
        )
        dear, free = ("01", "04", "14"), ("03", "05", "06", "12", "15", "23", "26", "36", "45", "46")
        yield cls("0123456", dict.fromkeys(dear, 2) | dict.fromkeys(free, 0), {"015": 1, "046": 1, "145": 1, "236": 0})
        yield cls("abcd", {"ab": "1/2", "cd": "1/3", "ac": 0, "bc": 1}, {"abc": "3/4"})
        yield cls("abcd", {"ab": 1, "ac": 1, "ad": 1}, {})
        yield cls("a", {}, {})

    def size(self) -> Mapping[str, int]:
        """Return vertices, pairs and triples."""
        return {"vertices": len(self.vertices), "pairs": len(self.pairs), "triples": len(self.triples)}

    @cached_property
    def cost_scale(self) -> int:
        """The common denominator of the costs."""
        return common_denominator(self.cost_of.values())
