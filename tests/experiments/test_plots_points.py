"""Pictures of fake points: what is drawn is what is there."""

from __future__ import annotations

from typing import Any

import pytest

import anoptima as ao
from anoptima.experiments.plots_points import plot_before_and_after, plot_depths, plot_points

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

PROBLEM = ao.FakePoints([(1, 1), (1.4, 1.2), (1.2, 1.6)], 2, [(0, 3), (0, 3)])


def test_four_pictures() -> None:
    solution = ao.solve(PROBLEM).require_solution()
    figure = plot_before_and_after(PROBLEM, solution)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == [
        "the points as they are:\nsome test boxes hold only 1",
        "3 fake points:\nevery test box holds none or at least 2",
        "the boxes as they are:\nsome places lie in only 1",
        "3 fake boxes:\nevery place lies in none or at least 2",
    ]
    labels = {text.get_text() for axes in figure.axes for text in axes.get_legend().get_texts()}  # type: ignore[union-attr]
    assert {"data: 3", "fake: 3", "a test box with too few", "in 1", "in 2 or more"} <= labels
    after = [text.get_text() for text in figure.axes[3].get_legend().get_texts()]  # type: ignore[union-attr]
    assert "in 1" not in after, "a colour that is not there is not explained"


@pytest.mark.parametrize(("k", "words"), [(2, "1"), (3, "1 or 2"), (5, "1 to 4")])
def test_numbers_that_are_too_few_are_said_in_words(k: int, words: str) -> None:
    axes = plot_points(ao.FakePoints([(1, 1)], k))
    assert axes.get_title().endswith(f"some test boxes hold only {words}")


@pytest.mark.parametrize("regime", list(ao.Regime))
def test_depths_are_written_in_every_regime(regime: ao.Regime) -> None:
    domain = None if regime is ao.Regime.UNRESTRICTED else [(0, 3), (0, 3)]
    boxes = ao.FakeBoxes.of(ao.FakePoints([(1, 1), (1.5, 1.5)], 2, domain, regime))
    axes = plot_depths(boxes)
    assert {text.get_text() for text in axes.texts} == {"1", "2"}


def test_other_dimensions_are_refused() -> None:
    with pytest.raises(ao.NotApplicable, match="this picture is of the plane, and these points have 1 coordinate"):
        plot_points(ao.FakePoints([(1,)], 2))


def test_too_many_cells_are_refused() -> None:
    boxes = ao.FakeBoxes([(i / 1000, i / 1000) for i in range(300)], 2)
    with pytest.raises(ao.NotApplicable, match="plot_depths draws up to 250,000 cells, and these boxes make 360,000"):
        plot_depths(boxes)


def test_no_two_depths_overlap() -> None:
    people = [
        (0.8, 2.4),
        (0.6, 1.3),
        (1.4, 0.9),
        (2.1, 0.9),
        (2.3, 1.1),
        (1.7, 1.4),
        (2.0, 1.6),
        (1.7, 1.8),
        (2.1, 2.0),
    ]
    axes = plot_depths(ao.FakeBoxes.of(ao.FakePoints(people, 3, [(0, 3), (0, 3)])))
    axes.figure.canvas.draw()
    places = [text.get_window_extent() for text in axes.texts]
    assert len(places) > 20
    assert not [(one, other) for i, one in enumerate(places) for other in places[:i] if one.overlaps(other)]


@pytest.mark.parametrize(
    ("points", "widths"),
    [
        ([("1e399", "1e399"), (0, 0)], (1, 1)),
        ([("-1e16", 0)], (1, 1)),
        ([(1, 1)], ("1e-300", 1)),
        ([(1, 1)], (1, "1e300")),
    ],
)
def test_what_no_axes_can_show_is_refused(points: list[Any], widths: Any) -> None:
    with pytest.raises(ao.NotApplicable, match="the axes of a picture go up to 1,000,000,000,000,000"):
        ao.plots.points(ao.FakePoints(points, 2, widths=widths))


def test_long_numbers_at_an_axis_stand_beside_each_other() -> None:
    axes = ao.plots.points(ao.FakePoints([("5412345.25", "3312345.5"), ("5412345.75", "3312345.9")], 2))
    assert len([tick for tick in axes.get_xticks() if axes.get_xlim()[0] <= tick <= axes.get_xlim()[1]]) <= 4
