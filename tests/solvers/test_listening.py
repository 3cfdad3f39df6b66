"""What `solve` hears of a run, event by event."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from anoptima.answer import (
    BoundRaised,
    Finished,
    Incumbent,
    Log,
    Origin,
    Phase,
    Progress,
    Started,
    StillRunning,
    Stop,
    wants_log,
)
from anoptima.errors import BadInput
from anoptima.solvers.listening import Hearing, written_to


def test_progress_says_where_a_run_stands_after_each_event() -> None:
    told: list[Progress] = []
    hearing = Hearing(told.append, None, "auto")
    hearing.begin("sifting", 2.0, "the start")
    for event in (
        Started(0.0, "sifting"),
        Incumbent(1.0, 54, "a solution"),
        BoundRaised(2.0, 50),
        Phase(3.0, "it searches"),
        StillRunning(4.0),
        Finished(5.0, Stop.PROVED),
    ):
        assert hearing(event) is False
    assert [(one.seconds, one.cost, one.bound, one.phase, one.solution()) for one in told] == [
        (2.0, None, None, "sifting", "the start"),
        (3.0, 54, None, "sifting", "a solution"),
        (4.0, 54, 50, "sifting", "a solution"),
        (5.0, 54, 50, "it searches", "a solution"),
        (6.0, 54, 50, "it searches", "a solution"),
    ]
    assert hearing.bound is not None
    assert (hearing.bound.value, hearing.bound.origin, hearing.bound.by) == (50, Origin.BACKEND, "sifting")


def test_only_true_ends_a_run() -> None:
    for said, ends in ((None, False), (False, False), (True, True)):
        assert Hearing(lambda progress, said=said: said, None, "auto")(StillRunning(0.0)) is ends  # type: ignore[misc]
    assert Hearing(None, None, "auto")(StillRunning(0.0)) is False


def test_lines_of_a_log_are_wanted_where_they_are_written() -> None:
    stream = io.StringIO()
    hearing = Hearing(None, stream, "auto")
    assert wants_log(hearing)
    assert not wants_log(Hearing(None, None, "auto"))
    assert hearing(Log(0.0, "one")) is False
    stream.close()
    hearing(Log(0.0, "two"))
    assert hearing.notes == ("the log could not be written to its end: I/O operation on closed file",)
    assert not wants_log(hearing)


def test_a_file_holds_each_line_at_once_and_is_closed_and_a_stream_is_left_open(tmp_path: Path) -> None:
    with written_to(tmp_path / "log") as stream:
        assert stream is not None
        stream.write("one\n")
        assert (tmp_path / "log").read_text() == "one\n"
    assert stream.closed  # type: ignore[attr-defined]
    mine = io.StringIO()
    with written_to(mine) as given:
        assert given is mine
    assert not mine.closed
    with written_to(None) as nothing:
        assert nothing is None
    with pytest.raises(BadInput, match=r"nowhere: No such file or directory"), written_to(tmp_path / "no" / "nowhere"):
        pass
