"""Studies on a cluster: a worker, and the scheduler, are killed in mid-run, and the table is the one of an undisturbed run."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import anoptima as ao
from anoptima.experiments.studies.conducting import Standing, plan, run_study
from anoptima.experiments.studies.dask import dask_executor
from anoptima.experiments.studies.study import Study
from tests.experiments.studies.test_conducting import decided
from tests.processes import wait_until


@pytest.fixture(scope="module")
def short(study: Study) -> Study:
    """The study without a solver: each run on a cluster is a new Python process, and four runs suffice to lose some of them."""
    return replace(study, solvers=("auto", "peel", "hitting-set"))


@pytest.fixture(scope="module")
def undisturbed(short: Study, folder: Path) -> list[dict[str, Any]]:
    """The table of its runs."""
    return [run for run in decided(folder) if run["solver"] in short.solvers]


@dataclass
class Cluster:
    """A scheduler and two workers, each a process that can be killed."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    told = tmp_path / "scheduler.json"
    with contextlib.ExitStack() as processes:

        def start(part: str, *options: str) -> subprocess.Popen[bytes]:
            command = (sys.executable, "-m", f"distributed.cli.dask_{part}", "--scheduler-file", str(told), *options)
            process = processes.enter_context(
                subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path)
            )
            processes.callback(process.kill)
            return process

        scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        wait_until(lambda: told.exists() and told.read_text().endswith("}"), "the scheduler says where it is")
        workers = [start("worker", "--no-nanny", "--nthreads", "1", "--no-dashboard") for _ in range(2)]
        yield Cluster(json.loads(told.read_text())["address"], scheduler, workers)


def test_a_worker_that_is_killed_costs_nothing(
    cluster: Cluster, short: Study, undisturbed: list[dict[str, Any]], tmp_path: Path
) -> None:
    def kill_one(now: Standing) -> None:
        cluster.workers[0].kill()

    with dask_executor(cluster.address) as executor:
        after = run_study(short, tmp_path / "runs", jobs=2, executor=executor, on_standing=kill_one)
    assert not after.left
    assert decided(tmp_path / "runs") == undisturbed


def test_what_is_lost_with_the_scheduler_is_done_again(
    cluster: Cluster, short: Study, undisturbed: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(now: Standing) -> None:
        cluster.scheduler.kill()

    monkeypatch.setattr("anoptima.experiments.studies.dask.CONNECT_S", 1.0)
    with dask_executor(cluster.address) as executor, contextlib.suppress(ao.SolverFailure):
        run_study(short, tmp_path / "runs", jobs=2, executor=executor, on_standing=kill)
    assert plan(short, tmp_path / "runs").left
    assert not run_study(short, tmp_path / "runs").left
    assert decided(tmp_path / "runs") == undisturbed


def test_a_parent_that_is_killed_costs_what_it_had_not_recorded(
    cluster: Cluster, short: Study, undisturbed: list[dict[str, Any]], tmp_path: Path
) -> None:
    """The parent is the command: it is killed after the first record, and the same command goes on to the same table."""
    (tmp_path / "small.toml").write_text(
        f'name = "small"\ninstances = "ten-rows-*"\nsolvers = {json.dumps(list(short.solvers))}\nseconds = 60\n'
    )
    runs = tmp_path / "runs"
    command = [sys.executable, "-m", "anoptima", "study", "run", str(tmp_path / "small.toml"), "--folder", str(runs)]
    command += ["--dask", cluster.address, "--jobs", "2", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as parent:
        wait_until(lambda: ran(runs) or parent.poll() is not None, "a run has its record")
        parent.send_signal(signal.SIGKILL)
    before = ran(runs)
    assert before
    assert plan(short, runs).left
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0
    assert not plan(short, runs).left
    assert before <= ran(runs)
    assert decided(runs) == undisturbed


def ran(runs: Path) -> set[tuple[str, int]]:
    """Return the records of runs that were tried, each with the time at which it was written."""
    records = [path for path in runs.glob("records/*.json") if not path.name.startswith(".")]
    return {
        (path.name, path.stat().st_mtime_ns)
        for path in records
        if json.loads(path.read_text())["status"] != "unsupported"
    }


def test_runs_that_exchange_what_they_find_take_their_legs_there(cluster: Cluster) -> None:
    """One worker is killed as soon as there is anything to hear of."""
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    with dask_executor(cluster.address) as executor:
        answer = ao.solve_together(
            problem, at_once=2, executor=executor, on_progress=lambda progress: cluster.workers[0].kill()
        )
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 54)
    assert answer.verify()


def test_no_scheduler_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.experiments.studies.dask.CONNECT_S", 0.2)
    with pytest.raises(ao.BadInput, match="no Dask scheduler answers at"), dask_executor("tcp://127.0.0.1:1"):
        pass
