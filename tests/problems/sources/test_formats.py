"""Files of source problems: there and back, and every fault with its line and its word."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.instances import formulas, graphs, matchings
from anoptima.problems.sources.formats import formulas as formula_files
from anoptima.problems.sources.formats import graphs as graph_files
from anoptima.problems.sources.formats.json_objects import to_json
from tests.sources.strategies import source_cases

# ---- there and back -----------------------------------------------------------------------------------------------------------


@given(st.one_of(*(source_cases(name) for name in ("vertex-cover", "minimum-bisection", "half-clique"))))
def test_graphs_come_back(case: Any) -> None:
    graph = case.problem.graph
    assert graph_files.graph_from_json(to_json(graph)) == graph
    numbered = ao.Graph(range(1, len(graph.vertices) + 1), [(u + 1, v + 1) for u, v in graph.pairs])
    assert graph_files.graph_from_dimacs(graph_files.graph_to_dimacs(numbered)) == numbered
    plain = all(not (isinstance(name, str) and name.isdigit()) for name in graph.vertices)
    if plain:
        assert graph_files.graph_from_edge_list(graph_files.graph_to_edge_list(graph)) == graph


@given(source_cases("planar-3-sat"))
def test_formulas_come_back(case: Any) -> None:
    formula = case.problem.formula
    assert formula_files.formula_from_dimacs(formula_files.formula_to_dimacs(formula)) == formula
    assert formula_files.formula_from_json(to_json(formula)) == formula
    assert ao.PlanarThreeSat.from_text(to_json(case.problem)) == case.problem


@given(source_cases("3-partition"))
def test_numbers_come_back(case: Any) -> None:
    assert ao.ThreePartition.from_text(to_json(case.problem)) == case.problem


@given(source_cases("hypergraph-matching"), source_cases("3d-matching"), source_cases("minimum-cover"))
def test_set_systems_come_back(hypergraph: Any, triples: Any, cover: Any) -> None:
    graph = hypergraph.problem.hypergraph
    assert ao.Hypergraph.from_text(to_json(graph)) == graph
    assert ao.ThreeDimensionalMatching.from_text(to_json(triples.problem)) == triples.problem
    names = cover.problem.names
    if all(isinstance(name, str) for name in names) or names == tuple(range(1, len(names) + 1)):
        assert ao.MinimumCover.from_text(to_json(cover.problem)) == cover.problem


def test_files_by_their_suffix(tmp_path: Path) -> None:
    graph, problem = graphs.prism(), formulas.not_all_equal()
    texts = {
        "g.col": graph_files.graph_to_dimacs(graph),
        "g.json": to_json(graph),
        "g.edges": graph_files.graph_to_edge_list(graph),
        "f.cnf": formula_files.formula_to_dimacs(problem.formula),
        "f.json": to_json(problem),
        "h.json": to_json(matchings.matching_with_a_perfect_one().hypergraph),
        "t.json": to_json(matchings.two_by_two_triples()),
        "c.json": to_json(matchings.cover_of_five()),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [graph_files.read_graph(tmp_path / name) for name in ("g.col", "g.json", "g.edges")] == [graph] * 3
    assert [formula_files.read_formula(tmp_path / name) for name in ("f.cnf", "f.json")] == [problem.formula] * 2
    assert ao.PlanarThreeSat.from_file(tmp_path / "f.json") == problem
    assert ao.PlanarThreeSat.from_file(tmp_path / "f.cnf") == ao.PlanarThreeSat(problem.formula)
    assert ao.HypergraphMatching.from_file(tmp_path / "h.json") == matchings.matching_with_a_perfect_one()
    assert ao.ThreeDimensionalMatching.from_file(tmp_path / "t.json") == matchings.two_by_two_triples()
    assert ao.MinimumCover.from_file(tmp_path / "c.json") == matchings.cover_of_five()


def test_files_of_others() -> None:
    """Comments, blank lines, windows' line ends, both directions, clauses over lines, the end mark of SATLIB."""
    graph = graph_files.graph_from_dimacs("c made by hand\r\n\r\np col 3 4\r\ne 1 2\r\ne 2 1\r\ne 2 3\r\ne 3 2\r\n")
    assert graph.simple() == ao.Graph([1, 2, 3], [(1, 2), (2, 3)])
    formula = formula_files.formula_from_dimacs("c\nc x\n p cnf 3  2 \n1 -3\n 0 2\n3 -1 0\n%\n0\n")
    assert formula == ao.Formula(3, [(1, -3), (2, 3, -1)])
    assert graph_files.graph_from_edge_list("# friends\n\n ann\tbob # x\n7\n") == ao.Graph(
        ["ann", "bob", 7], [("ann", "bob")]
    )
    assert ao.MinimumCover.from_text('{"universe": ["a"], "sets": [["a"], []]}').names == (1, 2)


def test_an_edge_list_says_the_order_of_vertices_where_edges_do_not() -> None:
    assert graph_files.graph_to_edge_list(ao.Graph("ba", ["ab"])) == "b a\n"
    assert graph_files.graph_to_edge_list(ao.Graph("abc", ["bc"])) == "a\nb\nc\nb c\n"


# ---- what is refused ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "g.col has no line 'p edge VERTICES EDGES'; it must come before the edges"),
        ("c x\ne 1 2\n", "g.col, line 2: an edge comes before the line 'p edge VERTICES EDGES'"),
        ("p edge 3\n", "g.col, line 1 is 'p edge 3'; it must be 'p edge' and two numbers"),
        ("p cnf 3 1\n", "g.col, line 1 is 'p cnf 3 1'; it must be 'p edge' and two numbers"),
        (
            "p edge three 1\n",
            "g.col, line 1: 'three' is not the number of vertices; that is a whole number from 1 to 1000000",
        ),
        ("p edge 0 0\n", "g.col, line 1: '0' is not the number of vertices; that is a whole number from 1 to 1000000"),
        (f"p edge {9**30} 0\n", "is not the number of vertices; that is a whole number from 1 to 1000000"),
        ("p edge 3 -1\n", "g.col, line 1: '-1' is not the number of edges; that is a whole number from 0 up"),
        ("p edge 2 1\np edge 2 1\n", "g.col, line 2: there is a line that begins with p already, line 1"),
        ("p edge 3 1\ne 1 4\n", "g.col, line 2: '4' is not a vertex; that is a whole number from 1 to 3"),
        ("p edge 3 1\ne 0 1\n", "g.col, line 2: '0' is not a vertex; that is a whole number from 1 to 3"),
        ("p edge 3 1\ne 1 2.0\n", "g.col, line 2: '2.0' is not a vertex; that is a whole number from 1 to 3"),
        ("p edge 3 1\ne 1\n", "g.col, line 2: 'e 1' has 1 vertex; an edge has two"),
        ("p edge 3 1\ne 1 2 3\n", "g.col, line 2: 'e 1 2 3' has 3 vertices; an edge has two"),
        ("p edge 3 1\ne 2 2\n", "g.col, line 2: 'e 2 2' joins vertex 2 to itself; an edge joins two vertices"),
        ("p edge 3 1\na 1 2\n", "g.col, line 2: 'a' begins no line of a graph; lines begin with c, p or e"),
        ("p edge 3 2\ne 1 2\n", "g.col, line 1: the number of edges is given as 2, and there is 1"),
        ("\np edge 3 1\ne 1 2\ne 2 3", "g.col, line 2: the number of edges is given as 1, and there are 2"),
    ],
)
def test_faults_of_dimacs_graphs(text: str, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        graph_files.graph_from_dimacs(text, "g.col")
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 0\n", "f.cnf, line 1: a clause comes before the line 'p cnf VARIABLES CLAUSES'"),
        ("c only\n", "f.cnf has no line 'p cnf VARIABLES CLAUSES'; it must come before the clauses"),
        ("p cnf 2 1\n1 3 0\n", "f.cnf, line 2: '3' is not a literal; that is a whole number from -2 to 2"),
        ("p cnf 2 1\n1 x 0\n", "f.cnf, line 2: 'x' is not a literal; that is a whole number from -2 to 2"),
        ("p cnf 2 2\n1 0\n0\n", "f.cnf, line 3: clause 2 is empty; a clause must have a literal before its 0"),
        ("p cnf 2 1\n1\n2\n", "f.cnf, line 3: clause 1 has no 0 at its end"),
        ("p cnf 2 3\n1 0 2 0\n", "f.cnf, line 1: the number of clauses is given as 3, and there are 2"),
        ("p cnf 0 0\n", "f.cnf, line 1: '0' is not the number of variables"),
    ],
)
def test_faults_of_dimacs_formulas(text: str, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        formula_files.formula_from_dimacs(text, "f.cnf")
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a b\nb c d\n", "g.edges, line 2 has 3 names, 'd' is one too many; an edge has two"),
        ("a b\n\na a\n", "g.edges, line 3 joins vertex 'a' to itself; an edge joins two vertices"),
        ("# nothing\n", "g.edges: the graph has no vertex; it must have at least one"),
    ],
)
def test_faults_of_edge_lists(text: str, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        graph_files.graph_from_edge_list(text, "g.edges")
    assert str(caught.value) == sentence


@pytest.mark.parametrize("name", ["a b", "7", "", "x#", "\n"])
def test_names_that_an_edge_list_cannot_hold_are_refused(name: str) -> None:
    with pytest.raises(ao.BadInput, match="cannot stand in an edge list; names there have no blank and no #"):
        graph_files.graph_to_edge_list(ao.Graph([name, "z"], []))


READ: Mapping[str, Callable[[str, str], object]] = {
    "graph": graph_files.graph_from_json,
    "hypergraph": ao.Hypergraph.from_text,
    "triples": ao.ThreeDimensionalMatching.from_text,
    "numbers": ao.ThreePartition.from_text,
    "cover": ao.MinimumCover.from_text,
    "formula": formula_files.formula_from_json,
    "planar_three_sat": ao.PlanarThreeSat.from_text,
}


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        ("graph", '{"vertices": [1],\n "edges": [}', "f.json, line 2, column 12: Expecting value; it must be JSON"),
        ("graph", "[1, 2]", "f.json is [1, 2]; it must be an object with 'vertices', 'edges'"),
        ("graph", '{"vertices": [1]}', "f.json has no 'edges'; it must have 'vertices', 'edges'"),
        ("graph", '{"vertices": [1], "edges": [], "edge": []}', "f.json has 'edge', which is not known here"),
        (
            "graph",
            '{"vertices": [1], "edges": [], "edges": []}',
            "f.json has 'edges' twice in one object; once is enough",
        ),
        ("graph", '{"vertices": "ab", "edges": []}', "f.json: 'vertices' is 'ab'; it must be a list"),
        ("graph", '{"vertices": [1, 2], "edges": [[1, 2], 3]}', "f.json: entry 2 of 'edges' is 3; it must be a list"),
        ("graph", '{"vertices": [1, 2], "edges": [[1, 3]]}', "f.json: edge 1 is [1, 3]; 3 is no vertex"),
        ("graph", '{"vertices": [1, 2.5], "edges": []}', "f.json: vertex 2 of the graph is 2.5"),
        ("graph", '{"vertices": [null], "edges": []}', "f.json: vertex 1 of the graph is None"),
        ("graph", '{"vertices": [' + "9" * 5000 + '], "edges": []}', "f.json has a number of more than 4,300 digits"),
        ("graph", "[" * 100_000, "f.json is nested too deeply; a JSON document may have 500 levels"),
        ("hypergraph", '{"vertices": [1, 2], "edges": [[1, 2], [2, 1]]}', "f.json: edges 1 and 2 both are (1, 2)"),
        ("triples", '{"w": [1], "x": [1], "y": [], "triples": []}', "f.json: W, X and Y have 1, 1 and 0 elements"),
        ("numbers", '{"numbers": [0, 1]}', "f.json: there are 2 numbers, and triples need a multiple of three"),
        ("numbers", '{"numbers": [0, 1, -1]}', "f.json: number 3 is -1; it must be a whole number, 0 or more"),
        ("cover", '{"universe": ["a", "b"], "sets": {"c": ["a"]}}', "f.json: element 'b' is in no set"),
        ("cover", '{"universe": ["a"], "sets": {"c": "a"}}', "f.json: 'c' is 'a'; it must be a list"),
        ("cover", '{"universe": ["a"], "sets": {"c": ["a"], "c": []}}', "f.json has 'c' twice in one object"),
        ("cover", '{"universe": ["a"], "sets": 1}', "f.json: 'sets' is 1; it must be a list"),
        ("formula", '{"variables": 1.5, "clauses": []}', "f.json: the number of variables is 1.5"),
        ("planar_three_sat", '{"variables": 1, "clauses": [[2]]}', "f.json: clause 1 has the literal 2"),
        (
            "planar_three_sat",
            '{"variables": 1, "clauses": [], "embedding": []}',
            "f.json: the embedding is []; it must be an object with 'order' and 'above'",
        ),
        (
            "planar_three_sat",
            '{"variables": 1, "clauses": [], "embedding": {"order": [2], "above": []}}',
            "f.json: the embedding is none of this formula: its order is (2,)",
        ),
    ],
)
def test_faults_of_json(read: str, text: str, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        READ[read](text, "f.json")
    assert sentence in str(caught.value)


def test_sets_called_by_odd_numbers_cannot_be_written() -> None:
    with pytest.raises(ao.BadInput, match=r"set 2 cannot stand in a JSON document; sets are called 1, 2, \.\.\. there"):
        to_json(ao.MinimumCover("a", {2: "a"}))


def test_files_that_are_not_there_or_no_texts(tmp_path: Path) -> None:
    with pytest.raises(ao.BadInput, match=r"none\.col: there is no such file"):
        graph_files.read_graph(tmp_path / "none.col")
    (tmp_path / "odd.cnf").write_bytes(b"p cnf \xff\xfe")
    with pytest.raises(ao.BadInput, match=r"odd\.cnf cannot be read as a text in UTF-8"):
        formula_files.read_formula(tmp_path / "odd.cnf")
    with pytest.raises(ao.BadInput, match="is a folder; give the name of a file"):
        ao.MinimumCover.from_file(tmp_path)
    (tmp_path / "long.cnf").write_text("p cnf 4 1\n1 2 3 4 0\n")
    with pytest.raises(ao.BadInput, match=r"long\.cnf: clause 1 is \(1, 2, 3, 4\) and has 4 literals"):
        ao.PlanarThreeSat.from_file(tmp_path / "long.cnf")


@given(st.text(alphabet="pce 0123456789-x\nfnd%", max_size=60))
def test_whatever_stands_in_a_file_is_read_or_refused(text: str) -> None:
    for read, first in (
        (graph_files.graph_from_dimacs, "p edge 3 1\n"),
        (formula_files.formula_from_dimacs, "p cnf 3 1\n"),
        (graph_files.graph_from_edge_list, ""),
        (graph_files.graph_from_json, ""),
        (ao.MinimumCover.from_text, ""),
    ):
        for whole in (text, first + text):
            with contextlib.suppress(ao.BadInput):
                read(whole)
