"""How many optima of `auto` have a proof: `python -m benchmarks.proved_share [--limit 2] [--every 1] [--first 0] [--questions *]`.

Asks `auto` the questions of `benchmarks.auto_questions`, each with the same time limit, and counts those that it answers OPTIMAL. Such an
answer counts as proved if its proof, or the problem's own bound as one, reaches the cost, can be written as a file, and `check_anoptima.py`
verifies the file on the table as a CSV file. Prints a row for each kind of problem, and each optimum without such a proof; exits with 1
if fewer than 95 of 100 optima are proved.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import anoptima as ao
from anoptima.answer import Claim
from anoptima.documents.pages import table_text
from anoptima.documents.proofs import proof_document, proof_of, proof_text
from anoptima.errors import AnoptimaError
from anoptima.proofs import check_anoptima
from anoptima.proofs.statements import table_of
from benchmarks.auto_questions import questions_like
from benchmarks.measure import print_table

ASKED = 95
"""How many of 100 optima are to be proved."""


def lack_of(answer: Any, folder: Path) -> str:
    """Return in words what an optimum lacks to be proved; '' if it lacks nothing.

    >>> import tempfile
    >>> found = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
    >>> lack_of(found, Path(tempfile.mkdtemp()))
    ''
    """
    found = proof_of(answer)
    if found is None or found.value != answer.cost:
        return f"the bound is of {answer.bound.by}; a proof goes to {found and found.value}, the cost is {answer.cost}"
    table, proof = folder / "table.csv", folder / "proof.json"
    try:
        proof.write_text(proof_text(proof_document(answer)), encoding="utf-8")
        table.write_text(table_text(table_of(answer.problem)), encoding="utf-8")
        check_anoptima.check(str(table), str(proof))
    except (AnoptimaError, check_anoptima.Refused) as error:
        return f"not verified: {error}"
    return ""


def main() -> int:
    """Ask, count and print; return 1 if too few optima are proved."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--limit", type=float, default=2.0, help="seconds for a question (default: 2)")
    parser.add_argument("--questions", default="*", help="patterns of questions, separated by commas (default: all)")
    parser.add_argument("--every", type=int, default=1, help="ask every N-th of these questions only (default: 1)")
    parser.add_argument(
        "--first", type=int, default=0, help="leave out this many questions before the first (default: 0)"
    )
    options = parser.parse_args()
    chosen = questions_like(options.questions)
    asked, optimal, proved, missing = Counter[str](), Counter[str](), Counter[str](), list[list[str]]()
    with tempfile.TemporaryDirectory() as folder:
        for question in chosen[options.first :: options.every]:
            answer = ao.solve(question.make(), "auto", time_limit=options.limit)
            kind = answer.problem.name
            asked[kind] += 1
            lack = ""
            if answer.claim is Claim.OPTIMAL:
                optimal[kind] += 1
                lack = lack_of(answer, Path(folder))
                proved[kind] += not lack
                if lack:
                    missing.append([question.name, answer.solver, lack])
            print(
                f"{question.name}: {answer.claim.name}, {lack if answer.claim is Claim.OPTIMAL else ''}",
                file=sys.stderr,
            )
    total = ["all", *(sum(counts.values()) for counts in (asked, optimal, proved))]
    rows = [[kind, asked[kind], optimal[kind], proved[kind]] for kind in sorted(asked)]
    print_table(["problem", "questions", "optimal", "proved"], [[str(cell) for cell in row] for row in [*rows, total]])
    if missing:
        print()
        print_table(["optimal without a proof", "solver", "what is missing"], missing)
    return int(100 * proved.total() < ASKED * optimal.total())


if __name__ == "__main__":
    sys.exit(main())
