"""The corpus of wrong proofs: files about `wrong/table.csv`, those of boxes about `wrong/points.csv`, or a table of the file's own name.

Each has one thing wrong with it.

A file's name begins with the verdict that it must get from `check_anoptima.py` and from `check.js`, and its `about` says why. anoptima's
own checker refuses it, too; where `about` says that it accepts, the fault is one of form alone, and what it proves is true.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import anoptima as ao
from anoptima.proofs import check_anoptima

FOLDER = Path(__file__).with_name("wrong")
TABLE, POINTS = FOLDER / "table.csv", FOLDER / "points.csv"
CODES = {"rejected": 1, "malformed": 3, "unknown version": 4, "beyond the limits": 5}


@dataclass(frozen=True)
class WrongProof:
    """A file, the verdict that it must get, and whether anoptima's own checker looks past its form."""

    path: Path
    verdict: str
    is_accepted: bool

    @property
    def table(self) -> Path:
        """The table that it is about."""
        own = self.path.with_suffix(".csv")
        return own if own.is_file() else POINTS if "-box-" in self.path.stem else TABLE


def wrong_proofs() -> list[WrongProof]:
    """Return the whole corpus, by name."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        verdict = next(words for words in CODES if path.stem.startswith(words.replace(" ", "-")))
        found.append(WrongProof(path, verdict, b'"anoptima": "accepts"' in path.read_bytes()))
    return found


def verdict_of(wrong: WrongProof) -> str:
    """Return what `check_anoptima.py` says of a file."""
    try:
        check_anoptima.check(str(wrong.table), str(wrong.path))
    except check_anoptima.Refused as refused:
        return refused.verdict.lower()
    return "verified"


def own_verdict(wrong: WrongProof) -> str:
    """Return what anoptima's own checker says of a file."""
    try:
        read = ao.read_proof(wrong.path)
        table = ao.Table.read_csv(wrong.table, read.quasi, read.sensitive, weights=dict(read.weights))
        read.proved(read.problem_on(table))
    except ao.AnoptimaError:
        return "rejected"
    return "verified"
