from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


def test_the_fewest_columns_that_tell_rows_apart(run: Run, patients: Path) -> None:
    said = run("keys", patients, "--quasi", "age,sex,disease")
    assert said.code == 0
    assert said.out.startswith("OPTIMAL  1 column")
    assert "columns: age; proved here, with no solver: no choice costs less than 1" in said.out
    assert "auto chose hitting-set" in said.out


def test_weights_count(run: Run, patients: Path) -> None:
    document = run(
        "keys", patients, "--quasi", "age,sex,disease,name", "--weight", "age=1", "--weight", "name=1/2", "--json"
    ).json
    assert (document["solution"], document["cost"], document["claim"]) == (["name"], "1/2", "optimal")
    assert document["table"]["weights"]["name"] == "1/2"


def test_witness_columns_and_their_absence(run: Run, patients: Path) -> None:
    document = run("keys", patients, "--quasi", "sex,disease", "-k", 2, "--json").json
    assert (document["k"], document["solution"]) == (2, ["disease"])
    said = run("keys", patients, "--quasi", "sex", "-k", 3)
    assert said.code == 1
    assert "all columns together are no witness set: k = 3 and the smallest class on them has 3 rows" in said.out


def test_every_solver_finds_as_few(run: Run, patients: Path) -> None:
    costs = {
        solver: run("keys", patients, "--quasi", "zip,sex,disease", "--solver", solver, "--json").json["cost"]
        for solver in ("auto", "pair-differences/highs", "pair-differences/cp-sat", "greedy-descent")
    }
    assert set(costs.values()) == {1}


def test_bad_input(run: Run, patients: Path) -> None:
    said = run("keys", patients, "--quasi", "age", "-k", "two")
    assert (said.code, said.err) == (2, "anoptima: k is 'two'; it must be a whole number\n")
    said = run("keys", patients, "--quasi", "age", "-k", 0)
    assert (said.code, said.err) == (2, "anoptima: k is 0; it must be at least 1\n")
    said = run("keys", patients, "--quasi", "age", "--solver", "pattern/highs")
    assert said.code == 2
    assert "pattern" in said.err
