"""The finds of a hunt: the worst question of each sort with its score, in a file from which a later hunt continues."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from anoptima.arguments import checked
from anoptima.documents.reading import local, read_document
from anoptima.documents.writing import atomic
from anoptima.exact import Exact, as_fraction, exact_plain, simplest
from anoptima.experiments.hunting.asked import Asked
from anoptima.experiments.hunting.ground import Subject
from anoptima.experiments.hunting.score import Score
from anoptima.packages import pd

SCHEMA = "anoptima/hunt/1"

Sort = tuple[tuple[str, int], ...]
"""Features of a subject, and whether a theorem covers it."""


@dataclass(frozen=True)
class Champion:
    """The worst of its sort: what it is, its score, what the theorem allows, and in which step of which seed it was found."""

    subject: Subject
    score: Score
    promised: Exact | None
    step: int
    seed: int

    @cached_property
    def sort(self) -> Sort:
        """What sort it is of."""
        return _sort(self.subject, self.promised)

    @cached_property
    def size(self) -> tuple[int, ...]:
        """What smaller ones have less of: rows times columns, then everything else."""
        numbers = tuple(self.subject.features().values())
        return (numbers[0] * numbers[1], *numbers)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            **self.subject.as_json(),
            "score": self.score.as_json(),
            "theorem": exact_plain(self.promised),
            "step": self.step,
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], asked: Asked) -> Champion:
        """Return the champion that `as_json` wrote, unchecked."""
        promised = None if data["theorem"] is None else simplest(as_fraction(data["theorem"], "a theorem"))
        return cls(asked.subject(data), Score.from_json(data["score"]), promised, int(data["step"]), int(data["seed"]))


@dataclass
class HuntArchive:
    """The champions of a hunt by their sorts, and how far the hunt has come.

    Attributes
    ----------
    quarry, seeks
        What was hunted, and what its score is, in words.
    asked
        The kind of problem, and its principle.
    steps
        How many questions have been scored.
    complete
        The sizes (rows, columns) of which every table was scored, up to symmetry and in the order of its canonical form.
    values
        How many values a column of those tables has at most.
    """

    quarry: str
    seeks: str
    asked: Asked
    steps: int = 0
    complete: list[tuple[int, int]] = field(default_factory=list)
    values: int = 0
    cells: dict[Sort, Champion] = field(default_factory=dict)
    _ranked: list[Champion] | None = field(default=None, repr=False)

    @property
    def champions(self) -> list[Champion]:
        """All champions, the worst first; of equal ones the smallest."""
        if self._ranked is None:
            ranked = sorted(self.cells.values(), key=lambda champion: champion.size)
            self._ranked = sorted(ranked, key=lambda champion: champion.score, reverse=True)
        return self._ranked

    @property
    def worst(self) -> Champion | None:
        """The smallest of the worst champions; None before anything has a score."""
        return next(iter(self.champions), None)

    def clear(self) -> list[Champion]:
        """Take out all champions, and return them."""
        known, self.cells, self._ranked = self.champions, {}, None
        return known

    def known(self, subject: Subject, promised: Exact | None) -> Score | None:
        """Return the best score of what is of the same sort."""
        champion = self.cells.get(_sort(subject, promised))
        return None if champion is None else champion.score

    def offer(self, champion: Champion) -> bool:
        """Take a champion in if it beats the one of its sort."""
        known = self.cells.get(champion.sort)
        if known is not None and not champion.score > known.score:
            return False
        self.cells[champion.sort] = champion
        self._ranked = None
        return True

    def frame(self) -> pd.DataFrame:
        """Return the champions as a table, the worst first."""
        rows = [
            {
                **champion.subject.features(),
                "of": exact_plain(champion.score.of),
                "over": exact_plain(champion.score.over),
                "score": None if champion.score.value is None else float(champion.score.value),
                "theorem": None if champion.promised is None else float(champion.promised),
                "step": champion.step,
                "seed": champion.seed,
            }
            for champion in self.champions
        ]
        return pd.DataFrame(rows)

    def text(self) -> str:
        """Return everything as JSON, a line for each champion."""
        head = {
            "schema": SCHEMA,
            "quarry": self.quarry,
            "seeks": self.seeks,
            "asked": self.asked.as_json(),
            "steps": self.steps,
            "values": self.values,
            "complete": [list(size) for size in self.complete],
        }
        lines = ",\n".join(json.dumps(champion.as_json()) for champion in self.champions)
        return f'{json.dumps(head)[:-1]}, "champions": [\n{lines}\n]}}\n'

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> HuntArchive:
        """Return the archive that `text` wrote. Nothing of it has been checked; a hunt scores its champions again before it goes on."""
        asked = Asked.from_json(data["asked"])
        complete = [(int(rows), int(columns)) for rows, columns in data["complete"]]
        archive = cls(data["quarry"], data["seeks"], asked, int(data["steps"]), complete, int(data["values"]))
        for entry in data["champions"]:
            archive.offer(Champion.from_json(entry, asked))
        return archive

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the archive as JSON, or its champions as CSV if the name ends in .csv."""
        target = local(path)
        with atomic(target) as stream:
            stream.write((self._csv() if target.suffix == ".csv" else self.text()).encode())

    def _csv(self) -> str:
        text = io.StringIO()
        frame = self.frame()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*frame.columns, "subject"])
        for row, champion in zip(frame.astype(object).values.tolist(), self.champions, strict=True):
            writer.writerow([*row, json.dumps(champion.subject.as_json())])
        return text.getvalue()


@checked
def read_archive(path: str | os.PathLike[str]) -> HuntArchive:
    """Return the archive in a file that `HuntArchive.save` wrote.

    >>> import tempfile
    >>> import anoptima as ao
    >>> file = tempfile.NamedTemporaryFile(suffix=".json")
    >>> found = ao.hunt("clustering", sizes=ao.HuntSizes(rows=4, columns=1), limits=ao.HuntLimits(steps=30))
    >>> found.save(file.name)
    >>> ao.read_archive(file.name).worst.score == found.worst.score
    True
    """
    return read_document(path, SCHEMA, "archive of a hunt", HuntArchive.from_json)


def _sort(subject: Subject, promised: Exact | None) -> Sort:
    return (*subject.features().items(), ("theorem", int(promised is not None)))
