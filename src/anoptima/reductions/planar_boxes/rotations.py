"""A plane graph as rotations: each node's neighbours clockwise. Edges can be cut, and lines drawn through faces."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from anoptima.packages import nx

Node = tuple[str, int]
Arc = tuple[Node, Node]
"""An edge in one of its two directions; every face is walked along arcs."""


@dataclass(frozen=True)
class Route:
    """A line from a node through faces to another: where it leaves, the arcs that it crosses from their face, and where it arrives."""

    leave: Arc
    crossed: tuple[Arc, ...]
    target: Node


class Rotations:
    """A connected plane graph without parallel edges.

    >>> a, b, c = [("variable", x) for x in (1, 2, 3)]
    >>> triangle = Rotations({a: [b, c], b: [c, a], c: [a, b]})
    >>> triangle.face((a, b)) == [(a, b), (b, c), (c, a)], len(list(triangle.faces()))
    (True, 2)
    """

    def __init__(self, around: Mapping[Node, Iterable[Node]]) -> None:
        self.around: dict[Node, list[Node]] = {node: list(others) for node, others in around.items()}

    @classmethod
    def of(cls, graph: nx.Graph[Node]) -> Rotations | None:
        """Draw a graph in the plane; None if that cannot be. O(nodes)."""
        is_planar, embedding = nx.check_planarity(graph)
        if not is_planar:
            return None
        assert isinstance(embedding, nx.PlanarEmbedding)
        return cls({node: embedding.neighbors_cw_order(node) for node in graph})

    def copy(self) -> Rotations:
        """Return one to draw on."""
        return Rotations(self.around)

    def face(self, arc: Arc) -> list[Arc]:
        """Return the arcs of the face that `arc` is on, beginning with it."""
        found = [arc]
        while (following := self._next(found[-1])) != arc:
            found.append(following)
        return found

    def _next(self, arc: Arc) -> Arc:
        u, v = arc
        around = self.around[v]
        return v, around[around.index(u) - 1]

    def faces(self) -> Iterator[list[Arc]]:
        """Yield every face."""
        seen: set[Arc] = set()
        for node, around in self.around.items():
            for other in around:
                if (node, other) not in seen:
                    face = self.face((node, other))
                    seen.update(face)
                    yield face

    def route(self, start: Node, targets: Callable[[Node], bool], closed: Callable[[Arc], bool]) -> Route | None:
        """Return a route that crosses fewest edges, none that is closed, from `start` to a target; None if there is none. O(edges)."""
        faces = list(self.faces())
        face_of = {arc: number for number, face in enumerate(faces) for arc in face}
        came: dict[int, Arc | None] = {}
        queue: deque[int] = deque()
        for other in self.around[start]:
            number = face_of[other, start]
            if number not in came:
                came[number] = None
                queue.append(number)
        while queue:
            number = queue.popleft()
            for _, node in faces[number]:
                if node != start and targets(node):
                    return self._traced(start, node, number, faces, face_of, came)
            for u, v in faces[number]:
                beyond = face_of[v, u]
                if beyond not in came and not closed((u, v)):
                    came[beyond] = (u, v)
                    queue.append(beyond)
        return None

    @staticmethod
    def _traced(
        start: Node,
        target: Node,
        number: int,
        faces: Sequence[list[Arc]],
        face_of: Mapping[Arc, int],
        came: Mapping[int, Arc | None],
    ) -> Route:
        crossed: list[Arc] = []
        while (arc := came[number]) is not None:
            crossed.append(arc)
            number = face_of[arc]
        leave = next(arc for arc in faces[number] if arc[1] == start)
        return Route(leave, tuple(reversed(crossed)), target)

    def cut(self, arc: Arc, node: Node) -> None:
        """Put a new node into an edge."""
        u, v = arc
        for end, other in ((u, v), (v, u)):
            self.around[end][self.around[end].index(other)] = node
        self.around[node] = [u, v]

    def join(self, corner: Arc, target: Node, node: Node) -> None:
        """Draw a line through a face, with a new node in it: from the corner that an arc leads to, to the target's first in that face."""
        other = next(arc for arc in self.face(corner) if arc[1] == target)
        for before, end in (corner, other):
            self.around[end].insert(self.around[end].index(before), node)
        self.around[node] = [corner[1], target]

    def side(self, node: Node, before: Node, after: Node) -> list[Node]:
        """Return the neighbours clockwise between two others.

        >>> x, a, b, c = [("variable", number) for number in range(4)]
        >>> Rotations({x: [a, b, c]}).side(x, a, c) == [b], Rotations({x: [a, b, c]}).side(x, c, b) == [a]
        (True, True)
        """
        around = self.around[node]
        begin = around.index(before)
        turned: Iterable[Node] = around[begin + 1 :] + around[:begin]
        found = []
        for other in turned:
            if other == after:
                break
            found.append(other)
        return found
