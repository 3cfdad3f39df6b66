"""Least costs of tiny source problems, by trying everything. Nothing is imported from the package: graphs are pairs of places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

Pair = tuple[int, int]


def unmatched(members: int, edges: Sequence[Sequence[int]]) -> int:
    """The fewest members outside pairwise disjoint edges: each edge is taken or not, as bit masks."""
    masks = [sum(1 << member for member in edge) for edge in edges]

    def most(start: int, used: int) -> int:
        best = used.bit_count()
        for number in range(start, len(masks)):
            if not masks[number] & used:
                best = max(best, most(number + 1, used | masks[number]))
        return best

    return members - most(0, 0)


def cut(vertices: int, edges: Sequence[Pair]) -> int:
    """The fewest edges between two halves, over all colourings with as many ones as zeros."""
    return min(
        sum(sides[u] != sides[v] for u, v in edges)
        for sides in product((0, 1), repeat=vertices)
        if 2 * sum(sides) == vertices
    )


def missing(vertices: int, edges: Iterable[Pair], order: int) -> int:
    """The fewest pairs without an edge among `order` vertices."""
    joined = {frozenset(edge) for edge in edges}
    return min(
        sum(frozenset(pair) not in joined for pair in combinations(members, 2))
        for members in combinations(range(vertices), order)
    )


def outside(vertices: int, edges: Iterable[Pair]) -> int:
    """The fewest vertices outside a clique: grows cliques vertex by vertex."""
    joined = {frozenset(edge) for edge in edges}

    def largest(clique: list[int], start: int) -> int:
        return max(
            (
                largest([*clique, vertex], vertex + 1)
                for vertex in range(start, vertices)
                if all(frozenset((vertex, member)) in joined for member in clique)
            ),
            default=len(clique),
        )

    return vertices - largest([], 0)


def cover(edges: Sequence[Pair]) -> int:
    """The fewest vertices in all edges: the first uncovered edge is covered by one end or by the other."""
    if not edges:
        return 0
    return 1 + min(cover([edge for edge in edges if end not in edge]) for end in edges[0])


def unsatisfied(variables: int, clauses: Sequence[Sequence[int]]) -> int:
    """The fewest failing clauses over all truth tables' lines."""
    return min(
        sum(all(line[abs(literal) - 1] != (literal > 0) for literal in clause) for clause in clauses)
        for line in product((False, True), repeat=variables)
    )


def covering_sets(elements: int, sets: Sequence[Sequence[int]]) -> int:
    """The fewest sets that have all elements: by how many elements can be had with 0, 1, 2, ... sets."""
    reached, whole, count = {0}, (1 << elements) - 1, 0
    masks = [sum(1 << element for element in members) for members in sets]
    while whole not in reached:
        reached = {had | mask for had in reached for mask in masks}
        count += 1
    return count


def cheapest_groups(vertices: int, costs: Mapping[tuple[int, ...], Any]) -> Any:
    """The cheapest partition of the vertices into groups that have a cost, by the group of the first one."""

    def rest(left: frozenset[int]) -> Any:
        if not left:
            return 0
        ways = []
        for group, cost in costs.items():
            if min(left) in group and left.issuperset(group):
                more = rest(left - set(group))
                if more is not None:
                    ways.append(cost + more)
        return min(ways, default=None)

    found = rest(frozenset(range(vertices)))
    assert found is not None
    return found
