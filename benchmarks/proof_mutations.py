"""Three checkers that share no code held against each other: `check_anoptima.py`, `check.js` and anoptima's own.

    python -m benchmarks.proof_mutations [MUTATIONS] [SEED] [--seconds S] [--changes-only]

They see every proof of the library on tables of up to 2,000 rows, the files of `tests/proofs/wrong`, and proofs of every kind on small
tables, changed in every way: tables with seeds from SEED on until there are MUTATIONS of them (20,000 unless said), or S seconds have
passed (then 30 changes of a proof at most, not 400). Prints what the three said, kind by kind, and the seed from which another run goes
on; `--changes-only` leaves out what such a run need not see again. A false bound that any accepts, or a disagreement that
docs/proof-format.md does not state, is told in full; exits 1 then.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from anoptima.answer import Clock
from anoptima.instances.library import instance
from anoptima.instances.records import Record, records_folder
from anoptima.proofs.statements import table_of
from tests.proof_agreement import REJECTED, VERIFIED, Judge, best, changed, questions
from tests.proofs.attacks import attacks
from tests.proofs.javascript import Checker
from tests.proofs.wrong_proofs import own_verdict, verdict_of, wrong_proofs

MOST_OF_ONE = 400
"""How many changes of one proof are tried: a random sample where there are more."""

FEW_OF_ONE = 30
"""How many are tried in a run that ends after some seconds."""

MOST_ROWS = 2_000
"""How many rows a table of the library may have."""


class Said:
    """What the three checkers said, by kind of proof, and what was wrong with that."""

    def __init__(self) -> None:
        self._said, self.faults = Counter[tuple[str, str]](), 0

    @property
    def count(self) -> int:
        """How many proofs they have seen."""
        return self._said.total()

    def add(self, kind: str, words: str, fault: str, where: str, document: object) -> None:
        """Count what was said of a proof; print a fault."""
        self._said[kind, words] += 1
        if fault:
            self.faults += 1
            print(f"{where}: {fault}\n    {json.dumps(document)[:4000]}", flush=True)

    def print_table(self, title: str) -> None:
        """Print a row for each kind, and a column for each way in which the three answered."""
        columns = sorted({words for _, words in self._said})
        print(f"\n{title}\n\n| kind | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}")
        for kind in sorted({kind for kind, _ in self._said}):
            print(f"| {kind} | {' | '.join(f'{self._said[kind, words]:,}' for words in columns)} |")


def of_the_library(node: Checker) -> Said:
    """Hold the three against each other on every proof of the library."""
    said = Said()
    for folder in sorted(records_folder().iterdir()):
        record, path = Record(folder), folder / "bound.json"
        if not path.is_file():
            continue
        problem: Any = instance(record.name).load()
        document = json.loads(path.read_text())
        table = table_of(problem, document["table"]["quasi"])
        if table.rows <= MOST_ROWS:
            judge = Judge(Path(tempfile.mkdtemp()), table, node)
            words, fault = judge.fault(document, record.cost)
            said.add(document["proof"]["kind"], words, fault, record.name, document)
    return said


def of_the_corpus(node: Checker) -> Said:
    """Hold the three against each other on the wrong proofs that are kept as files."""
    said = Said()
    for wrong in wrong_proofs():
        words = " / ".join((verdict_of(wrong), node.says(table=wrong.table, proof=wrong.path)[0], own_verdict(wrong)))
        expected = f"{wrong.verdict} / {wrong.verdict} / {VERIFIED if wrong.is_accepted else REJECTED}"
        said.add("wrong", words, "" if words == expected else f"{words} instead of {expected}", wrong.path.name, "")
    return said


def of_changes(node: Checker, mutations: int, seed: int, clock: Clock) -> tuple[Said, int]:
    """Hold the three against each other on changed proofs of every kind; return what they said, and the seed that is next.

    Where time is short, fewer changes of each proof are tried, so that every kind has its turn.
    """
    said, tried, most = Said(), 0, MOST_OF_ONE if clock.left() is None else FEW_OF_ONE
    while tried < mutations and not clock.is_over():
        chance, judge, others = random.Random(seed), None, list[object]()
        for answer in questions(seed):
            judge = judge or Judge(Path(tempfile.mkdtemp()), answer.problem.table, node)
            document = best(judge, answer)
            found = [*changed(document, chance, others[-3:]), *attacks(document, judge.texts(), chance)]
            others.append(document)
            for what, new in chance.sample(found, min(most, len(found))):
                if clock.is_over():
                    return said, seed
                kind = document["proof"]["kind"]
                said.add(kind, *judge.fault(new), f"seed {seed}, {kind}, {what}", new)
                tried += 1
        seed += 1
    return said, seed


def main() -> int:
    """Print tables of kinds of proofs by what the checkers said; return 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("mutations", type=int, nargs="?", default=20_000, help="changed proofs (default: 20,000)")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="the seed of the first table (default: 0)")
    parser.add_argument("--seconds", type=float, help="try no further change after this many seconds")
    parser.add_argument("--changes-only", action="store_true", help="leave out the library and the wrong proofs")
    options = parser.parse_args()
    print("Verdicts: check_anoptima.py / check.js / anoptima's own.")
    parts: dict[str, Said] = {}
    with Checker() as node:
        if not options.changes_only:
            parts["Every proof of the library"] = of_the_library(node)
            parts["Wrong proofs that are kept as files"] = of_the_corpus(node)
        changes, next_seed = of_changes(node, options.mutations, options.seed, Clock(options.seconds))
        parts["Changed proofs"] = changes
    for title, said in parts.items():
        said.print_table(title)
    faults = sum(said.faults for said in parts.values())
    print(
        f"\n{changes.count:,} changed proofs, seeds {options.seed} to {next_seed - 1}; another run goes on from {next_seed}"
    )
    print(f"{faults} false bounds or disagreements")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
