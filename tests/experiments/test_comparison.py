from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.answer import Answer, Budget
from anoptima.deadline import check_time
from anoptima.errors import SolverFailure
from anoptima.experiments.comparison import approximations_for, run_all
from anoptima.problems.base import Problem
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind, Solver

TEN = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


class Breaking(Solver[Any]):
    """A solver that takes every problem and breaks on it."""

    name = "breaking"
    kind = Kind.APPROXIMATE

    def why_not(self, problem: Problem[Any]) -> str | None:
        return None

    def solve(self, problem: Problem[Any], budget: Budget | None = None, *_: Any, **__: Any) -> Answer[Any]:
        raise SolverFailure(self.name, "fell over")


@pytest.fixture
def breaking() -> Iterator[None]:
    algorithms.add(Breaking())
    yield
    algorithms.remove("breaking")


def test_ratios_are_against_the_best_bound_of_all() -> None:
    frame = ao.compare([TEN], ["peel", "pattern/highs", "greedy-patterns"])
    assert frame["solver"].tolist() == ["peel", "pattern/highs", "greedy-patterns"]
    assert frame["cost"].tolist() == [58, 54, 54]
    assert frame["ratio"].tolist() == [1.074, 1.0, 1.0]
    assert frame["bound from"].tolist()[1:] == ["problem", "problem"]
    assert frame["guaranteed"].isna().tolist() == [True, True, False]
    assert (frame["seconds"] >= 0).all()
    assert set(frame["claim"]) == {"feasible", "optimal"}


def test_a_ratio_near_1_is_not_told_as_1() -> None:
    frame = TEN.table.frame.assign(id=range(10))
    table = ao.Table.from_frame(frame, [*TEN.table.quasi, "id"], weights={"id": 10_000})
    found = ao.compare([ao.CellSuppression(table, ao.KAnonymity(3))], ["peel", "subset-dp"])
    assert found["cost"].tolist() == [100_058, 100_054]
    assert found["ratio"].tolist() == [1.00004, 1.0]
    assert "1.00004" in str(found)


def test_who_refuses_is_listed_with_the_reason() -> None:
    problems: list[Problem[Any]] = [TEN, ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3))]
    frame = ao.compare(problems, ["greedy-descent", "mondrian"])
    assert frame["cost"].isna().tolist() == [True, False, False, True]
    assert frame["reason"][0] == "greedy-descent is for problems that choose columns, not for cell-suppression"
    assert frame["reason"][3] == "mondrian is for cell-suppression, not for attribute-suppression"
    assert frame["claim"].isna().tolist() == [True, False, False, True]


def test_who_fails_is_listed_and_the_others_go_on(breaking: None) -> None:
    frame = ao.compare([TEN], ["breaking", "peel"])
    assert frame["reason"].tolist() == ["breaking: fell over", ""]
    assert frame["cost"].tolist()[1] == 58


def test_an_infeasible_problem_has_its_reason_in_every_run() -> None:
    frame = ao.compare([ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11))], ["peel", "greedy-patterns"])
    assert frame["claim"].tolist() == ["infeasible", "infeasible"]
    assert set(frame["reason"]) == {"k = 11 but there are only 10 rows"}
    assert frame["ratio"].isna().all()


def test_a_free_release_has_ratio_one() -> None:
    (run,) = run_all([ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(1))], ["peel"])
    assert (run.cost, run.ratio) == (0, 1.0)


def test_an_unknown_solver_is_refused_before_anything_runs(breaking: None) -> None:
    with pytest.raises(ao.BadInput, match=r"^there is no solver named 'magic'; there are "):
        ao.compare([TEN], ["breaking", "magic"])


def test_the_default_of_the_command_is_every_approximation_for_a_problem() -> None:
    under_l = ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2))
    names = approximations_for([under_l])
    assert "greedy-patterns" not in names
    assert {"mondrian", "local-search", "peel"} <= set(names)
    assert "greedy-patterns" in approximations_for([under_l, TEN])
    assert not [name for name in names if get(name).kind is not Kind.APPROXIMATE]


class Interrupted(Breaking):
    """A solver that would go on for ever, and during which somebody presses Ctrl-C."""

    name = "interrupted"

    def solve(self, problem: Problem[Any], budget: Budget | None = None, *_: Any, **__: Any) -> Answer[Any]:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        while True:
            check_time()
            time.sleep(0.01)


@pytest.fixture
def control_c() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("control_c")
def test_control_c_ends_the_comparison_and_says_which_runs_it_cut_short() -> None:
    frame = ao.compare("ten-rows", ["peel", Interrupted(), "mondrian"])
    assert frame["stop"].tolist() == ["complete", *["cancelled"] * 5]
    assert frame["cost"].isna().tolist() == [False, False, True, True, True, True]
    assert frame["claim"].isna().tolist() == [False, False, True, True, True, True]
    assert frame["reason"].tolist()[2:] == ["not begun: the comparison was interrupted"] * 4
    assert frame["ratio"][0] > 1
    assert ao.compare(TEN, "peel")["stop"].tolist() == ["complete"], "the next comparison is a new one"


def get(name: str) -> Solver[Any]:
    return ao.get_solver(name)


def test_problems_go_by_name_and_solvers_by_object() -> None:
    problems = {"mine": TEN, "theirs": "ten-rows-k2", "both": "ten-rows"}
    frame = ao.compare(problems, [get("peel"), "greedy-patterns"], seed=7)
    assert frame["table"].drop_duplicates().tolist() == ["mine", "theirs", "ten-rows-k2", "ten-rows-k3"]
    assert frame["solver"].tolist() == ["peel", "greedy-patterns"] * 4
    assert frame["k"].tolist() == [3, 3, 2, 2, 2, 2, 3, 3]
    assert set(frame["seed"]) == {7}
    assert ao.compare("ten-rows-k3", "peel")["cost"].tolist() == [58]
    assert ao.compare(ao.instance("ten-rows-k3"), get("peel"))["cost"].tolist() == [58]
    assert ao.compare(TEN, "peel")["table"].tolist() == [ao.ten_rows().digest[:12]]


def test_the_question_is_in_the_table_in_numbers() -> None:
    table = ao.Table.from_frame(ao.ten_rows().frame, ["age1", "education"], ["disease", "zip1"])
    close = ao.TCloseness("3/10", "disease", ao.Ordered(["viral", "heart", "cancer"]))
    problem = ao.CellSuppression(table, ao.KAnonymity(2) & ao.LDiversity("3/2", "disease") & close)
    frame = ao.compare([problem, ao.MinimumCover("ab", {1: "a", 2: "ab"}), TEN], ["peel", "greedy-patterns"])
    asked = [frame[name].tolist()[0] for name in ("problem", "rows", "columns", "k", "l", "t", "space")]
    assert asked == ["cell-suppression", 10, 2, 2, 1.5, 0.3, "ordered"]
    assert frame.loc[2, "problem"] == "minimum-cover"
    assert frame.loc[2, ["rows", "k", "t"]].isna().all()
    for name in ("guaranteed", "ratio", "seconds", "building", "starting", "MiB"):
        assert frame[name].dtype == "float64", name
    assert frame["guaranteed"].dropna().tolist() == [pytest.approx(137 / 36)]


def test_several_values_of_l_are_told_as_they_are() -> None:
    table = ao.Table.from_frame(ao.ten_rows().frame, ["age1"], ["disease", "education"])
    problem = ao.CellSuppression(table, ao.LDiversity(2, "disease") & ao.LDiversity("3/2", "education"))
    assert ao.compare(problem, "peel")["l"].tolist() == ["2, 1.5"]


def test_only_what_differs_is_printed() -> None:
    said = str(ao.compare(["ten-rows-k2", "ten-rows-k3"], "peel"))
    assert said.split("\n")[0].split()[:4] == ["table", "k", "solver", "claim"]
    shown = anything(ao.compare("ten-rows-k3", "peel"))._repr_html_()
    assert "overflow-x:auto" in shown
    assert "<th>seed</th>" not in shown


def test_what_is_no_problem_is_refused() -> None:
    with pytest.raises(
        ao.BadInput, match=r"^a problem to compare on is 3; it must be a Problem, an Instance or its name"
    ):
        ao.compare(iter([anything(3)]), "peel")
    with pytest.raises(ao.BadInput, match=r"^there is no instance named 'elsewhere'; there are census-eight-k2"):
        ao.compare("elsewhere", "peel")
    with pytest.raises(
        ao.BadInput, match=r"^there is no instance named 'ten-rowz'; did you mean ten-rows-k2 or ten-rows-k3"
    ):
        ao.compare("ten-rowz", "subset-dp")


def test_pictures_are_drawn_from_the_table() -> None:
    pytest.importorskip("matplotlib").use("agg")
    frame = ao.compare("ten-rows", ["peel", "greedy-patterns", "greedy-descent"])
    costs = ao.plots.costs(frame)
    assert [text.get_text() for text in costs.get_xticklabels()] == ["k = 2", "k = 3"]
    assert [text.get_text() for text in costs.get_legend().get_texts()] == ["best bound", "peel", "greedy-patterns"]  # type: ignore[union-attr]
    bounds = frame.groupby("question")["bound"].max().tolist()
    assert [list(line.get_ydata()) for line in costs.lines] == [[bound, bound] for bound in bounds]  # type: ignore[arg-type]
    assert sorted(bar.get_height() for bar in costs.patches) == sorted(frame["cost"].dropna())  # type: ignore[attr-defined]
    ratios = ao.plots.ratios(frame)
    assert [text.get_text() for text in ratios.get_yticklabels()] == ["peel", "greedy-patterns"]
    profile = ao.plots.ratio_profile(frame)
    widths = [line.get_linewidth() for line in profile.lines]
    assert widths == sorted(set(widths), reverse=True), "lines that coincide stay visible"
    for line in profile.lines:
        own = frame[frame["solver"] == line.get_label()]
        last = dict(np.asarray(line.get_xydata()).tolist())
        assert last == {factor: (own["ratio"] <= factor).sum() / len(own) for factor in last}
    single = ao.plots.ratios(ao.compare(TEN, "peel"))
    assert [text.get_text() for text in single.get_legend().get_texts()] == ["cell-suppression, 3-anonymity"]  # type: ignore[union-attr]
    with pytest.raises(ao.BadInput, match=r"has no column 'asks'; it must be what `compare` returned"):
        ao.plots.costs(frame.drop(columns="asks"))
    with pytest.raises(ao.NotApplicable, match=r"^there is no cost to draw: no run has a solution$"):
        ao.plots.costs(ao.compare(TEN, "greedy-descent"))


def anything(value: Any) -> Any:
    """Return a value without its type."""
    return value


def test_what_was_cut_short_is_in_no_picture() -> None:
    runs = ao.compare("ten-rows", ["mondrian", "peel"])
    cut = (runs["solver"] == "peel") & (runs["question"] == 1)
    runs.loc[cut, "stop"] = "cancelled"
    axes: Any = ao.plots.costs(runs)
    assert [text.get_text() for text in axes.texts] == ["51", "57", "48"]
    marks: Any = ao.plots.ratios(runs)
    drawn = sorted(float(x) for line in marks.lines for x in line.get_xdata() if line.get_marker() in "os")
    assert drawn == sorted(runs[~cut]["ratio"])
    profile: Any = ao.plots.ratio_profile(runs)
    assert [max(line.get_ydata()) for line in profile.lines] == [1.0, 1.0], "of one question, as it was asked only one"
    runs["stop"] = "cancelled"
    with pytest.raises(ao.NotApplicable, match="there is no cost to draw"):
        ao.plots.costs(runs)


def test_a_question_without_a_solution_is_in_no_profile() -> None:
    pytest.importorskip("matplotlib").use("agg")
    nothing = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11))
    profile: Any = ao.plots.ratio_profile(ao.compare([nothing, "ten-rows-k3"], ["peel", "auto"]))
    assert [max(line.get_ydata()) for line in profile.lines] == [1.0, 1.0]


def test_whoever_waits_is_told_which_run_it_is() -> None:
    said: list[str] = []
    ao.compare("ten-rows", ["peel", "mondrian"], on_progress=lambda now: said.append(now.phase.partition(": ")[2]))
    runs = list(dict.fromkeys(words.rpartition(": ")[0] for words in said))
    assert runs == [f"{solver}, cell-suppression, {k}-anonymity" for k in (2, 3) for solver in ("peel", "mondrian")]
