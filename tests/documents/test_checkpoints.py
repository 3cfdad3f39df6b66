from __future__ import annotations

import errno
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Incumbent, Progress
from anoptima.documents import checkpoints
from anoptima.documents.writing import not_written
from anoptima.errors import BadInput, NotApplicable
from anoptima.problems.isolating_columns import IsolatingColumns

COLUMNS = ["a", "b", "c", "d"]


def problem_of(rows: int = 40, seed: int = 7, k: int = 3) -> ao.CellSuppression:
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2], (rows, 4)), columns=COLUMNS)
    return ao.CellSuppression(ao.Table.from_frame(frame, COLUMNS), ao.KAnonymity(k))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A checkpoint of a run that ended."""
    path = tmp_path / "run.json"
    ao.solve(problem_of(), "sifting", checkpoint=path)
    return path


def test_a_run_goes_on_from_where_another_ended(saved: Path) -> None:
    problem = problem_of()
    first = ao.solve(problem, "sifting")
    again = ao.solve(problem, "sifting", time_limit=0, checkpoint=saved)
    assert (again.cost, again.claim) == (first.cost, first.claim)
    assert again.bound == first.bound
    assert again.proof is not None
    assert not again.verify().wrong


def test_what_a_backend_claims_without_a_proof_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    first = ao.solve(problem_of(), "pattern/highs", checkpoint=path)
    assert first.bound is not None
    assert first.bound.origin is ao.Origin.BACKEND
    assert first.claim is ao.Claim.OPTIMAL
    again = ao.solve(problem_of(), "pattern/highs", time_limit=0, checkpoint=path)
    assert again.bound == problem_of().lower_bound()
    assert again.cost == first.cost


def test_other_solvers_go_on_from_it_too(saved: Path) -> None:
    answer = ao.solve(problem_of(), "greedy-patterns", time_limit=0, checkpoint=saved)
    assert answer.claim is ao.Claim.OPTIMAL
    answer = ao.solve(problem_of(), "pattern/highs", time_limit=0, checkpoint=saved)
    assert answer.claim is ao.Claim.OPTIMAL


def test_a_run_that_is_killed_loses_next_to_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    script = f"""
import os, signal
import anoptima as ao
from anoptima.documents import checkpoints
from tests.documents.test_checkpoints import problem_of

checkpoints.SECONDS = 0.0

def die(progress):
    if progress.bound and progress.cost and progress.bound > 10:
        print(progress.cost, progress.bound, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

ao.solve(problem_of(), "sifting", start=None, checkpoint={str(path)!r}, on_progress=die)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    cost, bound = map(int, done.stdout.split())
    answer = ao.solve(problem_of(), "sifting", time_limit=0, checkpoint=path)
    assert answer.cost == cost
    assert answer.bound is not None
    assert answer.bound.value == bound


def test_nothing_is_written_more_often_than_is_worth_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    keep = checkpoints.Checkpoint._write

    def write(self: Any) -> None:
        written.append(self.solution)
        keep(self)

    monkeypatch.setattr(checkpoints.Checkpoint, "_write", write)
    heard: list[Progress] = []
    ao.solve(problem_of(), "sifting", start=None, checkpoint=tmp_path / "run.json", on_progress=heard.append)
    assert len(heard) > 3
    assert len(written) == 2


def test_a_file_that_takes_long_to_write_is_written_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of()
    release = ao.solve(problem, "greedy-patterns").solution
    checkpoint = checkpoints.Checkpoint(tmp_path / "run.json", problem)
    now, written = 0.0, []

    def write_slowly(*_: Any) -> dict[str, Any]:
        nonlocal now
        written.append(now)
        now += 3
        return {}

    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(checkpoints, "_solution_as_json", write_slowly)
    hear = checkpoint.before(lambda _: None)
    while now < 150:
        now += 1
        hear(Incumbent(now, 0, release))
    assert written == [1, 64, 127]


@pytest.mark.parametrize(
    "problem",
    [
        ao.AttributeSuppression(problem_of().table, ao.KAnonymity(3)),
        ao.IdentifyingColumns(ao.ten_rows()),
        ao.WitnessColumns(ao.ten_rows(), 2),
        IsolatingColumns(ao.ten_rows(), "1/2"),
    ],
    ids=lambda problem: problem.name,
)
def test_choices_of_columns_have_checkpoints(problem: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    first = ao.solve(problem, "hitting-set", checkpoint=path)
    if first.proof is not None:
        with checkpoints.Checkpoint(path, problem) as checkpoint:
            assert (checkpoint.solution, checkpoint.proof) == (first.solution, first.proof)
    again = ao.solve(problem, "hitting-set", time_limit=0, checkpoint=path)
    assert (again.claim, again.solution) == (ao.Claim.OPTIMAL, first.solution)


def test_the_checkpoint_for_another_share_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    ao.solve(IsolatingColumns(ao.ten_rows(), "1/2"), "hitting-set", checkpoint=path)
    with pytest.raises(BadInput, match="the checkpoint of another run, isolating-columns"):
        ao.solve(IsolatingColumns(ao.ten_rows(), "1/3"), "hitting-set", checkpoint=path)


def test_the_checkpoint_of_another_problem_is_refused(saved: Path) -> None:
    for other in (problem_of(k=4), problem_of(seed=8)):
        with pytest.raises(BadInput, match="the checkpoint of another run, cell-suppression under"):
            ao.solve(other, "sifting", checkpoint=saved)


def test_a_proof_that_does_not_hold_is_refused(saved: Path) -> None:
    document = json.loads(saved.read_text())
    document["proof"]["value"] += 1
    saved.write_text(json.dumps(document))
    with pytest.raises(BadInput, match="the multipliers prove"):
        ao.solve(problem_of(), "sifting", checkpoint=saved)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"schema": "anoptima/answer/1"}, "is no checkpoint: its schema is 'anoptima/answer/1'"),
        ({"solution": {"groups": list(range(40))}}, "holds a solution that is none"),
        ({"solution": {"groups": [0, "x"]}}, "number 1 of 'groups' in the solution in"),
        ({"solution": {"columns": ["a"]}}, "has no field 'groups'"),
        ({"note": 1}, "has a field 'note', which means nothing here"),
        ({"problem": 3}, "which is not named"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_nonsense_is_refused(change: dict[str, Any], sentence: str, saved: Path) -> None:
    saved.write_text(json.dumps({**json.loads(saved.read_text()), **change}))
    with pytest.raises(BadInput) as refusal:
        ao.solve(problem_of(), "sifting", checkpoint=saved)
    assert sentence in str(refusal.value)


def test_other_problems_have_none(tmp_path: Path) -> None:
    with pytest.raises(NotApplicable, match="there are no checkpoints of vertex-cover"):
        ao.solve(ao.VertexCover(ao.Graph("ab", ["ab"])), checkpoint=tmp_path / "run.json")


def test_a_place_that_cannot_be_written_is_refused_first(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="the checkpoint must go into a file"):
        ao.solve(problem_of(), checkpoint=tmp_path)


def test_a_checkpoint_that_cannot_be_written_ends_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise not_written(path, OSError(errno.ENOSPC, "No space left on device"))

    monkeypatch.setattr(checkpoints, "atomic", refuse)
    answer = ao.solve(problem_of(), "sifting", checkpoint=tmp_path / "run.json")
    assert answer.claim is ao.Claim.OPTIMAL
    (note,) = answer.run.notes
    assert note.startswith(
        f"the checkpoint {tmp_path / 'run.json'} could not be written: there is no space left on its"
    )
    assert note.endswith("; the run went on without it")
    assert list(tmp_path.iterdir()) == []


def test_two_runs_cannot_have_one_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run.json"

    def another(progress: Progress) -> None:
        with pytest.raises(BadInput, match=r"run\.json is being written by another run"):
            ao.solve(problem_of(), "sifting", checkpoint=path)

    ao.solve(problem_of(), "sifting", checkpoint=path, on_progress=another)
    ao.solve(problem_of(), "sifting", checkpoint=path)
    assert [file.name for file in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize("label", [2**70, -1, 40, 2**62])
def test_groups_with_absurd_numbers_are_refused(saved: Path, label: int) -> None:
    data = json.loads(saved.read_text())
    data["solution"]["groups"][3] = label
    saved.write_text(json.dumps(data))
    with pytest.raises(BadInput, match=r"the solution in .*run\.json has a group that is not numbered from 0 to 39"):
        ao.solve(problem_of(), "sifting", checkpoint=saved)


def test_files_that_are_cut_off_are_refused(saved: Path) -> None:
    whole = saved.read_text()
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        saved.write_text(whole[:length])
        with pytest.raises(BadInput, match=r"run\.json, line 1, column"):
            ao.solve(problem_of(), "sifting", checkpoint=saved)
