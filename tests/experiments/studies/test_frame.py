from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from anoptima.experiments.plots_study import prices
from anoptima.experiments.studies.frame import frame_of
from anoptima.experiments.studies.results import StudyResults
from anoptima.experiments.studies.running import Done
from anoptima.experiments.studies.statistics import FAILURE, profile, shifted_mean, summaries
from anoptima.experiments.studies.store import Store


def record(
    solver: str, status: str, cost: object = None, proved: object = None, seconds: object = 1.0
) -> dict[str, Any]:
    task = {
        "name": "made up", "question": {"of": "abc"}, "solver": solver, "options": {}, "seconds": 10.0, "seed": 0, "threads": 1,
    }  # fmt: skip
    found = {
        "task": task,
        "key": f"{solver}{status}",
        "status": status,
        "cost": cost,
        "proved": proved,
        "seconds": seconds,
    }
    return {**found, "bound": proved, "shape": {"asks": "it"}}


def test_a_ratio_is_true_where_the_optimum_is_proved_by_anyone() -> None:
    frame = frame_of([record("exact", "proved", 50, 50), record("quick", "feasible", 60), record("slow", "time")])
    of: Any = frame.set_index("solver")
    assert of.loc["quick", ["ratio_low", "ratio_high"]].tolist() == [1.2, 1.2]
    assert of.loc["slow", ["ratio_low", "ratio_high"]].isna().all()
    assert of["best_proved"].tolist() == ["50"] * 3


def test_a_ratio_is_an_interval_where_the_optimum_is_bracketed() -> None:
    frame = frame_of([record("better", "feasible", 50, "40"), record("worse", "feasible", 60, "45")])
    worse: Any = frame.set_index("solver").loc["worse"]
    assert (worse["ratio_low"], worse["ratio_high"]) == (60 / 50, 60 / 45)


def test_what_a_liar_says_counts_for_nothing() -> None:
    frame = frame_of([record("liar", "lied", 10, 10), record("honest", "feasible", 60, 40)])
    of: Any = frame.set_index("solver")
    assert of.loc["honest", "best_proved"] == "40"
    assert of["cost"].isna().to_dict() == {"honest": False, "liar": True}
    told = {one.solver: one for one in summaries(frame)}
    assert (told["liar"].lied, told["liar"].seconds_to_proof, told["liar"].worst_high) == (1, None, None)


def test_whoever_lied_under_one_limit_has_figures_under_none() -> None:
    longer = record("liar", "proved", 50, 50)
    longer["task"]["seconds"] = 60.0
    told = summaries(frame_of([record("liar", "lied", 10, 10), longer]))
    assert [(one.limit_s, one.lied) for one in told] == [(10.0, 1), (60.0, 0)]
    for one in told:
        assert (one.seconds_to_proof, one.median_ratio, one.worst_low, one.worst_high) == (None, None, None, None)


def test_what_fails_counts() -> None:
    frame = frame_of([record("one", "proved", 5, 5, "3.0")])
    both = frame_of([record("one", "proved", 5, 5, "3.0"), {**record("one", "time"), "key": "other"}])
    alone, failed = summaries(frame)[0], summaries(both)[0]
    assert alone.seconds_to_proof == shifted_mean([3.0])
    assert failed.seconds_to_proof == shifted_mean([3.0, FAILURE * 10])
    assert (failed.runs, failed.proved, failed.solved, failed.failed) == (2, 1, 1, 1)


def test_an_optimum_of_nothing_has_ratio_one_and_nothing_else_has_one() -> None:
    frame = frame_of([record("exact", "proved", 0, 0), record("quick", "feasible", 4)])
    assert frame.set_index("solver")["ratio_high"].isna().to_dict() == {"exact": False, "quick": True}


def test_a_profile_does_not_change_with_who_else_is_there() -> None:
    assert profile([None, None], [1.0, 1.0]) == []
    assert profile([1.0, 1.0], [None, 2.0]) == [(0.0, 0.5), (0.5, 1.0)]


def test_a_question_without_a_solution_tells_nothing_of_a_solver() -> None:
    alone = [record("exact", "proved", 5, 5, "1.0")]
    beside = [*alone, {**record("exact", "infeasible"), "key": "none"}]
    assert summaries(frame_of(alone)) == summaries(frame_of(beside))


def test_a_run_made_again_with_another_version_counts_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for version, cost, day in ((1, 7, 1), (3, 5, 3), (2, 6, 2)):
        one = record("quick", "feasible", cost)
        task = {**one["task"], "versions": {"anoptima": str(version)}}
        store.put(Done({**one, "task": task, "key": f"key-{version}", "began": f"2026-01-0{day}T10:00:00+00:00"}))
    frame = StudyResults(tmp_path).frame
    assert frame[["cost", "key"]].to_numpy().tolist() == [["5", "key-3"]]


def test_a_table_that_was_changed_is_another_question_in_every_figure(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for day, (of, cost, seed) in enumerate([("old", 7, 0), ("new", 5, 0), ("old", 7, 1), ("new", 5, 1)], 1):
        one = record("quick", "feasible", cost)
        task = {**one["task"], "question": {"of": of}, "seed": seed}
        store.put(Done({**one, "task": task, "key": f"{of}-{seed}", "began": f"2026-01-0{day}T10:00:00+00:00"}))
    frame = StudyResults(tmp_path).frame
    assert frame[["instance", "cost"]].to_numpy().tolist() == [["made up", "7"]] * 2 + [["made up (2)", "5"]] * 2


def test_a_number_of_closeness_is_a_number(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for t in (0.25, 0.5):
        one = record("exact", "proved", 5, 5)
        question, shape = {"of": "abc", "t": t}, {"rows": 10, "columns": 8, "t": t, "asks": f"{Fraction(t)}-closeness"}
        store.put(Done({**one, "key": f"at-{t}", "task": {**one["task"], "question": question}, "shape": shape}))
    frame = StudyResults(tmp_path).frame
    assert frame["t"].tolist() == [0.25, 0.5]
    assert list(prices(frame, "t").values()) == [[(0.25, 5.0, 5.0), (0.5, 5.0, 5.0)]]


def test_a_solver_with_other_options_is_another_solver() -> None:
    plain, with_options = record("peel", "proved", 5, 5, "1.0"), record("peel", "time")
    with_options["task"]["options"] = {"tries": 3, "deep": True}
    told = {one.solver: (one.runs, one.proved) for one in summaries(frame_of([plain, with_options]))}
    assert told == {"peel": (1, 1), "peel (deep=True, tries=3)": (1, 0)}


def test_no_record_is_an_empty_table() -> None:
    assert frame_of([]).empty
