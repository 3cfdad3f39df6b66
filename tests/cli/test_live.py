from __future__ import annotations

import io
import os
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest

import anoptima as ao
from anoptima.answer import Clock, Progress
from anoptima.cli import main
from anoptima.cli.live import LiveLine, PlainLines, Trend, live, progress_text
from tests.processes import wait_until


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and what a person would see on it."""

    def isatty(self) -> bool:
        return True

    def screen(self) -> list[str]:
        """Play back what was written: a carriage return goes back to the first column, other characters overwrite."""
        lines, column = [""], 0
        for character in self.getvalue():
            if character == "\n":
                lines.append("")
                column = 0
            elif character == "\r":
                column = 0
            else:
                lines[-1] = lines[-1][:column].ljust(column) + character + lines[-1][column + 1 :]
                column += 1
        return [line.rstrip() for line in lines]


def test_the_line_shows_progress_ticks_and_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.cli.live.TICK", 0.01)
    terminal = Terminal()
    before = set(threading.enumerate())
    line = LiveLine(terminal, "stars")
    line(Progress(0.0, Fraction(161, 3), 51))
    wait_until(lambda: "161/3 stars  bound 51" in terminal.screen()[0], "the line was shown")
    shown = terminal.getvalue().count("\r")
    wait_until(lambda: terminal.getvalue().count("\r") > shown + 3, "the line ticked")
    assert "\n" not in terminal.getvalue()
    line.close()
    assert terminal.screen() == [""]
    assert set(threading.enumerate()) <= before, "nobody is left to write"


def test_a_shorter_line_leaves_nothing_of_a_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.cli.live.TICK", 0.01)
    terminal = Terminal()
    line = LiveLine(terminal, "stars")
    line(Progress(0.0, 10**12, 10**11))
    wait_until(lambda: "1,000,000,000,000 stars" in terminal.screen()[0], "the longer line was shown")
    line(Progress(0.0, 1, 1))
    wait_until(lambda: terminal.screen()[0].endswith("1 stars  bound 1  gap 0.0 %"), "the shorter line was shown")
    line.close()


def test_a_line_is_never_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.cli.live.TICK", 0.01)
    monkeypatch.setenv("COLUMNS", "20")
    terminal = Terminal()
    line = LiveLine(terminal, "stars")
    line(Progress(0.0, 10**12, 10**11))
    wait_until(lambda: "gap" in terminal.getvalue(), "the line was shown")
    line.close()
    assert max(map(len, terminal.getvalue().split("\r"))) < 20


def test_closing_waits_for_a_slow_terminal() -> None:
    class Slow(Terminal):
        def write(self, text: str) -> int:
            time.sleep(0.2)
            return super().write(text)

    before = threading.active_count()
    line = LiveLine(Slow(), "stars")
    line.close()
    assert threading.active_count() == before


def test_a_terminal_that_is_gone_stops_the_line_and_nothing_else() -> None:
    class Gone(Terminal):
        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

    line = LiveLine(Gone(), "stars")
    line(Progress(0.0, 1, 1))
    line.close()


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (Progress(0.0, None, None), "3.0 s"),
        (Progress(0.0, None, None, "listing patterns"), "3.0 s  listing patterns"),
        (Progress(0.0, 54, None), "3.0 s  54 stars"),
        (Progress(0.0, None, 5), "3.0 s  bound 5"),
        (Progress(0.0, 54, 27), "3.0 s  54 stars  bound 27  gap 50.0 %"),
        (Progress(0.0, 0, 0), "3.0 s  0 stars  bound 0  gap 0.0 %"),
    ],
)
def test_progress_in_words(progress: Progress, text: str) -> None:
    assert progress_text(3.04, progress, "stars") == text


def test_only_a_terminal_and_only_if_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    with live("stars", quiet=False) as on_progress:
        assert isinstance(on_progress, PlainLines)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with live("stars", quiet=True) as on_progress:
        assert on_progress is None
    with live("stars", quiet=False) as on_progress:
        assert isinstance(on_progress, LiveLine)
    monkeypatch.setattr(sys, "stderr", None)
    with live("stars", quiet=False) as on_progress:
        assert on_progress is None


def test_the_line_is_erased_when_the_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    def work() -> None:
        with live("stars", quiet=False):
            wait_until(terminal.getvalue, "the line was shown")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        work()
    assert terminal.screen() == [""]
    assert os.linesep not in terminal.getvalue()


# ---- what is said ---------------------------------------------------------------------------------------------------------------

FAR = Progress(0.0, 18037, 17019, "raising the bound")


def test_what_matters_least_goes_first_on_a_narrow_terminal() -> None:
    lines = [progress_text(100, FAR, "stars", 3500, "-0.4/min", width) for width in range(120, 10, -1)]
    for line, width in zip(lines, range(120, 10, -1), strict=True):
        assert len(line) <= width
    said = list(dict.fromkeys(lines))
    assert said[0] == "100 s, 3500 left  18,037 stars  bound 17,019  gap 5.6 %, -0.4/min  raising the bound"
    at_80 = progress_text(100, FAR, "stars", 3500, "-0.4/min", 79)
    assert at_80 == "100 s, 3500 left  18,037  bound 17,019  gap 5.6 %, -0.4/min  raising the bound"
    gone = [next(i for i, line in enumerate(lines) if word not in line) for word in ("stars", "-0.4", "rais", "left")]
    assert gone == sorted(gone)
    assert "gap 5.6 %" in progress_text(100, FAR, "stars", 3500, "-0.4/min", 20)


def test_the_trend_is_of_the_last_minute_and_never_of_the_first() -> None:
    """A series as runs have it: the gap halves with every second at first, and then creeps."""
    trend, said = Trend(), {}
    assert trend.text() == ""
    for second in range(200):
        trend.note(second, None if second < 3 else max(Fraction(1, 2 ** (second - 2)), Fraction(200 - second, 6000)))
        said[second] = trend.text()
    assert {said[second] for second in range(120)} == {""}, "leaps of the first minute are no trend"
    assert {said[second] for second in range(120, 200)} == {"-1.0/min"}
    for second in range(200, 262):
        trend.note(second, Fraction(1, 6000))
    assert trend.text() == "steady"


class Set(Clock):
    """A clock that shows what it is set to."""

    now = 0.0

    def seconds(self) -> float:
        return self.now

    def left(self) -> float | None:
        return 100 - self.now


def test_a_pipe_gets_plain_lines_ever_more_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", lambda self: None)
    monkeypatch.setattr(threading.Thread, "join", lambda self: None)
    stream, clock = io.StringIO(), Set()
    lines = PlainLines(stream, "stars", clock)
    lines(FAR)
    shown = []
    for second in range(1500):
        clock.now = float(second)
        before = stream.getvalue()
        lines._show()
        if stream.getvalue() != before:
            shown.append(second)
    lines.close()
    assert shown == [10, 20, 40, 80, 160, 320, 620, 920, 1220]
    assert stream.getvalue().startswith("10 s, 90 left  18,037 stars  bound 17,019  gap 5.6 %  raising the bound\n")
    assert "\r" not in stream.getvalue()


@pytest.mark.usefixtures("weak_bound")
def test_solvers_say_what_they_are_at() -> None:
    said: list[str] = []
    for solver in ("sifting", "pattern/highs", "near-patterns"):
        ao.solve(
            ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)),
            solver,
            start=None,
            on_progress=lambda progress: said.append(progress.phase),
        )
    assert {"sifting", "listing patterns", "raising the bound", "building the model pattern"} <= set(said)
    assert any(phase.startswith("highs searches, ") for phase in said)
    assert "looking for near rows" in said


def test_a_title_loses_its_question_before_its_run() -> None:
    title = "run 2 of 6: mondrian, cell-suppression, 2-anonymity"
    assert progress_text(1, FAR, "stars", width=79, title=title) == (
        "run 2 of 6: mondrian  1.0 s  18,037  bound 17,019  gap 5.6 %"
    )
    assert progress_text(1, FAR, "stars", width=20, title=title) == "1.0 s  gap 5.6 %"


def test_a_comparison_shows_which_run_it_is_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("anoptima.cli.live.TICK", 0.01)
    (tmp_path / "t.csv").write_text("zip,age\n1,30\n1,31\n2,30\n2,31\n")
    command = ["compare", str(tmp_path / "t.csv"), "--quasi", "zip,age", "-k", "2", "--solvers", "peel,mondrian"]
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(command) == 0
    shown = terminal.getvalue()
    first, second = (f"\rrun {run}, cell-suppression, 2-anonymity  " for run in ("1 of 2: peel", "2 of 2: mondrian"))
    assert 0 <= shown.index(first) < shown.index(second)
    assert terminal.screen() == [""]
    monkeypatch.setattr(sys, "stderr", quiet := Terminal())
    assert main([*command, "--quiet"]) == 0
    assert quiet.getvalue() == ""
