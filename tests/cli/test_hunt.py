from __future__ import annotations

import json
from pathlib import Path

import pytest

from anoptima.cli.hunt import _Line
from anoptima.experiments.hunting.engine import Standing
from tests.cli.conftest import Run

SMALL = ("-k", 2, "--rows", 5, "--columns", 1, "--values", 2, "--steps", 30)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_hunt_its_files_and_going_on(run: Run) -> None:
    files = ("--archive", "a.json", "--csv", "a.csv", "--table", "worst.csv", "--keep", "champions.json")
    said = run("hunt", "clustering", *SMALL, *files)
    assert said.code == 0, said.err
    assert "worst cost of clustering / optimum: 5/2 (5 / 2)" in said.out
    assert "all tables up to symmetry with at most 2 values a column: 2 x 1, 3 x 1, 4 x 1, 5 x 1" in said.out
    assert Path("worst.csv").read_text().splitlines()[0] == "c0"
    assert len(Path("worst.csv").read_text().splitlines()) == 6
    kept = json.loads(Path("champions.json").read_text())["champions"]
    command = "anoptima hunt clustering -k 2 --rows 5 --columns 1 --values 2 --steps 30 --seed 0 --orders 1"
    assert {entry["found"] for entry in kept} == {command}
    again = run("hunt", "clustering", "--archive", "a.json", "--rows", 5, "--columns", 1, "--steps", 5, "--json").json
    assert again["score"] == "5/2"
    assert again["steps"] > 30
    assert run("hunt", "clustering", *SMALL, "--archive", "a.json").err.endswith("leave out -k, -l and -t\n")
    told = ("--archive", "a.json", "--problem", "attribute-suppression")
    assert run("hunt", "clustering", *told).err.endswith("leave out --problem\n")


def test_other_quarries(run: Run) -> None:
    small = ("--rows", 4, "--columns", 2, "--values", 2, "--steps", 10)
    assert "worst optimum / LP bound of pattern" in run("hunt", "--lp-gap", "pattern", *small).out
    said = run("hunt", "--disagreement", "halving,simplex-matching", *small)
    assert "worst largest / smallest optimum claimed: 1 (" in said.out
    dear = run("hunt", "--dearest", "-t", 0, *small, "--steps", 40)
    assert "0-closeness and 2-anonymity" in dear.out
    assert "milliseconds" in run("hunt", "--longest", "subset-dp", *small, "--steps", 2).out


def test_what_is_known_is_shown(run: Run) -> None:
    said = run("hunt", "--known", "--json")
    assert {"solver", "ratio", "theorem", "share"} <= set(said.json["rows"][0])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--known", "-k", 2, "--csv", "a.csv"), "-k, --csv would have no effect beside --known; leave them out"),
        (("--known", "peel"), "peel would have no effect beside --known; leave it out"),
        (("--known", "--families"), "--families would have no effect beside --known"),
        (("--families", "--dearest", "--rows", 4), "--rows, --dearest would have no effect beside --families"),
    ],
)
def test_what_would_have_no_effect_beside_what_is_known_is_refused(
    run: Run, words: tuple[object, ...], complaint: str
) -> None:
    said = run("hunt", *words)
    assert said.code == 2
    assert complaint in said.err


def test_what_cannot_be_hunted_is_said(run: Run) -> None:
    assert "nothing is to be hunted; give one of an algorithm" in run("hunt").err
    assert "an algorithm and --lp-gap is to be hunted" in run("hunt", "peel", "--lp-gap", "pattern").err
    assert run("hunt", "forest", "-l", 2).code == 2
    assert "steps is 'x'; it must be a whole number" in run("hunt", "forest", "--steps", "x").err
    said = run("hunt", "peel", *SMALL, "--csv", "a.txt")
    assert "its name must end in .csv" in said.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("clustering", "--csv", "a.txt"), "--csv is a.txt; its name must end in .csv"),
        (("clustering", "--archive", "a.csv"), "--archive is a.csv; its name must not end in .csv"),
        (("one-offset-grid", "--table", "a.csv"), "--table is for tables; this hunt is for points"),
        (
            ("--lp-gap", "pattern", "--keep", "a.json"),
            "champions of algorithms are kept; this hunt was for lp-gap pattern",
        ),
        (("clustering", "--grow", "0"), "--grow is 0; it must be at least 1"),
    ],
)
def test_what_could_not_be_written_is_refused_before_the_hunt(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], complaint: str
) -> None:
    monkeypatch.setattr("anoptima.cli.hunt.hunt", lambda *asked, **more: pytest.fail("it was hunted"))
    said = run("hunt", *words)
    assert said.code == 2
    assert said.err.startswith(f"anoptima: {complaint}")
    assert not list(Path().iterdir())


def test_ctrl_c_keeps_what_there_is_and_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def interrupt(line: _Line, standing: Standing) -> None:
        seen.append(standing)
        if len(seen) == 5:
            raise KeyboardInterrupt
        show(line, standing)

    show = _Line.__call__
    monkeypatch.setattr(_Line, "__call__", interrupt)
    said = run("hunt", "clustering", *SMALL, "--keep", "champions.json")
    assert said.code == 0
    assert "interrupted; this is what was found by then" in said.err
    assert "clustering: cell-suppression, 2-anonymity, 5 steps" in said.out
    assert '(interrupted)"' in Path("champions.json").read_text()


def test_what_a_hunt_cannot_seek_is_said_before_it_begins(run: Run) -> None:
    said = run("hunt", "mondrian", "--problem", "fake-points")
    assert (said.code, said.err) == (2, "anoptima: mondrian is for cell-suppression, not for fake-points\n")
