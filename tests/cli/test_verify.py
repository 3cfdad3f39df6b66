from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from tests.cli.conftest import Run

ROLES = ("--quasi", "zip,age,sex", "--sensitive", "disease")


@pytest.fixture
def answered(run: Run, patients: Path) -> Path:
    """A table, its release and its answer in the current folder."""
    assert (
        run(
            "solve",
            patients,
            *ROLES,
            "--keep",
            "name",
            "-k",
            2,
            "--weight",
            "age=1/2",
            "-o",
            "release.csv",
            "--answer",
            "answer.json",
        ).code
        == 0
    )
    return patients.parent


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def claim(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_release_and_its_answer_are_verified(run: Run, answered: Path) -> None:
    said = run("verify", "patients.csv", "release.csv", "answer.json")
    assert said.code == 0
    assert said.out == (
        "VERIFIED  the release is true to the table and satisfies 2-anonymity, at stars of weight 9\n"
        "proved here, with no solver: no release costs less than 9\n"
        "so this release is optimal\n"
    )


@pytest.mark.parametrize("place", range(1, 5))
def test_options_may_stand_anywhere_among_the_files(run: Run, answered: Path, place: int) -> None:
    """In Python 3.11 a file that need not be given was no longer taken once an option stood before it."""
    words = ["verify", "patients.csv", "release.csv", "answer.json"]
    assert run(*words[:place], "--separator", ",", *words[place:]).code == 0
    assert run(*words[:place], "--quack", *words[place:]).err.startswith("anoptima: unrecognized arguments: --quack")


def test_missing_values_are_refused_beside_an_answer_too(run: Run, answered: Path) -> None:
    said = run("verify", "patients.csv", "release.csv", "answer.json", "--missing", "refuse")
    assert said.code == 2
    assert "row 6, column 'disease': the value is missing" in said.err


def test_columns_of_a_release_that_no_option_names_are_named(run: Run, answered: Path) -> None:
    said = run("verify", "patients.csv", "release.csv", *ROLES, "-k", 2)
    assert said.code == 1
    assert said.err == (
        "anoptima: no option names name; name columns that were released unchanged with --sensitive or --keep\n"
    )


def test_a_release_is_verified_without_an_answer(run: Run, answered: Path) -> None:
    said = run("verify", "patients.csv", "release.csv", *ROLES, "--keep", "name", "-k", 2)
    assert said.code == 0
    assert said.out.startswith(
        "VERIFIED  the release is true to the table and satisfies 2-anonymity, at 12 stars of 18 cells\n"
    )
    said = run("verify", "patients.csv", "release.csv", *ROLES, "--keep", "name", "-k", 3, "-l", "1.5")
    assert said.code == 0
    said = run("verify", "patients.csv", "release.csv", *ROLES, "--keep", "name", "-k", 4)
    assert said.code == 1
    assert said.out == (
        "NOT VERIFIED\n"
        "  the group of rows 1, 3, 5: k = 4 but there are only 3 rows\n"
        "  the group of rows 2, 4, 6: k = 4 but there are only 3 rows\n"
    )


def test_what_is_verified_is_a_document(run: Run, answered: Path) -> None:
    said = run("verify", "patients.csv", "release.csv", "answer.json", "--json")
    assert said.json == {
        "verified": True,
        "reordered": False,
        "wrong": [],
        "principle": "2-anonymity",
        "cost": 9,
        "proved": {"value": 9, "origin": "problem", "by": "cell-suppression"},
        "claimed": {
            "claim": "optimal",
            "cost": 9,
            "bound": {"value": 9, "origin": "proof", "by": "subset-dp"},
            "proved": 9,
            "solver": "subset-dp",
        },
    }
    assert (
        run("verify", "patients.csv", "release.csv", *ROLES, "--keep", "name", "-k", 2, "--json").json["claimed"]
        is None
    )


@pytest.mark.usefixtures("weak_bound")
def test_what_a_backend_claims_is_told_from_what_is_proved(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = ao.ten_rows()
    table.frame.to_csv("ten.csv", index=False)
    asked = (
        "solve",
        "ten.csv",
        "--quasi",
        ",".join(table.quasi),
        "-k",
        3,
        "-o",
        "release.csv",
        "--answer",
        "answer.json",
    )
    run(*asked, "--solver", "pattern/highs")
    said = run("verify", "ten.csv", "release.csv", "answer.json")
    assert said.code == 0
    assert said.out.splitlines()[1:] == [
        "proved here, with no solver: no release costs less than 52",
        "claimed by highs, not proved here: no release costs less than 54",
    ]
    run(*asked, "--proof", "proof.json")
    assert (
        run("verify", "ten.csv", "release.csv", "answer.json")
        .out.splitlines()[2]
        .endswith("no release costs less than 54 (the proof, which is not here, goes to 54)")
    )
    said = run("verify", "ten.csv", "release.csv", "answer.json", "proof.json")
    assert said.code == 0
    assert said.out.splitlines()[1:] == [
        "proved here, with no solver: no release costs less than 54",
        "so this release is optimal",
    ]


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("*,*,f,flu,Ann", "98765,*,f,flu,Ann", "  the group of row 1: k = 2 but there is only 1 row"),
        ("*,*,f,flu,Ann", "*,*,m,flu,Ann", "  row 1, column 'sex': published 'm' where the table has 'f'"),
        ("*,*,f,flu,Ann", "*,*,f,heart,Ann", "  row 1, column 'disease': published 'heart' where the table has 'flu'"),
        ("*,*,f,flu,Ann", "*,*,f,*,Ann", "  row 1, column 'disease': published '*' where the table has 'flu'"),
        ("*,*,f,flu,Ann", "*,*,f,flu,Anna", "  row 1, column 'name': published 'Anna' where the table has 'Ann'"),
        ("*,*,f,flu,Ann\n", "", "  the release has 5 rows, the table 6"),
        (
            "zip,",
            "plz,",
            "  the release has the columns plz, age, sex, disease, name; it should have zip, age, sex, disease, name",
        ),
        (
            "*,*,f,flu,Ann\n*,*,m,flu,Bob",
            "*,*,f,flu,Bob\n*,*,m,flu,Ann",
            "  row 1, column 'name': published 'Bob' where the table has 'Ann'",
        ),
        ("*,*,f,flu,Ann\n", "*,*,*,flu,Ann\n", "  the group of row 1: k = 2 but there is only 1 row"),
    ],
)
def test_a_release_that_was_changed_is_not_verified(run: Run, answered: Path, old: str, new: str, wrong: str) -> None:
    change(answered / "release.csv", old, new)
    said = run("verify", "patients.csv", "release.csv", "answer.json")
    assert said.code == 1
    assert said.out.splitlines()[:2] == ["NOT VERIFIED", wrong]
    said = run("verify", "patients.csv", "release.csv", "answer.json", "--json")
    assert (said.code, said.json["verified"], f"  {said.json['wrong'][0]}") == (1, False, wrong)


def test_more_columns_than_were_asked_for_are_not_verified(run: Run, answered: Path) -> None:
    pd.read_csv("release.csv", dtype=str).assign(ssn="1").to_csv("release.csv", index=False)
    said = run("verify", "patients.csv", "release.csv", "answer.json")
    assert said.code == 1
    assert (
        "the release has the columns zip, age, sex, disease, name, ssn; it should have zip, age, sex, disease, name"
        in said.out
    )


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"cost": 8}, ["the stars in the release cost 9, and the answer claims 8"]),
        ({"cost": None}, ["the stars in the release cost 9, and the answer claims no cost"]),
        (
            {"bound": {"value": 10, "origin": "backend", "by": "highs"}},
            ["the bound 10 (backend) is above the cost 9", "optimal is claimed at cost 9 with bound 10 (backend)"],
        ),
        (
            {"bound": {"value": 8, "origin": "backend", "by": "highs"}},
            ["optimal is claimed at cost 9 with bound 8 (backend)"],
        ),
        ({"bound": None}, ["optimal is claimed at cost 9 with bound None"]),
        (
            {"bound": {"value": "17/2", "origin": "problem", "by": "x"}, "claim": "feasible"},
            ["the problem proves a bound of 9, not 17/2"],
        ),
    ],
)
def test_an_answer_that_claims_too_much_is_not_verified(
    run: Run, answered: Path, changes: dict[str, Any], wrong: list[str]
) -> None:
    claim(answered / "answer.json", **changes)
    said = run("verify", "patients.csv", "release.csv", "answer.json", "--json")
    assert (said.code, said.json["wrong"]) == (1, wrong)


def test_stars_that_the_release_does_not_need_refute_a_claim_of_optimality(run: Run, answered: Path) -> None:
    text = (answered / "release.csv").read_text()
    (answered / "release.csv").write_text(text.replace("*,*,f,", "*,*,*,").replace("*,*,m,", "*,*,*,"))
    claim(answered / "answer.json", cost=15, bound={"value": 15, "origin": "backend", "by": "highs"})
    said = run("verify", "patients.csv", "release.csv", "answer.json", "--json")
    assert said.code == 0, "one group of six rows needs a star in every cell of sex"
    (answered / "release.csv").write_text(text.replace("*,*,f,", "*,*,*,"))
    claim(answered / "answer.json", cost=12, bound={"value": 12, "origin": "backend", "by": "highs"})
    said = run("verify", "patients.csv", "release.csv", "answer.json", "--json")
    assert said.json["wrong"] == [
        "the bound 12 (backend) is above the cost 9",
        "optimal is claimed at cost 9 with bound 12 (backend)",
    ]


def test_thousands_of_faults_are_shown_ten_at_a_time(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("q\n" + "".join(f"{row}\n" for row in range(500)))
    said = run("verify", tmp_path / "t.csv", tmp_path / "t.csv", "--quasi", "q", "-k", 2)
    assert said.code == 1
    assert len(said.out.splitlines()) == 12
    assert said.out.splitlines()[-1] == "  ... 91 more lines with --json"


def test_what_no_release_can_satisfy_is_not_verified(run: Run, patients: Path) -> None:
    said = run("verify", patients, patients, "--quasi", "zip", "-k", 7)
    assert said.code == 1
    assert said.out == "NOT VERIFIED\n  no release can satisfy 7-anonymity: k = 7 but there are only 6 rows\n"


def test_an_answer_for_another_table_is_refused(run: Run, answered: Path) -> None:
    change(answered / "patients.csv", "flu", "cold")
    said = run("verify", "patients.csv", "release.csv", "answer.json")
    assert said.code == 2
    assert said.err.startswith(
        "anoptima: answer.json is an answer for another table: it speaks of a table with digest "
    )


@pytest.mark.parametrize(
    "options",
    [
        ("--quasi", "zip"),
        ("-k", "2"),
        ("-l", "2"),
        ("--distinct-l", "2"),
        ("-t", "1"),
        ("--problem", "cells"),
        ("--weight", "zip=2"),
    ],
)
def test_options_that_the_answer_answers_are_refused(run: Run, answered: Path, options: tuple[str, str]) -> None:
    said = run("verify", "patients.csv", "release.csv", "answer.json", *options)
    assert (said.code, said.err) == (
        2,
        f"anoptima: {options[0]} cannot be given beside answer.json, which says that itself\n",
    )


def test_an_answer_without_a_release_is_refused(run: Run, patients: Path) -> None:
    run("solve", patients, *ROLES, "-k", 7, "--answer", "answer.json")
    said = run("verify", patients, patients, "answer.json")
    assert said.code == 2
    assert said.err.startswith("anoptima: answer.json claims infeasible and no release; there is nothing to verify")


def test_neither_answer_nor_columns_is_refused(run: Run, patients: Path) -> None:
    said = run("verify", patients, patients, "-k", 2)
    assert said.err == "anoptima: neither an answer file nor --quasi is given; one of them must name the columns\n"
    said = run("verify", patients, patients, "--quasi", "zip")
    assert said.err == "anoptima: no principle is named; give at least one of -k, -l, --distinct-l, -t, --principle\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"schema": "anoptima/proof/3", "about"', "proof.json"),
        ('{"schema": "anoptima/proof/9"}', "its schema is 'anoptima/proof/9'"),
        ("", "proof.json"),
    ],
    ids=["cut off", "of no known version", "empty"],
)
def test_a_damaged_proof_is_named(run: Run, patients: Path, content: str, said: str) -> None:
    Path("proof.json").write_text(content)
    told = run("verify", patients, "proof.json")
    assert told.code == 2
    assert said in told.err
    assert "--quasi" not in told.err


@pytest.mark.parametrize("problem", ["cells", "attributes"])
def test_separators_weights_and_problems_come_from_the_answer(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a;b;s\n1;x,y;2\n1;z;3\n2;x,y;3\n2;z;4\n")
    said = run(
        "solve",
        "t.csv",
        "--separator",
        ";",
        "--quasi",
        "a,b",
        "--sensitive",
        "s",
        "-k",
        2,
        "-t",
        "s=1/2",
        "--space",
        "s=ordered:2,3,4",
        "--weight",
        "b=3/2",
        "--problem",
        problem,
        "-o",
        "r.csv",
        "--answer",
        "a.json",
    )
    assert said.code == 0, said.err
    said = run("verify", "t.csv", "r.csv", "a.json")
    assert said.code == 0, said.out + said.err
    assert "2-anonymity and 1/2-closeness of s (ordered distance)" in said.out


def test_a_parquet_table_is_released_to_any_format_and_verified(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"n": [1, 2, 3, 4], "d": pd.to_datetime(["2020-01-01", "NaT"] * 2), "s": [1, 2, 2, 1]})
    frame.to_parquet("t.parquet")
    for release in ("r.parquet", "r.csv", "r.csv.xz"):
        said = run(
            "solve",
            "t.parquet",
            "--quasi",
            "n,d",
            "--sensitive",
            "s",
            "-k",
            2,
            "-t",
            "1/2",
            "--space",
            "s=numeric",
            "-o",
            release,
            "--answer",
            "a.json",
        )
        assert said.code == 0, said.err
        said = run("verify", "t.parquet", release, "a.json")
        assert said.code == 0, said.out + said.err


def test_an_answer_in_the_place_of_the_release_is_refused(run: Run, answered: Path) -> None:
    said = run("verify", "patients.csv", "answer.json")
    assert said.code == 2
    assert "answer.json is an answer and stands where RELEASE is meant" in said.err


def test_a_proof_that_is_cut_off_is_not_taken_for_a_release(run: Run, patients: Path, tmp_path: Path) -> None:
    (tmp_path / "proof.json").write_text('{"schema": "anoptima/proof/3", ')
    done = run("verify", patients, tmp_path / "proof.json", "--quasi", "zip,age", "-k", "2")
    assert done.code == 2
    assert "proof.json, line 1, column 32: " in done.err


def test_rows_in_another_order_are_found_and_it_is_said(run: Run, answered: Path) -> None:
    header, *rows = Path("release.csv").read_text().splitlines()
    Path("release.csv").write_text("\n".join([header, *reversed(rows)]) + "\n")
    said = run("verify", "patients.csv", "release.csv", "answer.json")
    assert said.code == 0
    assert said.out.splitlines()[:2] == [
        "VERIFIED  the release is true to the table and satisfies 2-anonymity, at stars of weight 9",
        "its rows are in another order than the table's: as a multiset of rows they fit",
    ]
    assert json.loads(run("verify", "patients.csv", "release.csv", "answer.json", "--json").out)["reordered"]


def test_generalised_cells_are_named_for_what_they_are(run: Run, answered: Path) -> None:
    release = pd.read_csv("release.csv", dtype=str)
    release["zip"] = release["zip"].str[:2] + "*"
    release.to_csv("release.csv", index=False)
    said = run("verify", "patients.csv", "release.csv", "answer.json")
    assert said.code == 1
    assert len(said.out.splitlines()) == 2
    assert "of column 'zip' are generalised, not suppressed (row 1: '" in said.out


def test_what_is_verified_becomes_a_page(run: Run, answered: Path) -> None:
    assert run("solve", "patients.csv", *ROLES, "-k", 2, "-o", "r.csv", "--proof", "proof.json").code == 0
    found = run("verify", "patients.csv", "r.csv", "proof.json", "--page", "p.html", "--page-without-table", "q.html")
    assert found.code == 0
    assert "p.html is a page that checks this in a browser" in found.out
    assert '\\"zip\\"' in Path("p.html").read_text()
    assert len(Path("q.html").read_text()) < len(Path("p.html").read_text())
    Path("p.html").unlink()
    change(Path("r.csv"), "*", "x")
    assert run("verify", "patients.csv", "r.csv", "proof.json", "--page", "p.html").code == 1
    assert not Path("p.html").exists()
    assert "a page holds a proof" in run("verify", "patients.csv", "r.csv", "--page", "p.html").err
