from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tests.cli.conftest import Run

ROLES = ("--quasi", "sex", "--sensitive", "disease")


def test_a_table_is_checked_as_it_stands(run: Run, patients: Path) -> None:
    said = run("check", patients, *ROLES)
    assert said.code == 0
    assert said.out == (
        "6 rows in 2 classes; the largest k that holds is 3\n"
        "disease: frequency l up to 3/2, distinct l up to 2, t from 1/3 (equal distance)\n"
    )


def test_one_principle_that_fails_is_a_no(run: Run, patients: Path) -> None:
    assert run("check", patients, *ROLES, "-k", 3, "-l", "1.5", "--distinct-l", 2, "-t", "1/3").code == 0
    said = run("check", patients, *ROLES, "-k", 3, "-l", 2)
    assert said.code == 1
    assert said.out.splitlines()[2:] == [
        "3-anonymity: holds",
        (
            "frequency 2-diversity: does not hold: the class of row 1: l = 2 but the value 'heart' of 'disease' is in 2 of 3 rows, "
            "more than 1/2 of them"
        ),
    ]


def test_boundaries_are_boundaries(run: Run, patients: Path) -> None:
    assert run("check", patients, *ROLES, "-t", "1/3").code == 0
    assert run("check", patients, *ROLES, "-t", "0.3333333333333333333333").code == 1


def test_the_document_has_everything(run: Run, patients: Path) -> None:
    said = run("check", patients, *ROLES, "-k", 4, "--json")
    assert (said.code, said.err) == (1, "")
    assert said.json == {
        "rows": 6,
        "classes": 2,
        "k": 3,
        "columns": {"disease": {"frequency l": "3/2", "distinct l": 2, "t": "1/3", "space": "equal"}},
        "principles": {
            "4-anonymity": {
                "holds": False,
                "why not": "the class of row 1: k = 4 but there are only 3 rows (and 1 other class)",
            }
        },
    }


def test_a_space_counts_without_a_t(run: Run, patients: Path) -> None:
    said = run("check", patients, "--quasi", "sex", "--sensitive", "age", "--space", "age=numeric", "--json")
    assert said.json["columns"]["age"]["space"] == "numeric"
    # Of 32f 33m 38f 39m 45f 65m the women have a sixth too much on the way from 32 to 33, 38 to 39, 45 to 65: 22 of 33 years.
    assert said.json["columns"]["age"]["t"] == "1/9"


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_stars_are_values_here(run: Run, tmp_path: Path, suffix: str) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"released.{suffix}"
    frame = pd.DataFrame({"zip": ["*", "*", "1"]})
    if suffix == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path)
    assert run("check", path, "--quasi", "zip", "--json").json["classes"] == 2
