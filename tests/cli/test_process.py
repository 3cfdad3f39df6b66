"""The command line as a process: signals, terminals, pipes, exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import pandas as pd
import pytest

from anoptima.cli import main
from tests.processes import PATIENCE

pytestmark = pytest.mark.slow

COMMAND = (sys.executable, "-m", "anoptima")


@contextmanager
def started(command: Sequence[str], cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """A command at work, which is killed if the test has not waited for its end."""
    with subprocess.Popen(
        command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def finish(*words: str, cwd: Path) -> tuple[int, str, str]:
    done = run([*COMMAND, *words], cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def run(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, and kill it should it have none."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(command, text=True, timeout=PATIENCE, check=False, **options)


class Terminal:
    """A command whose output goes to a pseudo-terminal: what it has written so far, and how it ended."""

    def __init__(self, *words: str, cwd: Path) -> None:
        self._handle, theirs = pty.openpty()
        self.process = subprocess.Popen([*COMMAND, *words], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        self.written = ""
        self._open = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._handle)

    def read_until(self, truth: Callable[[str], object]) -> None:
        """Read until `truth` of everything written, or until the end."""
        while self._open and not truth(self.written):
            assert select.select([self._handle], [], [], PATIENCE)[0], f"nothing more was written after {self.written}"
            try:
                data = os.read(self._handle, 65536)
            except OSError:
                data = b""
            self._open = bool(data)
            self.written += data.decode()

    def end(self) -> int:
        self.read_until(lambda _: False)
        return self.process.wait(PATIENCE)

    def screen(self) -> list[str]:
        """Return what a person sees in the end."""
        lines = []
        for line in self.written.replace("\r\n", "\n").split("\n"):
            shown = ""
            for part in line.split("\r"):
                shown = part + shown[len(part) :]
            lines.append(shown.rstrip())
        return lines


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text("zip,age\n1,30\n1,31\n2,30\n2,31\n")
    return tmp_path


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """A table that keeps a solver busy for many minutes."""
    random = np.random.default_rng(1)
    frame = pd.DataFrame({column: random.integers(0, 4, 200) for column in "abcdef"})
    frame.to_csv(tmp_path / "t.csv", index=False)
    return tmp_path


HARD = ("solve", "t.csv", "--quasi", "a,b,c,d,e,f", "-k", "4", "--solver", "pattern/highs")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("solve", "t.csv", "--quasi", "zip,age", "-k", "2"), 0),
        (("solve", "t.csv", "--quasi", "zip,age", "-k", "5"), 1),
        (("check", "t.csv", "--quasi", "zip,age", "-k", "2"), 1),
        (("solve", "t.csv", "--quasi", "zap", "-k", "2"), 2),
        (("--version",), 0),
        ((), 2),
    ],
)
def test_a_process_ends_with_the_exit_code(small: Path, words: tuple[str, ...], code: int) -> None:
    found, out, err = finish(*words, cwd=small)
    assert found == code
    assert (err == "") == (code < 2)
    assert "Traceback" not in out + err


def test_a_pipe_gets_no_progress_and_one_document(small: Path) -> None:
    code, out, err = finish("solve", "t.csv", "--quasi", "zip,age", "-k", "2", "--json", cwd=small)
    assert (code, err) == (0, "")
    assert json.loads(out)["claim"] == "optimal"


def test_a_reader_that_leaves_is_no_error(small: Path) -> None:
    with started([*COMMAND, "list"], small) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(PATIENCE) == 0


def test_a_full_disk_is_one(small: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = run([*COMMAND, "list", "models"], stdout=full)
    assert done.returncode == 4
    assert done.stderr == "anoptima: standard output could not be written: there is no space left on its disk\n"


def test_an_encoding_without_the_letters_gets_them_escaped(small: Path) -> None:
    (small / "t.csv").write_text("größe\n1\n1\n", encoding="utf-8")
    command = [*COMMAND, "solve", "t.csv", "--quasi", "größe", "-k", "1"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = run(command, cwd=small, env=environment)
    assert done.returncode == 0, done.stderr
    done = run([*command, "--json"], cwd=small, env=environment)
    assert json.loads(done.stdout)["table"]["quasi"] == ["größe"]
    command[-3:] = ["gewicht", "-k", "1"]
    done = run(command, cwd=small, env=environment)
    assert done.returncode == 2
    assert "its columns are gr\\xf6\\xdfe" in done.stderr


def lines_of_progress(written: str) -> set[str]:
    """The different lines that a terminal has shown of a solver at work; the last one may not be whole."""
    lines = written.split("\r")[:-1]
    return {line for line in lines if re.fullmatch(r" *\d+(\.\d)? s  \d+ stars  bound \d+  gap \d+\.\d %  \S.*", line)}


def backend_is_at_work(written: str) -> bool:
    return any("highs searches" in line for line in lines_of_progress(written))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_interrupt_stops_the_solver_and_reports_the_best(
    hard: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Terminal(*HARD, "-o", "release.csv", "--answer", "answer.json", cwd=hard) as terminal:
        terminal.read_until(backend_is_at_work)
        terminal.process.send_signal(number)
        assert terminal.end() == 0, terminal.written
        assert terminal.screen()[0].startswith("FEASIBLE  "), terminal.written
        assert "stopped: cancelled" in terminal.screen()[0]
        assert "  gap " not in "\n".join(terminal.screen()), "the line is gone at the end"
    answer = json.loads((hard / "answer.json").read_text())
    assert (answer["claim"], answer["stop"]) == ("feasible", "cancelled")
    monkeypatch.chdir(hard)
    assert main(["verify", "t.csv", "release.csv", "answer.json"]) == 0


def test_quiet_is_quiet_on_a_terminal(small: Path) -> None:
    with Terminal("solve", "t.csv", "--quasi", "zip,age", "-k", "2", "--quiet", cwd=small) as terminal:
        assert terminal.end() == 0
        assert terminal.written.startswith("OPTIMAL  ")


# What stands in for work outside of a backend: reading, building, an approximation.
ASLEEP = """
import sys, time
import anoptima.cli.solve as command
from anoptima.cli import main
def sleep(*_, **__):
    print("asleep", flush=True)
    time.sleep(600)
command.{name} = sleep
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("name", ["solve_live", "write_release"])
def test_an_interrupt_anywhere_else_leaves_nothing_half_done(small: Path, name: str) -> None:
    (small / "release.csv").write_text("old")
    words = ["solve", "t.csv", "--quasi", "zip,age", "-k", "2", "--solver", "peel"]
    words += ["-o", "release.csv", "--answer", "answer.json"]
    with started([sys.executable, "-c", ASLEEP.format(name=name), *words], small) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asleep\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", "anoptima: interrupted\n")
    assert (small / "release.csv").read_text() == "old"
    assert sorted(path.name for path in small.iterdir()) == ["release.csv", "t.csv"]
