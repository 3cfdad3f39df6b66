"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from anoptima.documents.reading import local
from anoptima.errors import AnoptimaError, BadInput, NotWritten

Writer = Callable[[IO[bytes]], object]
"""What writes a file's content into an open stream."""
_STREAM = "-"
"""What stands for a standard stream among the names of files."""


def require_room(path: Path, what: str, *, never: Path | None = None) -> None:
    """Refuse a path that could not be written in the end, before hours go into what is to be written there.

    `never` is a file that must not be overwritten: the input.
    """
    local(path)
    folder = path.parent
    if path.is_dir():
        raise BadInput(f"{path} is a folder; the {what} must go into a file")
    if not folder.is_dir():
        raise BadInput(f"{path}: there is no folder {folder} to write the {what} to")
    if not os.access(folder, os.W_OK):
        raise BadInput(f"{path}: the folder {folder} does not allow writing, and the {what} is to go there")
    if never is not None and path.exists() and never.exists() and path.samefile(never):
        raise BadInput(f"{path} is the table itself; give the {what} another name")


def refuse_shared(
    targets: Mapping[str, str | Path | None], inputs: Mapping[str, str | Path | None] | None = None
) -> None:
    """Refuse one file for two things, by what is to go there, and a file in the place of an input. Pipes and terminals take anything.

    >>> refuse_shared({"release": Path("a.csv"), "answer": None, "plot": Path("./a.csv")})
    Traceback (most recent call last):
    anoptima.errors.BadInput: a.csv is to hold both the release and the plot; give them two names
    >>> refuse_shared({"page": "a.json"}, {"proof": "a.json"})
    Traceback (most recent call last):
    anoptima.errors.BadInput: a.json is the proof itself; give the page another name
    """
    read = {os.path.realpath(path): what for what, path in (inputs or {}).items() if path is not None}
    taken: dict[str, str] = {}
    for what, path in targets.items():
        if path is None or str(path) == _STREAM or (Path(path).exists() and not Path(path).is_file()):
            continue
        real = os.path.realpath(path)
        if real in read:
            raise BadInput(f"{path} is the {read[real]} itself; give the {what} another name")
        other = taken.setdefault(real, what)
        if other != what:
            raise BadInput(f"{path} is to hold both the {other} and the {what}; give them two names")


class _Draft:
    """A new file beside the one whose place it takes, or is not to take. What is no ordinary file, such as a pipe, is written as it is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._target = Path(os.path.realpath(path))
        self.is_done = False
        self._is_new = self._target.is_file() or not self._target.exists()
        target = self._target
        self._draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}") if self._is_new else target
        with self.told():
            self.stream = self._draft.open("xb" if self._is_new else "wb")
            if self._is_new and target.exists():
                os.fchmod(self.stream.fileno(), target.stat().st_mode & 0o777)

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Let what goes wrong name the file that was to be written; what goes wrong with another file says so itself."""
        try:
            yield
        except NotWritten:
            raise
        except OSError as error:
            if error.filename is not None and os.fspath(error.filename) != os.fspath(self._draft):
                raise
            raise not_written(self._path, error) from None

    def settle(self) -> None:
        """Bring the file onto the disk, where it waits."""
        with self.told(), self.stream as stream:
            stream.flush()
            if self._is_new:
                os.fsync(stream.fileno())

    def place(self) -> None:
        """Let the file take its place."""
        if self._is_new:
            with self.told():
                self._draft.replace(self._target)
            _sync_folder(self._target.parent)

    def discard(self) -> None:
        """Leave no trace of the file."""
        with contextlib.suppress(OSError):
            self.stream.close()
        if self._is_new:
            with contextlib.suppress(OSError):
                self._draft.unlink(missing_ok=True)


FULL = {
    errno.ENOSPC: "there is no space left on its disk",
    errno.EDQUOT: "the quota on its disk is used up",
    errno.EFBIG: "it would be larger than a file may be here (ulimit -f)",
}
"""What keeps a file from being written whole, by the number of the error."""


def not_written(path: str | os.PathLike[str], error: OSError) -> NotWritten:
    """Return the error that names the file that could not be written, and why.

    >>> print(not_written("release.csv", OSError(errno.ENOSPC, "No space left on device")))
    release.csv could not be written: there is no space left on its disk
    """
    return NotWritten(f"{path} could not be written: {FULL.get(error.errno or 0, error.strerror or error)}")


@contextlib.contextmanager
def atomic(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that takes the place of `path` once the block has ended well, and leaves no trace if it has not.

    The new file lies in the same folder until then and is on the disk before it is renamed, so a reader, a crash or a full disk
    sees the old file or the new one. A link keeps pointing where it did. What is no ordinary file, such as a pipe, is written as it is.
    `NotWritten` says why where it cannot be written.
    """
    draft = _Draft(path)
    try:
        with draft.told():
            yield draft.stream
        draft.settle()
        draft.place()
    except BaseException:
        draft.discard()
        raise


def write_each(files: Mapping[str, tuple[Path, Writer]]) -> dict[str, Exception]:
    """Write several files, by what they are, each whole or not at all; return why some could not be written.

    All are on the disk before the first takes its place, so whoever interrupts this finds all of the old ones.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> files = {"a": (folder / "a", lambda stream: stream.write(b"1")), "b": (folder / "gone" / "b", lambda stream: None)}
    >>> sorted(write_each(files)), (folder / "a").read_bytes()
    (['b'], b'1')
    """
    drafts: dict[str, _Draft] = {}
    failed: dict[str, Exception] = {}
    try:
        for what, (path, write) in files.items():
            try:
                draft = drafts[what] = _Draft(path)
                with draft.told():
                    write(draft.stream)
                draft.settle()
            except (OSError, MemoryError, AnoptimaError) as error:
                failed[what] = error
                if what in drafts:
                    # At once: there may be room for the next file in its place.
                    drafts.pop(what).discard()
        for what, draft in drafts.items():
            try:
                draft.place()
            except OSError as error:
                failed[what] = error
            else:
                draft.is_done = True
    finally:
        for draft in drafts.values():
            if not draft.is_done:
                draft.discard()
    return failed


def to_json(document: Any, *, ascii_only: bool = False) -> str:
    """Write plain data as JSON; values that JSON has no word for as the text that `str` gives."""
    return json.dumps(document, indent=2, ensure_ascii=ascii_only, default=str)


class Lock:
    """The right to write a file that one process has at a time; `BadInput` if another has it, unless one waits. It ends with the process.

    A file beside it, which is gone afterwards, is what is locked: the file itself is replaced by every writing. Where a file system knows
    no locks, everybody has the right.
    """

    def __init__(self, path: Path, *, wait: bool = False) -> None:
        target = Path(os.path.realpath(path))
        self._path = target.with_name(f".{target.name}.lock")
        self._stream: IO[str] | None = None
        try:
            import fcntl

            while not self._is_there():
                self._forget()
                self._stream = self._path.open("a")
                fcntl.flock(self._stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            self._forget()
            raise BadInput(f"{path} is being written by another run; wait for its end, or name another file") from None
        except (ImportError, OSError):
            self._forget()

    def _is_there(self) -> bool:
        """Tell whether what is locked still has its name: a run that ended may have taken it away meanwhile."""
        if self._stream is None:
            return False
        try:
            return os.path.samestat(os.fstat(self._stream.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def _forget(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def release(self) -> None:
        """Give the right back."""
        if self._stream is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()
            self._forget()

    def __del__(self) -> None:
        self.release()


def _sync_folder(folder: Path) -> None:
    """Make the renaming itself last. Not every file system can, and then it is no worse than without."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
