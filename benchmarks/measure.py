"""What benchmarks share: measuring, and printing a table."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from anoptima.answer import RunRecord
from anoptima.machine import Measured

__all__ = ["MIB", "Kept", "Measured", "code_of", "peak_text", "print_table", "setup_text"]

MIB = 2**20


def code_of(*packages: ModuleType) -> str:
    """Return a digest of the code of packages: what one version of it came to says nothing about another.

    >>> from anoptima.solvers.exact import sifting
    >>> len(code_of(sifting))
    12
    """
    files = [file for package in packages for file in sorted(Path(package.__path__[0]).rglob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


class Kept:
    """What runs have come to, a line of JSON each, beside what they were asked: a study that is begun again goes on from there.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for bound in (54, 53):
    ...         print(Kept(Path(folder) / "runs.jsonl").of({"rows": 10}, lambda: {"bound": bound})["bound"])
    54
    54
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        self._lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def of(self, asked: Mapping[str, object], make: Callable[[], dict[str, float]]) -> dict[str, Any]:
        """Return what is asked and what a run has come to; it is made, said and kept if there is none."""
        for known in self._lines:
            if asked.items() <= known.items():
                return known  # type: ignore[no-any-return]
        found = {**asked, **make()}
        self._lines.append(found)
        with self._file.open("a") as file:
            file.write(json.dumps(found) + "\n")
        print(json.dumps(found), file=sys.stderr, flush=True)
        return found


def peak_text(measured: Measured) -> str:
    """Return the peak in MiB."""
    return "unknown" if measured.peak is None else f"{measured.peak / MIB:,.0f} MiB"


def setup_text(run: RunRecord) -> str:
    """Return the seconds that a run spent before it solved anything, and whether its loops ran compiled if it has any.

    >>> from anoptima.answer import Budget, Compiled
    >>> setup_text(RunRecord("sifting", Budget(), {}, 9.0, prepare_seconds=0.5, compiled=Compiled(0.0)))
    '0.5, compiled: yes'
    """
    compiled = "" if run.compiled is None else f", compiled: {run.compiled}"
    return f"{run.setup_seconds:.1f}{compiled}"


def print_table(headings: list[str], rows: list[list[str]]) -> None:
    """Print columns, as wide as they must be, the first to the left and the others to the right."""
    widths = [max(len(row[c]) for row in [headings, *rows]) for c in range(len(headings))]
    for row in [headings, ["-" * width for width in widths], *rows]:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(cells).rstrip())
