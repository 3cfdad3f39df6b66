from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from anoptima import CellSuppression, KAnonymity, ten_rows
from anoptima.cli.compare import _beyond_memory
from anoptima.experiments.comparison import run_all
from tests.cli.conftest import Run

pytest.importorskip("matplotlib").use("Agg")

ROLES = ("--quasi", "zip,age,sex", "--sensitive", "disease")


def test_all_approximations_are_there_with_cost_bound_ratios_seconds_and_memory(run: Run, patients: Path) -> None:
    said = run("compare", patients, *ROLES, "-k", "2,3")
    assert (said.code, said.err) == (0, "")
    sections = said.out.split("\n\n")
    assert [section.splitlines()[0] for section in sections] == [
        "cell-suppression under 2-anonymity: stars of 18 cells",
        "cell-suppression under 3-anonymity: stars of 18 cells",
    ]
    lines = [line.split() for line in sections[0].splitlines()]
    assert lines[1][:2] == ["best", "bound"]
    assert lines[2] == [
        "solver",
        "claim",
        "cost",
        "bound",
        "from",
        "ratio",
        "guaranteed",
        "seconds",
        "setup",
        "compiled",
        "MiB",
    ]
    names = [line[0] for line in lines[3:]]
    assert {"greedy-patterns", "mondrian", "mondrian-relaxed", "lattice", "clustering", "small-classes", "peel"} <= set(
        names
    )
    costs = [int(line[2]) for line in lines[3:]]
    assert costs == sorted(costs)
    guaranteed = {line[0]: line[6] for line in lines[3:]}
    assert (guaranteed["greedy-patterns"], guaranteed["mondrian"]) == ("2.75", "none")


def test_auto_says_what_it_chose_and_who_refuses_says_why(run: Run, patients: Path) -> None:
    said = run("compare", patients, *ROLES, "-k", 2, "-l", "3/2", "--solvers", "auto, greedy-patterns,mondrian")
    assert said.code == 0
    assert "; auto chose subset-dp: it proves optimality" in said.out
    assert "\ngreedy-patterns: greedy-patterns is for k-anonymity alone, not for 2-anonymity and frequency" in said.out
    assert "best bound " in said.out


def test_the_document_has_every_run_exactly(run: Run, patients: Path) -> None:
    said = run(
        "compare", patients, *ROLES, "-k", "2,7", "--weight", "age=1/3", "--solvers", "pattern/highs,peel", "--json"
    )
    document = said.json
    assert (said.code, document["schema"]) == (0, "anoptima/comparison/1")
    assert document["table"]["file"] == "patients.csv"
    first, second, third, _ = document["runs"]
    assert (first["solver"], first["claim"], first["cost"], first["best bound"], first["ratio"]) == (
        "pattern/highs",
        "optimal",
        8,
        8,
        1.0,
    )
    assert (second["solver"], second["best bound"]) == ("peel", 8)
    assert second["memory"] is None or second["memory"] >= 0
    assert (third["claim"], third["cost"], third["reason"]) == ("infeasible", None, "k = 7 but there are only 6 rows")


def test_nothing_but_infeasible_is_a_no(run: Run, patients: Path) -> None:
    said = run("compare", patients, *ROLES, "-k", 7, "--solvers", "peel")
    assert (said.code, said.out.splitlines()[-1]) == (1, "peel: k = 7 but there are only 6 rows")


def test_attributes_are_compared_as_well(run: Run, patients: Path) -> None:
    said = run(
        "compare", patients, *ROLES, "-k", 2, "--problem", "attributes", "--solvers", "column-lattice,greedy-descent"
    )
    assert said.code == 0
    assert said.out.startswith("attribute-suppression under 2-anonymity: columns of 3\nbest bound 2 (")


@pytest.mark.parametrize("name", ["ratios.svg", "ratios.PNG", "ratios.pdf"])
def test_the_ratios_are_drawn(run: Run, patients: Path, name: str) -> None:
    said = run("compare", patients, *ROLES, "-k", "2,3", "--solvers", "auto,peel", "--plot", name)
    assert said.code == 0
    assert said.out.endswith(f"\n\nthe plot of ratios is in {name}\n")
    starts = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}
    path = patients.parent / name
    assert path.read_bytes().startswith(starts[path.suffix.lower()])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-k", "2,two"], "k is 'two'; it must be a whole number"),
        (["-k", "2,0"], "k is 0; it must be at least 1"),
        (["-k", "2,,3"], "k is ''; it must be a whole number"),
        (["-k", "2,3,2"], "-k names 2 twice; name each value once"),
        ([], "no principle is named; give at least one of -k, -l, --distinct-l, -t"),
        (["-k", 2, "--solvers", "magic"], "there is no solver named 'magic'; there are "),
        (["-k", 2, "--solvers", "peel,"], "there is no solver named ''; there are "),
        (["-k", 2, "--solvers", "peel,peel"], "--solvers names peel twice; name each solver once"),
        (["-k", 2, "--solvers", "pattern/magic"], "there is no backend named 'magic'; there are"),
        (["-k", 2, "--plot", "r.txt"], "r.txt: a picture is written as .svg, .png, .pdf; give it a name that ends so"),
        (["-k", 2, "--plot", "no/r.svg"], "no/r.svg: there is no folder no to write the picture to"),
        (["-k", 2, "--time-limit", "soon"], "the time limit is 'soon'; it must be a number of seconds from 0 up"),
        (["-k", 2, "--gap", "0.1"], "unrecognized arguments: --gap 0.1"),
        (["-k", 2, "--space", "disease=equal"], "a space is given for 'disease', and no -t names that column"),
        (["-k", 2, "-t", "2"], "t is 2; it must lie between 0 and 1"),
    ],
)
def test_it_is_refused_in_one_sentence(run: Run, patients: Path, words: list[object], message: str) -> None:
    said = run("compare", patients, *ROLES, *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"anoptima: {message}")
    assert said.err.count("\n") == 1
    assert [path.name for path in patients.parent.iterdir()] == ["patients.csv"]


def test_where_no_ratio_is_known_no_picture_is_written(run: Run, patients: Path) -> None:
    said = run("compare", patients, *ROLES, "-k", 7, "--plot", "r.svg")
    assert (said.code, said.err) == (
        1,
        "anoptima: the plot of ratios is not written: there is no ratio to draw: no run has a solution and a bound above 0\n",
    )
    assert [path.name for path in patients.parent.iterdir()] == ["patients.csv"]


@pytest.mark.usefixtures("interrupted", "patients")
def test_control_c_ends_the_comparison_and_no_run_is_taken_for_a_whole_one(run: Run) -> None:
    words = ("compare", "patients.csv", *ROLES, "-k", "2,3", "--solvers")
    said = run(*words, "peel,interrupted,mondrian", "--plot-costs", "costs.svg")
    assert said.code == 0
    assert said.err == "anoptima: interrupted: interrupted was cut short (stop: cancelled), 4 runs had not begun\n"
    lines = [line.split() for line in said.out.splitlines()]
    assert lines[2][:4] == ["solver", "claim", "stop", "cost"]
    assert {line[0]: line[2] for line in lines[3:5]} == {"peel": "proved", "interrupted": "cancelled"}
    assert said.out.count("mondrian: not begun: the comparison was interrupted") == 2
    assert "interrupted" not in Path("costs.svg").read_text()
    document = run(*words, "peel,interrupted,mondrian", "--json").json
    assert document["interrupted"]
    assert [one["stop"] for one in document["runs"]] == ["proved", *["cancelled"] * 5]
    assert not run(*words, "peel", "--json").json["interrupted"]
    said = run(*words, "interrupted,mondrian")
    assert said.code == 130, "there is no answer"


@pytest.mark.usefixtures("patients")
def test_every_value_that_commas_separate_is_a_question_of_its_own(run: Run) -> None:
    words = ("compare", "patients.csv", "--quasi", "zip,age", "--sensitive", "disease", "--solvers", "peel")
    said = run(*words, "-k", "2,3", "-l", "1.5,2", "-t", "disease=0.4,0.6", "--json")
    assert said.code == 0
    assert len(said.json["runs"]) == 2 * 2 * 2
    text = run(*words, "-t", "0.4,0.6").out
    assert [line.split(" ")[2] for line in text.splitlines() if line.startswith("cell-suppression")] == [
        "2/5-closeness:",
        "3/5-closeness:",
    ]
    for option in ("-t", "-l"):
        refused = run(*words, option, "disease=1,1")
        assert (refused.code, refused.out) == (2, "")
        assert f"{option} names 1 twice; name each value once" in refused.err
    refused = run(*words, "-t", "disease=0,2")
    assert "-t is 'disease=0,2'; a comma separates several values, so write decimals with a point: 0.2" in refused.err


@pytest.mark.usefixtures("patients")
def test_costs_are_drawn_beside_ratios(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("MPLBACKEND", "agg")
    words = ("compare", "patients.csv", "--quasi", "zip,age", "-k", "2,3", "--solvers", "peel,mondrian")
    said = run(*words, "--plot", "ratios.svg", "--plot-costs", "costs.svg")
    assert said.code == 0
    assert "\n\nthe plot of ratios is in ratios.svg\n\nthe plot of costs is in costs.svg\n" in said.out
    assert "<svg" in Path("costs.svg").read_text()
    document = run(*words, "--plot-costs", "costs.svg", "--json").json
    assert (document["written"], document["replaced"]) == ({"plot of costs": "costs.svg"}, ["costs.svg"])
    shared = run(*words, "--plot", "one.svg", "--plot-costs", "one.svg")
    assert "one.svg is to hold both the plot of ratios and the plot of costs" in shared.err


def test_algorithms_that_take_more_memory_than_is_said_are_named(run: Run, patients: Path) -> None:
    said = run("compare", patients, "--quasi", "zip,age", "-k", 2, "--solvers", "mondrian", "--memory", "1G")
    assert "memory" not in said.err
    taken = replace(run_all(CellSuppression(ten_rows(), KAnonymity(3)), ["mondrian"])[0], memory=3 << 20)
    assert not _beyond_memory([taken], None)
    assert not _beyond_memory([taken], 3 << 20)
    assert _beyond_memory([taken], 2 << 20) == (
        "--memory limits models and backends; these algorithms took more: mondrian 3 MiB",
    )
