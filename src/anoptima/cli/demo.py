"""`anoptima demo`: the papers' ten patients, hidden exactly and approximately, and both results checked; then a whole census table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from anoptima.answer import Answer, Clock, Stop, Verification
from anoptima.cli import arguments as shared
from anoptima.cli.live import live
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.documents import answer_document
from anoptima.exact import exact_grouped, exact_text
from anoptima.instances.census import census
from anoptima.instances.papers import ten_rows
from anoptima.machine import is_installed
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind
from anoptima.solvers.solving import solve

SUMMARY = "anonymise the papers' ten-patient table, exactly and approximately, and 30,162 census records"

CENSUS_SECONDS, SLOW_SECONDS = 100.0, 60.0
"""What the census table is given with numba and without: `make demo` is to be done within two minutes."""

INTRODUCTION = """\
Ten patients (Liang and Yuan 2013). Who knows a neighbour's zip code, age and education can look up the disease.
A table is 3-anonymous if every row looks like at least two others, up to cells suppressed by a star.
What is the least number of stars?"""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--census", action="store_true", help="then the census table that comes with the package, for about a minute"
    )
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
    text = _text(problem, exact, approximate)
    if arguments.census:
        large = _Census.run(quiet=arguments.quiet)
        document["census"] = large.as_dict()
        verified["census"] = bool(large.checked)
        text = f"{text}\n\n{large.text()}"
    text += "\n\nNow your own table:  anoptima solve TABLE.csv --quasi zip,age -k 3 -o release.csv"
    return Reply(text, document, ANSWERED if all(verified.values()) else NEGATIVE)


@dataclass(frozen=True)
class _Census:
    """The census table made 2-anonymous, what checking that found, and in how many seconds."""

    problem: CellSuppression
    greedy: Answer[Partition]
    answer: Answer[Partition]
    checked: Verification
    seconds: float

    @classmethod
    def run(cls, *, quiet: bool) -> _Census:
        """Solve and check."""
        problem = CellSuppression(census(), KAnonymity(2))
        seconds = CENSUS_SECONDS if is_installed("numba") else SLOW_SECONDS
        with live(problem.unit, quiet=quiet) as on_progress:
            greedy = solve(problem, "greedy-patterns", time_limit=seconds / 3, on_progress=on_progress)
            start = None if greedy.stop is Stop.TIME else greedy.solution
            answer = solve(
                problem, "sifting", time_limit=seconds - greedy.run.seconds, start=start, on_progress=on_progress
            )
        clock = Clock()
        checked = answer.verify()
        return cls(problem, greedy, answer, checked, clock.seconds())

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return {**answer_document(self.answer), "verified": bool(self.checked), "seconds to verify": self.seconds}

    def text(self) -> str:
        """Say it for people."""
        table, answer = self.problem.table, self.answer
        parts = [
            (
                f"{table.rows:,} persons of a census (UCI Adult, Becker and Kohavi 1996, CC BY 4.0), known by\n"
                f"{', '.join(table.quasi)}.\nHow few stars make everyone look like at least one other?"
            ),
        ]
        if not is_installed("numba"):
            parts.append(
                "numba is not here: without it loops are some ten times slower and no cuts are found, so a gap may be left\n"
                "after a minute. pip install 'anoptima[fast]' brings it."
            )
        parts.append(f"By {answer.solver}:\n{answer}\n{self.checked}\n{self._certified()}")
        if self.greedy.stop is not Stop.TIME and self.greedy.cost is not None and answer.cost:
            more = f"{float(self.greedy.cost / Fraction(answer.cost) - 1):.1%}".replace("%", " %")
            parts.append(f"{self.greedy.solver} alone stars {exact_grouped(self.greedy.cost)} cells, {more} more.")
        return "\n\n".join(parts)

    def _certified(self) -> str:
        if self.answer.certified is None:
            return "There is no certificate."
        proof = f"The certificate proves {exact_grouped(self.answer.certified)}, from the table and whole numbers alone"
        return f"{proof}; all was checked in {self.seconds:.1f} s."


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
    return "\n\n".join(parts)


def _compared(exact: Answer[Any], approximate: Answer[Any]) -> str:
    if exact.cost is None or approximate.cost is None or exact.bound is None:
        return "There is no optimum to compare with."
    found = f"The approximation stars {exact_text(approximate.cost)} cells, the exact answer {exact_text(exact.cost)}"
    return f"{found}; no release stars fewer than {exact_text(exact.bound.value)}, says {exact.bound.by}."


def _shown(frame: pd.DataFrame) -> str:
    return "\n".join(f"    {line}" for line in frame.to_string(index=False).splitlines())
