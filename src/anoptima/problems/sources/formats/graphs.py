"""Graphs from files and into files: DIMACS, edge lists and JSON."""

from __future__ import annotations

import os
from pathlib import Path

from anoptima.documents.reading import read_utf8
from anoptima.errors import BadInput
from anoptima.exact import counted
from anoptima.problems.sources.formats.blame import WHOLE, blamed
from anoptima.problems.sources.formats.dimacs import lines_of, number_in, promise, require_kept
from anoptima.problems.sources.formats.json_objects import json_object, list_at, lists_at
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.names import Name

_DIMACS_GRAPHS = (".col", ".clq", ".dimacs")


def read_graph(path: str | os.PathLike[str]) -> Graph:
    """Read a graph: DIMACS by the suffixes `.col`, `.clq` and `.dimacs`, JSON by `.json`, an edge list otherwise."""
    suffix = Path(path).suffix.lower()
    read = (
        graph_from_dimacs
        if suffix in _DIMACS_GRAPHS
        else graph_from_json
        if suffix == ".json"
        else graph_from_edge_list
    )
    return read(read_utf8(path), str(path))


def graph_from_dimacs(text: str, where: str = "the graph") -> Graph:
    r"""Read a graph in DIMACS form; its vertices are the numbers 1 to n.

    >>> graph_from_dimacs("p edge 3 2\ne 1 2\ne 2 3").edges
    ((1, 2), (2, 3))
    """
    found: list[tuple[int, int]] = []
    promised: tuple[int, int, int] | None = None
    for line, words in lines_of(text):
        here = f"{where}, line {line}"
        if words[0] == "p":
            promised = promise(words, ("edge", "col"), "edges", here, line, promised)
        elif words[0] != "e":
            raise BadInput(f"{here}: {words[0]!r} begins no line of a graph; lines begin with c, p or e")
        elif promised is None:
            raise BadInput(f"{here}: an edge comes before the line 'p edge VERTICES EDGES'")
        elif len(words) != 3:
            raise BadInput(f"{here}: {' '.join(words)!r} has {counted(len(words) - 1, 'vertices')}; an edge has two")
        else:
            first, second = (number_in(word, here, 1, promised[1], "a vertex") for word in words[1:])
            if first == second:
                raise BadInput(
                    f"{here}: {' '.join(words)!r} joins vertex {first} to itself; an edge joins two vertices"
                )
            found.append((first, second))
    require_kept(promised, len(found), "edge", "p edge VERTICES EDGES", where)
    assert promised is not None
    return Graph(range(1, promised[1] + 1), found)


def graph_to_dimacs(graph: Graph) -> str:
    """Write a graph in DIMACS form, vertices numbered from 1 in their order. Reads back equal if they are called 1 to n."""
    lines = [f"p edge {len(graph.vertices)} {len(graph.edges)}"]
    lines += [f"e {graph.position[first] + 1} {graph.position[second] + 1}" for first, second in graph.edges]
    return "\n".join(lines) + "\n"


def graph_from_edge_list(text: str, where: str = "the graph") -> Graph:
    r"""Read two names a line; vertices are in the order in which they first appear.

    >>> graph_from_edge_list("ann bob  # friends\nbob 3\neve").vertices
    ('ann', 'bob', 3, 'eve')
    """
    vertices: dict[Name, None] = {}
    edges = []
    for number, line in enumerate(text.splitlines(), start=1):
        names = [_name(word) for word in line.partition("#")[0].split()]
        if len(names) > 2:
            raise BadInput(
                f"{where}, line {number} has {len(names)} names, {names[2]!r} is one too many; an edge has two"
            )
        if len(names) == 2 and names[0] == names[1]:
            raise BadInput(f"{where}, line {number} joins vertex {names[0]!r} to itself; an edge joins two vertices")
        vertices |= dict.fromkeys(names)
        if len(names) == 2:
            edges.append(names)
    return blamed(where, lambda: Graph(vertices, edges))


def graph_to_edge_list(graph: Graph) -> str:
    """Write two names a line. Vertices come first, each alone on its line, where the edges would not give their order.

    Raises `BadInput` where a name would be read differently: one with blanks or #, an empty one, a number as a text.
    """
    for name in graph.vertices:
        if str(name).split() != [str(name)] or "#" in str(name) or _name(str(name)) != name:
            raise BadInput(
                f"vertex {name!r} cannot stand in an edge list; names there have no blank and no #, and numbers are numbers"
            )
    seen = tuple(dict.fromkeys(name for edge in graph.edges for name in edge))
    lines = [] if seen == graph.vertices else [str(name) for name in graph.vertices]
    lines += [f"{first} {second}" for first, second in graph.edges]
    return "\n".join(lines) + "\n"


def _name(word: str) -> Name:
    return int(word) if WHOLE.fullmatch(word) else word


def graph_from_json(text: str, where: str = "the graph") -> Graph:
    """Read `{"vertices": [...], "edges": [[...], ...]}`.

    >>> graph_from_json('{"vertices": ["a", "b"], "edges": [["b", "a"]]}').edges
    (('a', 'b'),)
    """
    data = json_object(text, where, "vertices", "edges")
    return blamed(where, lambda: Graph(list_at(data, "vertices"), lists_at(data, "edges")))
