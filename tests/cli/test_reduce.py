from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from anoptima import Table
from anoptima.instances import graphs
from anoptima.problems.sources.formats.graphs import graph_from_dimacs, graph_from_edge_list, graph_to_dimacs
from anoptima.problems.sources.formats.json_objects import to_json
from tests.cli.conftest import Run


@pytest.fixture
def k4(tmp_path: Path) -> Path:
    file = tmp_path / "k4.col"
    file.write_text(graph_to_dimacs(graphs.complete_graph(4)))
    return file


def test_a_table_is_written_solved_and_carried_back(run: Run, k4: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.csv"
    said = run(
        "reduce", "vertex-cover", "k-anonymity", k4, "--at-most", 3, "-o", out, "--solve", "--solver", "pattern/highs"
    )
    assert said.code == 0
    assert "cell-suppression, 7-anonymity: 106 rows" in said.out
    assert "the source's optimum is at most 3 exactly if the target's is at most 137" in said.out
    assert "carried back: 3 vertices, and no solution is below 3" in said.out
    assert Table.read_csv(out, quasi=["mark", "first", "second"]).rows == 106


@pytest.mark.parametrize("name", ["table.dot", "table.csv.gz", "table"])
def test_a_table_is_written_as_csv_alone(run: Run, k4: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    said = run("reduce", "vertex-cover", "k-anonymity", k4, "-o", out)
    assert said.code == 2
    assert "which is written as CSV; take a name that ends in .csv" in said.err
    assert not out.exists()


def test_paths_and_documents(run: Run, k4: Path) -> None:
    document = run(
        "reduce", "minimum-bisection", "t-closeness", k4, "--solve", "--solver", "pattern/highs", "--json"
    ).json
    assert document["path"] == ["minimum-bisection-to-half-anonymity", "k-anonymity-to-t-closeness"]
    assert (document["threshold"], document["answer"]["cost"]) == (12, 20)
    assert document["solution"]["cost"] == document["solution"]["bound"] == 4
    assert len(document["solution"]["members"]) == 2


def test_the_first_theorem_of_liang_and_yuan_for_any_t(run: Run, k4: Path) -> None:
    """The share of Theorem 4 is chosen by t, and said; where none is needed, the path is without it."""
    said = run("reduce", "minimum-bisection", "t-closeness", k4, "--set", "t=3/4", "--at-most", 4).out
    assert "half-anonymity-to-share-anonymity, c = 1/4" in said
    assert "k-anonymity-to-t-closeness, t = 3/4" in said
    assert "exactly if the target's is at most 20" in said
    document = run("reduce", "minimum-bisection", "t-closeness", k4, "--set", "t=1/3", "--at-most", 4, "--json").json
    assert document["path"] == ["minimum-bisection-to-half-anonymity", "k-anonymity-to-t-closeness"]
    assert (document["target"]["principle"]["t"], document["threshold"]) == ("1/3", 20)
    said = run("reduce", "minimum-bisection", "k-anonymity", k4, "--set", "c=1/4").out
    assert "half-anonymity-to-share-anonymity, c = 1/4" in said
    wrong = run("reduce", "minimum-bisection", "t-closeness", k4, "--set", "share=1/4").err
    assert "has a parameter 'share'; parameters there are: c (of minimum-bisection-to-t-closeness), t (of" in wrong


def test_graphs_are_written_as_their_names_say(run: Run, k4: Path, tmp_path: Path) -> None:
    for name, read in (("half.col", graph_from_dimacs), ("half.txt", graph_from_edge_list)):
        out = tmp_path / name
        assert run("reduce", "clique", "half-clique", k4, "-k", 3, "-o", out).code == 0
        assert len(read(out.read_text()).edges) == 6
    out = tmp_path / "half.json"
    assert run("reduce", "clique", "half-clique", k4, "-k", 3, "-o", out).code == 0
    assert json.loads(out.read_text())["vertices"][-1] == "new-2"


def test_parameters_and_tables(run: Run, patients: Path, tmp_path: Path) -> None:
    file = tmp_path / "triples.json"
    file.write_text(json.dumps({"w": [1], "x": [1], "y": [1], "triples": [[1, 1, 1]]}))
    said = run("reduce", "3d-matching", "t-closeness", file, "--set", "t=1/4")
    assert "3d-matching-to-t-closeness, t = 1/4" in said.out
    rows = Table.read_csv(patients, quasi=["age"]).rows
    document = run("reduce", "k-anonymity", "t-closeness", patients, "--quasi", "age,sex", "-k", 2, "--json").json
    assert document["target"]["principle"]["t"] == str(1 - Fraction(2, rows))


def test_numbers_lead_to_t_closeness(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    file.write_text(json.dumps({"numbers": [0, 1, 1]}))
    document = run("reduce", "3-partition", "t-closeness", file, "--solve", "--solver", "least-residue", "--json").json
    assert document["path"] == ["3-partition-to-t-closeness"]
    assert document["target"]["principle"]["t"] == "1/2"
    assert "80" in run("reduce", "3-partition", "t-closeness", file, "--at-most", 0).out


def test_the_selftest_tries_what_leads_from_source_to_target(run: Run) -> None:
    said = run("reduce", "--selftest", "clique", "share-anonymity", "--instances", 6, "--mutants", 6, "--at-least", 1)
    assert said.code == 0
    assert [line.split()[0] for line in said.out.splitlines()[1:]] == [
        "clique-to-half-clique",
        "half-clique-to-share-anonymity",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["vertex-cover", "k-anonymity"], "give SOURCE, TARGET and FILE, or --selftest"),
        (["vertex-cover", "k-anonymity", "K4", "-k", "3"], "vertex-cover has no k"),
        (["vertex-cover", "k-anonymity", "K4", "--set", "c"], "--set is 'c'; it must be NAME=VALUE, such as c=1/4"),
        (
            ["vertex-cover", "k-anonymity", "K4", "--set", "c=1"],
            "no way from vertex-cover to k-anonymity has a parameter 'c'",
        ),
        (["clique", "half-clique", "K4"], "clique asks for K vertices; say how many"),
        (["k-anonymity", "t-closeness", "K4"], "name its columns with --quasi"),
        (["t-closeness", "cell-suppression", "K4"], "no reductions lead from t-closeness to cell-suppression"),
        (["cover", "k-anonymity", "K4"], "'cover' is no kind of problem"),
        (["half-clique", "share-anonymity", "K4", "--set", "c=9/20"], "leave no room for a new row at c = 9/20"),
        (["--selftest", "--instances", "1"], "--instances is 1; it must be at least 2"),
        (["--selftest", "vertex-cover"], "name SOURCE and TARGET for --selftest, or neither of them"),
        (
            ["--selftest", "vertex-cover", "k-anonymity", "g.txt"],
            "--selftest makes its own small problems; leave FILE out",
        ),
    ],
)
def test_bad_input(run: Run, k4: Path, words: list[str], message: str) -> None:
    said = run("reduce", *[k4 if word == "K4" else word for word in words])
    assert said.code == 2
    assert message in said.err


def test_a_graph_that_is_not_cubic_is_refused_with_the_reason(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cycle.json"
    file.write_text(to_json(graphs.cycle(4)))
    said = run("reduce", "vertex-cover", "k-anonymity", file)
    assert said.code == 2
    assert "vertex 1 is in 2 edges, and every vertex of a cubic graph is in 3" in said.err


def test_the_list_the_way_and_the_pictures(run: Run, tmp_path: Path) -> None:
    said = run("reductions")
    assert "vertex-cover -> k-anonymity" in said.out
    dot, svg = tmp_path / "graph.dot", tmp_path / "graph.svg"
    said = run("reductions", "--from", "minimum-bisection", "--to", "pattern/highs", "--dot", dot, "--svg", svg)
    assert said.out.splitlines()[0].startswith("minimum-bisection reduces to half-anonymity")
    assert said.out.splitlines()[5] == "pyomo is solved by highs"
    assert dot.read_text().startswith("digraph reductions {")
    assert "<svg" in svg.read_text()
    document = run("reductions", "--json").json
    assert {"name": "half-clique-to-share-anonymity", "source": "half-clique"}.items() <= next(
        r for r in document["reductions"] if r["source"] == "half-clique"
    ).items()
    assert run("reductions", "--from", "clique").code == 2
    assert "must end in .svg, .png or .pdf" in run("reductions", "--svg", tmp_path / "graph.txt").err


def test_a_bound_that_is_only_claimed_is_carried_back_as_a_claim(run: Run, tmp_path: Path) -> None:
    graph = tmp_path / "four.txt"
    graph.write_text("a b\na c\na d\nb c\nb d\nc d\n")
    words = ("reduce", "vertex-cover", "k-anonymity", graph, "--solve", "--solver", "pattern/cp-sat")
    said = run(*words)
    assert "carried back: 3 vertices, and no solution is below 3, as cp-sat claims" in said.out
    assert run(*words, "--json").json["solution"]["bound from"] == {"value": 3, "origin": "backend", "by": "cp-sat"}


def test_a_selftest_with_too_few_mutants_is_refused_at_once(run: Run) -> None:
    said = run("reduce", "--selftest", "clique", "share-anonymity", "--mutants", 1)
    assert (said.code, said.err) == (2, "anoptima: --mutants is 1; it must be at least 5, or all\n")
