from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.registry import Registry
from tests.cli.conftest import Run


def test_the_demo_shows_table_release_costs_bound_and_verification(run: Run) -> None:
    said = run("demo")
    assert (said.code, said.err) == (0, "")
    assert "    zip1 zip2 zip3 zip4 zip5 age1 age2 education disease\n" in said.out
    assert "       9    8    *    *    *    3    *         *   viral\n" in said.out
    assert "OPTIMAL  54 stars of 80 cells, bound 54" in said.out
    assert said.out.count("\nverified") == 2
    assert "no release stars fewer than 54, says " in said.out
    assert max(map(len, said.out.splitlines())) <= 120


def test_the_demo_as_a_document(run: Run) -> None:
    document = run("demo", "--json").json
    exact, approximate = document["exact"], document["approximate"]
    assert (exact["claim"], exact["cost"], exact["bound"]["value"], exact["verified"]) == ("optimal", 54, 54, True)
    assert approximate["verified"]
    assert approximate["cost"] >= 54 >= approximate["bound"]["value"]
    for answer in (exact, approximate):
        cells = [cell for row in answer["release"]["data"] for cell in row]
        assert cells.count("*") == answer["cost"]


def test_without_approximations_the_demo_shows_the_exact_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.cli.demo.algorithms", Registry("solver", "anoptima.tests.nothing"))
    said = run("demo")
    assert said.code == 0
    assert "OPTIMAL  54 stars" in said.out
    assert "approximation" not in said.out
    assert list(run("demo", "--json").json) == ["exact"]


# ---- the census table ---------------------------------------------------------------------------------------------------------


def test_the_census_table_is_solved_proved_and_compared(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.cli.demo.census", ao.ten_rows)
    said = run("demo", "--census")
    assert (said.code, said.err) == (0, "")
    large = said.out[said.out.index("10 persons of a census") :]
    assert "OPTIMAL  46 stars of 80 cells, bound 46 (certificate)" in large
    assert "\nverified; proved again: no solution is below 46\n" in large
    assert "The certificate proves 46, from the table and whole numbers alone; all was checked in " in large
    assert "greedy-patterns alone stars " in large
    assert said.out.endswith("anoptima solve TABLE.csv --quasi zip,age -k 3 -o release.csv\n")
    document = run("demo", "--census", "--json").json
    assert (document["census"]["certified"], document["census"]["verified"]) == (46, True)


def test_without_numba_the_demo_says_what_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.cli.demo.census", ao.ten_rows)
    monkeypatch.setattr("anoptima.cli.demo.is_installed", lambda name: False)
    said = run("demo", "--census")
    assert said.code == 0
    assert "numba is not here: without it loops are some ten times slower and no cuts are found" in said.out
    assert "pip install 'anoptima[fast]' brings it." in said.out


@pytest.mark.slow
def test_the_real_census_table_is_made_2_anonymous_and_what_is_proved_is_true(run: Run) -> None:
    pytest.importorskip("numba")
    found = run("demo", "--census", "--json").json["census"]
    assert found["verified"]
    # How far it gets in its time depends on the machine.
    assert found["certified"] <= 17_032 <= found["cost"]
    assert found["claim"] == "feasible" or found["cost"] == 17_032
