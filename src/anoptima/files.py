"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from anoptima.errors import BadInput
from anoptima.inputs import local


def require_room(path: Path, what: str, *, never: Path | None = None) -> None:
    """Refuse a path that could not be written in the end, before hours go into what is to be written there.

    `never` is a file that must not be overwritten: the input.
    """
    local(path)
    folder = path.parent
    if path.is_dir():
        raise BadInput(f"{path} is a folder; the {what} has to go into a file")
    if not folder.is_dir():
        raise BadInput(f"{path}: there is no folder {folder} to write the {what} to")
    if not os.access(folder, os.W_OK):
        raise BadInput(f"{path}: the folder {folder} does not allow writing, and the {what} is to go there")
    if never is not None and path.exists() and never.exists() and path.samefile(never):
        raise BadInput(f"{path} is the table itself; give the {what} another name")


def refuse_shared(targets: Mapping[str, Path | None]) -> None:
    """Refuse one file for two things, by what is to go there.

    >>> refuse_shared({"release": Path("a.csv"), "answer": None, "plot": Path("./a.csv")})
    Traceback (most recent call last):
    anoptima.errors.BadInput: a.csv is to hold both the release and the plot; give them two names
    """
    taken: dict[str, str] = {}
    for what, path in targets.items():
        if path is None:
            continue
        other = taken.setdefault(os.path.realpath(path), what)
        if other != what:
            raise BadInput(f"{path} is to hold both the {other} and the {what}; give them two names")


@contextlib.contextmanager
def atomic(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that takes the place of `path` once the block has ended well, and leaves no trace if it has not.

    The new file lies in the same folder until then and is on the disk before it is renamed, so a reader, a crash or a full disk
    sees the old file or the new one. A link keeps pointing where it did. What is no ordinary file, such as a pipe, is written as it is.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            yield stream
        return
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as stream:
            if target.exists():
                os.fchmod(stream.fileno(), target.stat().st_mode & 0o777)
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the renaming itself last. Not every file system can, and then it is no worse than without."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
