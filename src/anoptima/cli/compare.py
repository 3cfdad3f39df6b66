"""`anoptima compare`: the methods for a table side by side: cost, bound, ratios, seconds and memory."""

from __future__ import annotations

import itertools
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anoptima
from anoptima.answer import Stop
from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.live import live
from anoptima.cli.outputs import Replaced
from anoptima.cli.pictures import PLOTS, plot_target
from anoptima.cli.reply import ANSWERED, INTERRUPTED, NEGATIVE, NOT_WRITTEN, Reply, why_not_written
from anoptima.documents.writing import Writer, refuse_shared, write_each
from anoptima.errors import BadInput
from anoptima.exact import Exact, advice, counted, exact_text, short_text
from anoptima.experiments.comparison import Run, approximations_for, comparison_of, run_all, run_document
from anoptima.experiments.plots import plot_costs, plot_ratios, write_plot
from anoptima.principles import Principle
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers import algorithms
from anoptima.solvers.listening import OnProgress
from anoptima.solvers.lookup import get_solver

EXAMPLES = (
    "anoptima compare patients.csv --quasi zip,age -k 2,3",
    "anoptima compare patients.csv --quasi zip,age --sensitive disease -k 2 -t 0.4,0.6",
    "anoptima compare patients.csv --quasi zip,age -k 2 --solvers auto,mondrian,peel --plot ratios.svg",
)

COMPARISON_SCHEMA = "anoptima/comparison/1"
"""What a document says that it is."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    shared.add_roles(parser)
    shared.add_principles(parser, several=True)
    shared.add_problem(parser)
    parser.add_argument(
        "--solvers",
        metavar="NAMES",
        help="names from `anoptima list solvers`, separated by commas; auto is one (default: every approximation for the problem)",
    )
    shared.add_budget(parser, gap=False)
    parser.add_argument("--plot", metavar="FILE", help=f"draw cost / best bound: {', '.join(PLOTS)}")
    parser.add_argument(
        "--plot-costs", metavar="FILE", help="draw the costs, and a line for the best bound on each question"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Read, run each solver on each problem, draw, report."""
    plots = {"plot of ratios": plot_target(arguments), "plot of costs": plot_target(arguments, "plot_costs")}
    refuse_shared(plots)
    budget = shared.budget_of(arguments)
    table = tables.read_table(arguments)
    spaces = shared.spaces_of(arguments, table)
    asked: list[list[Principle]] = [shared.principles_of(one, spaces, table) for one in questions(arguments)]
    for principles in asked:
        shared.refuse_idle_spaces(spaces, principles, table)
    make = shared.kind_of_problem(arguments.problem)
    problems: list[TableProblem[Any]] = [make(table, shared.all_of(principles)) for principles in asked]
    solvers = approximations_for(problems) if arguments.solvers is None else _solvers(arguments.solvers)

    def watch(title: str, problem: Problem[Any]) -> AbstractContextManager[OnProgress | None]:
        return live(problem.unit, quiet=arguments.quiet, limit=budget.seconds, lines=not arguments.json, title=title)

    runs = run_all(
        problems,
        solvers,
        time_limit=budget.seconds,
        threads=budget.threads,
        memory=budget.memory,
        seed=budget.seed,
        watch=watch,
    )
    document: dict[str, Any] = {
        "schema": COMPARISON_SCHEMA,
        "table": {"file": Path(arguments.table).name, "digest": table.digest, "rows": table.rows},
        "versions": {"anoptima": anoptima.__version__},
        "interrupted": any(map(_is_cut_short, runs)),
        "runs": [run_document(run) for run in runs],
    }
    text = "\n\n".join(_section(problem, [run for run in runs if run.problem is problem]) for problem in problems)
    replaced = Replaced(plots)
    whole = [replace(run, answer=None) if _is_cut_short(run) else run for run in runs]
    files = {what: (path, _drawing(DRAWN[what], whole, path)) for what, path in plots.items() if path is not None}
    failed = write_each(files)
    written = {what: path for what, (path, _) in files.items() if what not in failed}
    document |= {
        "written": {what: str(path) for what, path in written.items()},
        "replaced": replaced.among(written.values()),
    }
    text += "".join(f"\n\nthe {what} is in {replaced.place(path)}" for what, path in written.items())
    notes = (*_beyond_memory(runs, budget.memory), *why_not_written(failed))
    if not document["interrupted"]:
        code = NEGATIVE if all(run.cost is None for run in runs) else NOT_WRITTEN if failed else ANSWERED
        return Reply(text, document, code, notes)
    code = INTERRUPTED if all(run.cost is None for run in whole) else NOT_WRITTEN if failed else ANSWERED
    return Reply(text, document, code, (_interrupted(runs), *notes))


def _is_cut_short(run: Run) -> bool:
    return run.stop is Stop.CANCELLED


def _beyond_memory(runs: Sequence[Run], memory: int | None) -> tuple[str, ...]:
    """Name the algorithms that took more memory than `--memory` says, which limits models and backends."""
    taken = {
        run.answer.solver: run.memory
        for run in sorted(runs, key=lambda run: run.memory or 0)
        if run.answer is not None and run.memory is not None and run.answer.solver in algorithms
    }
    beyond = [f"{name} {most / 2**20:,.0f} MiB" for name, most in taken.items() if memory is not None and most > memory]
    return (f"--memory limits models and backends; these algorithms took more: {', '.join(beyond)}",) * bool(beyond)


def _interrupted(runs: Sequence[Run]) -> str:
    cancelled = [run for run in runs if _is_cut_short(run)]
    said = [f"{run.solver} was cut short (stop: cancelled)" for run in cancelled if run.answer is not None]
    if len(cancelled) > len(said):
        said.append(f"{counted(len(cancelled) - len(said), 'runs')} had not begun")
    return f"interrupted: {', '.join(said)}"


DRAWN: Mapping[str, Callable[..., Any]] = {"plot of ratios": plot_ratios, "plot of costs": plot_costs}
"""What may be drawn, and by what."""


def _drawing(draw: Callable[..., Any], runs: Sequence[Run], path: Path) -> Writer:
    return lambda stream: write_plot(draw(comparison_of(runs)), stream, path.suffix)


def questions(arguments: Namespace) -> list[Namespace]:
    """Return the options of one question after another: every k with every l and every t that commas separate.

    >>> asked = Namespace(k="2,3", l=None, distinct_l=None, t=["pay=0.1,0.2"])
    >>> [(one.k, one.t) for one in questions(asked)]
    [('2', ['pay=0.1']), ('2', ['pay=0.2']), ('3', ['pay=0.1']), ('3', ['pay=0.2'])]
    """
    ks = [None] if arguments.k is None else _each(arguments.k, "-k")
    others = {
        option: [
            list(choice)
            for choice in itertools.product(*(_each(text, flag) for text in getattr(arguments, option) or ()))
        ]
        for option, flag in (("l", "-l"), ("distinct_l", "--distinct-l"), ("t", "-t"))
    }
    return [
        Namespace(**{**vars(arguments), "k": k, **dict(zip(others, chosen, strict=True))})
        for k in ks
        for chosen in itertools.product(*others.values())
    ]


def _each(text: str, flag: str) -> list[str]:
    """Return `COLUMN=VALUE` for each of the values of `COLUMN=VALUE,VALUE`; `COLUMN=` may be missing."""
    column, equals, values = text.rpartition("=")
    found = [value.strip() for value in values.split(",")]
    if flag == "-t" and advice(values) and int(found[1]) > 1:
        raise BadInput(f"-t is {text!r}; a comma separates several values, so {advice(values)}")
    for value in found:
        if found.count(value) > 1:
            raise BadInput(f"{flag} names {value} twice; name each value once")
    return [f"{column}{equals}{value}" for value in found]


def _solvers(text: str) -> list[str]:
    found = [name.strip() for name in text.split(",")]
    for name in found:
        if name != "auto":
            get_solver(name)
        if found.count(name) > 1:
            raise BadInput(f"--solvers names {name} twice; name each solver once")
    return found


HEADINGS = ("solver", "claim", "cost", "bound", "from", "ratio", "guaranteed", "seconds", "setup", "compiled", "MiB")

ENDED = (Stop.PROVED, Stop.COMPLETE)
"""Why a solver stops that has done all it can; where all have, the table does not say why."""


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
        rows = [list(HEADINGS), *map(_cells, answered)]
        if any(run.stop not in ENDED for run in answered):
            stops = ["stop", *("" if run.stop is None else run.stop.value for run in answered)]
            rows = [[*row[:2], stop, *row[2:]] for row, stop in zip(rows, stops, strict=True)]
        lines += _aligned(rows)
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
        "" if run.ratio is None else short_text(run.ratio, ".3f"),
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
