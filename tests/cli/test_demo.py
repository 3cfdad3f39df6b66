from __future__ import annotations

import pytest

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
