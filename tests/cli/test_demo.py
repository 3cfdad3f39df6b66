from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import anoptima as ao
from anoptima.registry import Registry
from anoptima.solvers.base import Solver
from tests.cli.conftest import Run


def test_the_demo_shows_the_optimum_the_usual_methods_and_why_nothing_is_lower(run: Run) -> None:
    said = run("demo")
    assert (said.code, said.err) == (0, "")
    assert "    zip1 zip2 zip3 zip4 zip5 age1 age2 education disease\n" in said.out
    assert "OPTIMAL  54 stars of 80 cells, bound 54 (proof)" in said.out
    assert "\nverified; proved again: no solution is below 54\n" in said.out
    for stars, more, method in ((57, "+5.6 %", "mondrian"), (58, "+7.4 %", "peel"), (70, "+29.6 %", "clustering")):
        assert f"       {stars}  {more:>7}  {method}" in said.out
    assert "methods lose a tenth or more" in said.out
    assert "all 582 such groups were tried" in said.out
    assert " = 54 stars." in said.out
    assert max(map(len, said.out.splitlines())) < 80


def test_each_step_is_announced_before_it_is_taken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object, **options: object) -> None:
        raise ao.SolverFailure("nobody", "gave up")

    monkeypatch.setattr("anoptima.cli.demo.solve", fails)
    said = run("demo")
    assert said.code == 3
    assert said.out.endswith("1. The optimum: solving the ten rows exactly ...\n\n")


def test_the_demo_as_a_document(run: Run) -> None:
    said = run("demo", "--json")
    document = json.loads(said.out)
    exact, approximate = document["exact"], document["approximate"]
    assert (exact["claim"], exact["cost"], exact["bound"]["value"], exact["verified"]) == ("optimal", 54, 54, True)
    assert exact["proved"] == sum(document["prices"]["prices"]) == document["prices"]["sum"] == 54
    costs = {answer["solver"]: answer["cost"] for answer in approximate}
    assert list(costs.values()) == sorted(costs.values())
    assert (costs["mondrian"], costs["forest"], costs["lattice"]) == (57, 67, 70)
    for answer in (exact, *approximate):
        cells = [cell for row in answer["release"]["data"] for cell in row]
        assert answer["verified"]
        assert cells.count("*") == answer["cost"]


def test_without_approximations_the_demo_shows_the_exact_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.cli.demo.algorithms", Registry("solver", Solver, "anoptima.tests.nothing"))
    said = run("demo")
    assert said.code == 0
    assert "OPTIMAL  54 stars" in said.out
    assert "lose a tenth" not in said.out
    assert run("demo", "--json").json["approximate"] == []


# ---- the census table ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ten rows instead of the census table."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("anoptima.cli.demo_census.instance", lambda name: ao.instance("ten-rows-k2"))


@pytest.mark.usefixtures("small")
def test_the_census_table_is_solved_proved_and_compared(run: Run) -> None:
    said = run("demo", "--census")
    assert (said.code, said.err) == (0, "")
    large = said.out[said.out.index("10 persons of a census") :]
    assert "OPTIMAL  46 stars of 80 cells, bound 46 (proof)" in large
    assert "\nverified; proved again: no solution is below 46 (" in large
    assert "greedy-patterns alone stars " in large
    assert "Not reached" not in large
    assert said.out.endswith("anoptima solve TABLE.csv --quasi zip,age -k 3 -o release.csv\n")
    document = run("demo", "--census", "--json").json
    assert (document["census"]["proved"], document["census"]["verified"]) == (46, True)


@pytest.mark.usefixtures("small", "weak_bound")
def test_what_was_not_reached_is_said_with_the_command_that_goes_on(run: Run) -> None:
    said = run("demo", "--census", "--time-limit", 0)
    assert said.code == 0
    assert "Not reached in 0 s:\n" in said.out
    assert "the best release known, with 46 stars: this one has " in said.out
    assert "the best bound known, 46 stars: this one is " in said.out
    command = "anoptima demo --census --time-limit 600 --checkpoint census.json"
    assert f"\n  {command}\n" in said.out
    assert "OPTIMAL  46 stars" in run(*command.split()[1:]).out
    assert Path("census.json").is_file()
    again = run("demo", "--census", "--time-limit", 0, "--checkpoint", "census.json")
    assert "OPTIMAL  46 stars" in again.out, "the checkpoint has the release and the proof"


@pytest.mark.usefixtures("small")
def test_options_that_make_no_sense_are_refused_before_anything_runs(run: Run) -> None:
    for words, complaint in (
        (["--time-limit", "long"], "the time limit is 'long'; it must be a number of seconds"),
        (["--checkpoint", "nowhere/c.json"], "there is no folder nowhere"),
    ):
        said = run("demo", "--census", *words)
        assert (said.code, said.out) == (2, "")
        assert complaint in said.err
    for option, value in (("--time-limit", "3"), ("--checkpoint", "c.json")):
        said = run("demo", option, value)
        assert (said.code, said.out) == (2, "")
        assert said.err == f"anoptima: {option} is for the census table; add --census, or leave it out\n"


@pytest.fixture
def control_c(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody presses Ctrl-C as soon as the quick release of the census table is there."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def solved(problem: Any, solver: str, **options: Any) -> Any:
        assert solver == "greedy-patterns", "nothing else begins"
        answer = ao.solve(problem, solver, **options)
        signal.raise_signal(signal.SIGINT)
        return answer

    monkeypatch.setattr("anoptima.cli.demo_census.solve", solved)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("small", "control_c")
def test_control_c_ends_the_census_table_with_the_best_so_far(run: Run) -> None:
    said = run("demo", "--census")
    assert said.code == 0
    assert ", greedy-patterns\n" in said.out
    assert "Now your own table" in said.out


def test_control_c_ends_the_ten_rows(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr("anoptima.cli.demo._approximations", lambda problem: signal.raise_signal(signal.SIGINT))
    said = run("demo")
    signal.signal(signal.SIGINT, before)
    assert (said.code, said.err) == (130, "anoptima: interrupted\n")
    assert "3. Why" not in said.out


@pytest.mark.slow
def test_the_real_census_table_is_made_2_anonymous_and_what_is_proved_is_true(run: Run) -> None:
    # How far it gets in its time depends on the machine; a third of the demo's own time suffices for a release and a bound.
    found = run("demo", "--census", "--time-limit", 20, "--json").json["census"]
    assert found["verified"]
    assert found["proved"] <= 17_032 <= found["cost"]
    assert found["claim"] == "feasible" or found["cost"] == 17_032
