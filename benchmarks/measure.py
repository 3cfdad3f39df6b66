"""What benchmarks share: measuring, and printing a table."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import ModuleType

from anoptima.answer import RunRecord
from anoptima.machine import Measured

__all__ = ["MIB", "Measured", "code_of", "peak_text", "print_table", "setup_text"]

MIB = 2**20


def code_of(*packages: ModuleType) -> str:
    """Return a digest of the code of packages: what one version of it came to says nothing about another.

    >>> from anoptima.solvers.exact import sifting
    >>> len(code_of(sifting))
    12
    """
    files = [file for package in packages for file in sorted(Path(package.__path__[0]).rglob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


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
