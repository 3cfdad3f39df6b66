"""`anoptima import-solution`: another solver's solution of an exported model, checked and released."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.reply import Reply
from anoptima.cli.solve import report, targets_of
from anoptima.documents.imports import import_solution
from anoptima.documents.sidecars import read_sidecar
from anoptima.documents.writing import refuse_shared
from anoptima.errors import BadInput
from anoptima.machine import size_in_bytes

EXAMPLES = ("anoptima import-solution patients.csv model.json model.sol -o release.csv",)


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    parser.add_argument("sidecar", metavar="SIDECAR", help="the .json file that `anoptima export` wrote")
    parser.add_argument(
        "solution", metavar="SOLUTION", help="the solver's solution file: lines with names and values, or a text proto"
    )
    parser.add_argument(
        "--memory", metavar="SIZE", help="memory that the model may take (default: all that is available)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write the release: CSV, or Parquet if the name ends so")
    parser.add_argument("--answer", metavar="FILE", help="write the answer as JSON, for `anoptima verify`")
    shared.add_json(parser)
    parser.set_defaults(proof=None, plot=None)


def run(arguments: Namespace) -> Reply:
    """Read all three files, check, write, report."""
    targets = targets_of(arguments)
    refuse_shared(vars(targets), {"sidecar": arguments.sidecar, "solution": arguments.solution})
    memory = None if arguments.memory is None else shared.from_1(size_in_bytes(arguments.memory), "--memory")
    sidecar = read_sidecar(arguments.sidecar)
    roles = sidecar.table
    if roles is None:
        raise BadInput(f"{arguments.sidecar} is of a problem {sidecar.problem['name']!r}, which has no table")
    source: dict[str, Any] = dict(roles["source"])
    tables.settle_table(arguments, source)
    arguments.missing = "value"
    table = tables.open_table(
        arguments,
        roles["quasi"],
        roles["sensitive"],
        roles["keep"],
        sidecar.weights(),
        arguments.missing,
    )
    answer = import_solution(sidecar.problem_on(table), sidecar, arguments.solution, memory=memory)
    return report(answer, arguments, targets)
