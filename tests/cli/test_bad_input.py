"""The door: every input that is refused, by the sentence that refuses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

TABLE = """\
zip,age,ill,pay
1,30,a,1
1,30,b,2
2,40,,3
2,50,a,4
"""
ROLES = ("--quasi", "zip,age", "--sensitive", "ill,pay")
METRIC = {"values": ["a", "b", ""], "matrix": [[0, 0.5, 1], [0.5, 0, 0.25], [1, 0.25, 0]]}
UNTRUE_SIDES = {"values": ["a", "b", ""], "matrix": [[0, 0.5, 1], [0.4, 0, 1], [1, 1, 0]]}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TABLE)
    Path("metric.json").write_text(json.dumps(METRIC))
    Path("sides.json").write_text(json.dumps(UNTRUE_SIDES))
    Path("list.json").write_text("[1, 2]")
    Path("nested.json").write_text('{"values": [[1]], "matrix": [[0]]}')
    Path("tree.json").write_text('{"x": ["a"], "y": {"z": ["b", ""]}}')
    Path("empty_tree.json").write_text("{}")
    Path("broken.json").write_text("{")
    Path("empty.csv").write_text("")
    Path("header.csv").write_text("zip,age,ill,pay\n")
    Path("odd.csv").write_text('age ,"pay, yearly",\n1,2,3\n')
    Path("double.csv").write_text("zip,age,zip\n1,2,3\n")
    Path("ragged.csv").write_text("zip,age\n1,2\n3\n")
    Path("binary.csv").write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    Path("starred.csv").write_text("zip,age\n1,2\n*,3\n")
    Path("accent.csv").write_text("cafe\u0301,age\n1,2\n1,2\n", encoding="utf-8")
    Path("text.parquet").write_text("zip,age\n1,2\n")
    Path("folder").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        # The file.
        (["nowhere.csv", "--quasi", "zip", "-k", 2], "nowhere.csv: there is no such file"),
        (["headr.csv", "--quasi", "zip", "-k", 2], "headr.csv: there is no such file; did you mean header.csv?"),
        (["no/t.csv", "--quasi", "zip", "-k", 2], "no/t.csv: there is no such file, nor a folder 'no'"),
        (["folder", "--quasi", "zip", "-k", 2], "folder is a folder; give the name of a file"),
        (["nowhere.parquet", "--quasi", "zip", "-k", 2], "nowhere.parquet: there is no such file"),
        (["empty.csv", "--quasi", "zip", "-k", 2], "empty.csv is empty; its first line must name the columns"),
        (["header.csv", "--quasi", "zip", "-k", 2], "header.csv has no rows"),
        (
            ["odd.csv", "--quasi", "age", "-k", 2],
            "odd.csv has no column 'age', named as quasi-identifying; did you mean \"age \"? its ",
        ),
        (["double.csv", "--quasi", "age", "-k", 2], "double.csv has two columns named 'zip'; names must differ"),
        (["ragged.csv", "--quasi", "zip", "-k", 2], "ragged.csv, row 2 has 1 field ('3'); the header has 2"),
        (
            ["binary.csv", "--quasi", "zip", "-k", 2],
            "binary.csv cannot be read as a CSV file in UTF-8: line 1 has the byte 0x89, and it looks like no text in any encoding; sa",
        ),
        (["text.parquet", "--quasi", "zip", "-k", 2], "text.parquet is not a Parquet file that can be read:"),
        (
            ["starred.csv", "--quasi", "zip,age", "-k", 2],
            (
                "starred.csv, row 2, column 'zip' already holds '*', which is how a suppressed cell is written; "
                "write those cells some other way first"
            ),
        ),
        (
            ["t.csv", "--separator", ";;", "--quasi", "zip", "-k", 2],
            "the separator is ';;'; it must be one character",
        ),
        # Columns.
        (
            ["t.csv", "--quasi", "zip,Age", "-k", 2],
            "t.csv has no column 'Age', named as quasi-identifying; did you mean age? its columns are zip, age, ill, pay",
        ),
        (
            ["t.csv", "--quasi", "zap", "-k", 2],
            "t.csv has no column 'zap', named as quasi-identifying; its columns are zip, age, ill, pay",
        ),
        (
            ["t.csv", "--separator", ";", "--quasi", "zip", "-k", 2],
            "t.csv has no column 'zip', named as quasi-identifying; its columns are \"zip,age,ill,pay\"",
        ),
        (["t.csv", "--quasi", "zip,", "-k", 2], "t.csv has no column '', named as quasi-identifying"),
        (
            ["t.csv", "--quasi", "zip\nAge", "-k", 2],
            "t.csv has no column 'Age', named as quasi-identifying; did you mean age?",
        ),
        (
            ["accent.csv", "--quasi", "caf\u00e9", "-k", 2],
            (
                "accent.csv has no column 'caf\u00e9', named as quasi-identifying; "
                "cafe\u0301 is not in the same characters though it looks the same, so copy the name from there; its columns"
            ),
        ),
        (["t.csv", "--quasi", "zip\u2028", "-k", 2], "t.csv has no column 'zip\\u2028', named as quasi-identifying"),
        (["t.csv", "--quasi", "zip", "--sensitive", "sick", "-k", 2], "t.csv has no column 'sick', named as sensitive"),
        (["t.csv", "--quasi", "zip", "--keep", "name", "-k", 2], "t.csv has no column 'name', named as kept"),
        (
            ["t.csv", "--quasi", "zip,ill", "--sensitive", "ill", "-k", 2],
            "column 'ill' is both quasi-identifying and sensitive; a column has one role",
        ),
        (
            ["t.csv", "--quasi", "zip,zip", "-k", 2],
            "column 'zip' is named twice as quasi-identifying; a column has one role",
        ),
        (["t.csv", "--quasi", "", "-k", 2], "no quasi-identifying column is named; there is nothing to hide"),
        # Missing values.
        (
            ["t.csv", *ROLES, "-k", 2, "--missing", "refuse"],
            "t.csv, row 3, column 'ill': the value is missing (''), and none may be; fill it in, leave the row out, or",
        ),
        # Weights.
        (["t.csv", *ROLES, "-k", 2, "--weight", "age=0"], "the weight of 'age' is 0; it must be above 0"),
        (["t.csv", *ROLES, "-k", 2, "--weight", "age=-1/2"], "the weight of 'age' is -1/2; it must be above 0"),
        (
            ["t.csv", *ROLES, "-k", 2, "--weight", "age=dear"],
            "the weight of 'age' is 'dear'; it must be a finite number, such as 2, 0.2 or '1/5'",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "--weight", "ill=2"],
            "a weight is given for 'ill', which is no quasi-identifying column; those are zip, age",
        ),
        (["t.csv", *ROLES, "-k", 2, "--weight", "age"], "--weight is 'age'; it must be COLUMN=COST, such as age=3"),
        (["t.csv", *ROLES, "-k", 2, "--weight", "age=1", "--weight", "age=2"], "--weight is given twice for 'age'"),
        # Principles.
        (["t.csv", *ROLES], "no principle is named; give at least one of -k, -l, --distinct-l, -t"),
        (["t.csv", *ROLES, "-k", 0], "k is 0; it must be at least 1"),
        (["t.csv", *ROLES, "-k", -3], "k is -3; it must be at least 1"),
        (["t.csv", *ROLES, "-k", 2.5], "k is '2.5'; it must be a whole number"),
        (["t.csv", *ROLES, "-k", "two"], "k is 'two'; it must be a whole number"),
        (["t.csv", *ROLES, "-l", "ill=0.5"], "l is 0.5; it must be at least 1"),
        (["t.csv", *ROLES, "-l", "ill="], "l is ''; it must be a finite number"),
        (["t.csv", *ROLES, "-l", "=2"], "-l is '=2'; it must be L or COLUMN=L"),
        (
            ["t.csv", *ROLES, "--distinct-l", "ill=2.5"],
            "l is 2.5; distinct l-diversity counts values, so l must be whole",
        ),
        (
            ["t.csv", *ROLES, "-l", 2],
            "l-diversity must name its column: the table has the sensitive columns ill, pay",
        ),
        (
            ["t.csv", *ROLES, "-l", "zip=2"],
            "l-diversity speaks of 'zip', which is no sensitive column; those are ill, pay",
        ),
        (["t.csv", "--quasi", "zip", "-l", 2], "l-diversity needs a sensitive column, and the table has none"),
        (["t.csv", *ROLES, "-t", "ill=1.2"], "t is 1.2; it must lie between 0 and 1"),
        (["t.csv", *ROLES, "-t", "ill=60"], "t is 60; it must lie between 0 and 1; --time-limit limits the time"),
        (["t.csv", *ROLES, "-t", "ill=-0.2"], "t is -0.2; it must lie between 0 and 1"),
        (["t.csv", *ROLES, "-t", "ill=0,2"], "t is '0,2'; write decimals with a point: 0.2"),
        (
            ["t.csv", *ROLES, "-k", 2, "--time-limit", "1,5"],
            "the time limit is '1,5'; write decimals with a point: 1.5",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "--weight", "age=0,5"],
            "the weight of 'age' is '0,5'; write decimals with a point: 0.5",
        ),
        (
            ["t.csv", *ROLES, "--principle", "entropy-l-divrsity:l=2"],
            "--principle is 'entropy-l-divrsity:l=2'; there is no principle named 'entropy-l-divrsity'; did you mean entropy-l-div",
        ),
        (["t.csv", *ROLES, "-t", "ill=nan"], "t is 'nan'; it must be a finite number"),
        # Spaces.
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=matrix:metric.json"],
            "the distance matrix is not a metric: 'a', 'b', '' break the triangle inequality, d(a, ) = 1 > 1/2 + 1/4",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=matrix:sides.json"],
            "the distance of 'a' and 'b' is 1/2 one way and 2/5 the other",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=matrix:list.json"],
            "list.json must hold an object with 'values', a list, and 'matrix', a list of lists",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=matrix:nested.json"],
            "nested.json must hold an object with 'values', a list",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=matrix:nowhere.json"],
            "nowhere.json: there is no such file",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=hierarchy:broken.json"],
            "broken.json, line 1, column 2: Expecting property name",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=hierarchy:folder"],
            "folder is a folder; give the name of a file",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=hierarchy:tree.json"],
            "the hierarchy has leaves at depths [2, 3]; all must be at one depth",
        ),
        (["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=hierarchy:empty_tree.json"], "the hierarchy has no leaves"),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=ordered:a,b"],
            "column 'ill': the value '' has no place in the order 'a', 'b'",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=ordered:a,b,a"],
            "the order is ['a', 'b', 'a']; it must be a list of different values",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=numeric"],
            "column 'ill': a value of a numeric sensitive column is 'a'; it must be a finite number",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=round"],
            "the space of 'ill' is 'round'; it must be equal, numeric, ordered:FIRST,...,LAST,",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill=equal:1"],
            "the space of 'ill' is 'equal:1'; it must be equal",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "ill"],
            "--space is 'ill'; it must be COLUMN=SPACE, such as disease=numeric",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "zip=equal"],
            "--space names 'zip', which is no sensitive column; those are ill, pay",
        ),
        (
            ["t.csv", *ROLES, "-t", "ill=0.5", "--space", "pay=numeric"],
            "a space is given for 'pay', and no -t names that column",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "--space", "pay=numeric"],
            "a space is given for 'pay', and no -t names that column",
        ),
        # Limits and solvers.
        (
            ["t.csv", *ROLES, "-k", 2, "--time-limit", "soon"],
            "the time limit is 'soon'; it must be a number of seconds from 0 up",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "--time-limit", -1],
            "the time limit is '-1'; it must be a number of seconds from 0 up",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "--time-limit", "inf"],
            "the time limit is 'inf'; it must be a number of seconds from 0 up",
        ),
        (["t.csv", *ROLES, "-k", 2, "--gap", 2], "the gap is 2; it must lie between 0 and 1"),
        (["t.csv", *ROLES, "-k", 2, "--gap", "1%"], "the gap is '1%'; it must be a finite number"),
        (["t.csv", *ROLES, "-k", 2, "--threads", 0], "--threads is 0; it must be at least 1"),
        (["t.csv", *ROLES, "-k", 2, "--threads", "all"], "--threads is 'all'; it must be a whole number"),
        (
            ["t.csv", *ROLES, "-k", 2, "--memory", "much"],
            "the memory is 'much'; it must be a size such as 500M or 4G",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "--memory", "9" * 5000],
            "the memory is '999999999999999999999999999...9999999999999999999999999999'; it must be a size such as 500M or 4G",
        ),
        (["t.csv", *ROLES, "-k", 2, "--memory", "0"], "--memory is 0; it must be at least 1"),
        (["t.csv", *ROLES, "-k", 2, "--seed", -1], "the seed is -1; it must lie between 0 and 2147483647"),
        (["t.csv", *ROLES, "-k", 2, "--solver", "magic"], "there is no solver named 'magic'; there are "),
        (["t.csv", *ROLES, "-k", 2, "--solver", "magic/highs"], "there is no model named 'magic'; there are "),
        (["t.csv", *ROLES, "-k", 2, "--solver", "pattern/magic"], "there is no backend named 'magic'; there are"),
        (["t.csv", *ROLES, "-k", 2, "--solver", "attributes/highs"], "attributes/highs: "),
        (["t.csv", *ROLES, "-k", 2, "--solver", "pattern/highs", "--problem", "attributes"], "pattern/highs: "),
        # Where the results go.
        (
            ["t.csv", *ROLES, "-k", 2, "-o", "nowhere/r.csv"],
            "nowhere/r.csv: there is no folder nowhere to write the release to",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "--answer", "nowhere/a.json"],
            "nowhere/a.json: there is no folder nowhere to write the answer to",
        ),
        (["t.csv", *ROLES, "-k", 2, "-o", "folder"], "folder is a folder; the release must go into a file"),
        (["t.csv", *ROLES, "-k", 2, "-o", "./t.csv"], "t.csv is the table itself; give the release another name"),
        (["t.csv", *ROLES, "-k", 2, "--answer", "t.csv"], "t.csv is the table itself; give the answer another name"),
        (
            ["t.csv", *ROLES, "-k", 2, "-o", "x", "--answer", "./x"],
            "x is to hold both the release and the answer; give them two names",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "--proof", "x", "--checkpoint", "folder/../x"],
            "folder/../x is to hold both the proof and the checkpoint; give them two names",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "-o", "x.csv", "--checkpoint", "x.csv"],
            "x.csv is to hold both the release and the checkpoint; give them two names",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "--checkpoint", "t.csv"],
            "t.csv is the table itself; give the checkpoint another name",
        ),
        (
            ["t.csv", *ROLES, "-k", 2, "-o", "r.csv.zip"],
            "r.csv.zip: a release is not written as .zip; take .csv, .csv.gz",
        ),
        # What argparse refuses.
        (["t.csv", "-k", 2], "the following arguments are required: --quasi (see anoptima solve --help)"),
        (["t.csv", *ROLES, "-k", 2, "--quack"], "unrecognized arguments: --quack (see anoptima solve --help)"),
        (
            ["t.csv", *ROLES, "-k", 2, "--quie"],
            "unrecognized arguments: --quie; did you mean --quiet? (see anoptima solve --help)",
        ),
        (["t.csv", "--quas", "zip", "-k", 2], "unrecognized arguments: --quas; did you mean --quasi? (see anoptima"),
        (["t.csv", *ROLES, "--k=2"], "unrecognized arguments: --k=2; did you mean -k? (see anoptima solve --help)"),
        (["t.csv", *ROLES, "-k2", "-output", "r.csv"], "unrecognized arguments: -output; did you mean --output?"),
        (["t.csv", *ROLES, "-k", 2, "--missing", "drop"], "argument --missing: invalid choice: 'drop'"),
        (["t.csv", *ROLES, "-k", 2, "--problem", "rows"], "--problem is 'rows'; it must be one of cells, attributes, "),
    ],
)
def test_it_is_refused_in_one_sentence(run: Run, files: Path, words: list[object], message: str) -> None:
    before = sorted(path.name for path in files.iterdir())
    said = run("solve", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"anoptima: {message}")
    assert said.err.count("\n") == 1
    as_json = run("solve", *words, "--json")
    assert as_json.code == 2
    error: dict[str, Any] = as_json.json["error"]
    assert (f"anoptima: {error['message']}\n", error["exit code"]) == (said.err, 2)
    assert sorted(path.name for path in files.iterdir()) == before


@pytest.mark.parametrize("command", ["check", "verify", "compare"])
def test_other_commands_refuse_the_same(run: Run, command: str) -> None:
    words = ["t.csv", "t.csv"] if command == "verify" else ["t.csv"]
    said = run(command, *words, "--quasi", "zap", "-k", 2)
    assert (said.code, said.err) == (
        2,
        "anoptima: t.csv has no column 'zap', named as quasi-identifying; its columns are zip, age, ill, pay\n",
    )
    said = run(command, *words, *ROLES, "-t", "ill=2")
    limit = "; --time-limit limits the time" if command == "compare" else ""
    assert (said.code, said.err) == (2, f"anoptima: t is 2; it must lie between 0 and 1{limit}\n")
    said = run(command, *words)
    assert said.code == 2


@pytest.mark.parametrize(
    ("release", "answer", "message"),
    [
        ("nowhere.csv", None, "nowhere.csv: there is no such file"),
        ("ragged.csv", None, "ragged.csv, row 2 has 1 field ('3'); the header has 2"),
        ("text.parquet", None, "text.parquet is not a Parquet file that can be read:"),
        ("t.csv", "nowhere.json", "nowhere.json: there is no such file"),
        ("t.csv", "broken.json", "broken.json, line 1, column 2: Expecting property name"),
        (
            "t.csv",
            "list.json",
            "list.json is no answer that can be read here: its schema is None; it must be 'anoptima/answer/1'",
        ),
    ],
)
def test_releases_and_answers_that_cannot_be_read_are_refused(
    run: Run, release: str, answer: str | None, message: str
) -> None:
    words = ["t.csv", release, answer] if answer else ["t.csv", release, "--quasi", "zip,age", "-k", 2]
    said = run("verify", *words)
    assert said.code == 2
    assert said.err.startswith(f"anoptima: {message}")


def test_no_command_and_an_unknown_one_are_refused(run: Run) -> None:
    assert run().err == "anoptima: the following arguments are required: COMMAND (see anoptima --help)\n"
    assert run("sell").err.startswith("anoptima: argument COMMAND: invalid choice: 'sell' (choose from ")
    assert run("sell").code == 2


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["solve", "--help"],
        ["verify", "-h"],
        ["check", "-h"],
        ["list", "-h"],
        ["demo", "-h"],
        ["compare", "-h"],
    ],
)
def test_help_says_what_the_exit_codes_mean(run: Run, words: list[str]) -> None:
    said = run(*words)
    assert said.code == 0
    for code in ("0  ", "1  ", "2  ", "3  ", "130"):
        assert f"\n  {code}  " in said.out


def test_the_version_is_the_packages(run: Run) -> None:
    import anoptima

    assert run("--version").out == f"anoptima {anoptima.__version__}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sovle"], "argument COMMAND: invalid choice: 'sovle'; did you mean solve? (see anoptima --help)"),
        (
            ["list", "solverz"],
            "argument WHAT: invalid choice: 'solverz'; did you mean solvers? (see anoptima list --help)",
        ),
        (["new", "thing", "x"], "argument KIND: invalid choice: 'thing' (choose from "),
    ],
)
def test_a_word_that_was_mistyped_is_recognised(run: Run, words: list[str], message: str) -> None:
    said = run(*words)
    assert said.code == 2
    assert said.err.startswith(f"anoptima: {message}")
