from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Answer, Budget, Claim, RunRecord, Stop
from anoptima.documents.answers import ANSWER_SCHEMA
from anoptima.errors import FalseClaim, SolverFailure
from anoptima.problems.base import Problem
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind, Solver
from tests.cli.conftest import Run

ROLES = ("--quasi", "zip,age,sex", "--sensitive", "disease")


class Acting(Solver[Any]):
    """A solver that does what a test says."""

    name = "acting"
    kind = Kind.APPROXIMATE
    raises: BaseException | None = None

    def why_not(self, problem: Problem[Any]) -> str | None:
        return None

    def solve(self, problem: Problem[Any], budget: Budget | None = None, *_: Any, **__: Any) -> Answer[Any]:
        if self.raises is not None:
            raise self.raises
        run = RunRecord(self.name, budget or Budget(), {}, 0.0)
        return Answer(problem, Claim.UNKNOWN, Stop.TIME, None, None, None, (), run)


@pytest.fixture
def acting() -> Iterator[Acting]:
    solver = Acting()
    algorithms.add(solver)
    yield solver
    algorithms.remove("acting")


# ---- what comes out -----------------------------------------------------------------------------------------------------------


def test_the_summary_says_what_was_found(run: Run, patients: Path) -> None:
    said = run("solve", patients, *ROLES, "-k", 2)
    lines = said.out.splitlines()
    assert said.code == 0
    assert lines[0].startswith("OPTIMAL  12 stars of 18 cells, bound 12 (")
    assert lines[1] == "under 2-anonymity"
    assert lines[2].startswith("stars by column: zip 6, age 6")
    assert lines[3].startswith("auto chose subset-dp: it proves optimality at once, by trying")
    assert said.err == ""
    assert sorted(path.name for path in patients.parent.iterdir()) == ["patients.csv"]


def test_the_release_is_the_table_with_stars(run: Run, patients: Path) -> None:
    said = run("solve", patients, *ROLES, "--keep", "name", "-k", 2, "-o", "release.csv")
    assert said.code == 0
    assert "the release is in release.csv" in said.out
    rows = [line.split(",") for line in (patients.parent / "release.csv").read_text().splitlines()]
    assert rows[0] == ["zip", "age", "sex", "disease", "name"]
    assert [row[3:] for row in rows[1:]] == [line.split(",")[3:] for line in patients.read_text().splitlines()[1:]]
    assert [row[:2] for row in rows[1:]] == [["*", "*"]] * 6


def test_columns_without_a_role_are_not_released(run: Run, patients: Path) -> None:
    run("solve", patients, "--quasi", "sex", "-k", 2, "-o", "release.csv")
    assert (patients.parent / "release.csv").read_text() == "sex\nf\nm\nf\nm\nf\nm\n".replace("f", '"f"').replace(
        "m", '"m"'
    ).replace("sex", '"sex"')


def test_the_document_on_standard_output_is_all_there_is(run: Run, patients: Path) -> None:
    said = run(
        "solve",
        patients,
        *ROLES,
        "-k",
        2,
        "-t",
        "0.5",
        "--weight",
        "age=1/3",
        "--json",
        "--gap",
        "0.01",
        "--seed",
        7,
        "--memory",
        "2G",
        "--threads",
        1,
        "--time-limit",
        60,
    )
    document = said.json
    assert (said.code, said.err) == (0, "")
    assert document["schema"] == ANSWER_SCHEMA
    assert (document["claim"], document["cost"], document["stars"]) == ("optimal", 8, {"zip": 6, "age": 6, "sex": 0})
    assert document["table"]["weights"] == {"zip": 1, "age": "1/3", "sex": 1}
    assert document["table"]["source"] == {
        "file": "patients.csv",
        "separator": ",",
        "encoding": "utf-8",
        "missing": "value",
    }
    assert document["budget"] == {
        "seconds": 60.0,
        "gap": "1/100",
        "threads": 1,
        "memory": 2 * 2**30,
        "seed": 7,
        "options": {},
    }
    assert document["versions"]["anoptima"] == ao.__version__
    assert document["written"] == {}


def test_the_answers_file_is_the_document(run: Run, patients: Path) -> None:
    said = run("solve", patients, *ROLES, "-k", 2, "--answer", "answer.json", "-o", "release.csv", "--json")
    saved = json.loads((patients.parent / "answer.json").read_text())
    assert said.json == {**saved, "written": {"answer": "answer.json", "release": "release.csv"}, "replaced": []}


def test_the_same_release_makes_the_same_file(run: Run, patients: Path) -> None:
    for name in ("one.csv.gz", "two.csv.gz"):
        run("solve", patients, *ROLES, "-k", 2, "-o", name, "--solver", "peel")
    first, second = ((patients.parent / name).read_bytes() for name in ("one.csv.gz", "two.csv.gz"))
    assert first == second
    assert gzip.decompress(first).startswith(b"zip,age,sex,disease\n*,*,")


def test_an_infeasible_problem_is_an_answer_and_leaves_no_release(run: Run, patients: Path) -> None:
    (patients.parent / "release.csv").write_text("old")
    said = run("solve", patients, *ROLES, "-k", 7, "-o", "release.csv", "--answer", "answer.json")
    assert said.code == 1
    assert said.out.startswith("INFEASIBLE  k = 7 but there are only 6 rows")
    assert "release.csv" not in said.out
    assert (patients.parent / "release.csv").read_text() == "old"
    assert json.loads((patients.parent / "answer.json").read_text())["claim"] == "infeasible"
    assert run("solve", patients, *ROLES, "-k", 7, "--json").json["reason"] == "k = 7 but there are only 6 rows"


def test_no_time_is_answered_honestly(run: Run, patients: Path) -> None:
    said = run("solve", patients, *ROLES, "-k", 2, "--time-limit", 0, "--json")
    assert said.code == 0
    assert said.json["claim"] in ("feasible", "optimal")
    assert said.json["cost"] >= said.json["bound"]["value"]


def test_an_answer_without_a_solution_is_a_no(run: Run, patients: Path, acting: Acting) -> None:
    said = run("solve", patients, *ROLES, "-k", 2, "--solver", "acting", "-o", "release.csv")
    assert said.code == 1
    assert said.out.startswith("UNKNOWN  stopped: time")
    assert not (patients.parent / "release.csv").exists()


@pytest.mark.parametrize("solver", ["pattern/highs", "assignment/cp-sat", "peel"])
def test_a_solver_can_be_named(run: Run, patients: Path, solver: str) -> None:
    said = run("solve", patients, *ROLES, "-k", 2, "--solver", solver, "--start", "none", "--json")
    assert said.json["solver"] == solver
    assert said.json["start"] == "none given"


def test_whole_columns_can_be_suppressed(run: Run, patients: Path) -> None:
    said = run("solve", patients, *ROLES, "-k", 2, "--problem", "attributes")
    assert said.out.startswith("OPTIMAL  2 columns of 3")
    assert "stars by column: zip 6, age 6\n" in said.out


# ---- principles and spaces ----------------------------------------------------------------------------------------------------


def principle(run: Run, *words: object) -> Any:
    said = run("solve", *words, "--json", "--time-limit", 0)
    assert said.code in (0, 1), said.err
    return said.json["problem"]["principle"]


def test_principles_combine(run: Run, patients: Path) -> None:
    found = principle(
        run,
        patients,
        "--quasi",
        "zip",
        "--sensitive",
        "disease,sex",
        "-k",
        2,
        "-l",
        "disease=3/2",
        "-l",
        "sex=1.5",
        "--distinct-l",
        "sex=2",
        "-t",
        "disease=0.9",
    )
    assert [member["principle"] for member in found["members"]] == [
        "k-anonymity",
        "l-diversity",
        "l-diversity",
        "l-diversity",
        "t-closeness",
    ]
    assert [(m["l"], m["column"], m["version"]) for m in found["members"][1:4]] == [
        ("3/2", "disease", "frequency"),
        ("3/2", "sex", "frequency"),
        ("2", "sex", "distinct"),
    ]
    assert (found["members"][4]["t"], found["members"][4]["column"]) == ("9/10", "disease")


def test_a_column_may_hold_a_comma_and_an_equals_sign(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"income, yearly",x=y\n1,a\n2,b\n')
    found = principle(
        run, path, "--quasi", '"income, yearly"', "--sensitive", "x=y", "-l", "x=y=2", "--weight", "income, yearly=2"
    )
    assert found == {"principle": "l-diversity", "l": "2", "column": "x=y", "version": "frequency"}


SPACES = {
    "equal": {"kind": "equal"},
    "numeric": {"kind": "numeric"},
    "ordered:1,2,3": {"kind": "ordered", "order": ["1", "2", "3"]},
    "hierarchy:tree.json": {"kind": "hierarchical", "tree": {"low": ["1", "2"], "high": ["3"]}},
    "matrix:matrix.json": {
        "kind": "matrix",
        "values": ["1", "2", "3"],
        "matrix": [["0", "1/10", "1"], ["1/10", "0", "1"], ["1", "1", "0"]],
    },
}


@pytest.mark.parametrize("text", SPACES)
def test_spaces_are_given_in_words_or_files(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("q,s\n1,1\n2,2\n3,3\n")
    Path("tree.json").write_text('{"low": [1, 2], "high": ["3"]}')
    Path("matrix.json").write_text('{"values": [1, 2, "3"], "matrix": [[0, 0.1, 1], [1e-1, 0, 1], [1, 1, 0]]}')
    found = principle(run, "t.csv", "--quasi", "q", "--sensitive", "s", "-t", "0.5", "--space", f"s={text}")
    assert found["space"] == SPACES[text]


def test_values_of_an_order_are_those_of_a_typed_column(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pd.DataFrame({"q": [1, 2, 3], "s": [1, 2, 3]}).to_parquet(tmp_path / "t.parquet")
    found = principle(
        run, tmp_path / "t.parquet", "--quasi", "q", "--sensitive", "s", "-t", "0.5", "--space", "s=ordered:1,2,3"
    )
    assert found["space"] == {"kind": "ordered", "order": [1, 2, 3]}


# ---- what goes wrong ----------------------------------------------------------------------------------------------------------


def test_a_solver_that_fails_is_named(run: Run, patients: Path, acting: Acting) -> None:
    acting.raises = SolverFailure("acting", "lost its\nmind")
    said = run("solve", patients, *ROLES, "-k", 2, "--solver", "acting", "-o", "release.csv")
    assert (said.code, said.out, said.err) == (3, "", "anoptima: acting: lost its mind\n")
    assert sorted(path.name for path in patients.parent.iterdir()) == ["patients.csv"]


def test_a_solver_that_fails_says_how_far_it_came(run: Run, patients: Path, acting: Acting) -> None:
    best = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "peel")
    acting.raises = FalseClaim("acting", "claimed a bound of 99", best)
    said = run("solve", patients, *ROLES, "-k", 2, "--solver", "acting")
    assert said.code == 3
    assert said.err.startswith("anoptima: acting: claimed a bound of 99; the best until then: FEASIBLE ")


def test_what_a_solver_had_found_before_it_failed_is_written(run: Run, patients: Path, acting: Acting) -> None:
    best = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "peel")
    acting.raises = ao.SolverFailure("acting", "its process was killed by SIGKILL", best)
    said = run("solve", patients, *ROLES, "-k", 2, "--solver", "acting", "-o", "release.csv", "--answer", "answer.json")
    assert said.code == 3
    assert said.err == "anoptima: acting: its process was killed by SIGKILL; this is the best solution until then\n"
    assert "the release is in release.csv" in said.out
    assert json.loads(Path("answer.json").read_text())["cost"] == best.cost
    assert Path("release.csv").read_text().count("*") == best.cost


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 3, "there is not enough memory for this"),
        (ao.InfeasibleProblem("k = 9 but there is only 1 row"), 1, "k = 9 but there is only 1 row"),
        (ao.ModelTooLarge("it would take 9 GiB"), 2, "it would take 9 GiB"),
        (ao.NotApplicable("not for this"), 2, "not for this"),
        (PermissionError(13, "Permission denied", "secret.csv"), 2, "secret.csv: Permission denied"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_every_error_has_its_exit_code_and_one_sentence(
    run: Run, patients: Path, acting: Acting, error: BaseException, code: int, message: str
) -> None:
    acting.raises = error
    said = run("solve", patients, *ROLES, "-k", 2, "--solver", "acting", "-o", "release.csv")
    assert (said.code, said.out, said.err) == (code, "", f"anoptima: {message}\n")
    said = run("solve", patients, *ROLES, "-k", 2, "--solver", "acting", "--json")
    assert said.json == {"error": {"kind": type(error).__name__, "message": message, "exit code": code}}
    assert (said.code, said.err) == (code, f"anoptima: {message}\n")
    assert sorted(path.name for path in patients.parent.iterdir()) == ["patients.csv"]


@pytest.mark.usefixtures("weak_bound")
def test_a_model_that_is_too_large_is_refused_with_the_numbers(run: Run, tmp_path: Path) -> None:
    table = ao.ten_rows()
    table.frame.to_csv(tmp_path / "ten.csv", index=False)
    command = ["solve", tmp_path / "ten.csv", "--quasi", ",".join(table.quasi), "-k", 3, "--memory", "1K"]
    said = run(*command, "--solver", "pattern/highs")
    assert said.code == 2
    assert re.match(
        r"anoptima: the pattern model would take [\d,]+ variables, .* and 0 MiB are allowed; grant more", said.err
    )
    said = run(*command, "--json")
    assert said.code == 0
    assert said.json["reason"].startswith("auto chose subset-dp: it proves optimality")


def test_a_limit_of_memory_that_an_algorithm_does_not_keep_is_noted(run: Run, patients: Path) -> None:
    command = ("solve", patients, "--quasi", "zip,age", "-k", 2, "--solver", "mondrian", "--memory")
    assert run(*command, "1000G").err == ""
    said = run(*command, "10")
    assert said.code == 0
    assert said.err.startswith(
        "anoptima: --memory limits models and backends, and mondrian is neither: this process has taken "
    )


def test_options_and_the_log_go_to_the_backend(run: Run, patients: Path, tmp_path: Path) -> None:
    ask = (
        "solve",
        patients,
        *ROLES,
        "-k",
        2,
        "--solver",
        "pattern/highs",
        "--start",
        "none",
        "--log",
        tmp_path / "log",
        "--json",
    )
    said = run(*ask, "--option", "presolve=on", "--option", "mip_heuristic_effort=0.1")
    assert said.code == 0
    assert said.json["budget"]["options"] == {"presolve": "on", "mip_heuristic_effort": 0.1}
    assert "HiGHS" in (tmp_path / "log").read_text()
    for option, wrong in {
        "presolve": "--option is 'presolve'; it must be KEY=VALUE, such as presolve=on",
        "no_such=1": "highs: it has no option 'no_such'",
        "mip_max_nodes=many": "highs: the option 'mip_max_nodes' is 'many'; it must be a whole number",
    }.items():
        refused = run(*ask, "--option", option)
        assert refused.code == 2
        assert wrong in refused.err + refused.out


def test_missing_values_are_counted_and_explained(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("zip,age,ill\n1,,a\n1,31,\n,30,b\n2,31,c\n2,,a\n")
    said = run("solve", path, "--quasi", "zip,age", "--sensitive", "ill", "-k", 2)
    assert (
        "4 values are missing (zip 1, age 2, ill 1): each counts as a value like any other, equal to the missing values of its column "
        "(--missing refuse refuses them)\n"
    ) in said.out
    path.write_text("zip,age\n1,\n1,31\n")
    assert (
        "1 value is missing (age 1): it counts as a value like any other"
        in run("solve", path, "--quasi", "zip,age", "-k", 2).out
    )
    path.write_text("zip,age\n1,30\n1,31\n")
    assert "missing" not in run("solve", path, "--quasi", "zip,age", "-k", 2).out


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfzip,age\n1,30\n1,31\n",
        b"zip,age\r\n1,30\r\n1,31\r\n",
        b"zip,age\r1,30\r1,31\r",
        b"zip;age\n1;30\n1;31\n",
        b"zip,age\n\n1,30\n\n1,31",
        "zip,age\n1,30\n1,31\n".encode("utf-8-sig").replace(b"\n", b"\r\n"),
    ],
)
def test_what_programs_write_is_read(run: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    assert run("solve", tmp_path / "t.csv", "--quasi", "zip,age", "-k", 2, "--json").json["cost"] == 2


def test_one_column_is_a_table(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("zip\n1\n1\n2\n2\n3\n")
    assert run("solve", tmp_path / "t.csv", "--quasi", "zip", "-k", 2, "--json").json["cost"] == 3
