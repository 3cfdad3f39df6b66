"""`anoptima verify`: a release, and what an answer claims of it, checked from the data alone, with no solver."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from anoptima.answer import Answer, Budget, Claim, RunRecord, Stop, Verification, verify_answer
from anoptima.cli import arguments as shared
from anoptima.cli.releases import read_release
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.cli.solve import PROBLEMS
from anoptima.documents import TABLE_PROBLEMS, AnswerDocument, bound_document, read_document
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_plain, exact_text
from anoptima.problems.table_problem import TableProblem

SUMMARY = "check a release, and the answer it comes from, from the data alone"

_IN_THE_ANSWER = ("quasi", "sensitive", "keep", "weight", "k", "l", "distinct_l", "t", "space", "problem")
"""Options whose values an answer's document has."""

MOST_SHOWN = 10
"""How many faults a person is shown at a time."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    shared.add_table(parser, separator=None)
    parser.add_argument("release", metavar="RELEASE", help="the released table: CSV or Parquet")
    parser.add_argument(
        "answer",
        metavar="ANSWER",
        nargs="?",
        help="what `anoptima solve --answer` wrote; without it, say columns and principles",
    )
    shared.add_roles(parser, required=False)
    shared.add_principles(parser)
    parser.add_argument(
        "--problem", choices=PROBLEMS, help="what was starred: single cells (default), or whole columns"
    )
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Check, and say what was proved."""
    document = None if arguments.answer is None else read_document(arguments.answer)
    if arguments.separator is None:
        arguments.separator = "," if document is None else str(document.source.get("separator", ","))
    problem = _asked_for(arguments) if document is None else _answered(arguments, document)
    release = read_release(Path(arguments.release), problem.table, arguments.separator)
    finding = _examine(problem, release, document)
    return Reply(finding.text(), finding.as_dict(), ANSWERED if finding.checked else NEGATIVE)


def _asked_for(arguments: Namespace) -> TableProblem[Any]:
    if not arguments.quasi:
        raise BadInput("neither an answer file nor --quasi is given; one of them has to name the columns")
    table = shared.read_table(arguments)
    spaces = shared.spaces_of(arguments, table)
    principles = shared.principles_of(arguments, spaces, table)
    shared.refuse_idle_spaces(spaces, principles, table)
    return TABLE_PROBLEMS[PROBLEMS[arguments.problem or "cells"]](table, shared.all_of(principles))


def _answered(arguments: Namespace, document: AnswerDocument) -> TableProblem[Any]:
    doubled = [name for name in _IN_THE_ANSWER if getattr(arguments, name)]
    if doubled:
        options = ", ".join(f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}" for name in doubled)
        raise BadInput(f"{options} cannot be given beside {arguments.answer}, which says that itself")
    if document.claim in (Claim.INFEASIBLE, Claim.UNKNOWN):
        raise BadInput(
            f"{arguments.answer} claims {document.claim.value} and no release; there is nothing to verify {arguments.release} against"
        )
    table = shared.open_table(
        arguments.table,
        arguments.separator,
        document.quasi,
        document.sensitive,
        document.keep,
        document.weights,
        "value",
    )
    return document.problem_on(table, arguments.answer)


@dataclass(frozen=True)
class _Finding:
    """What a check of a release found: `cost` is that of the stars it shows, None if it was not worth counting them."""

    problem: TableProblem[Any]
    document: AnswerDocument | None
    cost: Exact | None
    checked: Verification

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "verified": bool(self.checked),
            "wrong": list(self.checked.wrong),
            "principle": str(self.problem.principle),
            "cost": exact_plain(self.cost),
            "proved": bound_document(self.checked.proved),
            "claimed": None if self.document is None else self._claim(self.document),
        }

    def _claim(self, document: AnswerDocument) -> dict[str, Any]:
        return {
            "claim": document.claim.value,
            "cost": exact_plain(document.cost),
            "bound": bound_document(document.bound),
            "solver": document.solver,
        }

    def text(self) -> str:
        """Say it for people."""
        proved, claimed = self.checked.proved, self.checked.claimed
        if self.cost is None or not self.checked:
            wrong = [f"  {wrong}" for wrong in self.checked.wrong]
            more = [f"  ... {len(wrong) - MOST_SHOWN:,} more lines with --json"] if len(wrong) > MOST_SHOWN else []
            return "\n".join(["NOT VERIFIED", *wrong[:MOST_SHOWN], *more])
        cost = self.problem.describe_cost(self.cost)
        lines = [f"VERIFIED  the release is true to the table and satisfies {self.problem.principle}, at {cost}"]
        if proved is not None:
            lines.append(f"proved here, with no solver: no release costs less than {exact_text(proved.value)}")
        if claimed is not None:
            lines.append(
                f"claimed by {claimed.by}, not proved here: no release costs less than {exact_text(claimed.value)}"
            )
        return "\n".join(lines)


def _examine(problem: TableProblem[Any], release: pd.DataFrame, document: AnswerDocument | None) -> _Finding:
    infeasible = problem.why_infeasible()
    if infeasible is not None:
        return _Finding(
            problem, document, None, Verification((f"no release can satisfy {problem.principle}: {infeasible}",))
        )
    wrong = problem.violations_of_release(release)
    if wrong:
        return _Finding(problem, document, None, Verification(tuple(wrong)))
    shown = problem.cost_of_release(release)
    if document is not None and document.cost != shown:
        claimed = "no cost" if document.cost is None else exact_text(document.cost)
        wrong = [f"the stars in the release cost {exact_text(shown)}, and the answer claims {claimed}"]
    checked = _check_claim(problem, release, document)
    return _Finding(problem, document, shown, replace(checked, wrong=(*wrong, *checked.wrong)))


def _check_claim(problem: TableProblem[Any], release: pd.DataFrame, document: AnswerDocument | None) -> Verification:
    """Hold the answer's claim and bound against the solution that the release shows, which may need fewer stars than are there."""
    solution = problem.solution_of_release(release)
    return verify_answer(
        Answer(
            problem,
            document.claim if document else Claim.FEASIBLE,
            document.stop if document else Stop.COMPLETE,
            solution,
            problem.cost(solution),
            document.bound if document else None,
            (),
            RunRecord(document.solver if document else "verify", Budget(), {}, 0.0),
        )
    )
