from __future__ import annotations

import io
import os
import sys
import threading
import time
from fractions import Fraction

import pytest

from anoptima.answer import Progress
from anoptima.cli.live import LiveLine, live, progress_text
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
    before = threading.active_count()
    line = LiveLine(terminal, "stars")
    line(Progress(0.0, Fraction(161, 3), 51))
    wait_until(lambda: "best 161/3 stars  bound 51" in terminal.screen()[0], "the line was shown")
    shown = terminal.getvalue().count("\r")
    wait_until(lambda: terminal.getvalue().count("\r") > shown + 3, "the line ticked")
    assert "\n" not in terminal.getvalue()
    line.close()
    assert terminal.screen() == [""]
    assert threading.active_count() == before, "nobody is left to write"


def test_a_shorter_line_leaves_nothing_of_a_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.cli.live.TICK", 0.01)
    terminal = Terminal()
    line = LiveLine(terminal, "stars")
    line(Progress(0.0, 10**12, 10**11))
    wait_until(lambda: "1000000000000 stars" in terminal.screen()[0], "the longer line was shown")
    line(Progress(0.0, 1, 1))
    wait_until(lambda: terminal.screen()[0].endswith("best 1 stars  bound 1  gap 0.0 %"), "the shorter line was shown")
    line.close()


def test_a_line_is_never_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.cli.live.TICK", 0.01)
    monkeypatch.setenv("COLUMNS", "20")
    terminal = Terminal()
    line = LiveLine(terminal, "stars")
    line(Progress(0.0, 10**12, 10**11))
    wait_until(lambda: "best" in terminal.getvalue(), "the line was shown")
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
        (Progress(0.0, None, None), "    3.0 s"),
        (Progress(0.0, 54, None), "    3.0 s  best 54 stars"),
        (Progress(0.0, None, 5), "    3.0 s  bound 5"),
        (Progress(0.0, 54, 27), "    3.0 s  best 54 stars  bound 27  gap 50.0 %"),
        (Progress(0.0, 0, 0), "    3.0 s  best 0 stars  bound 0  gap 0.0 %"),
    ],
)
def test_progress_in_words(progress: Progress, text: str) -> None:
    assert progress_text(3.04, progress, "stars") == text


def test_only_a_terminal_and_only_if_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    with live("stars", quiet=False) as on_progress:
        assert on_progress is None
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
