from __future__ import annotations

import json
import math
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from anoptima.cli import main
from anoptima.solvers import algorithms
from tests.experiments.test_comparison import Interrupted

PATIENTS = """\
zip,age,sex,disease,name
98765,38,f,flu,Ann
98654,39,m,flu,Bob
98543,32,f,heart,Cid
97654,65,m,cancer,Dan
96689,45,f,heart,Eve
97427,33,m,,Fay
"""


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Run(Protocol):
    def __call__(self, *words: object) -> Said: ...


@pytest.fixture
def patients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "patients.csv"
    path.write_text(PATIENTS)
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process, which says nothing of its progress however long it takes."""
    monkeypatch.setattr("anoptima.cli.live.FIRST_LINE", math.inf)

    def run(*words: object) -> Said:
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


@pytest.fixture
def interrupted() -> Iterator[None]:
    """Have Ctrl-C heard as it is in a process of one's own, and a solver that presses it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    algorithms.add(Interrupted())
    yield
    algorithms.remove("interrupted")
    signal.signal(signal.SIGINT, before)
