"""How long something takes and how much memory it needs at its peak."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Self

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
MIB = 2**20


class Measured:
    """Within the context, `seconds` and `peak` run: wall-clock time, and bytes of this process above those it began with.

    Linux alone tells the peak of a stretch; elsewhere `peak` is None.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.peak: int | None = None

    def __enter__(self) -> Self:
        if _CLEAR.exists():
            _CLEAR.write_text("5")
        self._before = _status("VmRSS")
        self._began = time.perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.seconds = time.perf_counter() - self._began
        most = _status("VmHWM")
        if most is not None and self._before is not None:
            self.peak = max(0, most - self._before)

    @property
    def peak_text(self) -> str:
        """The peak in MiB."""
        return "unknown" if self.peak is None else f"{self.peak / MIB:,.0f} MiB"


def _status(field: str) -> int | None:
    if not _STATUS.exists():
        return None
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(f"{field}:"))
    return int(line.split()[1]) * 1024


def print_table(headings: list[str], rows: list[list[str]]) -> None:
    """Print columns, as wide as they have to be, the first to the left and the others to the right."""
    widths = [max(len(row[c]) for row in [headings, *rows]) for c in range(len(headings))]
    for row in [headings, ["-" * width for width in widths], *rows]:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(cells).rstrip())
