"""No command writes into a file that it reads, or two things into one file, and a refusal leaves every file as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

ROLES = ("--quasi", "zip,age")


@pytest.fixture(autouse=True)
def files(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("zip,age\n1,30\n1,30\n2,40\n2,50\n")
    Path("points.csv").write_text("x,y\n0,0\n0.5,0.5\n")
    Path("graph.txt").write_text("a b\nb c\n")
    Path("study.toml").write_text('instances = ["ten-rows-k3"]\nsolvers = ["auto"]\nseconds = [1]\n')
    assert run("solve", "t.csv", *ROLES, "-k", 2, "-o", "r.csv", "--answer", "a.json", "--proof", "p.json").code == 0
    return tmp_path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "t.csv", *ROLES, "-k", 2, "--log", "t.csv"], "t.csv is the table itself; give the log another name"),
        (["solve", "t.csv", *ROLES, "-k", 2, "--log", "x", "-o", "x"], "x is to hold both the release and the log"),
        (["keys", "t.csv", *ROLES, "--log", "t.csv"], "t.csv is the table itself; give the log another name"),
        (
            ["points", "points.csv", "--columns", "x,y", "-k", 2, "--log", "points.csv"],
            "points.csv is the table itself; give the log another name",
        ),
        (
            ["reduce", "vertex-cover", "k-anonymity", "graph.txt", "--solve", "--log", "graph.txt"],
            "graph.txt is the source itself; give the log another name",
        ),
        (
            ["verify", "t.csv", "r.csv", "a.json", "p.json", "--newest", "a.json"],
            "a.json is the answer itself; give the newest proof another name",
        ),
        (
            ["verify", "t.csv", "r.csv", "a.json", "p.json", "--page", "p.json"],
            "p.json is the proof itself; give the page another name",
        ),
        (
            ["verify", "t.csv", "r.csv", "a.json", "p.json", "--page", "x.html", "--page-without-table", "x.html"],
            "x.html is to hold both the page and the page without the table",
        ),
        (
            ["instances", "show", "ten-rows-k3", "--table", "x.csv", "--release", "x.csv"],
            "x.csv is to hold both the table and the release",
        ),
        (["hunt", "mondrian", "--csv", "x.csv", "--table", "x.csv"], "x.csv is to hold both the csv and the table"),
        (["reductions", "--dot", "x.svg", "--svg", "x.svg"], "x.svg is to hold both the graph for Graphviz and the picture"),
    ],
)  # fmt: skip
def test_a_clash_is_refused_and_changes_nothing(run: Run, files: Path, words: list[object], message: str) -> None:
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    said = run(*words)
    assert said.code == 2
    assert said.err.startswith(f"anoptima: {message}")
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


def test_a_report_does_not_take_the_place_of_its_study(run: Run) -> None:
    assert run("study", "run", "study.toml", "--quiet").code == 0
    stated = Path("study.toml").read_bytes()
    said = run("study", "report", "study.toml", "-o", "study.toml")
    assert (said.code, Path("study.toml").read_bytes()) == (2, stated)
    assert said.err == "anoptima: study.toml is the study itself; give the report another name\n"


def test_a_solution_is_not_replaced_by_its_release(run: Run) -> None:
    said = run("import-solution", "t.csv", "model.json", "model.sol", "-o", "model.sol")
    assert said.code == 2
    assert said.err == "anoptima: model.sol is the solution itself; give the release another name\n"


def test_what_a_graph_replaces_is_named(run: Run) -> None:
    said = run("reductions", "--dot", "t.csv")
    assert said.code == 0
    assert "t.csv, which was there and was replaced" in said.out
