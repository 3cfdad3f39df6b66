"""The picture of the graph."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import anoptima as ao
from anoptima.experiments.plots_reductions import draw_graph, layout
from anoptima.reductions.graph import Sort, all_edges, problem_edges, walk


def test_arrows_point_to_the_right_and_nothing_lies_on_anything() -> None:
    edges = all_edges()
    places = layout(edges)
    assert len(set(places.values())) == len(places)
    for edge in edges:
        assert places[edge.start][0] < places[edge.end][0], edge
    assert len({x for node, (x, _) in places.items() if node.sort is Sort.MODEL}) == 1


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_it_is_drawn(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"graph{suffix}"
    draw_graph(file, problem_edges(), walk("minimum-bisection", "t-closeness"))
    assert file.stat().st_size > 5_000


def test_without_matplotlib_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ao.NotApplicable, match=r"a picture needs matplotlib; install anoptima\[plots\], or take --dot"):
        draw_graph(tmp_path / "graph.svg", problem_edges())
