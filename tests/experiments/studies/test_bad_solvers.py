"""Solvers that lie, leak memory and crash, as plug-ins in a run's own process: what the record says of each."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from anoptima.experiments.studies.conducting import in_all
from anoptima.experiments.studies.frame import frame_of
from anoptima.experiments.studies.keeper import CAN_FORK, Keeper
from anoptima.experiments.studies.running import Done, do_task
from anoptima.experiments.studies.statistics import summaries
from anoptima.experiments.studies.study import Study
from anoptima.experiments.studies.task import Task

PLUG_IN = '''
import os, signal
import numpy as np
from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.approximate.peel import Peel

class Liar(Peel):
    """Says that every row may stand alone."""
    name = "liar"
    def search(self, problem, ledger, start):
        ledger.offer(Partition.from_labels(np.arange(problem.table.rows)))

class Leak(Peel):
    """Takes memory until there is none."""
    name = "leak"
    def partition(self, problem, is_over):
        held = []
        while True:
            held.append(b"x" * (16 << 20))

class Crash(Peel):
    """Breaks its process."""
    name = "crash"
    def partition(self, problem, is_over):
        os.kill(os.getpid(), signal.SIGSEGV)
'''

EXPECTED = {
    "liar": ("lied", "liar: claimed a solution that is none: "),
    "leak": ("memory", "it took more than 700 MiB and was ended"),
    "crash": ("crashed", "its process was killed by SIGSEGV: "),
}


@pytest.fixture(
    params=["new", pytest.param("forked", marks=pytest.mark.skipif(not CAN_FORK, reason="runs are not forked here"))]
)
def do(request: pytest.FixtureRequest, plug_in: Path) -> Iterator[Callable[[Task, str], Done | None]]:
    """Runs in a new Python, or forked from one."""
    if request.param == "new":
        yield do_task
    else:
        keeper = Keeper(1)
        yield lambda task, folder: keeper.do(task, folder, None, threading.Event())
        keeper.close()


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with the three solvers, where the processes of runs find it."""
    place = tmp_path / "packages"
    about = place / "bad_solvers-1.dist-info"
    about.mkdir(parents=True)
    (place / "bad_solvers.py").write_text(PLUG_IN)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-solvers\nVersion: 1\n")
    points = "\n".join(f"{name} = bad_solvers:{name.capitalize()}" for name in EXPECTED)
    (about / "entry_points.txt").write_text(f"[anoptima.solvers]\n{points}\n")
    paths = [str(place), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    return place


def test_the_record_says_who_lied_who_leaked_and_who_crashed(
    do: Callable[[Task, str], Done | None], tmp_path: Path
) -> None:
    study = Study("bad", instances=("ten-rows-k3",), solvers=("peel",), seconds=(60.0,), memory=700 << 20)
    task, _ = next(study.tasks())
    records = []
    for solver, (status, words) in EXPECTED.items():
        done = do(replace(task, solver=solver), str(tmp_path))
        assert done is not None
        assert (solver, done.record["status"]) == (solver, status), done.record["why"]
        assert words in done.record["why"]
        assert not done.files
        records.append(done.record)
    assert in_all(records) == {"crashed": 1, "lied": 1, "memory": 1}
    frame = frame_of(records)
    assert frame["cost"].isna().all()
    told = {one.solver: one for one in summaries(frame)}
    assert (told["liar"].lied, told["liar"].seconds_to_proof) == (1, None), "a solver that lied is out"
    assert told["leak"].failed == told["crash"].failed == 1
