from __future__ import annotations

from fractions import Fraction
from importlib.metadata import version
from typing import Any

import pytest

import anoptima as ao
from anoptima.cli.list import ROOMS
from anoptima.cli.list_solvers import guarantee, short, text_for
from anoptima.instances.library import instances
from anoptima.solvers.backends.base import Availability
from anoptima.solvers.backends.highs import Highs
from anoptima.solvers.backends.pyomo_named import PyomoSolvers
from tests.cli.conftest import Run


def test_everything_is_listed_room_by_room(run: Run) -> None:
    said = run("list")
    assert (said.code, said.err) == (0, "")
    assert [line[:-1] for line in said.out.splitlines() if line[:-1] in ROOMS] == [
        "principles",
        "problems",
        "spaces",
        "models",
        "backends",
        "linear-solvers",
        "solvers",
        "reductions",
        "instances",
        "proofs",
    ]
    assert said.out == "\n\n".join(run("list", room).out.rstrip("\n") for room in ROOMS) + "\n"


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_is_a_document_with_a_name_and_a_line_for_everything(run: Run, room: str) -> None:
    document = run("list", room, "--json").json
    assert list(document) == [room]
    names = [entry["name"] for entry in document[room]]
    assert len(names) == len(set(names))
    for entry in document[room]:
        assert entry["about"], f"{entry['name']} has no docstring"
        assert "\n" not in entry["about"]


def entries(run: Run, room: str) -> dict[str, dict[str, Any]]:
    return {entry["name"]: entry for entry in run("list", room, "--json").json[room]}


def test_backends_come_with_exact_versions(run: Run) -> None:
    found = entries(run, "backends")
    assert {"highs", "cp-sat"} <= found.keys()
    assert found["highs"]["versions"] == {"highspy": version("highspy")}
    assert found["highs"]["usable"]
    assert f"[highspy {version('highspy')}]" in run("list", "backends").out


def test_a_backend_that_cannot_be_used_says_why(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Highs, "availability", lambda self: Availability(False, "highspy is not installed"))
    found = entries(run, "backends")["highs"]
    assert (found["usable"], found["why not"], found["versions"]) == (False, "highspy is not installed", {})
    assert "[not usable here: highspy is not installed]" in run("list", "backends").out
    assert entries(run, "solvers")["pattern/highs"]["for"] == {}
    out = run("list", "solvers").out
    assert "\n  here    cp-sat" in out


def test_solvers_say_which_problems_they_are_for(run: Run) -> None:
    found = entries(run, "solvers")
    everything = [
        "alpha-k-anonymity",
        "k-anonymity",
        "l-diversity",
        "distinct l-diversity",
        "recursive-diversity, l = 2",
        "recursive-diversity",
        "t-closeness",
    ]
    assert found["pattern/highs"]["for"] == {"cell-suppression": everything}
    assert found["attributes/highs"]["for"] == {"attribute-suppression": everything}
    assert found["greedy-patterns"]["kind"] == "approximate"
    assert found["greedy-patterns"]["for"]["cell-suppression"] == ["k-anonymity"]
    assert "assignment/highs" not in found, "no backend is listed for a language that it does not take"


def test_problems_and_instances_are_found_where_they_are(run: Run) -> None:
    found = entries(run, "problems")
    assert {"cell-suppression", "attribute-suppression"} <= found.keys()
    assert found["vertex-cover"]["unit"] == "vertices", "in a package of its own within the room"
    assert entries(run, "solvers")["clique-present/cp-sat"]["for"] == {"clique": [], "half-clique": []}
    assert entries(run, "instances")["ten-rows-k3"]["best"] == 54
    open_ = next(known for known in instances.all() if known.best is not None and not known.is_solved)
    assert f"[best {open_.best:,}, bound {open_.bound:,}]" in run("list", "instances").out
    assert "[54 is optimal]" in run("list", "instances").out


def test_an_empty_room_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROOMS, "reductions", list)
    assert run("list", "reductions").out == "reductions: none yet\n"
    assert run("list", "reductions", "--json").json == {"reductions": []}


def test_a_room_that_is_not_there_is_refused(run: Run) -> None:
    said = run("list", "solutions")
    assert said.code == 2
    assert said.err.startswith("anoptima: argument WHAT: invalid choice: 'solutions'")


# ---- solvers -------------------------------------------------------------------------------------------------------------------


def test_all_solvers_are_listed_in_groups_with_hardly_more_than_a_line_for_each(run: Run) -> None:
    out = run("list", "solvers").out
    headings = [line for line in out.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["solvers:", "models, by problem:", "their backends:", "exact algorithms:", "approximations:"]
    assert "\n  cell-suppression          assignment, groups, pattern, pattern-flows\n" in out
    assert "\n  sifting " in out
    named = {name.partition("/")[0] for name in entries(run, "solvers")}
    assert all(name in out for name in named)
    assert len(out.splitlines()) <= len(named) + len(headings) + 10


@pytest.mark.usefixtures("patients")
def test_solvers_for_a_table_say_what_they_promise(run: Run) -> None:
    words = ("list", "solvers", "--for", "patients.csv", "--quasi", "zip,age", "--sensitive", "disease")
    said = run(*words, "-k", 2)
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    found = {entry["name"]: entry for entry in run(*words, "-k", 2, "--json").json["solvers"]}
    assert lines[0] == f"{len(found)} solvers for cell-suppression under 2-anonymity; auto chooses one and says why"
    assert len(lines) == 1 + 3 * 2 + len(found), "a line each, and three headings"
    assert found["sifting"]["guarantee"] == "optimal, with a proof"
    assert found["pattern/highs"]["guarantee"] == "optimal"
    assert found["peel"]["guarantee"] == "no guarantee"
    problem = ao.CellSuppression(ao.Table.read_csv("patients.csv", ["zip", "age"], "disease"), ao.KAnonymity(2))
    ratio = ao.get_solver("forest").ratio(problem)
    assert found["forest"]["guarantee"] == f"at most {ratio} x the optimum"
    assert {solver.name for solver in ao.solvers_for(problem)} == set(found)
    both = {entry["name"] for entry in run(*words, "-k", 3, "-l", 2, "--json").json["solvers"]}
    assert "forest" not in both, "it is for k-anonymity alone"
    columns = run(*words, "--problem", "identifying-columns", "--json").json["solvers"]
    assert "hitting-set" in {entry["name"] for entry in columns}


def test_a_promise_is_never_rounded_down() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    for solver in ao.solvers_for(problem):
        text = guarantee(solver, [problem])
        if text.startswith("at most "):
            ratio = solver.ratio(problem)
            assert ratio is not None
            assert ratio <= Fraction(text.split()[2]) < ratio + Fraction(1, 100)


def test_solvers_for_a_problem_by_its_name(run: Run) -> None:
    out = run("list", "--problem", "fake-points").out
    listed = sum(line.startswith("  ") for line in out.splitlines())
    assert out.startswith(f"{listed} solvers for fake-points; auto chooses")
    assert "\n  shifted-grid " in out


@pytest.mark.usefixtures("patients")
def test_what_cannot_be_listed_is_refused(run: Run) -> None:
    for words, complaint in (
        (["solvers", "-k", 2], "columns, principles and formats are those of a table; name it with --for"),
        (["models", "--problem", "fake-points"], "--for and --problem list solvers, not models"),
        (["--problem", "fake-point"], "there is no problem named 'fake-point'; did you mean fake-points?"),
        (["--problem", "xyz"], "there is no problem named 'xyz'; see `anoptima list problems`"),
        (["--for", "patients.csv"], "--for needs --quasi"),
        (["--for", "patients.csv", "--quasi", "zip"], "no principle is named"),
        (["--for", "patients.csv", "--quasi", "zip", "--problem", "clique"], "clique is not made of a table here"),
    ):
        said = run("list", *words)
        assert (said.code, said.out) == (2, ""), words
        assert complaint in said.err


def test_a_terminal_gets_lines_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert short("x" * 100) == "x" * 100, "a pipe gets all"
    monkeypatch.setattr("anoptima.cli.list_solvers._is_terminal", lambda: True)
    assert short("x" * 100) == "x" * 37 + "..."
    assert short("x" * 40) == "x" * 40


# ---- names ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("patients")
def test_names_that_are_nearly_right_lead_to_those_that_are(run: Run) -> None:
    for name, meant in (
        ("gurobi", "no solver named 'gurobi'; did you mean pattern/pyomo:"),
        ("pattern/gurobi", "no backend named 'gurobi'; did you mean pyomo:"),
        ("highs", "did you mean pattern/highs?"),
        ("pattern", "did you mean pattern/highs?"),
        ("assignment", "did you mean assignment/cp-sat?"),
        ("mondrain", "did you mean mondrian?"),
        ("patern/highs", "no model named 'patern'; did you mean pattern?"),
        ("pattern/pyomo:gurobi_dirct", "Pyomo knows no solver named 'gurobi_dirct'; did you mean gurobi_direct"),
    ):
        said = run("solve", "patients.csv", "--quasi", "zip", "-k", 2, "--solver", name)
        assert said.code == 2
        assert meant in said.err
        assert "persistent" not in said.err
        if "gurobi" in name:
            assert "gurobi_direct" in said.err


@pytest.mark.usefixtures("patients")
def test_a_solver_that_keeps_its_model_is_refused_in_a_sentence(run: Run) -> None:
    said = run("solve", "patients.csv", "--quasi", "zip", "-k", 2, "--solver", "pattern/pyomo:gurobi_persistent")
    assert said.code == 2
    assert said.err.endswith("is not done here; take pyomo:gurobi_direct\n")


def test_only_solvers_that_we_can_talk_to_are_said_to_work() -> None:
    working = PyomoSolvers().working()
    assert {"highs", "appsi_highs"} <= set(working)
    assert not {"mindtpy", "multistart", "highs_persistent"} & set(working)


def test_where_no_solver_is_for_a_problem_none_is_promised() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    assert text_for([problem], []) == "no solver is for cell-suppression under 2-anonymity"
