"""A study that is killed again and again has the table of an undisturbed one: `python -m benchmarks.disturbed_study [--runs N]`.

Small tables are drawn and anonymised, each run in a process of its own. `anoptima study run` is killed with SIGKILL after random
numbers of runs and started again; another folder gets the same study without a disturbance. Both tables are compared in all columns
but those of times and memory, and it prints what it found.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anoptima as ao

MEASURED = ("solve_s", "setup_s", "wall_s", "cpu_s", "peak_MiB", "limits_by", "compiled")
"""Columns that differ from run to run."""

SOLVERS = ("small-classes", "peel", "mondrian", "mondrian-relaxed", "forest")

LOOK_S = 0.05


def main() -> None:
    """Run both, compare, print; exit code 1 if the tables differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000, help="runs of the study, at least (default: 1000)")
    parser.add_argument("--kills", type=int, default=3, help="how often it is killed (default: 3)")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="decides when it is killed (default: 0)")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "small.toml"
        seeds = list(range(-(-given.runs // len(SOLVERS))))
        file.write_text(
            f"solvers = {list(SOLVERS)}\nseconds = 60\nmemory = {1 << 30}\n[[drawn]]\ngenerator = 'uniform'\nrows = 8\n"
            f"columns = 3\nvalues = 3\nseed = {seeds}\nask = [{{k = 2}}]\n"
        )
        disturbed, undisturbed = Path(scratch) / "disturbed", Path(scratch) / "undisturbed"
        runs = len(seeds) * len(SOLVERS)
        moments = sorted(chance.sample(range(1, runs), given.kills))
        lost = [_killed(file, disturbed, given.jobs, after) for after in moments]
        seconds = [_finished(file, folder, given.jobs) for folder in (disturbed, undisturbed)]
        first, second = _decided(disturbed), _decided(undisturbed)
        print(
            f"{runs:,} runs of {len(SOLVERS)} solvers; killed after {', '.join(f'{after:,}' for after in moments)} runs"
        )
        print(f"runs that each kill lost, and that were repeated: {', '.join(map(str, lost))}")
        print(
            f"records: {len(first):,} disturbed, {len(second):,} undisturbed, {seconds[1]:,.0f} s without a disturbance"
        )
        print(f"rows that differ: {sum(one != other for one, other in zip(first, second, strict=True)):,}")
        if first != second:
            sys.exit("the tables differ")


def _start(file: Path, folder: Path, jobs: int) -> subprocess.Popen[bytes]:
    words = (sys.executable, "-m", "anoptima", "study", "run", str(file), "--folder", str(folder), "--jobs", str(jobs))
    return subprocess.Popen((*words, "--quiet"), stdout=subprocess.DEVNULL)


def _killed(file: Path, folder: Path, jobs: int, after: int) -> int:
    """Run until a number of records is there, kill, and return how many runs had begun and have none."""
    process = _start(file, folder, jobs)
    while _records(folder) < after and process.poll() is None:
        time.sleep(LOOK_S)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return _begun(folder)


def _records(folder: Path) -> int:
    return (
        sum(not one.name.startswith(".") for one in os.scandir(folder / "records"))
        if (folder / "records").exists()
        else 0
    )


def _begun(folder: Path) -> int:
    return sum(not (folder / "records" / f"{one.name}.json").exists() for one in os.scandir(folder / "begun"))


def _finished(file: Path, folder: Path, jobs: int) -> float:
    began = time.monotonic()
    if _start(file, folder, jobs).wait() != 0:
        sys.exit(f"the study in {folder.name} did not come to its end")
    return time.monotonic() - began


def _decided(folder: Path) -> list[dict[str, Any]]:
    frame = ao.study_frame(folder).drop(columns=list(MEASURED))
    plain: Any = frame.astype(object).where(frame.notna(), None)
    return [dict(row) for row in plain.to_dict("records")]


if __name__ == "__main__":
    main()
