"""Where results go: standard output, or files; the outcome names them and says what they replaced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from anoptima.cli.tables import DASH
from anoptima.documents.writing import require_room
from anoptima.errors import BadInput

STDOUT = Path(DASH)
"""What stands for standard output among paths."""


def output_target(given: str | None, what: str, *, never: str, as_json: bool = False) -> Path | None:
    """Return where `what` is to go, once it could be written there; None if nobody asked for it. `never` is the table's file."""
    if given is None:
        return None
    if given == DASH:
        if as_json:
            raise BadInput(f"--json and -o - both want standard output; write the {what} to a file")
        return STDOUT
    return file_target(given, what, never=never)


def file_target(given: str | None, what: str, *, never: str) -> Path | None:
    """Return the file that `what` is to go to, once it could be written there; None if nobody asked for it."""
    if given is None:
        return None
    if given == DASH:
        raise BadInput(f"the {what} goes into a file, not to standard output; give a name")
    path = Path(given)
    require_room(path, what, never=None if never == DASH else Path(never))
    return path


class Replaced:
    """The files that were there before a command wrote them. Made before writing."""

    def __init__(self, targets: Mapping[str, Path | None]) -> None:
        self._there = {path for path in targets.values() if path is not None and path != STDOUT and path.is_file()}

    def among(self, written: Iterable[Path]) -> list[str]:
        """Return which of the files that were written took another one's place, sorted."""
        return sorted(str(path) for path in written if path in self._there)

    def place(self, path: Path) -> str:
        """Name a file that was written, and say that it took another one's place, if so."""
        return f"{path}, which was there and was replaced" if path in self._there else str(path)
