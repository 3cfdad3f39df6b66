"""`anoptima keys`: the fewest columns that tell rows apart, or that show a table not to be k-anonymous."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from anoptima.answer import Answer
from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.live import solve_live
from anoptima.cli.options import add_options
from anoptima.cli.outputs import Replaced
from anoptima.cli.proofs import checkpoint_target, proof_line, proof_target
from anoptima.cli.reply import Reply, code_of, notes_of
from anoptima.documents.answers import outcome_document
from anoptima.documents.proofs import proof_document, proof_of, proof_text
from anoptima.documents.questions import table_document
from anoptima.documents.writing import refuse_shared, write_each
from anoptima.problems.quasi_identifier import IdentifyingColumns, QuasiIdentifier, WitnessColumns

EXAMPLES = (
    "anoptima keys patients.csv --quasi zip,age,disease",
    "anoptima keys patients.csv --quasi zip,age,disease -k 2",
)


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    shared.add_roles(parser)
    parser.add_argument(
        "-k",
        metavar="K",
        help="the fewest columns on which some row has fewer than K like it (default: that tell all rows apart that differ)",
    )
    shared.add_solver(parser)
    add_options(parser)
    shared.add_budget(parser)
    shared.add_proof(parser)
    shared.add_checkpoint(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Read, solve, check, report."""
    target = proof_target(arguments)
    refuse_shared({"proof": target, "checkpoint": checkpoint_target(arguments)})
    budget = shared.budget_of(arguments)
    table = tables.read_table(arguments)
    problem = (
        IdentifyingColumns(table) if arguments.k is None else WitnessColumns(table, shared.whole(arguments.k, "k"))
    )
    answer = solve_live(problem, arguments, budget)
    source = tables.source_of(arguments)
    document = {
        **outcome_document(answer),
        "table": table_document(table, source),
        "k": None if arguments.k is None else shared.whole(arguments.k, "k"),
        "solution": None if answer.solution is None else _in_order(answer, answer.solution),
        "written": {},
    }
    lines = [_text(answer)]
    failed: dict[str, Exception] = {}
    if target is not None:
        replaced = Replaced({"proof": target})
        if proof_of(answer) is not None:
            proof = proof_text(proof_document(answer, source)).encode()
            failed = write_each({"proof": (target, lambda stream: stream.write(proof))})
            document["written"] = {} if failed else {"proof": str(target)}
        if not failed:
            lines.append(proof_line(answer, target, replaced))
    return Reply("\n".join(lines), document, code_of(answer, failed), notes_of(answer, failed))


def _in_order(answer: Answer[QuasiIdentifier], found: QuasiIdentifier) -> list[str]:
    """Return the chosen columns in the order of the table."""
    problem: Any = answer.problem
    return [name for name in problem.table.quasi if name in found.names]


def _text(answer: Answer[QuasiIdentifier]) -> str:
    lines = [str(answer)]
    if answer.solution is None:
        return lines[0]
    names = ", ".join(_in_order(answer, answer.solution)) or "none"
    checked = answer.verify()
    proved = (
        ""
        if checked.proved is None
        else f"; proved here, with no solver: no choice costs less than {checked.proved.value}"
    )
    return "\n".join([*lines, f"columns: {names}{proved}", *([answer.reason] if answer.reason else [])])
