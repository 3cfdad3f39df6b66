"""`anoptima demo`: the papers' ten patients, hidden exactly and approximately, and both results checked."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

import pandas as pd

from anoptima.answer import Answer
from anoptima.cli import arguments as shared
from anoptima.cli.live import live
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.documents import answer_document
from anoptima.exact import exact_text
from anoptima.instances.papers import ten_rows
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind
from anoptima.solvers.solving import solve

SUMMARY = "hide the ten patients of the papers, exactly and approximately"

INTRODUCTION = """\
Ten patients (Liang and Yuan 2013). Who knows a neighbour's zip code, age and education can look up the disease.
A table is 3-anonymous if every row looks like at least two others, up to cells suppressed by a star.
What is the least number of stars?"""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Solve the table both ways, verify, compare."""
    problem = CellSuppression(ten_rows(), KAnonymity(3))
    with live(problem.unit, quiet=arguments.quiet) as on_progress:
        approximate = _best_approximation(problem)
        exact = solve(problem, on_progress=on_progress)
    answers = {"exact": exact} if approximate is None else {"exact": exact, "approximate": approximate}
    verified = {name: bool(answer.verify()) for name, answer in answers.items()}
    document: dict[str, Any] = {
        name: {
            **answer_document(answer),
            "verified": verified[name],
            "release": answer.release.to_dict("split", index=False),
        }
        for name, answer in answers.items()
    }
    return Reply(_text(problem, exact, approximate), document, ANSWERED if all(verified.values()) else NEGATIVE)


def _best_approximation(problem: CellSuppression) -> Answer[Any] | None:
    able = [
        solver for solver in algorithms.all() if solver.kind is Kind.APPROXIMATE and solver.why_not(problem) is None
    ]
    answers = [answer for answer in (solver.solve(problem) for solver in able) if answer.cost is not None]
    return min(answers, key=lambda answer: answer.cost or 0, default=None)


def _text(problem: CellSuppression, exact: Answer[Any], approximate: Answer[Any] | None) -> str:
    parts = [
        INTRODUCTION,
        _shown(problem.table.frame),
        f"Exactly, by {exact.solver}:\n{exact}\n{exact.verify()}",
        _shown(exact.release),
    ]
    if approximate is not None:
        parts.append(f"By the best approximation here, {approximate.solver}:\n{approximate}\n{approximate.verify()}")
        if approximate.cost != exact.cost:
            parts.append(_shown(approximate.release))
        parts.append(_compared(exact, approximate))
    parts.append("Now your own table:  anoptima solve TABLE.csv --quasi zip,age -k 3 -o release.csv")
    return "\n\n".join(parts)


def _compared(exact: Answer[Any], approximate: Answer[Any]) -> str:
    if exact.cost is None or approximate.cost is None or exact.bound is None:
        return "There is no optimum to compare with."
    found = f"The approximation stars {exact_text(approximate.cost)} cells, the exact answer {exact_text(exact.cost)}"
    return f"{found}; no release stars fewer than {exact_text(exact.bound.value)}, says {exact.bound.by}."


def _shown(frame: pd.DataFrame) -> str:
    return "\n".join(f"    {line}" for line in frame.to_string(index=False).splitlines())
