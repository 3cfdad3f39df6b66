"""`anoptima solve`: suppress as little of a table as possible, and write the release."""

from __future__ import annotations

import io
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import anoptima
from anoptima.answer import Answer, Claim
from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.live import solve_live
from anoptima.cli.options import add_options
from anoptima.cli.outputs import STDOUT, Replaced, file_target, output_target
from anoptima.cli.pictures import PLOTS, plot_target
from anoptima.cli.proofs import checkpoint_target, proof_line, proof_target
from anoptima.cli.releases import require_format, write_release
from anoptima.cli.reply import SOLVER_FAILED, Reply, code_of, notes_of
from anoptima.cli.together import add_together, solve_live_together
from anoptima.documents.answers import answer_document, stars_by_column
from anoptima.documents.proofs import proof_document, proof_of, proof_text
from anoptima.documents.writing import Writer, refuse_shared, to_json, write_each
from anoptima.errors import FalseClaim, SolverFailure
from anoptima.experiments.plots import write_plot
from anoptima.experiments.plots_trace import plot_progress
from anoptima.naming import listed
from anoptima.problems.table_problem import TableProblem

EXAMPLES = (
    "anoptima solve patients.csv --quasi zip,age -k 2 -o release.csv",
    "anoptima solve patients.csv --quasi zip,age --sensitive disease -k 2 -l 2 -o release.csv --answer answer.json",
    "anoptima solve patients.csv --quasi zip,age -k 2 --time-limit 60 --proof proof.json --checkpoint run.json -o plain.csv",
    "anoptima solve - --quasi zip,age -k 3 -o - < patients.csv > hidden.csv",
    "anoptima solve patients.csv --quasi zip,age -k 2 --together 2 --leg 30 --checkpoint all.json -o shared.csv",
)


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    shared.add_roles(parser)
    shared.add_principles(parser)
    shared.add_problem(parser)
    shared.add_solver(parser)
    add_options(parser)
    shared.add_cross_check(parser)
    shared.add_budget(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the release: CSV, or Parquet if the name ends so")
    parser.add_argument("--answer", metavar="FILE", help="write the answer as JSON, for `anoptima verify`")
    shared.add_proof(parser)
    shared.add_checkpoint(parser)
    add_together(parser)
    parser.add_argument("--plot", metavar="FILE", help=f"draw cost and bound over time: {', '.join(PLOTS)}")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Read, solve, write, report."""
    targets = targets_of(arguments)
    budget = shared.budget_of(arguments)
    table = tables.read_table(arguments)
    problem = shared.problem_of(arguments, table)
    try:
        answer = solve_live_together(problem, arguments, budget) or solve_live(problem, arguments, budget)
    except SolverFailure as failure:
        if isinstance(failure, FalseClaim) or not isinstance(failure.answer, Answer):
            raise
        # What it had found passed the problem's own checker.
        reply = report(failure.answer, arguments, targets)
        return replace(
            reply, code=SOLVER_FAILED, notes=(f"{failure}; this is the best solution until then", *reply.notes)
        )
    return report(answer, arguments, targets)


@dataclass(frozen=True)
class Targets:
    """The files that are asked for."""

    release: Path | None
    answer: Path | None
    proof: Path | None = None
    plot: Path | None = None
    checkpoint: Path | None = None


def targets_of(arguments: Namespace) -> Targets:
    """Return where things are to go, once all could be written there."""
    table = arguments.table
    release = output_target(arguments.output, "release", never=table, as_json=arguments.json)
    if release is not None:
        require_format(release)
    answer = file_target(arguments.answer, "answer", never=table)
    targets = Targets(release, answer, proof_target(arguments), plot_target(arguments), checkpoint_target(arguments))
    refuse_shared({**vars(targets), "log": getattr(arguments, "log", None)}, {"table": table})
    return targets


def report(answer: Answer[Any], arguments: Namespace, targets: Targets) -> Reply:
    """Write everything where it is to go, and say what was found."""
    document = described(answer, arguments)
    files = _files(answer, document, targets, arguments)
    replaced = Replaced({what: path for what, (path, _) in files.items()})
    failed = write_each(files)
    written = {what: path for what, (path, _) in files.items() if what not in failed}
    document["written"] = {what: str(path) for what, path in written.items()}
    document["replaced"] = replaced.among(written.values())
    text = _text(answer, {what: replaced.place(path) for what, path in written.items()})
    if targets.proof is not None and "proof" not in failed:
        text += f"\n{proof_line(answer, targets.proof, replaced)}"
    released = _released(answer, arguments) if targets.release == STDOUT and answer.solution is not None else None
    return Reply(text, document, code_of(answer, failed), notes_of(answer, failed), released)


def described(answer: Answer[Any], arguments: Namespace) -> dict[str, Any]:
    """Return the answer's document, with where the table came from and with our own version."""
    document = answer_document(answer, tables.source_of(arguments))
    document["versions"] = {"anoptima": anoptima.__version__, **document["versions"]}
    return document


def _released(answer: Answer[Any], arguments: Namespace) -> bytes:
    """Return the release as CSV, for standard output."""
    stream = io.BytesIO()
    _write_release(answer, STDOUT, arguments, stream)
    return stream.getvalue()


def _write_release(answer: Answer[Any], name: Path, arguments: Namespace, stream: IO[bytes]) -> None:
    problem: TableProblem[Any] = answer.problem  # type: ignore[assignment]
    write_release(stream, name, problem.table, answer.release, arguments.separator, arguments.encoding)


def _files(
    answer: Answer[Any], document: dict[str, Any], targets: Targets, arguments: Namespace
) -> dict[str, tuple[Path, Writer]]:
    """Return what is to be written where, and how, by what it is: the release first."""
    found: dict[str, tuple[Path, Writer]] = {}
    if targets.release is not None and targets.release != STDOUT and answer.solution is not None:
        found["release"] = targets.release, partial(_write_release, answer, targets.release, arguments)
    if targets.answer is not None:
        found["answer"] = targets.answer, lambda stream: stream.write(f"{to_json(document)}\n".encode())
    if targets.proof is not None and proof_of(answer) is not None:
        proof = proof_document(answer, tables.source_of(arguments))
        found["proof"] = targets.proof, lambda stream: stream.write(proof_text(proof).encode())
    if targets.plot is not None and answer.trace:
        suffix = targets.plot.suffix
        found["plot"] = targets.plot, lambda stream: write_plot(plot_progress([answer]), stream, suffix)
    return found


def _text(answer: Answer[Any], written: dict[str, str]) -> str:
    problem: TableProblem[Any] = answer.problem  # type: ignore[assignment]
    lines = [str(answer), f"under {problem.principle}"]
    stars = stars_by_column(answer)
    if stars is not None:
        counts = [f"{listed(name)} {count:,}" for name, count in stars.items() if count]
        lines.append(f"stars by column: {', '.join(counts) or 'none'}")
    if answer.claim is not Claim.INFEASIBLE and answer.reason:
        lines.append(answer.reason)
    lines += _missing(problem)
    if answer.solution is not None:
        lines += _formulas(problem)
    lines += [f"the {what} is in {path}" for what, path in sorted(written.items(), reverse=True) if what != "proof"]
    return "\n".join(lines)


def _missing(problem: TableProblem[Any]) -> list[str]:
    """Say how many values are missing, and how they count."""
    table = problem.table
    counts = {
        column.name: column.missing for column in (*table.quasi_columns, *map(table.sensitive_column, table.sensitive))
    }
    total = sum(counts.values())
    if not total:
        return []
    where = ", ".join(f"{listed(name)} {count:,}" for name, count in counts.items() if count)
    values, alike = ("1 value is", "it counts") if total == 1 else (f"{total:,} values are", "each counts")
    meaning = "as a value like any other, equal to the missing values of its column (--missing refuse refuses them)"
    return [f"{values} missing ({where}): {alike} {meaning}"]


def _formulas(problem: TableProblem[Any]) -> list[str]:
    """Name the columns with cells that a spreadsheet program would run."""
    frame = problem.table.frame
    names = [name for name in frame.columns if any(str(value).startswith("=") for value in frame[name].unique())]
    note = "cells that begin with '=' are released as they are; a spreadsheet program takes them for formulas"
    return [f"{', '.join(names)}: {note}"] if names else []
