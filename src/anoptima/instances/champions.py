"""The library's champions: small questions with the worst ratio that a hunt has found for a solver.

`data/champions.json` has one line for each: the solver, the question, its table or points, and the command that found it. What they
are worth is computed: `anoptima hunt --known` solves them again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from anoptima.documents.reading import read_document
from anoptima.errors import NotApplicable
from anoptima.instances.numbered import QUESTIONS, numbered_table, quarter_points
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.principles.principle import principle_from_json
from anoptima.problems.base import Problem

SCHEMA = "anoptima/champions/1"

_WORDS = {
    "cell-suppression": "",
    "diameter-sum": "diameters-",
    "attribute-suppression": "columns-",
    "identifying-columns": "key-",
    "fake-points": "points-",
}


@dataclass(frozen=True)
class KnownChampion:
    """A question on which a solver is bad, as it lies in the file."""

    data: Mapping[str, Any]

    @property
    def solver(self) -> str:
        """Whose it is."""
        return str(self.data["solver"])

    @property
    def kind(self) -> str:
        """The kind of problem."""
        return str(self.data["asked"]["problem"])

    @property
    def found_by(self) -> str:
        """The command that found it."""
        return str(self.data["found"])

    @property
    def principle(self) -> Principle | None:
        """What is asked."""
        asked = self.data["asked"]["principle"]
        return None if asked is None else principle_from_json(asked)

    @property
    def rows(self) -> int:
        """The number of its rows or points."""
        return len(self.data["quarters" if "quarters" in self.data else "rows"])

    @property
    def name(self) -> str:
        """What tells it from others, and changes with the question: 'forest-k2-6-0a1b'. Records go by it."""
        asked = "" if self.kind == "identifying-columns" else f"{principle_word(self.principle)}-"
        content = self.data["quarters" if "quarters" in self.data else "rows"]
        digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
        return f"{self.solver}-{_WORDS[self.kind]}{asked}{self.rows}-{digest[:4]}"

    def problem(self) -> Problem[Any]:
        """Return the question."""
        data = self.data
        given: Any
        given = (
            quarter_points(data["quarters"])
            if "quarters" in data
            else numbered_table(data["rows"], bool(data["sensitive"]))
        )
        return QUESTIONS[self.kind](given, self.principle)


def principle_word(principle: Principle | None) -> str:
    """Return a principle in a word for a name.

    >>> principle_word(KAnonymity(2) & TCloseness("1/3"))
    'k2-t1_3'
    """
    words = []
    for part in () if principle is None else principle.parts:
        if isinstance(part, KAnonymity):
            words.append(f"k{part.k}")
        elif isinstance(part, LDiversity):
            words.append(f"l{part.l}" + ("-distinct" if part.version == "distinct" else ""))
        elif isinstance(part, TCloseness):
            words.append(f"t{part.t}")
        else:
            raise NotApplicable(f"there is no word for {part}; k, l and t have one")
    return "-".join(words).replace("/", "_")


def champions_file() -> Path:
    """Return the file of the champions that come with the package."""
    return Path(str(resources.files("anoptima.instances"))) / "data" / "champions.json"


def read_champions(path: Path) -> list[KnownChampion]:
    """Return the champions in a file."""
    return read_document(
        path, SCHEMA, "list of champions", lambda data: [KnownChampion(entry) for entry in data["champions"]]
    )


@cache
def known_champions() -> tuple[KnownChampion, ...]:
    """Return the champions that come with the package."""
    return tuple(read_champions(champions_file()))
