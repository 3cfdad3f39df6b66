from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import anoptima as ao
from anoptima.answer import RunRecord
from anoptima.experiments.plots_trace import plot_progress

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
TRACE = (
    ao.Progress(0.1, None, 20),
    ao.Progress(0.2, 70, 20),
    ao.Progress(0.4, 60, 20),
    ao.Progress(1.0, 60, 50),
    ao.Progress(2.0, 55, 50),
)
ANSWER: ao.Answer[ao.Partition] = ao.Answer(
    PROBLEM,
    ao.Claim.FEASIBLE,
    ao.Stop.TIME,
    PROBLEM.trivial(),
    55,
    ao.Bound(50, ao.Origin.PROOF, "sifting"),
    TRACE,
    RunRecord("sifting", ao.Budget(), {}, 2.5),
)


def test_a_run_is_two_lines_of_steps_and_the_gap_between() -> None:
    axes = plot_progress([ANSWER])
    cost, bound = axes.get_lines()
    assert np.array(cost.get_xydata()).tolist() == [[0.2, 70], [0.4, 60], [1.0, 60], [2.0, 55], [2.5, 55]]
    assert np.array(bound.get_xydata()).tolist()[-1] == [2.5, 50]
    assert cost.get_drawstyle() == bound.get_drawstyle() == "steps-post"
    assert len(axes.collections) == 1
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale()) == ("seconds", "stars", "linear")
    assert axes.get_title("left") == "cell-suppression: feasible, gap 9.09 % after 2.5 s"
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["sifting: cost 55", "sifting: bound 50"]


def test_long_runs_are_drawn_on_logarithmic_time_and_what_matters_is_in_sight() -> None:
    trace = (ao.Progress(0.0, 200_000, 0), ao.Progress(5.0, 31_000, 30_000), ao.Progress(600.0, 31_000, 30_900))
    axes = plot_progress([replace(ANSWER, trace=trace, run=replace(ANSWER.run, seconds=600.0))])
    assert axes.get_xscale() == "log"
    low, high = axes.get_ylim()
    assert 25_000 < low < 30_000
    assert high < 40_000


def test_several_runs_are_told_apart() -> None:
    axes = plot_progress([ANSWER, replace(ANSWER, trace=TRACE[:3])], labels=["one", "two"])
    legend = axes.get_legend()
    assert legend is not None
    said = [text.get_text() for text in legend.get_texts()]
    assert said == ["one: cost 55", "one: bound 50", "two: cost 60", "two: bound 20"]
    assert axes.get_title("left") == ""


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ao.BadInput, match="there is nothing to draw: every run ended before anything was known"):
        plot_progress([replace(ANSWER, trace=())])
    with pytest.raises(ao.BadInput, match="there are 1 labels for 2 answers; there must be one each"):
        plot_progress([ANSWER, ANSWER], labels=["one"])
