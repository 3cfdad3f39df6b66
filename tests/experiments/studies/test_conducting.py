from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import anoptima as ao
from anoptima.experiments.studies.conducting import BESIDE_S, Standing, _Teller, jobs_for, plan, run_study
from anoptima.experiments.studies.keeper import CAN_FORK, Keeper
from anoptima.experiments.studies.running import digest_of, do_task, repeated
from anoptima.experiments.studies.store import Store
from anoptima.experiments.studies.study import Study
from tests.processes import children, wait_until, wait_until_gone

UNDECIDED = ("solve_s", "setup_s", "wall_s", "cpu_s", "peak_MiB", "limits_by", "compiled")
"""What differs from run to run."""


def decided(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        ao.study_frame(folder).drop(columns=list(UNDECIDED)).to_json(orient="records")
    )
    return found


def test_every_run_has_a_record_and_none_is_done_twice(study: Study, folder: Path) -> None:
    frame = ao.study_frame(folder)
    assert frame.groupby("status").size().to_dict() == {"feasible": 4, "proved": 2, "unsupported": 2}
    assert frame[frame["solver"] == "auto"]["cost"].tolist() == ["46", "54"]
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.json")}
    assert not run_study(study, folder).left
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.json")} == before


def test_a_study_that_is_stopped_goes_on_to_the_same_table(study: Study, folder: Path, tmp_path: Path) -> None:
    stop, told = threading.Event(), list[Standing]()

    def until_two(now: Standing) -> None:
        told.append(now)
        if len(told) == 2:
            stop.set()

    left = run_study(study, tmp_path, jobs=1, on_standing=until_two, stop=stop)
    assert len(left.left) == 4
    assert not left.lost
    assert [(now.done, now.failed) for now in told] == [(3, 0), (4, 0)]
    assert not run_study(study, tmp_path).left
    assert decided(tmp_path) == decided(folder)


def test_an_interrupt_ends_the_runs_and_keeps_the_records(study: Study, tmp_path: Path) -> None:
    def interrupt(now: Standing) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_study(study, tmp_path, on_standing=interrupt)
    after = plan(study, tmp_path)
    assert len(after.done) == 3
    assert not after.lost


def test_runs_end_with_a_parent_that_is_killed_and_are_done_again(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text('instances = "census-eight-k5"\nsolvers = ["sifting"]\nseconds = 3600\n')
    (tmp_path / "temporary").mkdir()
    command = (sys.executable, "-m", "anoptima", "study", "run", str(tmp_path / "study.toml"))
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as parent:
        (child,) = wait_until(lambda: children(parent.pid), "the study begins a run")
        parent.send_signal(signal.SIGKILL)
    wait_until_gone(child)
    assert not list((tmp_path / "temporary").glob("anoptima-run-*"))
    after = plan(Study.read(tmp_path / "study.toml"), tmp_path / "study")
    assert len(after.lost) == len(after.left) == 1


@pytest.mark.skipif(not CAN_FORK, reason="runs are not forked here")
def test_a_run_is_lost_with_the_process_that_forked_it_and_the_next_one_finds_another(tmp_path: Path) -> None:
    study = Study("m", instances=("ten-rows-k3", "census-eight-k5"), solvers=("sifting",), seconds=(3600.0,))
    quick, long = sorted((task for task, _ in study.tasks()), key=lambda task: task.rows)
    others = children(os.getpid())
    keeper = Keeper(1)
    first = keeper.do(quick, str(tmp_path), None, threading.Event())
    assert first is not None
    assert (first.record["process"], first.record["cost"]) == ("forked", 54)
    (parent,) = children(os.getpid()) - others

    def kill() -> None:
        (run,) = wait_until(lambda: children(parent), "the run begins")
        os.kill(parent, signal.SIGKILL)
        wait_until_gone(run)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(ChildProcessError, match="the process that starts runs has died"):
        keeper.do(long, str(tmp_path), None, threading.Event())
    killer.join()
    again = keeper.do(quick, str(tmp_path), None, threading.Event())
    assert again is not None
    assert again.record["cost"] == 54
    stop = threading.Event()
    stop.set()
    assert keeper.do(long, str(tmp_path), None, stop) is None
    assert children(os.getpid()) <= others


def test_a_run_ends_at_the_optimum_that_the_library_knows_and_stands_for_longer_limits(tmp_path: Path) -> None:
    study = Study(
        "o", instances=("patients-t0.3",), solvers=("local-search",), seconds=(600.0, 3600.0), stop_at_optimum=True
    )
    assert not run_study(study, tmp_path, jobs=1).left
    frame = ao.study_frame(tmp_path)
    assert frame["cost"].tolist() == ["52", "52"]
    assert frame["stop"].tolist() == ["optimum", "optimum"]
    assert frame["repeats"].notna().sum() == 1


class Losing(Executor):
    """An executor whose workers die with every other run."""

    def __init__(self) -> None:
        self.given = 0

    def submit(self, do: Any, /, *given: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.given += 1
        if self.given % 2:
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(do(*given, **named))
        return future


def test_the_gap_of_a_study_so_far_is_a_median(tmp_path: Path) -> None:
    told: list[Standing] = []
    teller = _Teller(plan(Study("none", instances=("ten-rows-k3",)), tmp_path), 1, told.append)
    for number, proved in enumerate((8, 4, 6, 4)):
        teller.tell({"key": str(number), "status": "feasible", "cost": 8, "proved": proved})
    assert [now.gap for now in told] == [0, Fraction(1, 4), Fraction(1, 4), Fraction(3, 8)]


def test_a_run_that_is_lost_with_its_worker_has_no_record_and_is_done_again(tmp_path: Path) -> None:
    study = Study("lost", instances=("ten-rows-k3",), solvers=("peel", "mondrian"), seconds=(60.0,))
    told: list[Standing] = []
    after = run_study(study, tmp_path, executor=Losing(), on_standing=told.append)
    assert [now.last["status"] for now in told] == ["lost", "feasible"]
    # The optimum is 54, and known to the library; `mondrian` pays 57.
    assert [now.gap for now in told] == [None, Fraction(3, 57)]
    assert len(after.lost) == len(after.left) == 1
    assert not run_study(study, tmp_path, jobs=1).left


class Counting(Executor):
    """An executor that counts the runs that it is handed, and loses them."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def submit(self, do: Any, /, *given: Any, **named: Any) -> Future[Any]:
        self.asked.append(given[0].solver)
        future: Future[Any] = Future()
        future.set_exception(ConnectionError("it is not run"))
        return future


def test_the_rest_takes_at_most_what_its_runs_take_side_by_side(study: Study, tmp_path: Path) -> None:
    fresh = plan(replace(study, seconds=(60.0,)), tmp_path)
    runs, each = len(fresh.left), 60 + BESIDE_S
    assert [fresh.most_seconds(jobs) for jobs in (1, runs - 1, runs, 99)] == [runs * each, 2 * each, each, each]


def test_a_run_that_ended_by_itself_stands_for_longer_limits(study: Study, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    longer, hands = replace(study, seconds=(60.0, 120.0)), Counting()
    before = plan(longer, tmp_path)
    assert (len(before.left), len(before.known)) == (6, 6)
    assert before.most_seconds(1) == 0
    after = run_study(longer, tmp_path, executor=hands, jobs=1)
    assert hands.asked == []
    assert (len(after.left), len(after.known)) == (0, 0)
    with pytest.raises(ao.BadInput, match="there is no folder"):
        ao.study_frame(tmp_path / "elsewhere")
    frame = ao.study_frame(tmp_path)
    again = frame[frame["repeats"].notna()]
    assert sorted(again["solver"]) == ["auto", "auto", "mondrian", "mondrian", "peel", "peel"]
    assert set(again["limit_s"]) == {120.0}
    first = frame.set_index("key").loc[again["repeats"]]
    assert first["cost"].tolist() == again["cost"].tolist()


def test_a_run_that_was_cut_short_stands_for_no_other(study: Study, folder: Path) -> None:
    task = next(task for task, _ in study.tasks() if task.solver == "peel")
    record = Store(folder).record(task.key)
    assert record is not None
    longer = task.within(120.0)
    assert repeated(longer, {**record, "stop": "time"}) is None
    assert repeated(longer, None) is None
    once = repeated(longer, record)
    assert once is not None
    assert repeated(longer, record, uses_limit=True) is None
    assert repeated(longer, {**record, "stop": "proved"}, uses_limit=True) is not None
    twice = repeated(task.within(240.0), once.record)
    assert twice is not None
    assert twice.record["repeats"] == once.record["repeats"] == task.key


def test_two_cannot_do_one_study_at_a_time(study: Study, folder: Path) -> None:
    with Store(folder).alone(), pytest.raises(ao.BadInput, match="another run"):
        run_study(study, folder)


def test_runs_never_share_cores(study: Study) -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    assert jobs_for(study, None) == cores
    with pytest.raises(ao.BadInput, match="would disturb one another"):
        jobs_for(study, cores + 1)
    with pytest.raises(ao.BadInput, match="at least 1"):
        jobs_for(study, 0)


def test_what_a_run_cannot_have_is_its_status(tmp_path: Path) -> None:
    small = Study("m", instances=("census-eight-k5",), solvers=("auto",), seconds=(20.0,), memory=60 << 20)
    task, _ = next(small.tasks())
    done = do_task(task, str(tmp_path))
    assert done is not None
    assert done.record["status"] == "memory"
    assert not done.files


def test_a_record_is_written_once(folder: Path, tmp_path: Path, study: Study) -> None:
    task, _ = next(study.tasks())
    done = do_task(task, str(tmp_path))
    assert done is not None
    store = Store(tmp_path / "store")
    assert store.put(done)
    assert not store.put(done)
    assert [record["key"] for record in store.records()] == [task.key]
    release = store.content(done.record["files"]["release.csv"]).decode()
    assert release.count("*") == done.record["cost"]


def test_no_run_is_recorded_for_a_table_that_changed_since_it_was_planned(tmp_path: Path) -> None:
    table = tmp_path / "p.csv"
    table.write_text("a,b\n1,2\n1,2\n2,3\n2,3\n")
    asked = {"file": "p.csv", "quasi": ["a", "b"], "ask": [{"k": 2}]}
    task, _ = next(Study("s", tables=[asked], solvers=("peel",), seconds=(60.0,), folder=tmp_path).tasks())
    done = do_task(task, str(tmp_path))
    assert done is not None
    assert done.record["cost"] == 0
    table.write_text("a,b\n1,2\n1,3\n2,3\n2,4\n")
    with pytest.raises(ao.BadInput, match="the table of 'p k=2' has changed since the study began"):
        do_task(task, str(tmp_path))


@pytest.mark.parametrize(
    "content", ["{}", "[1]", '{"key": "KEY", "status": "proved", "task": {}}', '{"key": "K', "\udcff"]
)
def test_a_damaged_record_is_named_and_so_is_what_helps(tmp_path: Path, content: str) -> None:
    path = tmp_path / "records" / "KEY.json"
    path.parent.mkdir()
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    for read in (lambda store: store.record("KEY"), lambda store: list(store.records())):
        with pytest.raises(
            ao.BadInput, match=r"KEY\.json.*; remove the record, and `anoptima study run` makes the run again$"
        ):
            read(Store(tmp_path))


@pytest.mark.parametrize(
    "content",
    [None, b"", b"a release", gzip.compress(b"zip\n1")[:-9], gzip.compress(b"zip\n2")],
    ids=["missing", "empty", "not packed", "cut short", "another release"],  # what is packed holds the time of day
)
def test_a_damaged_release_is_named_and_so_is_what_helps(tmp_path: Path, content: bytes | None) -> None:
    name = digest_of(b"zip\n1")
    path = tmp_path / "files" / f"{name}.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(b"zip\n1"))
    assert Store(tmp_path).content(name) == b"zip\n1"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(
        ao.BadInput, match=f"{name}.*; remove it and the records that name it, and `anoptima study run` "
    ):
        Store(tmp_path).content(name)


def test_what_is_quick_comes_first_and_one_seed_of_everything_before_the_next(tmp_path: Path) -> None:
    study = Study(
        "order",
        instances=("ten-rows-k3", "twins-1-k2"),
        solvers=("local-search", "peel"),
        seconds=(60.0, 10.0),
        seeds=(1, 0),
    )
    rows = {name: ao.instance(name).load().size()["rows"] for name in study.instances}
    small, large = sorted(rows, key=lambda name: rows[name])
    assert rows[small] < rows[large]
    assert [(task.seconds, task.seed, task.solver, task.name) for task in plan(study, tmp_path).left] == [
        (seconds, seed, solver, name)
        for seconds in (10.0, 60.0)
        for seed, solvers in ((1, ("peel", "local-search")), (0, ("local-search",)))
        for solver in solvers
        for name in (small, large)
    ]


def test_the_number_of_rows_orders_runs_and_decides_nothing(study: Study) -> None:
    task, _ = next(study.tasks())
    assert task.rows == 10
    assert replace(task, rows=11).key == task.key
