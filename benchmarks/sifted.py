"""What commands on `sifting` share: problems one after the other, a line each, and how cost and bound went on, as CSV and drawn.

A line says what is claimed, the cost, the bound and where it is from, the gap, seconds (of the clock and of all cores), memory, and how
long the bound takes to be checked again from the multipliers alone.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anoptima as ao
from anoptima.answer import Answer, bound_text
from anoptima.exact import exact_text
from anoptima.experiments.plots import write_plot
from anoptima.experiments.plots_trace import plot_progress
from anoptima.machine import Measured
from benchmarks.measure import MIB, print_table, setup_text

HEADINGS = ["claim", "cost", "bound", "gap", "seconds", "setup", "CPU s", "MiB", "verified", "in seconds"]


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser that knows what all of these commands are asked."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0] if doc else None)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trace", metavar="FILE", help="write how cost and bound went on, as CSV")
    parser.add_argument("--plot", metavar="FILE", help="draw how cost and bound went on")
    parser.add_argument(
        "--checkpoints", type=Path, metavar="FOLDER", help="keep every run's state there, and go on from it"
    )
    return parser


def report(
    headings: Sequence[str], cases: Iterable[tuple[list[str], ao.CellSuppression]], options: argparse.Namespace
) -> int:
    """Solve every case, print a table, and write what is asked for; return 1 if a check fails. The first word names a case."""
    lines, failed, answers = [], False, {}
    for words, problem in cases:
        answer, line, checked = _solved(problem, options.seconds, _checkpoint(options.checkpoints, words))
        answers[words[0]] = answer
        lines.append([*words, *line])
        failed = failed or not checked
        print(" ".join(lines[-1]), file=sys.stderr, flush=True)
        # After every case, so that a long run that is stopped leaves what there is.
        if options.trace:
            _write_trace(options.trace, headings[0], answers)
        if options.plot:
            with Path(options.plot).open("wb") as out:
                write_plot(plot_progress(list(answers.values())), out, Path(options.plot).suffix)
    print_table([*headings, *HEADINGS], lines)
    return int(failed)


def _checkpoint(folder: Path | None, words: Sequence[str]) -> Path | None:
    """Return where a case's state is kept, named by the words that begin its line."""
    return None if folder is None else folder / f"{'-'.join(words).replace(',', '')}.json"


def _solved(
    problem: ao.CellSuppression, seconds: float, checkpoint: Path | None
) -> tuple[Answer[Any], list[str], bool]:
    """Solve by sifting; return the answer, what to print under `HEADINGS`, and whether the answer is verified."""
    began = time.process_time()
    with Measured() as measured:
        answer = ao.solve(problem, "sifting", time_limit=seconds, checkpoint=checkpoint)
    spent = time.process_time() - began
    began = time.monotonic()
    checked = bool(answer.verify())
    line = [
        answer.claim.value,
        exact_text(answer.cost or 0),
        "none" if answer.bound is None else bound_text(answer.bound, answer.proved),
        "none" if answer.gap is None else f"{float(answer.gap):.3%}",
        f"{answer.run.solving_seconds:.0f}",
        setup_text(answer.run),
        f"{spent:.0f}",
        "unknown" if measured.peak is None else f"{measured.peak / MIB:,.0f}",
        "yes" if checked else "NO",
        f"{time.monotonic() - began:.1f}",
    ]
    return answer, line, checked


def _write_trace(file: str, heading: str, answers: Mapping[str, Answer[Any]]) -> None:
    with Path(file).open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([heading, "seconds", "cost", "bound"])
        for name, answer in answers.items():
            for step in answer.trace:
                cost, bound = ("" if value is None else exact_text(value) for value in (step.cost, step.bound))
                writer.writerow([name, f"{step.seconds:.3f}", cost, bound])
