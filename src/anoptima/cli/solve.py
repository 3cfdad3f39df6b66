"""`anoptima solve`: the least that a table has to lose, and the release that loses no more."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anoptima
from anoptima.answer import Answer, Claim
from anoptima.cli import arguments as shared
from anoptima.cli.live import solve_live
from anoptima.cli.releases import require_format, write_release
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.documents import TABLE_PROBLEMS, answer_document, stars_by_column, to_json
from anoptima.errors import BadInput
from anoptima.files import atomic, require_room
from anoptima.problems.table_problem import TableProblem

SUMMARY = "find the least that a table has to lose, and release it"

PROBLEMS = {"cells": "cell-suppression", "attributes": "attribute-suppression"}


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    shared.add_table(parser)
    shared.add_roles(parser)
    shared.add_principles(parser)
    parser.add_argument(
        "--problem", default="cells", choices=PROBLEMS, help="star single cells (default), or whole columns"
    )
    shared.add_solver(parser)
    shared.add_budget(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the release: CSV, or Parquet if the name ends so")
    parser.add_argument("--answer", metavar="FILE", help="write the answer as JSON, for `anoptima verify`")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Read, solve, write, report."""
    output, saved = targets(arguments)
    budget = shared.budget_of(arguments)
    table = shared.read_table(arguments)
    spaces = shared.spaces_of(arguments, table)
    principles = shared.principles_of(arguments, spaces, table)
    shared.refuse_idle_spaces(spaces, principles, table)
    problem = TABLE_PROBLEMS[PROBLEMS[arguments.problem]](table, shared.all_of(principles))
    answer = solve_live(problem, arguments, budget)
    return report(answer, arguments, output, saved)


def report(answer: Answer[Any], arguments: Namespace, output: Path | None, saved: Path | None) -> Reply:
    """Write release and answer where they are to go, and say what was found."""
    document = described(answer, arguments)
    written = _write(answer, document, output, saved, arguments.separator)
    document["written"] = {what: str(path) for what, path in written.items()}
    return Reply(_text(answer, written), document, NEGATIVE if answer.solution is None else ANSWERED)


def described(answer: Answer[Any], arguments: Namespace) -> dict[str, Any]:
    """Return the answer's document, with where the table came from and with our own version."""
    source = {"file": Path(arguments.table).name, "separator": arguments.separator, "missing": arguments.missing}
    document = answer_document(answer, source)
    document["versions"] = {"anoptima": anoptima.__version__, **document["versions"]}
    return document


def targets(arguments: Namespace) -> tuple[Path | None, Path | None]:
    """Return where the release and the answer are to go, once both could be written there."""
    table = Path(arguments.table)
    output = None if arguments.output is None else Path(arguments.output)
    saved = None if arguments.answer is None else Path(arguments.answer)
    if output is not None:
        require_room(output, "release", never=table)
        require_format(output)
    if saved is not None:
        require_room(saved, "answer", never=table)
    if output is not None and saved is not None and output.resolve() == saved.resolve():
        raise BadInput(f"{output} is to hold both the release and the answer; give them two names")
    return output, saved


def _write(
    answer: Answer[Any], document: dict[str, Any], output: Path | None, saved: Path | None, separator: str
) -> dict[str, Path]:
    """Write what was asked for, all of it or nothing: no file takes its place before every one is on the disk."""
    written: dict[str, Path] = {}
    with ExitStack() as files:
        if saved is not None:
            files.enter_context(atomic(saved)).write(f"{to_json(document)}\n".encode())
            written["answer"] = saved
        if output is not None and answer.solution is not None:
            problem: TableProblem[Any] = answer.problem  # type: ignore[assignment]
            write_release(files.enter_context(atomic(output)), output, problem.table, answer.release, separator)
            written["release"] = output
    return written


def _text(answer: Answer[Any], written: dict[str, Path]) -> str:
    problem: TableProblem[Any] = answer.problem  # type: ignore[assignment]
    lines = [str(answer), f"under {problem.principle}"]
    stars = stars_by_column(answer)
    if stars is not None:
        counts = [f"{name} {count:,}" for name, count in stars.items() if count]
        lines.append(f"stars by column: {', '.join(counts) or 'none'}")
    if answer.claim is not Claim.INFEASIBLE and answer.reason:
        lines.append(answer.reason)
    lines += [f"the {what} is in {path}" for what, path in sorted(written.items(), reverse=True)]
    return "\n".join(lines)
