"""A picture of the graph of reductions: problems from left to right, then the models that state them, then the backends.

Layered by the longest way from a source, ordered within a layer by the neighbours' places. Needs the extra `anoptima[plots]`; no
Graphviz.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.packages import nx
from anoptima.reductions.graph import Edge, How, Node, Sort, all_edges

_FILL = {Sort.PROBLEM: "#dbe8f4", Sort.MODEL: "#e4f1de", Sort.LANGUAGE: "#f2f2f2", Sort.BACKEND: "#fbe6d5"}
_INK, _PALE, _STRONG = "#1f4e79", "#9aa7b4", "#c55a11"
_SWEEPS = 12

PICTURES = (".svg", ".png", ".pdf")
"""How the names of pictures of the graph end."""


@checked
def draw_graph(path: str | os.PathLike[str], edges: Sequence[Edge] | None = None, way: Sequence[Edge] = ()) -> None:
    """Write a picture of edges, all of them unless given, to a file, as its suffix says (.svg, .png, .pdf); those of `way` stand out.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "reductions.svg"
    >>> draw_graph(file)
    >>> "vertex-cover" in file.read_text()
    True
    """
    file = Path(path)
    if file.suffix.lower() not in PICTURES:
        raise BadInput(f"{file} is to be a picture; its name must end in {', '.join(PICTURES)}")
    figure_of = _figure()
    edges = all_edges() if edges is None else edges
    places = layout(edges)
    layers = 1 + max((x for x, _ in places.values()), default=0)
    rows = 1 + max((abs(y) for _, y in places.values()), default=0) * 2
    figure = figure_of(figsize=(2.9 * layers, max(2.4, 0.42 * rows)), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    bold = set(way)
    on_way = {node for edge in bold for node in (edge.start, edge.end)}
    boxes = {}
    for node, (x, y) in places.items():
        ink = _STRONG if node in on_way else _INK
        style = {"boxstyle": "round,pad=0.35", "facecolor": _FILL[node.sort], "edgecolor": ink, "linewidth": 0.8}
        text = axes.text(x, y, node.name, ha="center", va="center", fontsize=8, color="#202020", bbox=style, zorder=3)
        boxes[node] = text.get_bbox_patch()
    for edge in edges:
        _draw_edge(axes, edge, places, boxes, edge in bold)
    axes.set_xlim(-0.6, layers - 0.4)
    axes.set_ylim(-rows / 2 - 0.5, rows / 2 + 0.5)
    figure.savefig(file)


def layout(edges: Sequence[Edge]) -> Mapping[Node, tuple[float, float]]:
    """Return a place for every node: the layer from 0, and a height around 0, one apart within a layer.

    >>> from anoptima.reductions.graph import walk
    >>> places = layout(walk("minimum-bisection", "k-anonymity"))
    >>> [(str(node), *place) for node, place in places.items()]
    [('minimum-bisection', 0, 0.0), ('half-anonymity', 1, 0.0), ('k-anonymity', 2, 0.0)]
    """
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_edges_from((edge.start, edge.end) for edge in edges)
    layer: dict[Node, int] = {}
    for node in nx.topological_sort(graph):
        layer[node] = max((layer[before] + 1 for before in graph.predecessors(node)), default=0)
    for sort in (Sort.MODEL, Sort.LANGUAGE, Sort.BACKEND):
        members = [node for node in layer if node.sort is sort]
        column = max((layer[node] for node in members), default=0)
        layer.update(dict.fromkeys(members, column))
    columns: dict[int, list[Node]] = {}
    for node in sorted(layer, key=lambda node: (layer[node], node.name)):
        columns.setdefault(layer[node], []).append(node)
    height = {node: place for nodes in columns.values() for node, place in _spread(nodes).items()}
    for _ in range(_SWEEPS):
        for nodes in columns.values():
            middle = {node: _mean([height[n] for n in nx.all_neighbors(graph, node)], height[node]) for node in nodes}
            nodes.sort(key=lambda node: (middle[node], node.name))
            height.update(_spread(nodes))
    return {node: (layer[node], height[node]) for column in sorted(columns) for node in columns[column]}


def _spread(nodes: Sequence[Node]) -> dict[Node, float]:
    return {node: (len(nodes) - 1) / 2 - place for place, node in enumerate(reversed(nodes))}


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def _draw_edge(
    axes: Any, edge: Edge, places: Mapping[Node, tuple[float, float]], boxes: Mapping[Node, Any], bold: bool
) -> None:
    """Draw an arrow from box to box; one that passes over a layer bends away from the boxes there."""
    (x, y), (to_x, to_y) = places[edge.start], places[edge.end]
    solving = edge.how in (How.MODEL, How.LANGUAGE, How.BACKEND)
    passes = to_x - x > 1 and not solving
    axes.annotate(
        "",
        (to_x, to_y),
        (x, y),
        arrowprops={
            "arrowstyle": "-|>",
            "color": _STRONG if bold else _PALE if solving else _INK,
            "linewidth": 2.0 if bold else 0.5 if solving else 1.0,
            "linestyle": "--" if edge.how is How.SPECIAL_CASE else "-",
            "patchA": boxes[edge.start],
            "patchB": boxes[edge.end],
            "shrinkA": 1,
            "shrinkB": 1,
            "connectionstyle": f"arc3,rad={0.12 if y + to_y <= 0 else -0.12}" if passes else "arc3",
        },
        zorder=2 if bold else 1,
    )


def _figure() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise NotApplicable("a picture needs matplotlib; install anoptima[plots], or take --dot") from None
    return Figure
