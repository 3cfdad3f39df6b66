from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path
from typing import IO

import pytest

from anoptima.documents.writing import FULL, Lock, atomic, require_room, write_each
from anoptima.errors import BadInput, NotWritten


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    with atomic(path) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
        stream.write(b" whole")
    assert path.read_bytes() == b"half whole"
    assert names_in(tmp_path) == ["r.csv"]


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt(), ValueError("bug")], ids=repr)
def test_a_failure_midway_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "r.csv"
    path.write_text("old")

    def write() -> None:
        with atomic(path) as stream:
            stream.write(b"new")
            raise error

    with pytest.raises(type(error)):
        write()
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["r.csv"]


def test_a_rename_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("old")

    def refuse(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="Input/output error"), atomic(path) as stream:
        stream.write(b"new")
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["r.csv"]


def test_the_new_file_is_on_the_disk_before_it_takes_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def noted_sync(handle: int) -> None:
        done.append("synced")
        sync(handle)

    def noted_replace(self: Path, target: Path) -> Path:
        done.append("renamed")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    with atomic(tmp_path / "r.csv") as stream:
        stream.write(b"new")
    assert done == ["synced", "renamed", "synced"]


def test_permissions_are_those_of_the_old_file_or_of_any_new_one(tmp_path: Path) -> None:
    old, plain, new = tmp_path / "old", tmp_path / "plain", tmp_path / "new"
    old.write_text("old")
    old.chmod(0o640)
    plain.write_text("")
    for path in (old, new):
        with atomic(path) as stream:
            stream.write(b"new")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == plain.stat().st_mode


def test_a_link_keeps_pointing_where_it_did(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    target, link = tmp_path / "deep" / "r.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    with atomic(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with atomic(pipe) as stream:
        stream.write(b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_room_is_asked_for_beforehand(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("a\n")
    (tmp_path / "same.csv").symlink_to(tmp_path / "table.csv")
    require_room(tmp_path / "new.csv", "release", never=tmp_path / "table.csv")
    with pytest.raises(BadInput, match="is a folder; the release must go into a file"):
        require_room(tmp_path, "release")
    with pytest.raises(BadInput, match=r"nowhere/r\.csv: there is no folder .*nowhere to write the release to"):
        require_room(tmp_path / "nowhere" / "r.csv", "release")
    with pytest.raises(BadInput, match=r"same\.csv is the table itself; give the release another name"):
        require_room(tmp_path / "same.csv", "release", never=tmp_path / "table.csv")


def test_a_folder_that_does_not_allow_writing_is_refused_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(BadInput, match="does not allow writing, and the answer is to go there"):
        require_room(tmp_path / "answer.json", "answer")


def fill(stream: IO[bytes]) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_what_cannot_be_written_is_named_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(NotWritten) as caught, atomic(tmp_path / "r.csv") as stream:
        fill(stream)
    assert str(caught.value) == f"{tmp_path / 'r.csv'} could not be written: there is no space left on its disk"
    with (
        pytest.raises(NotWritten, match=r"gone/r\.csv could not be written: No such file or directory"),
        atomic(tmp_path / "gone" / "r.csv"),
    ):
        pass
    with pytest.raises(FileNotFoundError, match="other"), atomic(tmp_path / "r.csv"):
        (tmp_path / "other").read_text()
    assert names_in(tmp_path) == []


def test_of_several_files_those_are_written_that_can_be(tmp_path: Path) -> None:
    (tmp_path / "plot").write_text("old")
    failed = write_each(
        {
            "release": (tmp_path / "release", lambda stream: stream.write(b"new")),
            "plot": (tmp_path / "plot", fill),
            "answer": (tmp_path / "gone" / "answer", lambda stream: stream.write(b"new")),
        }
    )
    assert {what: type(why) for what, why in failed.items()} == {"plot": NotWritten, "answer": NotWritten}
    assert (tmp_path / "release").read_text() == "new"
    assert (tmp_path / "plot").read_text() == "old"
    assert names_in(tmp_path) == ["plot", "release"]


def test_what_could_not_be_written_leaves_its_room_to_the_next_file(tmp_path: Path) -> None:
    there: list[str] = []
    failed = write_each(
        {
            "release": (tmp_path / "release", fill),
            "answer": (tmp_path / "answer", lambda stream: there.extend(names_in(tmp_path))),
        }
    )
    assert list(failed) == ["release"]
    assert len(there) == 1
    assert there[0].startswith(".answer.")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_folder_that_is_full_names_the_reason(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, "in the words of the system")

    monkeypatch.setattr(Path, "replace", refuse)
    failed = write_each({"release": (tmp_path / "r.csv", lambda stream: stream.write(b"new"))})
    assert str(failed["release"]) == f"{tmp_path / 'r.csv'} could not be written: {FULL[number]}"
    assert names_in(tmp_path) == []


def test_an_interrupt_leaves_all_of_the_old_files(tmp_path: Path) -> None:
    def interrupt(_: IO[bytes]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_each(
            {"a": (tmp_path / "a", lambda stream: stream.write(b"new")), "b": (tmp_path / "b", interrupt)},
        )
    assert names_in(tmp_path) == []


def test_one_process_has_a_lock_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    first = Lock(path)
    with pytest.raises(BadInput, match=r"run\.json is being written by another run; wait for its end"):
        Lock(path)
    first.release()
    second = Lock(path)
    first.release()
    with pytest.raises(BadInput, match="is being written"):
        Lock(path)
    second.release()
    assert names_in(tmp_path) == []


def test_without_room_for_a_lock_there_is_none(tmp_path: Path) -> None:
    Lock(tmp_path / "gone" / "run.json").release()
