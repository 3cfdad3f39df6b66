"""`anoptima export`: a model of the problem as a file, to be solved by any solver anywhere."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.outputs import Replaced, file_target
from anoptima.cli.reply import ANSWERED, Reply
from anoptima.documents.exports import FORMATS, export_model
from anoptima.documents.sidecars import read_sidecar, sidecar_path
from anoptima.machine import size_in_bytes

EXAMPLES = ("anoptima export patients.csv --quasi zip,age -k 2 --model pattern -o model.mps",)


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    shared.add_roles(parser)
    shared.add_principles(parser)
    shared.add_problem(parser)
    parser.add_argument("--model", required=True, metavar="NAME", help="one of `anoptima list models`")
    parser.add_argument(
        "--format", choices=FORMATS, help="mps or lp, or pbtxt for a CP-SAT model (default: by FILE's ending)"
    )
    parser.add_argument(
        "--memory", metavar="SIZE", help="memory that the model may take (default: all that is available)"
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the model's file; the sidecar goes beside it, as .json"
    )
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Read, build, write."""
    output = Path(arguments.output)
    file_target(arguments.output, "model", never=arguments.table)
    file_target(str(sidecar_path(output)), "sidecar", never=arguments.table)
    memory = None if arguments.memory is None else shared.from_1(size_in_bytes(arguments.memory), "--memory")
    table = tables.read_table(arguments)
    problem = shared.problem_of(arguments, table)
    replaced = Replaced({"model": output, "sidecar": sidecar_path(output)})
    source = tables.source_of(arguments)
    written = export_model(problem, arguments.model, output, arguments.format, source=source, memory=memory)
    sidecar = read_sidecar(written)
    text = (
        f"the {sidecar.model} model of {problem.name} is in {replaced.place(output)}, "
        f"as {sidecar.format}: {len(sidecar.columns):,} columns\n"
        f"its objective is {problem.cost_scale} x cost; what the columns mean is in {replaced.place(written)}"
    )
    return Reply(
        text,
        {
            "model": sidecar.model,
            "format": sidecar.format,
            "columns": len(sidecar.columns),
            "objective scale": problem.cost_scale,
            "written": {"model": str(output), "sidecar": str(written)},
            "replaced": replaced.among([output, written]),
        },
        ANSWERED,
    )
