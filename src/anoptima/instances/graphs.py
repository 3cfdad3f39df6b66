"""Named graphs: cubic ones for the reduction from vertex cover, and small ones for the other reductions."""

from __future__ import annotations

import itertools

from anoptima.problems.sources.graph import Graph


def complete_graph(order: int) -> Graph:
    """Return the complete graph on 1, ..., `order`. `complete_graph(4)` is cubic, with a least vertex cover of 3.

    >>> len(complete_graph(4).edges)
    6
    """
    vertices = range(1, order + 1)
    return Graph(vertices, itertools.combinations(vertices, 2))


def cycle(order: int) -> Graph:
    """Return the cycle 1, 2, ..., `order` >= 3. `cycle(4)` and `cycle(6)` are examples of theorems 3 and 5 of Liang and Yuan.

    >>> cycle(4).edges
    ((1, 2), (2, 3), (3, 4), (1, 4))
    """
    return Graph(range(1, order + 1), [(v, v % order + 1) for v in range(1, order + 1)])


def k33() -> Graph:
    """Return the complete bipartite graph between 1, 2, 3 and 4, 5, 6: cubic, with a least vertex cover of 3."""
    return Graph(range(1, 7), itertools.product((1, 2, 3), (4, 5, 6)))


def prism() -> Graph:
    """Return two triangles joined by three edges: cubic, with a least vertex cover of 4."""
    return Graph(range(1, 7), [(1, 2), (2, 3), (1, 3), (4, 5), (5, 6), (4, 6), (1, 4), (2, 5), (3, 6)])


def cube() -> Graph:
    """Return the corners of a cube, named by their coordinates: cubic, with a least vertex cover of 4.

    >>> cube().edges[:2]
    (('000', '001'), ('000', '010'))
    """
    corners = ["".join(corner) for corner in itertools.product("01", repeat=3)]
    near = [
        (a, b) for a, b in itertools.combinations(corners, 2) if sum(x != y for x, y in zip(a, b, strict=True)) == 1
    ]
    return Graph(corners, near)


def petersen() -> Graph:
    """Return the Petersen graph, the pairs from 1 to 5 with edges between disjoint ones: cubic, with a least vertex cover of 6.

    >>> petersen().edges[0]
    ('12', '34')
    """
    pairs = ["".join(pair) for pair in itertools.combinations("12345", 2)]
    return Graph(pairs, [(a, b) for a, b in itertools.combinations(pairs, 2) if not set(a) & set(b)])


def triangle_with_path() -> Graph:
    """Return a triangle with a path of three vertices attached: it has a half-clique, and a cycle of six has none."""
    return Graph(range(1, 7), [(1, 2), (2, 3), (1, 3), (3, 4), (4, 5), (5, 6)])
