"""Graphs as data: what is kept, what is refused and how it is said."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

import anoptima as ao
from anoptima.testing.families.graphs import all_graphs


@pytest.mark.parametrize(
    ("vertices", "edges", "sentence"),
    [
        ([], [], "the graph has no vertex; it must have at least one"),
        ([1.5], [], "vertex 1 of the graph is 1.5; it must be a whole number or a text"),
        ([1, True], [], "vertex 2 of the graph is True; it must be a whole number or a text"),
        ("aba", [], "vertex 'a' of the graph is named twice, as number 1 and as number 3"),
        (7, [], "vertices is 7; it must be a list"),
        ("ab", ["ab", "ac"], "edge 2 is 'ac'; 'c' is no vertex; the vertices are 'a', 'b'"),
        ("ab", [["a", ["b"]]], "edge 1 is ['a', ['b']]; ['b'] is no vertex; the vertices are 'a', 'b'"),
        (range(1, 9), [(0, 1)], "0 is no vertex; the vertices are 1, 2, 3, 4, 5, 6, ... (8 in all)"),
        ("ab", ["a"], "edge 1 is 'a'; an edge joins two vertices"),
        ("ab", ["abb"], "edge 1 is 'abb'; an edge joins two vertices"),
        ("ab", [3], "edge 1 is 3; it must be a list of names"),
        ("ab", ["ab", "bb"], "edge 2 joins vertex 'b' to itself; an edge joins two different vertices"),
    ],
)
def test_what_is_no_graph_is_refused(vertices: Any, edges: Any, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.Graph(vertices, edges)
    assert sentence in str(caught.value)


def test_edges_keep_their_order_and_are_written_one_way() -> None:
    graph = ao.Graph([3, "b", 1], [(1, 3), ("b", 3), (3, 1)])
    assert graph.edges == ((3, 1), (3, "b"), (3, 1))
    assert graph.pairs == {(0, 2): 2, (0, 1): 1}
    assert graph.degrees == [3, 1, 2]
    assert graph.neighbours == [{1, 2}, {0}, {0}]
    assert graph.why_not_simple() == "edges 1 and 3 both join 3, 1"
    assert graph.simple().edges == ((3, 1), (3, "b"))


def test_numbers_of_numpy_become_plain() -> None:
    graph = ao.Graph(np.arange(3), np.array([[0, 2]]))
    assert repr(graph) == "Graph(vertices=(0, 1, 2), edges=((0, 2),))"
    assert eval(repr(graph), {"Graph": ao.Graph}) == graph
    assert hash(graph) == hash(ao.Graph(range(3), [(2, 0)]))


def test_cubic_is_simple_with_three_at_each() -> None:
    assert ao.Graph("abcd", ["ab", "ac", "ad", "bc", "bd", "cd"]).why_not_cubic() is None
    doubled = ao.Graph("abcd", ["ab", "ab", "ac", "bd", "cd", "cd"])
    assert doubled.why_not_cubic() == "edges 1 and 2 both join 'a', 'b'"
    star = ao.Graph("abcd", ["ab", "ac", "ad"])
    assert star.why_not_cubic() == "vertex 'b' is in 1 edge, and every vertex of a cubic graph is in 3"


def test_networkx_is_taken_over() -> None:
    multi: nx.MultiGraph[str] = nx.MultiGraph([("a", "b"), ("a", "b")])
    assert ao.Graph.from_networkx(multi).edges == (("a", "b"), ("a", "b"))
    with pytest.raises(ao.BadInput, match="the graph is directed; it must be undirected"):
        ao.Graph.from_networkx(nx.DiGraph([("a", "b")]))


def test_components_are_those_of_networkx() -> None:
    for graph in all_graphs(5):
        other: nx.Graph[Any] = nx.Graph(graph.edges)
        other.add_nodes_from(graph.vertices)
        ours = {frozenset(graph.vertices[place] for place in part) for part in graph.components()}
        assert ours == set(map(frozenset, nx.connected_components(other)))
        assert len(graph.missing_pairs) == nx.complement(other).number_of_edges()
