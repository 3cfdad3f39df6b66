"""Proofs of every kind, changed in every way, before two checkers that share no code: `check_anoptima.py` and anoptima's own.

    python -m benchmarks.proof_mutations [MUTATIONS] [SEED]

Takes tables with seeds from SEED on until there are MUTATIONS changed proofs (20,000 unless said), and prints what both said, kind by
kind. A false bound that either accepts, or a disagreement that docs/proof-format.md does not state, is told in full; exits 1 then.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.proof_agreement import Judge, best, changed, questions

MOST_OF_ONE = 400
"""How many changes of one proof are tried: a random sample where there are more."""


def main(mutations: int = 20_000, seed: int = 0) -> int:
    """Print a table of kinds of proofs by what the two checkers said; return 1 if something is wrong."""
    said, faults, tried = Counter[tuple[str, str]](), 0, 0
    while tried < mutations:
        chance, judge, others = random.Random(seed), None, list[object]()
        for answer in questions(seed):
            if judge is None:
                judge = Judge(Path(tempfile.mkdtemp()), answer.problem.table)
            document = best(judge, answer)
            found = list(changed(document, chance, others[-3:]))
            others.append(document)
            for what, new in chance.sample(found, min(MOST_OF_ONE, len(found))):
                words, fault = judge.fault(new)
                said[document["proof"]["kind"], words] += 1
                tried += 1
                if fault:
                    faults += 1
                    print(
                        f"seed {seed}, {document['proof']['kind']}, {what}: {fault}\n    {json.dumps(new)}", flush=True
                    )
        seed += 1
    columns = sorted({words for _, words in said})
    print(f"| kind | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}")
    for kind in sorted({kind for kind, _ in said}):
        print(f"| {kind} | {' | '.join(f'{said[kind, words]:,}' for words in columns)} |")
    print(f"\n{tried:,} changed proofs; {faults} false bounds or disagreements")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
