"""The library's records as a page: `python -m benchmarks.records` writes docs/records.md and docs/records.html anew.

`--newest-proofs` writes the records' proofs in the newest version of the format before.

What it says is what the records say of themselves; `anoptima instances verify` computes it from solutions and proofs.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from anoptima.cli.instances import recorded
from anoptima.documents.proofs import in_newest_version, proof_text, read_proof
from anoptima.experiments.studies.page import page, section, table
from anoptima.instances.library import Instance, by_family, instance
from anoptima.instances.records import records_folder
from anoptima.proofs.statements import table_of

DOCS = Path(__file__).parents[1] / "docs"

HEAD = (
    "instance",
    "knob",
    "rows",
    "least known",
    "proved bound",
    "state",
    "found by",
    "seconds",
    "proved by",
    "seconds",
)

ABOUT = """# Records

The library has {count} instances in {families} families. Each has a record: the least solution that is known, the proof of the highest
bound, and how both came about. **{proved} are proved optimal, {bracketed} lie between two bounds.** A bound is here only if its proof is:
what a solver says without one changes nothing.

```text
$ anoptima instances list 'uniform-*'
$ anoptima instances show ten-rows-k3 --table ten.csv --release released.csv --proof proof.json
$ anoptima instances verify --all
$ anoptima instances submit uniform-320-k2 --release mine.csv --proof mine.json --by "A. Nonymous"
```

A family is one module in `src/anoptima/instances/families/` with a generator of its members and one call of `add_family`; `anoptima
instances solve 'family-*'` makes its records. An instance of your own comes in through an entry point of `anoptima.instances`.

`submit` checks what you send from the data alone and writes it only if it holds and is better. Bounds of fake points below are still the
problems' own; `anoptima points --proof FILE` writes proofs that may beat them.

A record is a folder in `src/anoptima/instances/records/`. Seconds are those of the run that found the solution or the proof, on the
processor that its history names. The same table, sortable: [records.html](records.html). `python -m benchmarks.records` writes both.
"""


def rows_of(known: Instance) -> list[str]:
    """Return an instance as a row."""
    record = known.record
    size = record.stated.get("problem", {}).get("size", {})
    best = [entry for entry in record.history if entry["what"] == "best"]
    bound = [entry for entry in record.history if entry["what"] == "bound"]
    made = [text for last in (best, bound) for text in (_by(last), _seconds(last))]
    cost = "" if record.cost is None else str(record.cost)
    proved = "" if record.bound is None else str(record.bound)
    return [
        known.name,
        known.knob,
        str(size.get("rows", size.get("points", ""))),
        cost,
        proved,
        recorded(record.cost, record.bound),
        *made,
    ]


def _by(entries: list[Mapping[str, Any]]) -> str:
    return str(entries[-1]["by"]) if entries else ""


def _seconds(entries: list[Mapping[str, Any]]) -> str:
    return "" if not entries or entries[-1]["seconds"] is None else str(entries[-1]["seconds"])


def markdown() -> str:
    """Return the page for people who read."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    families = {name: members for name, members in by_family().items() if name}
    every = [one for members in families.values() for one in members]
    states = Counter(recorded(one.best, one.bound) for one in every)
    yield ABOUT.format(count=len(every), families=len(families), proved=states["proved"], bracketed=states["bracketed"])
    for name, members in families.items():
        yield f"## {name}\n\n{members[0].about.capitalize()}. Source: {members[0].source}.\n"
        yield "| " + " | ".join(HEAD) + " |"
        yield "|" + "---|" * len(HEAD)
        for one in members:
            yield "| " + " | ".join(rows_of(one)) + " |"
        yield ""


def html() -> str:
    """Return the page that sorts."""
    rows = [[one.family, *rows_of(one)] for members in by_family().values() for one in members if one.family]
    return page("Records", [section("Records", table(("family", *HEAD), rows))])


def upgrade() -> None:
    """Write every record's proof in the newest version of the format."""
    for folder in sorted(records_folder().iterdir()):
        path = folder / "bound.json"
        if path.is_file():
            document = json.loads(path.read_text(encoding="utf-8"))
            newest = in_newest_version(document, read_proof(path).problem_on(_table(folder.name, document)))
            if newest != document:
                path.write_text(proof_text(newest), encoding="utf-8")


def _table(name: str, document: Mapping[str, Any]) -> Any:
    problem: Any = instance(name).load()
    return table_of(problem, document["table"]["quasi"])


if __name__ == "__main__":
    if sys.argv[1:] == ["--newest-proofs"]:
        upgrade()
    (DOCS / "records.md").write_text(markdown(), encoding="utf-8")
    (DOCS / "records.html").write_text(html(), encoding="utf-8")
