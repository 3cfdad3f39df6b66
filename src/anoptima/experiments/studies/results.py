"""What the runs of a study have left, read once: their records, the table of them, and what their releases star and group."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.experiments.studies.frame import SOLVED, Known, frame_of, known_of, question_of, run_of, solver_of
from anoptima.experiments.studies.store import Store
from anoptima.packages import pd
from anoptima.table import STAR

RELEASE = "release.csv"
"""The name under which a run leaves its release."""


@dataclass(frozen=True)
class Released:
    """A release, as far as two are compared by it."""

    digest: str
    groups: bytes
    """The number of each row's group, in order of appearance, as int32: equal partitions are equal here."""

    starred: Mapping[str, float]
    """The share of each quasi-identifying column's cells that are starred."""


class StudyResults:
    """What is in a study's folder when it is first asked for; it is read once, and runs that end later are not seen.

    Whatever takes a study's folder takes its results too, which saves reading thousands of files again for each picture.

    >>> import tempfile
    >>> import anoptima as ao
    >>> folder = tempfile.mkdtemp()
    >>> runs = ao.run_study(ao.Study("small", instances=("ten-rows-k3",), solvers=("peel",), seconds=(60.0,)), folder)
    >>> results = ao.StudyResults(folder)
    >>> len(results.records), results.frame["cost"].tolist()
    (1, ['58'])
    """

    @checked
    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise BadInput(f"there is no folder {folder}; it must be the folder of a study that was run")
        self._store = Store(self.folder)

    @classmethod
    @checked
    def of(cls, source: str | Path | StudyResults) -> StudyResults:
        """Return the results that are given, or those of a folder."""
        return source if isinstance(source, StudyResults) else cls(source)

    @property
    def files(self) -> Path:
        """Where releases and proofs are, by digest."""
        return self._store.files

    @cached_property
    def records(self) -> Sequence[Mapping[str, Any]]:
        """The records of all runs, in the order of their keys; of one that was made again with other versions or memory, the newest.

        No two questions share a name: a table that was changed is numbered, as another one, 'patients k=2 (2)'.
        """
        newest: dict[str, Mapping[str, Any]] = {}
        for record in sorted(self._store.records(), key=lambda record: str(record.get("began", ""))):
            newest[run_of(record)] = record
        return tuple(sorted(_told_apart(newest.values()), key=lambda record: str(record["key"])))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The records as a table, a row a run; see `study_frame`."""
        return frame_of(self.records, self.known)

    @cached_property
    def known(self) -> Known:
        """The best bound that has a checked proof, and the best cost, for each question."""
        return known_of(self.records)

    @cached_property
    def releases(self) -> Sequence[tuple[Mapping[str, Any], Released]]:
        """Runs' records and releases, without those of solvers that lied. Takes time linear in the cells of different ones."""
        return tuple(self._releases())

    def _releases(self) -> Iterator[tuple[Mapping[str, Any], Released]]:
        read: dict[tuple[str, tuple[str, ...]], Released] = {}
        liars = {solver_of(record) for record in self.records if record["status"] == "lied"}
        for record in self.records:
            digest = record.get("files", {}).get(RELEASE)
            if digest is not None and record["status"] in SOLVED and solver_of(record) not in liars:
                quasi = tuple(record["quasi"])
                if (digest, quasi) not in read:
                    read[digest, quasi] = _released(digest, self._store.content(digest), quasi)
                yield record, read[digest, quasi]


@checked
def study_frame(folder: str | Path | StudyResults) -> pd.DataFrame:
    """Return the records of a study's folder as a table, a row a run. A solver with options is another than without: 'peel (option=value)'.

    Costs and bounds are exact texts ('54', '20/3') in `cost` and `bound`; `ratio_low` and `ratio_high` say what cost / optimum is at least
    and at most: the optimum lies between the best bound that is proved and the best cost that is known for the question, over the whole
    study and in the library's record. Where they are equal, the ratio is the true one. Runs that failed have none. `repeats` is the key of
    a run under a shorter limit that stands for this one.

    >>> import anoptima as ao, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = ao.run_study(ao.Study("small", instances=("ten-rows-k3",), solvers=("peel",), seconds=(5.0,)), folder)
    >>> study_frame(folder)[["solver", "cost", "ratio_low", "ratio_high"]].round(3).values.tolist()
    [['peel', '58', 1.074, 1.074]]
    """
    return StudyResults.of(folder).frame


def _told_apart(records: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield records under names that no two questions share; of several that do, the earlier keeps it."""
    asked: dict[str, str] = {}
    taken: set[str] = set()
    for record in records:
        question, name = question_of(record), str(record["task"]["name"])
        if question not in asked:
            numbered = (f"{name} ({number})" for number in itertools.count(2))
            asked[question] = next(one for one in itertools.chain([name], numbered) if one not in taken)
            taken.add(asked[question])
        yield {**record, "task": {**record["task"], "name": asked[question]}}


def _released(digest: str, content: bytes, quasi: Sequence[str]) -> Released:
    cells = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)[list(quasi)]
    groups = cells.groupby(list(quasi), sort=False).ngroup().to_numpy() if quasi else np.zeros(len(cells))
    return Released(
        digest, groups.astype(np.int32).tobytes(), {name: float((cells[name] == STAR).mean()) for name in quasi}
    )
