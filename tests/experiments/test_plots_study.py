from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib.pyplot as plt
import pytest

import anoptima as ao
from anoptima.experiments.plots_study import plot_price, plot_profiles, plot_proofs, plot_study_ratios, prices
from anoptima.experiments.plots_study_runs import gaps_of, growths, plot_excess, plot_gaps, plot_growth, plot_starred
from anoptima.experiments.studies.frame import frame_of
from anoptima.experiments.studies.running import Done
from anoptima.experiments.studies.statistics import slope, spreads
from anoptima.experiments.studies.store import Store


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def records() -> list[dict[str, Any]]:
    """A study with two solvers: `quick` proves nothing, and `exact` takes rows squared seconds."""
    found = []
    for rows in (10, 20, 40, 80):
        for k in (2, 3):
            for solver, cost in (("exact", rows * k), ("quick", rows * (k + 1))):
                status, seconds = ("proved", rows**2 / 1000) if solver == "exact" else ("feasible", 0.01)
                task = {
                    "name": f"made-{rows} k={k}", "question": {"of": f"table{rows}", "k": k}, "solver": solver, "options": {},
                    "seconds": 10.0, "seed": 0, "threads": 1,
                }  # fmt: skip
                shape = {"problem": "cell-suppression", "rows": rows, "columns": 4, "k": k, "asks": f"{k}-anonymity"}
                found.append(
                    {
                        "task": task,
                        "key": f"{rows}-{k}-{solver}",
                        "status": status,
                        "cost": cost,
                        "seconds": seconds,
                        "shape": shape,
                        "proved": cost if solver == "exact" else None,
                        "bound": cost if solver == "exact" else None,
                        "guaranteed": "2" if solver == "quick" else None,
                        "trace": [[0.0, cost * 2, None], [seconds / 2, cost, cost // 2]],
                    }
                )
    return found


@pytest.fixture
def frame() -> Any:
    return frame_of(records())


def test_ratios_stand_beside_what_is_guaranteed(frame: Any) -> None:
    axes: Any = plot_study_ratios(frame)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["quick", "exact"]
    drawn = {float(x) for line in axes.lines for x in line.get_xdata()}
    assert {1.0, 4 / 3, 1.5, 2.0} <= drawn


def test_proofs_are_shares_of_what_was_asked(frame: Any) -> None:
    axes: Any = plot_proofs(frame)
    assert [line.get_label() for line in axes.lines] == ["exact"]
    assert max(axes.lines[0].get_ydata()) == 1.0


def of_seeds(costs: Sequence[int]) -> list[dict[str, Any]]:
    """One question, asked with a seed for each cost; the first is proved by `exact`."""
    found = [record for record in records() if record["key"] in ("10-2-quick", "10-2-exact")]
    for seed, cost in enumerate(costs):
        first = found[1]
        found.append(
            {**first, "key": f"seed-{seed}", "cost": cost, "task": {**first["task"], "solver": "chance", "seed": seed}}
        )
    return found


def test_seeds_show_their_spread() -> None:
    frame = frame_of(of_seeds((24, 20, 30)))
    (spread,) = spreads(frame)
    assert (spread.solver, spread.seeds, spread.questions, spread.varied) == ("chance", 3, 1, 1)
    assert (spread.median_low, spread.median_high, spread.widest, spread.where) == (1.0, 1.5, 0.5, "made-10 k=2")
    axes: Any = plot_study_ratios(frame)
    names = [label.get_text() for label in axes.get_yticklabels()]
    (line,) = [c.get_segments()[0].tolist() for c in axes.collections if len(c.get_segments())]
    height = names.index("chance")
    assert line == [[1.0, height], [1.5, height]]
    assert 1.2 in {float(x) for one in axes.lines for x in one.get_xdata()}


def test_proofs_of_several_seeds_have_a_band() -> None:
    found = of_seeds((20, 20))
    found[2] |= {"status": "proved", "proved": 20, "solver": "chance", "seconds": 0.5}
    axes: Any = plot_proofs(frame_of(found))
    (band,) = [c for c, line in zip(axes.collections, axes.lines, strict=True) if line.get_label() == "chance"]
    assert {0.0, 1.0} <= set(band.get_paths()[0].vertices[:, 1].tolist())


def test_profiles_have_a_reference(frame: Any) -> None:
    with pytest.raises(ao.BadInput, match="is not in the study"):
        plot_profiles(frame, "nobody")
    with pytest.raises(ao.NotApplicable, match="no other solver has proved"):
        plot_profiles(frame, "exact")
    axes: Any = plot_profiles(frame, "quick")
    assert axes.lines[0].get_label() == "exact (8)"


def test_a_dozen_solvers_have_a_dozen_colours() -> None:
    exact = [record for record in records() if "exact" in record["key"]]
    named = [(f"solver-{number}", {"key": f"{number}-"}) for number in range(12)]
    frame = frame_of(
        [
            {**record, "key": more["key"] + record["key"], "task": {**record["task"], "solver": name}}
            for name, more in named
            for record in exact
        ]
    )
    for axes, lines in ((plot_proofs(frame), 12), (plot_profiles(frame, "solver-0"), 11)):
        colours = {line.get_color() for line in axes.lines if str(line.get_label()).startswith("solver")}
        assert len(colours) == lines


def test_long_names_leave_room_for_the_picture() -> None:
    longer = [
        {**record, "task": {**record["task"], "name": f"{record['task']['name']} {'x' * 60}"}} for record in records()
    ]
    axes: Any = plot_price(frame_of(longer))
    figure = axes.get_figure()
    figure.canvas.draw()
    assert axes.get_position().width > 0.7
    assert axes.get_position().height > 0.5


def test_rows_are_plain_numbers_on_a_logarithmic_axis(frame: Any) -> None:
    axes: Any = plot_growth(frame)
    axes.figure.canvas.draw()
    for axis, expected in ((axes.xaxis, {"10", "20", "30", "50"}), (axes.yaxis, {"0.1", "0.2", "1", "5"})):
        labels = {label.get_text() for label in (*axis.get_majorticklabels(), *axis.get_minorticklabels())}
        assert expected <= labels
        assert not any("times" in label for label in labels)


def at_limits(limits: Sequence[float]) -> list[dict[str, Any]]:
    """The same study at several limits, a run that takes longer ended by its limit, one that does not recorded for longer limits, too."""
    found = []
    for limit in limits:
        for record in records():
            task, late = {**record["task"], "seconds": limit}, record["seconds"] > limit
            cut: dict[str, Any] = (
                {"status": "time", "cost": None, "proved": None, "bound": None, "seconds": None, "trace": []}
                if late
                else {}
            )
            found.append({**record, **cut, "task": task, "key": f"{record['key']}-{limit}"})
    return found


def test_a_shorter_limit_hides_no_proof_and_counts_none_twice() -> None:
    for draw in (plot_proofs, lambda frame: plot_profiles(frame, "quick"), plot_growth):
        both: list[Any] = [draw(frame_of(at_limits(limits))) for limits in ((10.0,), (1.0, 3.0, 10.0))]
        lines = [[(line.get_label(), *line.get_xydata().tolist()) for line in axes.lines] for axes in both]
        assert lines[0] == lines[1]
        assert lines[0]


def test_sizes_whose_harder_runs_are_cut_off_are_not_fitted() -> None:
    found = []
    for rows in (10, 20, 40, 80, 160, 320):
        for hard in (1, 4):
            seconds = hard * rows**2 / 1000
            first = records()[0]
            record = {**first, "key": f"{rows}-{hard}", "seconds": seconds, "shape": {**first["shape"], "rows": rows}}
            found.append(record if seconds <= 150 else {**record, "status": "time", "seconds": None})
    (growth,) = growths(frame_of(found))
    assert max(growth.rows) == 160, "of 320 rows only the easy run was proved"
    assert abs(growth.exponent - 2) < 1e-9


def test_the_price_of_privacy_is_an_interval_for_each_k(frame: Any) -> None:
    assert prices(frame, "k")["made-10 (10 x 4)"] == [(2.0, 20.0, 20.0), (3.0, 30.0, 30.0)]
    assert len(prices(frame, "k")) == 4
    assert plot_price(frame).get_xlabel() == "k"
    with pytest.raises(ao.NotApplicable, match="several l"):
        plot_price(frame, "l")
    with pytest.raises(ao.BadInput, match="one of k, l, t"):
        plot_price(frame, "m")


def test_each_table_and_each_sort_of_principle_has_a_line_of_its_own() -> None:
    def asked(seed: int, value: int, version: str, cost: int) -> dict[str, Any]:
        first = records()[0]
        asks, word = f"cell-suppression, {version} {value}-diversity", "l" if version == "frequency" else "distinct_l"
        task = {
            **first["task"], "name": f"uniform rows=8 seed={seed} {word}={value}", "question": {"of": f"table{seed}", "asks": asks},
        }  # fmt: skip
        shape = {"problem": "cell-suppression", "rows": 8, "columns": 3, "l": value, "asks": asks}
        return {**first, "task": task, "shape": shape, "cost": cost, "proved": cost, "key": f"{seed}{value}{version}"}

    found = [asked(seed, value, "frequency", seed * value) for seed in (1, 2) for value in (2, 3)]
    alone = prices(frame_of(found), "l")
    assert alone == {
        "uniform rows=8 seed=1 (8 x 3)": [(2.0, 2.0, 2.0), (3.0, 3.0, 3.0)],
        "uniform rows=8 seed=2 (8 x 3)": [(2.0, 4.0, 4.0), (3.0, 6.0, 6.0)],
    }
    both = prices(frame_of([*found, *(asked(1, value, "distinct", 0) for value in (2, 3, 4))]), "l")
    assert list(both.values()) == [[(2.0, 0.0, 0.0), (3.0, 0.0, 0.0), (4.0, 0.0, 0.0)], *alone.values()]
    assert next(iter(both)) == "uniform rows=8 seed=1 (8 x 3): cell-suppression, distinct l-diversity"


def test_growth_is_an_exponent_with_an_interval(frame: Any) -> None:
    (growth,) = growths(frame[frame["status"] == "proved"])
    assert growth.solver == "exact"
    assert growth.low <= growth.exponent <= growth.high
    assert abs(growth.exponent - 2) < 1e-9
    assert plot_growth(frame).get_xlabel() == "rows"
    steep, half, _ = slope([0.0, 1.0, 2.0, 3.0], [0.0, 1.1, 1.9, 3.0])
    assert steep - half < 1 < steep + half


def test_gaps_go_down_to_nothing_where_the_optimum_is_proved(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for record in records():
        store.put(Done(record))
    axes: Any = plot_gaps(tmp_path)
    ends = {line.get_label(): float(line.get_ydata()[-1]) for line in axes.lines}
    assert ends == {"exact (8)": 0.0, "quick (8)": 0.5}


def test_what_was_ended_has_the_whole_gap_and_a_liar_is_not_drawn(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for record in records():
        store.put(Done(record))
        task = {**record["task"], "solver": "ended", "seed": int("exact" in record["key"])}
        cut = {
            key: value for key, value in record.items() if key not in ("trace", "cost", "proved", "bound", "seconds")
        }
        ended = cut | {"status": "memory"} if "exact" in record["key"] else record
        store.put(Done({**ended, "key": f"ended-{record['key']}", "task": task}))
        lied = {**record, "status": "lied" if "10-2" in record["key"] else "feasible"}
        store.put(Done({**lied, "key": f"liar-{record['key']}", "task": {**task, "solver": "liar"}}))
    for draw, end in ((plot_gaps, 0.75), (plot_excess, 2 / 3)):
        axes: Any = draw(tmp_path)
        ends = {line.get_label(): float(line.get_ydata()[-1]) for line in axes.lines}
        assert ends.keys() == {"exact (8)", "quick (8)", "ended (16)"}
        assert ends["ended (16)"] == pytest.approx(end)


def test_a_gap_closes_on_the_clock_of_its_trace() -> None:
    told = gaps_of({"trace": [[1.25, "60", "54"]], "status": "proved", "seconds": 0.5, "setup seconds": 1.0})
    assert told == [(1.25, 0.1), (1.5, 0.0)]


def test_costs_come_down_to_the_best_that_is_known(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for record in records():
        store.put(Done(record))
    axes: Any = plot_excess(tmp_path)
    ends = {line.get_label(): [float(share) for share in line.get_ydata()] for line in axes.lines}
    for told in ends.values():
        assert told == sorted(told, reverse=True), "a cost never goes up again"
    paid = {
        solver: [record["cost"] for record in records() if record["task"]["solver"] == solver]
        for solver in ("exact", "quick")
    }
    least = [min(pair) for pair in zip(*paid.values(), strict=True)]
    for solver, costs in paid.items():
        expected = median(1 - best / cost for cost, best in zip(costs, least, strict=True))
        assert ends[f"{solver} (8)"][-1] == pytest.approx(expected)


def test_starred_columns_are_shares_of_the_release(study_folder: Path) -> None:
    axes: Any = plot_starred(study_folder, "ten-rows-k3")
    shares = {line.get_label(): [float(share) for share in line.get_xdata()] for line in axes.lines}
    assert {solver: round(10 * sum(told)) for solver, told in shares.items()} == {"peel": 58, "mondrian": 57}
    means = [sum(told) for told in zip(*shares.values(), strict=True)]
    assert means == sorted(means), "the column that is starred most is on top"
    with pytest.raises(ao.NotApplicable, match="no starred columns to draw"):
        plot_starred(study_folder, "nothing")


@pytest.fixture
def study_folder(tmp_path: Path) -> Path:
    """A study of one question and two solvers."""
    study = ao.Study("small", instances=("ten-rows-k3",), solvers=("peel", "mondrian"), seconds=(60.0,))
    assert not ao.run_study(study, tmp_path).left
    return tmp_path


def test_another_frame_is_refused_by_name(frame: Any) -> None:
    with pytest.raises(ao.BadInput, match="'ratio_low'"):
        plot_study_ratios(frame.drop(columns="ratio_low"))
