"""The graph of everything: kinds of problems, the reductions between them, the models that state them, the backends that solve those.

    problem --reduction--> problem --special case of--> problem --model--> language --backend--> solver

The registries provide it, so nobody keeps it by hand. `path` finds reductions and composes them; `walk` finds a way between any two nodes,
such as from a formula to a solver; `to_dot` writes it for Graphviz.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anoptima.errors import BadInput, NotApplicable
from anoptima.models import models
from anoptima.naming import did_you_mean, near_names
from anoptima.packages import nx
from anoptima.problems.base import problem_kinds
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduction
from anoptima.reductions.kinds import GENERAL
from anoptima.reductions.path import Path, plain_steps
from anoptima.registry import is_for
from anoptima.solvers.backends.registry import all_backends


class Sort(enum.Enum):
    """The sorts of nodes."""

    PROBLEM = "problem"
    MODEL = "model"
    LANGUAGE = "language"
    BACKEND = "backend"


class How(enum.Enum):
    """The relations that edges stand for."""

    REDUCTION = "reduces to"
    SPECIAL_CASE = "is a special case of"
    MODEL = "is stated by"
    LANGUAGE = "is written in"
    BACKEND = "is solved by"


@dataclass(frozen=True)
class Node:
    """A kind of problem, a model, a language or a backend."""

    sort: Sort
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Edge:
    """From one node to another; `name` is the reduction's."""

    start: Node
    end: Node
    how: How
    name: str = ""

    def __str__(self) -> str:
        return f"{self.start} {self.how.value} {self.end}" + (f" ({self.name})" if self.name else "")


def problem_edges() -> list[Edge]:
    """Return the reductions, and which kinds are special cases of which."""
    found = [
        Edge(Node(Sort.PROBLEM, r.source_kind), Node(Sort.PROBLEM, r.target_kind), How.REDUCTION, r.name)
        for r in reductions.all()
    ]
    special = ((Node(Sort.PROBLEM, case), Node(Sort.PROBLEM, kind)) for case, kind in GENERAL.items())
    return [*found, *(Edge(case, kind, How.SPECIAL_CASE) for case, kind in special)]


def solver_edges() -> list[Edge]:
    """Return which model states which problem (tried on its examples), its language, and the backends that take that."""
    found = []
    for kind in problem_kinds.all():
        examples = list(kind.examples())
        found += [
            Edge(Node(Sort.PROBLEM, kind.name), Node(Sort.MODEL, model.name), How.MODEL)
            for model in models.all()
            if any(is_for(model, problem) for problem in examples)
        ]
    found += [
        Edge(Node(Sort.MODEL, model.name), Node(Sort.LANGUAGE, model.language.value), How.LANGUAGE)
        for model in models.all()
    ]
    for backend in all_backends():
        taken = sorted(language.value for language in backend.languages)
        found += [Edge(Node(Sort.LANGUAGE, one), Node(Sort.BACKEND, backend.name), How.BACKEND) for one in taken]
    return found


def all_edges() -> list[Edge]:
    """Return every edge there is."""
    return [*problem_edges(), *solver_edges()]


def kinds() -> list[str]:
    """Return every kind of problem that a reduction is for or makes, or that there is otherwise, by name."""
    ends = {node.name for edge in problem_edges() for node in (edge.start, edge.end)}
    return sorted(ends | {kind.name for kind in problem_kinds.all()})


def _no_kind(name: str) -> BadInput:
    hint = did_you_mean(near_names(name, kinds())) or f"there are {', '.join(kinds())}"
    return BadInput(f"{name!r} is no kind of problem; {hint}")


def path(source: str, target: str, **parameters: Any) -> Path:
    """Return the reductions that lead from a kind of problem to another, as few as there can be, as one reduction.

    A step may be for a more general kind than what it gets, and the last one may make a special case of `target`. `parameters` are those
    of the theorems on the way: the shortest way that has them all and takes their values is the one. Where two theorems lead from a kind
    to the next, they choose which one serves.

    >>> path("clique", "k-anonymity").name
    'clique-to-half-clique then half-clique-to-share-anonymity'
    >>> path("3d-matching", "t-closeness", t="2/5").name
    '3d-matching-to-looser-t-closeness'
    >>> path("minimum-bisection", "k-anonymity", c="1/4").name
    'minimum-bisection-to-half-anonymity then half-anonymity-to-share-anonymity'
    """
    for kind in (source, target):
        if kind not in kinds():
            raise _no_kind(kind)
    if source == target:
        raise BadInput(f"{source} is what there is already; name another kind to reduce it to")
    ways = list(_ways(source, target))
    if not ways:
        reached = ", ".join(reachable(source)) or "none"
        raise NotApplicable(f"no reductions lead from {source} to {target}; from {source} they lead to: {reached}")
    refused: BadInput | None = None
    for edges in ways:
        if parameters.keys() <= _known(edges).keys():
            try:
                return Path(tuple(_parallel(edge, parameters) for edge in edges)).with_parameters(**parameters)
            except BadInput as refusal:
                refused = refused or refusal
    if refused is not None:
        raise refused
    known: dict[str, str] = {}
    for edges in ways:
        known = _known(edges) | known
    unknown = min(parameters.keys() - known.keys(), default=None)
    there_are = ", ".join(f"{name} (of {reduction})" for name, reduction in sorted(known.items())) or "none at all"
    what = f"has a parameter {unknown!r}" if unknown else f"has all of {', '.join(sorted(parameters))}"
    raise BadInput(f"no way from {source} to {target} {what}; parameters there are: {there_are}")


def _ways(source: str, target: str) -> Iterator[list[Edge]]:
    """Yield the reductions on every way from a kind to another, the shortest way first."""
    graph = _graph(problem_edges())
    start, end = Node(Sort.PROBLEM, source), Node(Sort.PROBLEM, target)
    if start not in graph or end not in graph or not nx.has_path(graph, start, end):
        return
    for way in nx.shortest_simple_paths(graph, start, end, weight="weight"):
        edges = [graph.edges[a, b]["edge"] for a, b in itertools.pairwise(way)]
        steps = [edge for edge in edges if edge.how is How.REDUCTION]
        if steps:
            yield steps


def _known(edges: Iterable[Edge]) -> dict[str, str]:
    """Return the parameters of all reductions between the ends of these edges, each with one reduction that has it."""
    return {name: reduction.name for edge in edges for reduction in _between(edge) for name in reduction.parameters}


def _between(edge: Edge) -> list[Reduction[Any, Any]]:
    ends = (edge.start.name, edge.end.name)
    return [reduction for reduction in reductions.all() if (reduction.source_kind, reduction.target_kind) == ends]


def _parallel(edge: Edge, parameters: Mapping[str, Any]) -> Reduction[Any, Any]:
    """Return the reduction between the ends of an edge that has most of the parameters and takes their values; the plainest name first."""
    able = _between(edge)
    own = {r.name: {name: value for name, value in parameters.items() if name in r.parameters} for r in able}
    refused: BadInput | None = None
    for reduction in sorted(able, key=lambda r: (-len(own[r.name]), len(r.name))):
        try:
            return reduction.with_parameters(**own[reduction.name])
        except BadInput as refusal:
            refused = refused or refusal
    assert refused is not None
    raise refused


def reachable(source: str) -> list[str]:
    """Return the kinds of problems that reductions lead to from a kind, by name."""
    graph = _graph(problem_edges())
    start = Node(Sort.PROBLEM, source)
    if start not in graph:
        return []
    return sorted(node.name for node in nx.descendants(graph, start))


def walk(source: str, target: str) -> list[Edge]:
    """Return the edges of a shortest way from a kind of problem to any node: another kind, a model, a language, a backend.

    `model/backend` asks for a way through that model to that backend.

    >>> for edge in walk("minimum-bisection", "pattern/highs"):
    ...     print(edge)
    minimum-bisection reduces to half-anonymity (minimum-bisection-to-half-anonymity)
    half-anonymity is a special case of k-anonymity
    k-anonymity is a special case of cell-suppression
    cell-suppression is stated by pattern
    pattern is written in pyomo
    pyomo is solved by highs
    """
    model, slash, backend = target.partition("/")
    edges = all_edges()
    nodes = {node for edge in edges for node in (edge.start, edge.end)}
    start = Node(Sort.PROBLEM, source)
    if start not in nodes:
        raise _no_kind(source)
    if slash:
        first = _shortest(edges, start, [Node(Sort.MODEL, model)])
        second = _shortest(edges, Node(Sort.MODEL, model), [Node(Sort.BACKEND, backend)])
        found = None if first is None or second is None else [*first, *second]
    else:
        found = _shortest(edges, start, [node for node in nodes if node.name == target])
    if found is None:
        raise NotApplicable(f"no way leads from {source} to {target}")
    return found


def _graph(edges: Iterable[Edge]) -> nx.DiGraph[Any]:
    graph: nx.DiGraph[Any] = nx.DiGraph()
    for edge in edges:
        if not graph.has_edge(edge.start, edge.end):
            graph.add_edge(edge.start, edge.end, edge=edge, weight=_weight(edge))
    return graph


def _weight(edge: Edge) -> float:
    """Return the length of an edge: next to nothing for a special case, the number of steps for a reduction."""
    if edge.how is How.SPECIAL_CASE:
        return 0.01
    return len(plain_steps(reductions.get(edge.name))) if edge.how is How.REDUCTION else 1


def _shortest(edges: Sequence[Edge], start: Node, ends: Iterable[Node]) -> list[Edge] | None:
    graph = _graph(edges)
    ways = [
        nx.shortest_path(graph, start, end, weight="weight")
        for end in ends
        if start in graph and end in graph and nx.has_path(graph, start, end)
    ]
    if not ways:
        return None
    way = min(ways, key=len)
    return [graph.edges[a, b]["edge"] for a, b in itertools.pairwise(way)]


_SHAPES = {Sort.PROBLEM: "box", Sort.MODEL: "ellipse", Sort.LANGUAGE: "plaintext", Sort.BACKEND: "cylinder"}


def to_dot(edges: Sequence[Edge], way: Iterable[Edge] = ()) -> str:
    """Write edges in the language of Graphviz, those of `way` bold.

    >>> print(to_dot(walk("half-anonymity", "k-anonymity")))
    digraph reductions {
      rankdir=LR
      "problem half-anonymity" [label="half-anonymity" shape=box]
      "problem k-anonymity" [label="k-anonymity" shape=box]
      "problem half-anonymity" -> "problem k-anonymity" [style=dashed]
    }
    """
    bold = set(way)
    nodes = dict.fromkeys(node for edge in edges for node in (edge.start, edge.end))
    lines = ["digraph reductions {", "  rankdir=LR"]
    lines += [f'  "{n.sort.value} {n.name}" [label="{n.name}" shape={_SHAPES[n.sort]}]' for n in nodes]
    for edge in edges:
        style = ["style=dashed"] if edge.how is How.SPECIAL_CASE else []
        style += ["penwidth=3"] if edge in bold else []
        marks = f" [{' '.join(style)}]" if style else ""
        ends = (f'"{node.sort.value} {node.name}"' for node in (edge.start, edge.end))
        lines.append(f"  {' -> '.join(ends)}{marks}")
    return "\n".join([*lines, "}"])
