"""How many lines the checker of one proof has: `python -m benchmarks.proof_lines [--most-rows 2000]`.

Writes for every proof of the library what `check_anoptima.py --shorter` writes, has it check the proof, and counts its lines that are not
blank. Prints the least and the most by problem, rule and principle.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

from anoptima.documents.pages import table_text
from anoptima.instances.library import instance
from anoptima.instances.records import Record, records_folder
from anoptima.proofs import check_anoptima
from anoptima.proofs.statements import table_of
from benchmarks.measure import print_table


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--most-rows", type=int, default=2000, help="rows of the largest table (default: 2000)")
    options = parser.parse_args()
    found = defaultdict[tuple[str, str, str], list[int]](list)
    for folder in sorted(records_folder().iterdir()):
        if not (path := folder / "bound.json").is_file():
            continue
        problem: Any = instance(Record(folder).name).load()
        proof = json.loads(path.read_text())
        table = table_of(problem, proof["table"]["quasi"])
        if table.rows > options.most_rows or proof["schema"] != check_anoptima.VERSION:
            continue
        with tempfile.TemporaryDirectory() as place:
            (csv := Path(place) / "table.csv").write_text(table_text(table), encoding="utf-8")
            words, text = check_anoptima.shorter(partial(check_anoptima.check, str(csv), str(path)))
            alone: dict[str, Any] = {"__name__": "shorter"}
            exec(compile(text, "shorter", "exec"), alone)
            if alone["check"](str(csv), str(path)) != words:
                raise AssertionError(f"the shorter checker of {folder.name} says something else")
        asked = " and ".join(condition["kind"] for condition in proof["problem"].get("principle", ()))
        found[proof["problem"]["name"], proof["proof"]["kind"], asked].append(
            sum(map(bool, map(str.strip, text.splitlines())))
        )
    lines_of_all = [[*key, str(len(its)), str(min(its)), str(max(its))] for key, its in sorted(found.items())]
    print_table(["problem", "rule", "principle", "proofs", "least lines", "most lines"], lines_of_all)


if __name__ == "__main__":
    main()
