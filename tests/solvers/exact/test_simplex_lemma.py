"""The lemma behind simplex matching by moves of two triples (docs/beyond.md): basic sets add up to every edge once.

On all cubic multigraphs of two and four nodes, and on what the second step of the proof leaves to a finite check, in all colours. HiGHS
finds the weights; they are rounded to fractions and added up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

import highspy
import pytest

Edge = tuple[int, int]

LEGAL = {"red": (0, 1, 3), "blue": (0, 2, 3), "leaf": (0, 1), "stiff": (0, 3)}
"""The degrees that a node of each colour may have in a legal set; no stiff node comes up in the proof."""

SHAPES: dict[str, tuple[list[Edge], int]] = {
    "a node with three tails": ([(0, 1), (0, 2), (0, 3)], 1),
    "a cycle with two tails": ([(0, 1), (0, 1), (0, 2), (1, 3)], 2),
    "a theta with one tail": ([(0, 1), (0, 1), (0, 2), (1, 2), (2, 3)], 3),
    "two doubled edges in a ring": ([(0, 1), (0, 1), (1, 2), (2, 3), (2, 3), (3, 0)], 4),
}
"""What is left in the second step of the proof: edges, and the number of cubic nodes, which come first; the others are leaves."""


def basic_sets(edges: Sequence[Edge], colours: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield the legal sets of edges with two odd nodes at most, none of them empty, as 0/1 vectors."""
    for chosen in itertools.product((0, 1), repeat=len(edges)):
        degrees = [0] * len(colours)
        for taken, edge in zip(chosen, edges, strict=True):
            for node in edge:
                degrees[node] += taken
        is_legal = all(degree in LEGAL[colour] for degree, colour in zip(degrees, colours, strict=True))
        if any(chosen) and is_legal and sum(degree % 2 for degree in degrees) <= 2:
            yield chosen


def add_up(edges: Sequence[Edge], colours: Sequence[str]) -> bool:
    """Tell whether basic sets with weights, not negative, hold every edge once."""
    sets = list(basic_sets(edges, colours))
    program = highspy.Highs()
    program.silent()
    columns = [program.addVariable(lb=0) for _ in sets]
    for place in range(len(edges)):
        held = [column for column, one in zip(columns, sets, strict=True) if one[place]]
        if not held:
            return False
        program.addConstr(program.qsum(held) == 1)
    program.run()
    if program.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return False
    weights = [Fraction(program.variableValue(column)).limit_denominator(1_000) for column in columns]
    sums = [sum(weight * one[place] for weight, one in zip(weights, sets, strict=True)) for place in range(len(edges))]
    return min(weights) >= 0 and sums == [1] * len(edges)


def cubic_multigraphs(nodes: int) -> set[tuple[Edge, ...]]:
    """Return the connected ones, with parallel edges and loops, once each."""

    def pairings(stubs: tuple[int, ...]) -> Iterator[tuple[Edge, ...]]:
        if not stubs:
            yield ()
            return
        first, *others = stubs
        for place in sorted({others.index(other) for other in others}):
            rest = tuple(others[:place] + others[place + 1 :])
            yield from (((first, others[place]), *more) for more in pairings(rest))

    def renamed(edges: tuple[Edge, ...], order: Sequence[int]) -> tuple[Edge, ...]:
        return tuple(sorted((min(order[u], order[v]), max(order[u], order[v])) for u, v in edges))

    def is_connected(edges: tuple[Edge, ...]) -> bool:
        reached = {0}
        for _ in range(nodes):
            reached |= {node for edge in edges if reached & set(edge) for node in edge}
        return len(reached) == nodes

    orders = list(itertools.permutations(range(nodes)))
    stubs = tuple(node for node in range(nodes) for _ in range(3))
    return {min(renamed(edges, order) for order in orders) for edges in set(pairings(stubs)) if is_connected(edges)}


@pytest.mark.parametrize(("nodes", "graphs"), [(2, 2), (4, 5)])
def test_every_edge_of_a_small_cubic_multigraph_once(nodes: int, graphs: int) -> None:
    found = cubic_multigraphs(nodes)
    assert len(found) == graphs
    for edges in found:
        for colours in itertools.product(("red", "blue"), repeat=nodes):
            assert add_up(edges, colours), (edges, colours)


def test_every_edge_of_what_is_left_by_cuts_of_two_edges_once() -> None:
    checked = 0
    for name, (edges, cubic) in SHAPES.items():
        leaves = max(node for edge in edges for node in edge) + 1 - cubic
        for colours in itertools.product(("red", "blue"), repeat=cubic):
            assert add_up(edges, (*colours, *["leaf"] * leaves)), (name, colours)
            checked += 1
    assert checked == 30


def test_the_check_can_fail() -> None:
    """A node that takes all three tails or none leaves three odd nodes beside it."""
    edges, _ = SHAPES["a node with three tails"]
    assert not add_up(edges, ("stiff", "leaf", "leaf", "leaf"))
