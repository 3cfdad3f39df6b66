"""Graphs beside tables, and matchings."""

from __future__ import annotations

import itertools

import matplotlib as mpl
import pytest

import anoptima as ao

mpl.use("agg")

K4 = ao.Graph(range(1, 5), itertools.combinations(range(1, 5), 2))


def test_a_graph_beside_its_table() -> None:
    reduced = ao.get_reduction("vertex-cover-to-k-anonymity").apply(ao.VertexCover(K4))
    figure = ao.plots.reduction(reduced, ao.VertexSet.of([1, 2, 3]))
    graph, *panels = figure.axes
    assert "106 rows" in graph.get_title()
    assert "a cover of 3 makes 137 stars" in graph.get_title()
    cells = [text.get_text() for axes in panels for text in axes.texts]
    assert (len(cells), cells.count("*")) == (318, 137)
    plain = ao.plots.reduction(reduced)
    assert not any(text.get_text() == "*" for axes in plain.axes for text in axes.texts)


def test_a_matching_shows_what_groups_cost() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    reduced = ao.get_reduction("2-anonymity-to-simplex-matching").apply(problem)
    matching = reduced.push(ao.solve(problem).require_solution())
    assert isinstance(reduced.target, ao.SimplexMatching)
    axes = ao.plots.matching(reduced.target, matching)
    assert axes.get_title() == f"{len(matching.edges)} groups, cost 46"
    costs = [int(text.get_text()) for text in axes.texts[: -len(reduced.target.vertices)]]
    assert sorted(text.get_text() for text in axes.texts[-10:]) == sorted(map(str, range(10)))
    assert sum(costs) == sum(reduced.target.cost_of[edge] for edge in matching.edges)


def test_what_is_no_such_picture_is_refused() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    reduced = ao.get_reduction("2-anonymity-to-simplex-matching").apply(problem)
    with pytest.raises(ao.NotApplicable, match="of a graph that becomes a table"):
        ao.plots.reduction(reduced)
    assert isinstance(reduced.target, ao.SimplexMatching)
    with pytest.raises(ao.BadInput, match="the matching is none"):
        ao.plots.matching(reduced.target, ao.Matching.of([[0, 1]]))
