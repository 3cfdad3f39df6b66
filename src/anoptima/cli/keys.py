"""`anoptima keys`: the fewest columns that tell rows apart, or that show a table not to be k-anonymous; with `--all`, every minimal set."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from anoptima.answer import Answer, Budget, Clock, Progress, Stop
from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.live import live, solve_live
from anoptima.cli.options import add_options, refuse_idle
from anoptima.cli.outputs import Replaced
from anoptima.cli.principles import Once
from anoptima.cli.proofs import checkpoint_target, proof_line, proof_target
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply, code_of, notes_of
from anoptima.deadline import within
from anoptima.documents.answers import outcome_document
from anoptima.documents.proofs import proof_document, proof_of, proof_text
from anoptima.documents.questions import problem_document, table_document
from anoptima.documents.writing import refuse_shared, write_each
from anoptima.errors import BadInput, OutOfTime
from anoptima.exact import as_fraction, exact_plain, exact_text
from anoptima.naming import listed
from anoptima.problems.column_ratios import distinct_ratio, separation_ratio
from anoptima.problems.isolating_columns import IsolatingColumns
from anoptima.problems.quasi_identifier import (
    IdentifyingColumns,
    QuasiIdentifier,
    QuasiIdentifierProblem,
    WitnessColumns,
)
from anoptima.solvers.exact.minimal_keys import MinimalKeys, minimal_keys
from anoptima.table import Table

EXAMPLES = (
    "anoptima keys patients.csv --quasi zip,age,disease",
    "anoptima keys patients.csv --quasi zip,age,disease -k 2",
    "anoptima keys patients.csv --quasi zip,age,disease --all",
    "anoptima keys patients.csv --quasi zip,age,disease --share 0.9",
)


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    shared.add_roles(parser)
    parser.add_argument(
        "-k",
        action=Once,
        metavar="K",
        help="the fewest columns on which some row equals fewer than K rows (default: columns that distinguish all distinct rows)",
    )
    parser.add_argument(
        "--share",
        metavar="SHARE",
        help="the fewest columns on which at least this share of the rows, such as 0.9 or 9/10, equals fewer than K rows (-k; default: 2)",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="list every minimal set of columns, the lightest first, and prove that none is missing (--json has both families, which "
        "prove it); takes --most, --time-limit and --seed",
    )
    parser.add_argument("--most", metavar="N", help="with --all: stop after N of them")
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
    refuse_shared(
        {"proof": target, "checkpoint": checkpoint_target(arguments), "log": arguments.log}, {"table": arguments.table}
    )
    budget = shared.budget_of(arguments)
    table = tables.read_table(arguments)
    problem = _problem(arguments, table)
    if arguments.all:
        refuse_idle(arguments, FOR_ONE, "--all")
        return _list_all(problem, arguments, budget)
    if arguments.most is not None:
        raise BadInput("--most is for --all, which is not given")
    answer = solve_live(problem, arguments, budget)
    source = tables.source_of(arguments)
    document = {
        **outcome_document(answer),
        "table": table_document(table, source),
        "share": None if arguments.share is None else exact_plain(as_fraction(arguments.share, "the share")),
        "k": None if arguments.k is None else shared.whole(arguments.k, "k"),
        "solution": None if answer.solution is None else _in_order(answer, answer.solution),
        "ratios": None if answer.solution is None else _ratios(table, answer.solution),
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


FOR_ONE: Mapping[str, object] = {
    "proof": None,
    "checkpoint": None,
    "solver": "auto",
    "start": "auto",
    "option": None,
    "log": None,
    "gap": "0",
    "threads": None,
    "memory": None,
}
"""Options for a single set of columns, which have no effect on a list of all, with their defaults."""


def _problem(arguments: Namespace, table: Table) -> QuasiIdentifierProblem:
    k = None if arguments.k is None else shared.whole(arguments.k, "k")
    if arguments.share is not None:
        return IsolatingColumns(table, arguments.share, 2 if k is None else k)
    return IdentifyingColumns(table) if k is None else WitnessColumns(table, k)


def _list_all(problem: QuasiIdentifierProblem, arguments: Namespace, budget: Budget) -> Reply:
    """List all minimal keys, checked again before they are shown as far as the time allows."""
    clock = Clock(budget.seconds)
    most = None if arguments.most is None else shared.from_1(shared.whole(arguments.most, "--most"), "--most")
    with live(problem.unit, quiet=arguments.quiet, limit=budget.seconds, lines=not arguments.json) as on_progress:
        show = on_progress or (lambda now: None)
        show(Progress(clock.seconds(), None, None, "looking for minimal sets"))
        found = minimal_keys(problem, most=most, time_limit=budget.seconds, seed=budget.seed)
        show(Progress(clock.seconds(), None, None, f"checking {len(found):,} of them again"))
        checked = _is_checked(found, clock)
    document = {
        "problem": problem_document(problem),
        "table": table_document(problem.table, tables.source_of(arguments)),
        "stop": found.stop.value,
        "complete": found.complete,
        "checked": checked,
        **found.families.as_json(),
    }
    listed = [columns or "no column" for columns in found.frame["columns"]]
    stopped = f", stopped: {found.stop.value}" if found.stop in (Stop.TIME, Stop.CANCELLED) else ""
    known = "proved here" if checked else "not checked again"
    return Reply("\n".join([f"{found}{stopped}, {known}", *listed]), document, ANSWERED if listed else NEGATIVE)


def _is_checked(found: MinimalKeys, clock: Clock) -> bool:
    """Check the list from the data alone, and raise if it is wrong; tell whether there was time for that, before the limit or Ctrl-C."""
    if clock.is_over() or found.stop is Stop.CANCELLED:
        return False
    try:
        with within(clock.is_over, clock.left()):
            found.families.check(found.problem)
    except (OutOfTime, KeyboardInterrupt):
        return False
    return True


def _in_order(answer: Answer[QuasiIdentifier], found: QuasiIdentifier) -> list[str]:
    """Return the chosen columns in the order of the table."""
    problem: Any = answer.problem
    return [name for name in problem.table.quasi if name in found.names]


def _ratios(table: Table, found: QuasiIdentifier) -> dict[str, Any]:
    """Return which share of the pairs of rows the columns tell apart, and how many distinct rows they have for each row."""
    return {
        "separation": exact_plain(separation_ratio(table, found.names)),
        "distinct": exact_plain(distinct_ratio(table, found.names)),
    }


def _text(answer: Answer[QuasiIdentifier]) -> str:
    lines = [str(answer)]
    if answer.solution is None:
        return lines[0]
    names = ", ".join(map(listed, _in_order(answer, answer.solution))) or "none"
    checked = answer.verify()
    proved = (
        ""
        if checked.proved is None
        else f"; proved here, with no solver: no choice costs less than {exact_text(checked.proved.value)}"
    )
    ratios = _ratios(answer.problem.table, answer.solution)  # type: ignore[attr-defined]
    told = f"separation ratio {ratios['separation']}, distinct ratio {ratios['distinct']}"
    return "\n".join([*lines, f"columns: {names}{proved}", told, *([answer.reason] if answer.reason else [])])
