"""Variables on a line: a rectilinear embedding for any planar formula, with copies of variables where it needs them.

In a rectilinear embedding the line, closed at infinity, is a closed curve through all variables that meets no edge between them. So a
formula has one exactly if its incidence graph stays planar when a cycle through the variables is added (component by component).
Not every planar formula is like that. But a closed curve through all variables can always be drawn that crosses edges. A crossing of
the edge from x to a clause becomes a *copy*: a new variable x' on the line, which takes the place of x in the clause on the other side.
On the side where the edge comes from, a clause ties it to x: (x or not x') if x is in the clause, (not x or x') if its negation is. That
is enough, since x' is in no other clause (Lichtenstein 1982 takes both, and more).

The curve is drawn from variable to variable, always to one that is reached with fewest crossings, and then closed; it never crosses
itself, and an open curve does not divide the plane, so there always is a way. All starts are tried. If every curve found has
crossings and there are at most `MOST_ORDERED` variables, all cyclic orders are tried: then no copies are made where none are needed. With
more variables that is not promised: to tell is NP-hard.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from anoptima.packages import nx
from anoptima.problems.sources.formula import Formula, RectilinearEmbedding
from anoptima.reductions.planar_boxes.layout import threshold
from anoptima.reductions.planar_boxes.rotations import Arc, Node, Rotations

MOST_ORDERED = 7
"""Variables in a component of which all cyclic orders are tried, 360 of them."""

MOST_STARTS = 24
"""The number of starts of the curve to try."""

_ROUNDS = 4
"""The number of rounds in which clauses may move to the other side."""


@dataclass(frozen=True)
class Lined:
    """A formula with copies, and its rectilinear embedding.

    Attributes
    ----------
    formula
        The given clauses first, with copies in them; then a clause for each copy.
    embedding
        Its embedding.
    original
        For each copy, from the first, the variable of the given formula that it stands for.
    """

    formula: Formula
    embedding: RectilinearEmbedding
    original: tuple[int, ...]

    def __post_init__(self) -> None:
        wrong = self.embedding.why_not(self.formula)
        assert wrong is None, wrong


@lru_cache(maxsize=16)
def on_a_line(formula: Formula) -> Lined:
    """Return a rectilinear embedding of a planar formula, with as few copies as are found.

    >>> lined = on_a_line(Formula(3, [(1, 2, 3), (-1, -2, -3)]))
    >>> lined.original, lined.embedding.why_not(lined.formula)
    ((), None)
    """
    graph = formula.incidence()
    drawing = _Drawing(formula)
    for nodes in sorted(nx.connected_components(graph), key=min):
        drawing.add(_best_curve(graph.subgraph(nodes).copy()))
    return drawing.finished()


@dataclass
class _Curve:
    """A closed curve through all variables of a component: what is drawn, and the curve's nodes in order, with those in between."""

    plane: Rotations
    nodes: list[Node]
    chains: dict[Arc, list[Node]] = field(default_factory=dict)

    @property
    def crossings(self) -> int:
        return sum(len(chain) - 2 for chain in self.chains.values())


def _best_curve(graph: nx.Graph[Node]) -> _Curve:
    plane = Rotations.of(graph)
    assert plane is not None, "the formula is planar"
    variables = sorted(node for node in graph if node[0] == "variable")
    edges = [(u, v) if u[0] == "variable" else (v, u) for u, v in graph.edges]
    chains = {edge: list(edge) for edge in edges}
    if len(variables) == 1:
        return _Curve(plane, list(variables), chains)
    starts = variables[:: max(1, len(variables) // MOST_STARTS)]
    best = min((_drawn(plane.copy(), edges, variables, start) for start in starts), key=lambda curve: curve.crossings)
    if best.crossings and len(variables) <= MOST_ORDERED:
        return next(_uncrossed(graph, variables, chains), best)
    return best


def _drawn(plane: Rotations, edges: Sequence[Arc], variables: Sequence[Node], start: Node) -> _Curve:
    chains = {edge: list(edge) for edge in edges}
    whole = {frozenset(edge): edge for edge in edges}
    missing = set(variables) - {start}
    nodes: list[Node] = [start]
    fresh = itertools.count()

    def closed(arc: Arc) -> bool:
        return frozenset(arc) not in whole

    while True:
        route = plane.route(nodes[-1], missing.__contains__ if missing else start.__eq__, closed)
        assert route is not None, "an open curve does not divide the plane"
        corner = route.leave
        for u, v in route.crossed:
            crossing, between = ("crossing", next(fresh)), ("curve", next(fresh))
            edge = whole.pop(frozenset((u, v)))
            chain = chains[edge]
            chain.insert(max(chain.index(u), chain.index(v)), crossing)
            whole[frozenset((u, crossing))] = whole[frozenset((crossing, v))] = edge
            plane.cut((u, v), crossing)
            plane.join(_renamed(corner, (u, v), crossing), crossing, between)
            nodes += [between, crossing]
            corner = (v, crossing)
        between = ("curve", next(fresh))
        plane.join(corner, route.target, between)
        nodes.append(between)
        if not missing:
            return _Curve(plane, nodes, chains)
        missing.remove(route.target)
        nodes.append(route.target)


def _renamed(corner: Arc, cut: Arc, node: Node) -> Arc:
    """Return the corner that an arc leads to after an edge has been cut: if it was that edge, its last part leads there."""
    return (node, corner[1]) if corner in (cut, cut[::-1]) else corner


def _uncrossed(graph: nx.Graph[Node], variables: Sequence[Node], chains: dict[Arc, list[Node]]) -> Iterator[_Curve]:
    first, *others = variables
    for order in itertools.permutations(others):
        if len(order) > 1 and order[0] > order[-1]:
            continue
        nodes = [node for i, variable in enumerate((first, *order)) for node in (variable, ("curve", i))]
        cycle = graph.copy()
        nx.add_cycle(cycle, nodes)
        plane = Rotations.of(cycle)
        if plane is not None:
            yield _Curve(plane, nodes, chains)


class _Drawing:
    """Puts the curves of components side by side on one line."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.order: list[int] = []
        self.original: list[int] = []
        self.clauses = [list(clause) for clause in formula.clauses]
        self.above: dict[int, bool] = {}
        self.ties: list[tuple[tuple[int, int], bool]] = []

    def add(self, curve: _Curve) -> None:
        number: dict[Node, int] = {}
        of_crossing = {node: edge[0][1] for edge, chain in curve.chains.items() for node in chain[1:-1]}
        stops = [node for node in curve.nodes if node[0] != "curve"]
        for node in stops:
            if node in of_crossing:
                self.original.append(of_crossing[node])
                number[node] = self.formula.variables + len(self.original)
            else:
                number[node] = node[1]
        upper = dict(_upper(curve))
        for chain in curve.chains.values():
            last, clause = chain[-2], chain[-1][1]
            self.above[clause - 1] = chain[-1] in upper[last]
            literals = self.clauses[clause - 1]
            sign = -1 if -number[chain[0]] in literals else 1
            literals[literals.index(sign * number[chain[0]])] = sign * number[last]
            for u, v in itertools.pairwise(chain[:-1]):
                self.ties.append(((sign * number[u], -sign * number[v]), v in upper[u]))
        self.order += _turned([number[node] for node in stops], self._spans(curve, number))

    def _spans(self, curve: _Curve, number: dict[Node, int]) -> list[list[int]]:
        held: dict[Node, list[int]] = {}
        spans = []
        for chain in curve.chains.values():
            held.setdefault(chain[-1], []).append(number[chain[-2]])
            spans += [[number[u], number[v]] for u, v in itertools.pairwise(chain[:-1])]
        return [*held.values(), *spans]

    def finished(self) -> Lined:
        clauses = [tuple(clause) for clause in self.clauses]
        above = [self.above[number] for number in range(len(clauses))]
        for tie, side in self.ties:
            clauses.append(tie)
            above.append(side)
        formula = Formula(self.formula.variables + len(self.original), clauses)
        embedding = _smaller(formula, RectilinearEmbedding(tuple(self.order), tuple(above)))
        return Lined(formula, embedding, tuple(self.original))


def _smaller(formula: Formula, embedding: RectilinearEmbedding) -> RectilinearEmbedding:
    """Move clauses to the other side of the line, one by one, as long as that makes the layout smaller. O(m^2 log m) a round."""
    best, size = embedding, threshold(formula, embedding)
    for _ in range(_ROUNDS):
        before = size
        for number, side in enumerate(best.above):
            above = (*best.above[:number], not side, *best.above[number + 1 :])
            moved = RectilinearEmbedding(best.order, above)
            if moved.why_not(formula) is None and (smaller := threshold(formula, moved)) < size:
                best, size = moved, smaller
        if size == before:
            break
    return best


def _upper(curve: _Curve) -> Iterator[tuple[Node, set[Node]]]:
    """Yield each variable and crossing with its neighbours above the curve."""
    nodes = curve.nodes
    if len(nodes) == 1:
        yield nodes[0], set(curve.plane.around[nodes[0]])
        return
    for i, node in enumerate(nodes):
        if node[0] != "curve":
            yield node, set(curve.plane.side(node, nodes[i - 1], nodes[(i + 1) % len(nodes)]))


def _turned(order: list[int], spans: Iterable[list[int]]) -> list[int]:
    """Cut a cyclic order where fewest combs must go around: where the combs' lengths add up to least."""
    spans = [span for span in spans if len(span) > 1]

    def length(turn: int) -> int:
        place = {variable: (i - turn) % len(order) for i, variable in enumerate(order)}
        return sum(max(map(place.__getitem__, span)) - min(map(place.__getitem__, span)) for span in spans)

    best = min(range(len(order)), key=length)
    return order[best:] + order[:best]
