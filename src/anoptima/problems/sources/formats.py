"""Source problems from files and into files: DIMACS for graphs and formulas, edge lists, JSON for everything.

What is written is read back equal. What is wrong in a file is said with the line and the word, or the place in a JSON document.

- *DIMACS graphs* (`.col`, `.clq`, `.dimacs`): `c` comments, one line `p edge VERTICES EDGES` (or `p col`), then lines `e U V` with vertices
  numbered from 1. An edge that is there twice is two edges; `Graph.simple` makes them one.
- *DIMACS formulas* (`.cnf`): `c` comments, one line `p cnf VARIABLES CLAUSES`, then clauses that end with 0. A line that begins with `%`
  ends the formula, as in the files of SATLIB.
- *Edge lists*: two names a line, `#` begins a comment; one name alone is a vertex without an edge. Names are whole numbers where they
  look like one, and texts otherwise.
- *JSON*: `{"vertices": [...], "edges": [[...], ...]}` for graphs and hypergraphs, `{"w": [...], "x": [...], "y": [...], "triples": [...]}`,
  `{"universe": [...], "sets": {"name": [...], ...}}`, `{"variables": 3, "clauses": [[1, -2], ...]}` and, with an embedding,
  `"embedding": {"order": [...], "above": [...]}`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from anoptima.documents.reading import parse_json, read_utf8
from anoptima.errors import BadInput
from anoptima.limits import shown
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.hypergraph_matching import Hypergraph
from anoptima.problems.sources.minimum_cover import MinimumCover
from anoptima.problems.sources.names import Name, counted
from anoptima.problems.sources.planar_three_sat import Formula, PlanarThreeSat, RectilinearEmbedding
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching

T = TypeVar("T")

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
_MOST = 1_000_000
"""How many vertices or variables a file may announce: each of them takes memory before one is used."""
_DIMACS_GRAPHS = (".col", ".clq", ".dimacs")


# ---- files --------------------------------------------------------------------------------------------------------------------


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


def read_formula(path: str | os.PathLike[str]) -> Formula:
    """Read a formula: JSON by the suffix `.json`, DIMACS otherwise."""
    read = formula_from_json if Path(path).suffix.lower() == ".json" else formula_from_dimacs
    return read(read_utf8(path), str(path))


def read_hypergraph(path: str | os.PathLike[str]) -> Hypergraph:
    """Read a hypergraph from a JSON file."""
    return hypergraph_from_json(read_utf8(path), str(path))


def read_triples(path: str | os.PathLike[str]) -> ThreeDimensionalMatching:
    """Read a three-dimensional matching problem from a JSON file."""
    return triples_from_json(read_utf8(path), str(path))


def read_cover(path: str | os.PathLike[str]) -> MinimumCover:
    """Read a minimum cover problem from a JSON file."""
    return cover_from_json(read_utf8(path), str(path))


def read_planar_three_sat(path: str | os.PathLike[str]) -> PlanarThreeSat:
    """Read a planar formula: JSON, perhaps with its embedding, by the suffix `.json`, DIMACS otherwise."""
    if Path(path).suffix.lower() == ".json":
        return planar_three_sat_from_json(read_utf8(path), str(path))
    formula = formula_from_dimacs(read_utf8(path), str(path))
    return _blamed(str(path), lambda: PlanarThreeSat(formula))


def _blamed(where: str, make: Callable[[], T]) -> T:
    """Let an error of the data's own name the file that the data are from."""
    try:
        return make()
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


# ---- DIMACS -------------------------------------------------------------------------------------------------------------------


def graph_from_dimacs(text: str, where: str = "the graph") -> Graph:
    r"""Read a graph in DIMACS form; its vertices are the numbers 1 to n.

    >>> graph_from_dimacs("p edge 3 2\ne 1 2\ne 2 3").edges
    ((1, 2), (2, 3))
    """
    found: list[tuple[int, int]] = []
    promised: tuple[int, int, int] | None = None
    for line, words in _lines(text):
        here = f"{where}, line {line}"
        if words[0] == "p":
            promised = _promise(words, ("edge", "col"), "edges", here, line, promised)
        elif words[0] != "e":
            raise BadInput(f"{here}: {words[0]!r} begins no line of a graph; lines begin with c, p or e")
        elif promised is None:
            raise BadInput(f"{here}: an edge comes before the line 'p edge VERTICES EDGES'")
        elif len(words) != 3:
            raise BadInput(
                f"{here}: {' '.join(words)!r} has {counted(len(words) - 1, 'vertex', 'vertices')}; an edge has two"
            )
        else:
            first, second = (_number(word, here, 1, promised[1], "a vertex") for word in words[1:])
            if first == second:
                raise BadInput(
                    f"{here}: {' '.join(words)!r} joins vertex {first} to itself; an edge joins two vertices"
                )
            found.append((first, second))
    _require_kept(promised, len(found), "edge", "p edge VERTICES EDGES", where)
    assert promised is not None
    return Graph(range(1, promised[1] + 1), found)


def graph_to_dimacs(graph: Graph) -> str:
    """Write a graph in DIMACS form, vertices numbered from 1 in their order. Reads back equal if they are called 1 to n."""
    lines = [f"p edge {len(graph.vertices)} {len(graph.edges)}"]
    lines += [f"e {graph.position[first] + 1} {graph.position[second] + 1}" for first, second in graph.edges]
    return "\n".join(lines) + "\n"


def formula_from_dimacs(text: str, where: str = "the formula") -> Formula:
    r"""Read a formula in DIMACS form; clauses may run over several lines.

    >>> formula_from_dimacs("p cnf 2 2\n1 -2 0 2\n0").clauses
    ((1, -2), (2,))
    """
    clauses: list[list[int]] = []
    clause: list[int] = []
    promised: tuple[int, int, int] | None = None
    line = 0
    for line, words in _lines(text):
        here = f"{where}, line {line}"
        if words[0] == "p":
            promised = _promise(words, ("cnf",), "clauses", here, line, promised)
            continue
        if promised is None:
            raise BadInput(f"{here}: a clause comes before the line 'p cnf VARIABLES CLAUSES'")
        for word in words:
            literal = _number(word, here, -promised[1], promised[1], "a literal")
            if literal:
                clause.append(literal)
            elif not clause:
                raise BadInput(f"{here}: clause {len(clauses) + 1} is empty; a clause must have a literal before its 0")
            else:
                clauses.append(clause)
                clause = []
    if clause:
        raise BadInput(f"{where}, line {line}: clause {len(clauses) + 1} has no 0 at its end")
    _require_kept(promised, len(clauses), "clause", "p cnf VARIABLES CLAUSES", where)
    assert promised is not None
    return Formula(promised[1], clauses)


def formula_to_dimacs(formula: Formula) -> str:
    """Write a formula in DIMACS form, a clause a line."""
    lines = [f"p cnf {formula.variables} {len(formula.clauses)}"]
    lines += [" ".join(map(str, (*clause, 0))) for clause in formula.clauses]
    return "\n".join(lines) + "\n"


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of each line that has any and is no comment, with its number, up to the line that begins with %."""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if words and words[0].startswith("%"):
            return
        if words and words[0] != "c":
            yield number, words


def _promise(
    words: list[str], kinds: Sequence[str], of: str, here: str, line: int, before: tuple[int, int, int] | None
) -> tuple[int, int, int]:
    """Return line and both numbers of the problem line."""
    if before is not None:
        raise BadInput(f"{here}: there is a line that begins with p already, line {before[0]}")
    if len(words) != 4 or words[1] not in kinds:
        raise BadInput(f"{here} is {' '.join(words)!r:.80}; it must be 'p {kinds[0]}' and two numbers")
    nodes = "vertices" if of == "edges" else "variables"
    return (
        line,
        _number(words[2], here, 1, _MOST, f"the number of {nodes}"),
        _number(words[3], here, 0, None, f"the number of {of}"),
    )


def _number(word: str, here: str, least: int, most: int | None, what: str) -> int:
    number = int(word) if _WHOLE.fullmatch(word) else None
    if number is None or number < least or (most is not None and number > most):
        limits = f"from {least} up" if most is None else f"from {least} to {most}"
        raise BadInput(f"{here}: {shown(word)} is not {what}; that is a whole number {limits}")
    return number


def _require_kept(promised: tuple[int, int, int] | None, there: int, one: str, form: str, where: str) -> None:
    if promised is None:
        raise BadInput(f"{where} has no line '{form}'; it must come before the {one}s")
    if promised[2] != there:
        here = f"{where}, line {promised[0]}"
        are = "is" if there == 1 else "are"
        raise BadInput(f"{here}: the number of {one}s is given as {promised[2]}, and there {are} {there}")


# ---- edge lists ---------------------------------------------------------------------------------------------------------------


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
    return _blamed(where, lambda: Graph(vertices, edges))


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
    return int(word) if _WHOLE.fullmatch(word) else word


# ---- JSON ---------------------------------------------------------------------------------------------------------------------


def graph_from_json(text: str, where: str = "the graph") -> Graph:
    """Read `{"vertices": [...], "edges": [[...], ...]}`.

    >>> graph_from_json('{"vertices": ["a", "b"], "edges": [["b", "a"]]}').edges
    (('a', 'b'),)
    """
    data = _document(text, where, "vertices", "edges")
    return _blamed(where, lambda: Graph(_list(data, "vertices"), _lists(data, "edges")))


def hypergraph_from_json(text: str, where: str = "the hypergraph") -> Hypergraph:
    """Read `{"vertices": [...], "edges": [[...], ...]}`."""
    data = _document(text, where, "vertices", "edges")
    return _blamed(where, lambda: Hypergraph(_list(data, "vertices"), _lists(data, "edges")))


def triples_from_json(text: str, where: str = "the matching problem") -> ThreeDimensionalMatching:
    """Read `{"w": [...], "x": [...], "y": [...], "triples": [[...], ...]}`."""
    data = _document(text, where, "w", "x", "y", "triples")
    return _blamed(
        where,
        lambda: ThreeDimensionalMatching(_list(data, "w"), _list(data, "x"), _list(data, "y"), _lists(data, "triples")),
    )


def cover_from_json(text: str, where: str = "the cover problem") -> MinimumCover:
    """Read `{"universe": [...], "sets": {"name": [...], ...}}`; sets given as a list of lists are called 1, 2, ..."""
    data = _document(text, where, "universe", "sets")

    def make() -> MinimumCover:
        sets = data["sets"]
        if isinstance(sets, Mapping):
            named: dict[Any, Any] = {name: _list(sets, name) for name in sets}
        else:
            named = dict(enumerate(_lists(data, "sets"), start=1))
        return MinimumCover(_list(data, "universe"), named)

    return _blamed(where, make)


def formula_from_json(text: str, where: str = "the formula") -> Formula:
    """Read `{"variables": 3, "clauses": [[1, -2], ...]}`; an embedding that is there, too, is left aside."""
    data = _document(text, where, "variables", "clauses", also=("embedding",))
    variables = data["variables"]
    if not isinstance(variables, int) or variables > _MOST:
        raise BadInput(
            f"{where}: the number of variables is {shown(variables)}; it must be a whole number of at most {_MOST:,}"
        )
    return _blamed(where, lambda: Formula(variables, _lists(data, "clauses")))


def planar_three_sat_from_json(text: str, where: str = "the formula") -> PlanarThreeSat:
    """Read a formula and, if it is there, `"embedding": {"order": [...], "above": [...]}`."""
    formula = formula_from_json(text, where)
    given = _document(text, where, "variables", "clauses", also=("embedding",)).get("embedding")

    def make() -> PlanarThreeSat:
        if given is None:
            return PlanarThreeSat(formula)
        if not isinstance(given, Mapping) or given.keys() != {"order", "above"}:
            raise BadInput(f"the embedding is {shown(given)}; it must be an object with 'order' and 'above'")
        return PlanarThreeSat(formula, RectilinearEmbedding(tuple(_list(given, "order")), tuple(_list(given, "above"))))

    return _blamed(where, make)


def to_json(thing: Graph | Hypergraph | ThreeDimensionalMatching | MinimumCover | Formula | PlanarThreeSat) -> str:
    """Write anything of this room as a JSON document that reads back equal.

    The names of sets become texts, which is all that JSON has for them; where one is a number, the sets are written as a list if
    they are called 1, 2, ..., and refused otherwise.

    >>> print(to_json(Formula(2, [(1, -2)])), end="")
    {"variables": 2, "clauses": [[1, -2]]}
    """
    return json.dumps(_plain(thing), ensure_ascii=False) + "\n"


def _plain(thing: Any) -> dict[str, Any]:
    if isinstance(thing, Graph | Hypergraph):
        return {"vertices": thing.vertices, "edges": thing.edges}
    if isinstance(thing, ThreeDimensionalMatching):
        return {"w": thing.w, "x": thing.x, "y": thing.y, "triples": thing.triples}
    if isinstance(thing, MinimumCover):
        return {"universe": thing.universe, "sets": _plain_sets(thing)}
    if isinstance(thing, Formula):
        return {"variables": thing.variables, "clauses": thing.clauses}
    assert isinstance(thing, PlanarThreeSat)
    plain = _plain(thing.formula)
    if thing.embedding is not None:
        plain["embedding"] = {"order": thing.embedding.order, "above": thing.embedding.above}
    return plain


def _plain_sets(cover: MinimumCover) -> Any:
    if cover.names == tuple(range(1, len(cover.names) + 1)):
        return cover.sets
    for name in cover.names:
        if not isinstance(name, str):
            raise BadInput(
                f"set {name!r} cannot stand in a JSON document; sets are called 1, 2, ... there, or by texts"
            )
    return dict(zip(cover.names, cover.sets, strict=True))


def _document(text: str, where: str, *keys: str, also: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return a JSON object with all of `keys` and nothing beside them but `also`."""
    try:
        data = parse_json(text, where, object_pairs_hook=_once)
    except _Twice as error:
        raise BadInput(f"{where} has {error.args[0]!r} twice in one object; once is enough") from None
    if not isinstance(data, Mapping):
        raise BadInput(f"{where} is {shown(data)}; it must be an object with {', '.join(map(repr, keys))}")
    for key in keys:
        if key not in data:
            raise BadInput(f"{where} has no {key!r}; it must have {', '.join(map(repr, keys))}")
    for key in data:
        if key not in keys and key not in also:
            raise BadInput(f"{where} has {key!r}, which is not known here; it must have {', '.join(map(repr, keys))}")
    return data


class _Twice(Exception):
    """A key is twice in one object."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Twice(key)
        found[key] = value
    return found


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data[key]
    if not isinstance(value, list):
        raise BadInput(f"{key!r} is {shown(value)}; it must be a list")
    return value


def _lists(data: Mapping[str, Any], key: str) -> list[list[Any]]:
    outer = _list(data, key)
    for number, value in enumerate(outer, start=1):
        if not isinstance(value, list):
            raise BadInput(f"entry {number} of {key!r} is {shown(value)}; it must be a list")
    return outer
