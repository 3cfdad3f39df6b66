"""Pictures of odd input: nothing is cut off, and nothing lies on what it explains."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest

import anoptima as ao

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

TEN = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
EQUAL = ao.CellSuppression(ao.Table.from_frame(pd.DataFrame({"a": [*"xxyy"]}), ["a"]), ao.KAnonymity(2))
QUICK = [
    *("ball-cover", "classes", "clustering", "cover", "forest", "greedy-patterns"),
    *("lattice", "local-search", "mondrian", "mondrian-relaxed", "peel", "truncated-balls"),
]
LONG = [f"the diagnosis with a very long name, number {number}" for number in range(6)]
PAID = pd.DataFrame({"zip": [*"aabbcc"], "ill": LONG})
NUMBERS = pd.DataFrame({"zip": ["a"] * 120, "pay": [number % 60 for number in range(120)]})


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def dozen() -> pd.DataFrame:
    return ao.compare("ten-rows", QUICK)


def far() -> Any:
    problem = ao.FakePoints([(0, 0), (1_000, 1)], 2)
    return ao.plots.points(problem, ao.AddedPoints(problem.points))


PICTURES: dict[str, Callable[[], Any]] = {
    "a narrow release": lambda: ao.plots.release(ao.solve(EQUAL)),
    "a release with prices": lambda: ao.plots.release(ao.solve(TEN), prices=ao.row_prices(TEN).prices),
    "bounds": lambda: ao.plots.bounds(ao.lp_bounds(TEN), 54),
    "long values": lambda: ao.plots.emd(ao.Table.from_frame(PAID, ["zip"], "ill"), [0, 1]),
    "sixty values": lambda: ao.plots.emd(ao.Table.from_frame(NUMBERS, ["zip"], "pay"), [0, 1], ao.Numeric()),
    "points far apart": far,
    "four runs": lambda: ao.plots.trace([ao.solve(TEN, name) for name in ("subset-dp", "peel", "mondrian", "cover")]),
}


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_is_cut_off(name: str) -> None:
    _fits(PICTURES[name]())


@pytest.mark.parametrize("draw", [ao.plots.costs, ao.plots.ratios, ao.plots.ratio_profile])
def test_a_dozen_solvers_are_told_apart(dozen: pd.DataFrame, draw: Callable[[pd.DataFrame], Any]) -> None:
    axes = draw(dozen)
    _fits(axes)
    legend, inside = axes.get_legend(), axes.get_window_extent()
    assert legend.get_window_extent().y0 >= inside.y1 - 1, "the legend is above what it explains"
    if draw is not ao.plots.ratios:
        handles = legend.legend_handles
        if draw is ao.plots.costs:
            assert legend.get_texts()[0].get_text() == "best bound"
            handles = handles[1:]
        colours = [one.get_facecolor() if draw is ao.plots.costs else one.get_color() for one in handles]
        assert len(set(colours)) == len(QUICK)


def test_costs_of_a_dozen_solvers_stand_beside_one_another(dozen: pd.DataFrame) -> None:
    axes = ao.plots.costs(dozen)
    axes.figure.canvas.draw()
    shown = [text.get_window_extent() for text in axes.texts]
    assert len(shown) == int(dozen["cost"].notna().sum())
    assert not [one for one, two in itertools.combinations(shown, 2) if one.overlaps(two)], "every cost can be read"
    inside = axes.get_window_extent()
    assert all(one.y1 <= inside.y1 for one in shown)


def test_costs_of_nothing_have_a_scale() -> None:
    axes = ao.plots.costs(ao.compare([EQUAL], ["mondrian"]))
    assert axes.get_ylim() == (0, 1)
    assert ao.plots.bounds(ao.lp_bounds(EQUAL), 0).get_xlim() == (0, 1)
    assert ao.plots.ratio_profile(ao.compare([EQUAL], ["mondrian"])).get_xlim()[1] > 1.04


def test_points_are_drawn_to_one_scale_where_that_shows_them() -> None:
    assert far().get_aspect() == "auto"
    one = ao.plots.points(ao.FakePoints([(1_000_000, 2)], 2), ao.AddedPoints([(1_000_000, 2)]))
    assert one.get_aspect() == 1
    assert one.get_title().startswith("1 fake point:")
    assert one.get_xlim()[1] - one.get_xlim()[0] == pytest.approx(1.12, abs=0.1), (
        "as much as a test box takes, and a margin"
    )


def _fits(axes: Any) -> None:
    figure = axes.get_figure(root=True)
    figure.canvas.draw()
    needed, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    room = (needed.x0, needed.y0, width - needed.x1, height - needed.y1)
    assert min(room) > -0.05, room
