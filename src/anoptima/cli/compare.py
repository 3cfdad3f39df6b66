"""`anoptima compare`: what each method makes of a table, side by side: cost, bound, ratios, seconds and memory."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import anoptima
from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.outputs import Replaced
from anoptima.cli.pictures import PLOTS, plot_target
from anoptima.cli.reply import ANSWERED, NEGATIVE, NOT_WRITTEN, Reply, why_not_written
from anoptima.documents import TABLE_PROBLEMS
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text
from anoptima.experiments.comparison import Run, approximations_for, comparison_of, run_all, run_document
from anoptima.experiments.plots import plot_ratios, write_plot
from anoptima.files import write_each
from anoptima.principles import Principle
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.lookup import get_solver

EXAMPLES = (
    "anoptima compare patients.csv --quasi zip,age -k 2,3",
    "anoptima compare patients.csv --quasi zip,age -k 2 --solvers auto,mondrian,peel --plot ratios.svg",
)

COMPARISON_SCHEMA = "anoptima/comparison/1"
"""What a document says that it is."""

PROBLEMS = {"cells": "cell-suppression", "attributes": "attribute-suppression"}


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    shared.add_roles(parser)
    shared.add_principles(parser, several_k=True)
    parser.add_argument(
        "--problem", default="cells", choices=PROBLEMS, help="star single cells (default), or whole columns"
    )
    parser.add_argument(
        "--solvers",
        metavar="NAMES",
        help="names from `anoptima list solvers`, separated by commas; auto is one (default: every approximation that is for the problem)",
    )
    shared.add_budget(parser, gap=False)
    parser.add_argument("--plot", metavar="FILE", help=f"draw the ratios: {', '.join(PLOTS)}")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Read, run each solver on each problem, draw, report."""
    plot = plot_target(arguments)
    budget = shared.budget_of(arguments)
    table = tables.read_table(arguments)
    spaces = shared.spaces_of(arguments, table)
    asked: list[list[Principle]] = [
        shared.principles_of(Namespace(**{**vars(arguments), "k": k}), spaces, table) for k in _ks(arguments)
    ]
    for principles in asked:
        shared.refuse_idle_spaces(spaces, principles, table)
    make = TABLE_PROBLEMS[PROBLEMS[arguments.problem]]
    problems: list[TableProblem[Any]] = [make(table, shared.all_of(principles)) for principles in asked]
    solvers = approximations_for(problems) if arguments.solvers is None else _solvers(arguments.solvers)
    runs = run_all(
        problems, solvers, time_limit=budget.seconds, threads=budget.threads, memory=budget.memory, seed=budget.seed
    )
    document: dict[str, Any] = {
        "schema": COMPARISON_SCHEMA,
        "table": {"file": Path(arguments.table).name, "digest": table.digest, "rows": table.rows},
        "versions": {"anoptima": anoptima.__version__},
        "runs": [run_document(run) for run in runs],
        "written": {},
    }
    text = "\n\n".join(_section(problem, [run for run in runs if run.problem is problem]) for problem in problems)
    failed: dict[str, Exception] = {}
    if plot is not None:
        replaced = Replaced({"plot": plot})
        failed = write_each(
            {"plot": (plot, lambda stream: write_plot(plot_ratios(comparison_of(runs)), stream, plot.suffix))}
        )
        document["written"] = {} if failed else {"plot": str(plot)}
        text += "" if failed else f"\n\nthe ratios are in {replaced.place(plot)}"
    code = NEGATIVE if all(run.cost is None for run in runs) else NOT_WRITTEN if failed else ANSWERED
    return Reply(text, document, code, why_not_written(failed))


def _ks(arguments: Namespace) -> list[str | None]:
    """Return the k's of `-k 2,3,5`, as texts; [None] where there is no -k."""
    if arguments.k is None:
        return [None]
    ks: list[str | None] = [text.strip() for text in arguments.k.split(",")]
    for k in ks:
        if ks.count(k) > 1:
            raise BadInput(f"-k names {k} twice; name each k once")
    return ks


def _solvers(text: str) -> list[str]:
    found = [name.strip() for name in text.split(",")]
    for name in found:
        if name != "auto":
            get_solver(name)
        if found.count(name) > 1:
            raise BadInput(f"--solvers names {name} twice; name each solver once")
    return found


HEADINGS = ("solver", "claim", "cost", "bound", "from", "ratio", "guaranteed", "seconds", "setup", "compiled", "MiB")


def _section(problem: TableProblem[Any], runs: list[Run]) -> str:
    """Write one problem's table: the cheapest first, and the reasons of those that gave no answer below."""
    answered = sorted((run for run in runs if run.cost is not None), key=lambda run: (run.cost or 0, run.seconds))
    lines = [f"{problem.name} under {problem.principle}: {problem.unit}{problem.out_of}"]
    bound = next((run.best_bound for run in runs if run.best_bound is not None), None)
    if bound is not None:
        lines.append(
            f"best bound {exact_text(bound.value)} ({bound.origin.value}, by {bound.by}); ratio = cost / best bound"
        )
    if answered:
        lines += _aligned([list(HEADINGS), *([*map(str, _cells(run))] for run in answered)])
    lines += [f"{run.solver}: {run.reason or 'no solution'}" for run in runs if run.cost is None]
    lines += [f"{run.solver}: {run.reason}" for run in answered if run.solver == "auto" and run.reason]
    return "\n".join(lines)


def _cells(run: Run) -> list[str]:
    answer = run.answer
    bound = None if answer is None else answer.bound
    return [
        run.solver,
        "" if answer is None else answer.claim.value,
        _exact(run.cost),
        "" if bound is None else _exact(bound.value),
        "" if bound is None else bound.origin.value,
        "" if run.ratio is None else f"{run.ratio:.3f}",
        "none" if run.guaranteed is None else f"{float(run.guaranteed):.2f}",
        f"{run.seconds:.2f}",
        f"{run.setup_seconds:.2f}",
        (run.compiled or "").partition(":")[0],
        "" if run.memory is None else f"{run.memory / 2**20:,.0f}",
    ]


def _exact(value: Exact | None) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else exact_text(value)


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]
