"""Every help page ends with examples, and the examples run: in order, on the files that they name."""

from __future__ import annotations

import importlib
import io
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from anoptima.cli import COMMANDS, EXAMPLES
from tests.cli.conftest import Run

PATIENTS = "zip,age,disease\n4711,33,flu\n4711,35,asthma\n4712,35,flu\n4713,61,gout\n4713,61,flu\n4713,68,asthma\n"
POINTS = "x,y\n0.5,0.5\n0.7,1.2\n2.4,2.5\n"
HERE = Path(__file__).parent


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    Path("patients.csv").write_text(PATIENTS)
    Path("points.csv").write_text(POINTS)
    Path("people.csv").write_text("age,income\n31,2400\n33,2900\n47,3100.50\n")
    Path("study.toml").write_text('instances = "ten-rows-k3"\nsolvers = "peel"\n')
    Path("graph.txt").write_text("1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n")
    return tmp_path


def test_every_page_ends_with_its_examples(run: Run) -> None:
    for words, examples in (([], EXAMPLES), *(([name], examples_of(name)) for name in COMMANDS)):
        said = run(*words, "--help")
        assert said.code == 0
        assert examples
        assert said.out.endswith("examples:\n" + "".join(f"  {line}\n" for line in examples))
        for line in examples:
            assert line.startswith(" ".join(["anoptima", *words]))
            assert len(line) < 120


def examples_of(command: str) -> Sequence[str]:
    found: Sequence[str] = importlib.import_module(f"anoptima.cli.{command.replace('-', '_')}").EXAMPLES
    return found


SLOW = ("anoptima demo --census", "anoptima conform highs", "anoptima doctor", "anoptima prepare")
"""Examples that other tests run."""


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_the_examples_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("HOME", str(Path.cwd()))
    for lines in (EXAMPLES, *map(examples_of, COMMANDS)):
        for line in lines:
            if not line.startswith(SLOW):
                code, out, err = shell(run, line, monkeypatch)
                assert code == 0, (line, out, err)
            if line.startswith("anoptima export"):
                solve_elsewhere()


def shell(run: Run, line: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    """Run a line, with `< FILE` and `> FILE` as a shell would take them."""
    words = shlex.split(line)
    assert words.pop(0) == "anoptima"
    target = None
    if ">" in words:
        target = words.pop(words.index(">") + 1)
        words.remove(">")
    if "<" in words:
        source = words.pop(words.index("<") + 1)
        words.remove("<")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(source).read_bytes())))
    said = run(*words)
    if target is not None:
        Path(target).write_text(said.out)
    return said.code, said.out, said.err


def solve_elsewhere() -> None:
    import highspy

    elsewhere = highspy.Highs()
    elsewhere.setOptionValue("output_flag", False)
    elsewhere.readModel("model.mps")
    elsewhere.run()
    elsewhere.writeSolution("model.sol", 0)
