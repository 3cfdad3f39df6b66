"""How many statements of the five papers run here: `python -m benchmarks.papers` counts the lines of docs/papers.md, paper by paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import print_table

PAGE = Path(__file__).parents[1] / "docs" / "papers.md"
NOTHING = "—"
"""Stands where anoptima has nothing for a statement."""


@dataclass(frozen=True)
class Statement:
    """One line of the page: the paper, the place in it, what it says, our names for it, the command, and what was found."""

    paper: str
    place: str
    says: str
    names: tuple[str, ...]
    command: str
    found: str

    @property
    def runs(self) -> bool:
        """Whether anoptima has something for it."""
        return self.names != (NOTHING,)


def statements() -> Iterator[Statement]:
    """Yield the lines of the page, in order."""
    paper = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            paper = line[3:]
        elif line.startswith("| ") and not line.startswith("| place |"):
            place, says, names, command, found = (cell.strip() for cell in line.strip("|").split("|"))
            yield Statement(
                paper, place, says, tuple(re.findall(r"`([^`]+)`", names)) or (names,), command.strip("`"), found
            )


def main() -> None:
    """Print how many statements there are, how many run, and which do not."""
    found = list(statements())
    papers = dict.fromkeys(one.paper for one in found)
    rows = []
    for paper in papers:
        own = [one for one in found if one.paper == paper]
        rows.append([paper, str(len(own)), str(sum(one.runs for one in own))])
    rows.append(["all", str(len(found)), str(sum(one.runs for one in found))])
    print_table(["paper", "statements", "of which run here"], rows)
    print()
    for one in found:
        if not one.runs:
            print(f"{one.paper}, {one.place}: {one.says} ({one.found})")


if __name__ == "__main__":
    main()
