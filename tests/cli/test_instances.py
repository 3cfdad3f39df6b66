from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from anoptima.instances.library import Instance
from anoptima.instances.records import Finding
from anoptima.instances.solving import solve_for_record
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_an_instance_is_shown_with_its_files_and_they_are_verified_by_others(run: Run) -> None:
    said = run("instances", "show", "ten-rows-k3", "--table", "t.csv", "--release", "r.csv", "--proof", "p.json")
    assert said.code == 0
    assert "status, computed just now: proved" in said.out
    assert run("verify", "t.csv", "r.csv", "p.json").code == 0
    assert "54" in run("verify", "t.csv", "r.csv", "p.json").out


def test_a_submission_is_taken_once(run: Run) -> None:
    run("instances", "show", "ten-rows-k3", "--release", "r.csv", "--proof", "p.json")
    sent = (
        "instances",
        "submit",
        "ten-rows-k3",
        "--records",
        "mine",
        "--release",
        "r.csv",
        "--proof",
        "p.json",
        "--by",
        "me",
    )
    assert run(*sent).out == "ten-rows-k3: 54 stars of 80 cells\nten-rows-k3: nothing costs less than 54\n"
    assert run(*sent).out == "it holds, and is no better than the record\n"
    assert run("instances", "verify", "ten-*", "--records", "mine").out == "1 record verified: 1 proved\n"
    Path("r.csv").write_text(Path("r.csv").read_text().replace("9,*", "9,1", 1).replace("9,8", "9,7", 1))
    assert "is no release of ten-rows-k3" in run(*sent).err


def test_records_are_made_by_solving(run: Run) -> None:
    said = run("instances", "solve", "patients-key", "--records", "mine", "--time-limit", 5)
    assert said.out == "patients-key: 2 columns of 8\npatients-key: nothing costs less than 2\n"
    assert run("instances", "solve", "patients-key", "--records", "mine").out == "nothing better was found\n"
    Path("columns.json").write_text('{"columns": ["zip1", "zip2"]}')
    assert (
        "no solution of patients-key"
        in run("instances", "submit", "patients-key", "--records", "mine", "--solution", "columns.json").err
    )


def test_nothing_is_solved_whose_record_could_not_be_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("anoptima.cli.instances.solve_for_record")
    Path("file").touch()
    for folder in ("file", "file/mine"):
        said = run("instances", "solve", "patients-*", "--records", folder)
        words = f"anoptima: {folder}: records cannot be written there; --records names another folder\n"
        assert (said.code, said.err) == (2, words)


@pytest.mark.usefixtures("interrupted")
def test_control_c_ends_the_solving_of_all_instances(run: Run) -> None:
    words = ("instances", "solve", "ten-rows-k*", "--records", "mine", "--time-limit", 60, "--solver", "interrupted")
    for code in (0, 130):
        said = run(*words)
        assert (said.code, said.err) == (code, "anoptima: interrupted; 1 of 2 instances had not begun\n")
        assert [path.name for path in Path("mine").iterdir()] == ["ten-rows-k2"]


@pytest.mark.usefixtures("interrupted")
def test_what_was_solved_before_control_c_is_said_and_recorded(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def solved(one: Instance, *more: Any) -> list[str]:
        signal.raise_signal(signal.SIGINT)
        return solve_for_record(one, *more[:-1])

    monkeypatch.setattr("anoptima.cli.instances.solve_for_record", solved)
    said = run("instances", "solve", "patients-*", "--records", "mine", "--json")
    assert (said.code, said.json["interrupted"], len(said.json["improved"])) == (0, True, 2)
    assert len([*Path("mine").iterdir()]) == 1


def test_what_was_verified_before_control_c_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = [Finding("ten-rows-k2", 1, 1, ())]

    def looked_at(*_: Any) -> Finding:
        if not findings:
            raise KeyboardInterrupt
        return findings.pop()

    monkeypatch.setattr("anoptima.cli.instances.examined", looked_at)
    said = run("instances", "verify", "ten-rows-*")
    assert (said.code, said.out) == (130, "1 record verified: 1 proved\n")
    assert said.err == "anoptima: interrupted; the other records are not verified\n"


@pytest.mark.parametrize("text", ["{}", "[]", "null", '"labels"', '{"solution": {"labels": []}}'])
def test_a_file_without_a_solution_is_refused_in_words(run: Run, text: str) -> None:
    Path("s.json").write_text(text)
    said = run("instances", "submit", "ten-rows-k3", "--records", "mine", "--solution", "s.json")
    assert said.code == 2
    assert said.err == (
        "anoptima: this is no solution of cell-suppression that can be read here: "
        "it must be a JSON object with labels, columns or points\n"
    )


def test_a_release_may_be_submitted_through_a_pipe(run: Run) -> None:
    run("instances", "show", "ten-rows-k3", "--release", "r.csv")
    os.mkfifo("fifo")
    writer = threading.Thread(target=Path("fifo").write_text, args=(Path("r.csv").read_text(),))
    writer.start()
    said = run("instances", "submit", "ten-rows-k3", "--records", "mine", "--release", "fifo")
    writer.join()
    assert said.out.startswith("ten-rows-k3: 54 stars of 80 cells\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("list", "--table", "t.csv"), "--table would have no effect beside list; leave it out"),
        (("show", "ten-rows-k3", "--solver", "peel"), "--solver would have no effect beside show"),
        (("verify", "ten-rows-k3", "--proof", "p.json", "--by", "me"), "--proof, --by would have no effect beside"),
        (("solve", "ten-rows-k3", "--all", "--release", "r.csv"), "--release, --all would have no effect beside"),
        (("submit", "ten-rows-k3", "--release", "r.csv", "--time-limit", 5), "--time-limit would have no effect"),
    ],
)
def test_options_of_other_actions_are_refused(run: Run, words: tuple[object, ...], complaint: str) -> None:
    said = run("instances", *words)
    assert said.code == 2
    assert complaint in said.err


def test_what_cannot_be_done_is_said(run: Run) -> None:
    assert "there is no instance named 'none'" in run("instances", "show", "none").err
    assert "show takes one instance; name one of `anoptima instances list`" in run("instances", "show").err
    assert run("instances", "list", "ten-rows-k3").out.endswith("\n1 instance: 1 proved\n")
    assert "is 2 instances; show takes one" in run("instances", "show", "ten-rows-*").err
    assert "nothing is submitted" in run("instances", "submit", "ten-rows-k3", "--records", "mine").err
    assert "has no proof" in run("instances", "show", "points-2d-8-k2", "--proof", "p.json").err
    assert "which has no table" in run("instances", "show", "points-2d-8-k2", "--table", "t.csv").err
    files = ("--table", "t.csv", "--release", "r.csv")
    assert "has no release" in run("instances", "show", "keys-20x8", *files).err
    assert not Path("t.csv").exists()
    said = run("instances", "verify", "ten-rows-*", "--records", "nowhere")
    assert (said.code, said.err) == (2, "anoptima: nowhere: there is no such folder of records\n")
    Path("mine/ten-rows-k3").mkdir(parents=True)
    Path("mine/ten-rows-k3/instance.json").write_text('{"problem": 3}')
    said = run("instances", "verify", "ten-rows-*", "--records", "mine")
    assert (said.code, said.out.splitlines()[-1]) == (1, "1 record verified: 1 wrong")
    assert run("instances", "list", "twins-*").out.splitlines()[-1].startswith("8 instances: ")
