"""`anoptima demo`: the papers' ten patients, hidden by every method and at the least cost, with a proof by hand; then a census table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from fractions import Fraction
from itertools import groupby
from typing import Any

from anoptima.answer import Answer
from anoptima.cli import arguments as shared
from anoptima.cli.demo_census import Census
from anoptima.cli.live import live
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply, say
from anoptima.documents.answers import answer_document
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_plain, exact_text
from anoptima.instances.papers import ten_rows
from anoptima.packages import pd
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.solvers.backends.interrupt import ended_at_once
from anoptima.solvers.base import Kind
from anoptima.solvers.row_prices import RowPrices, row_prices
from anoptima.solvers.solving import solve

EXAMPLES = ("anoptima demo", "anoptima demo --census --time-limit 20")

INTRODUCTION = """\
Ten patients (Liang and Yuan 2013). Anyone who knows a neighbour's zip code,
age and education can look up the disease. A table is 3-anonymous if every row
looks like at least two others once some cells are replaced by stars.
How few stars are enough?"""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--census", action="store_true", help="then solve the census table that comes with the package")
    parser.add_argument("--time-limit", metavar="SECONDS", help="seconds for the census table (default: 100)")
    shared.add_checkpoint(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Solve the ten rows by every method, prove the optimum, compare; then the census table."""
    if arguments.census:
        census = Census.of(arguments)
    else:
        census = None
        for option in ("time_limit", "checkpoint"):
            if getattr(arguments, option) is not None:
                raise BadInput(f"--{option.replace('_', '-')} is for the census table; add --census, or leave it out")
    tell: Callable[[str], None] = (lambda text: None) if arguments.json else _tell
    problem = CellSuppression(ten_rows(), KAnonymity(3))
    tell(f"{INTRODUCTION}\n\n{_indented(problem.table.frame)}")

    # Whoever interrupts the ten rows wants the demo to end; on the census table, the best so far.
    with ended_at_once():
        tell("1. The optimum: solving the ten rows exactly ...")
        with live(problem.unit, quiet=arguments.quiet, lines=not arguments.json) as on_progress:
            exact = solve(problem, proof=True, on_progress=on_progress)
        tell(f"{exact}\n{exact.verify()}")

        tell("2. The usual methods: trying every approximation that applies ...")
        approximate = _approximations(problem)
        tell(_compared(exact, approximate))

        tell("3. Why nothing can be lower: looking for prices of the rows ...")
        prices = row_prices(problem)
        tell(_proof(exact, prices))

    answers = [exact, *approximate]
    verified = [bool(answer.verify()) for answer in answers]
    document: dict[str, Any] = {
        "exact": _document(exact, verified[0]),
        "approximate": [_document(*pair) for pair in zip(approximate, verified[1:], strict=True)],
        "prices": {
            "prices": [exact_plain(price) for price in prices.prices],
            "sum": exact_plain(prices.proof.value),
            "groups": prices.groups,
        },
    }
    if census is not None:
        tell("4. A census table ...")
        census.run(tell)
        document["census"] = census.as_dict()
        verified.append(census.is_verified)
    now = "Now your own table:\n  anoptima solve TABLE.csv --quasi zip,age -k 3 -o release.csv"
    return Reply(now, document, ANSWERED if all(verified) else NEGATIVE)


def _tell(text: str) -> None:
    say(f"{text}\n")


def _approximations(problem: CellSuppression) -> list[Answer[Partition]]:
    """Return what every approximation that is for the problem finds, the cheapest first."""
    able = [solver for solver in algorithms.all() if solver.kind is Kind.APPROXIMATE and is_for(solver, problem)]
    answers = [answer for answer in (solver.solve(problem) for solver in able) if answer.cost is not None]
    return sorted(answers, key=_cost)


def _cost(answer: Answer[Any]) -> Exact:
    return answer.problem.cost(answer.require_solution())


def _document(answer: Answer[Any], verified: bool) -> dict[str, Any]:
    release = answer.release.to_dict("split", index=False)
    return {**answer_document(answer), "verified": verified, "release": release}


def _compared(exact: Answer[Any], approximate: list[Answer[Any]]) -> str:
    """Write the costs, one a line, with the methods that found it."""
    least = _cost(exact)
    lines = ["    stars     more  method", f"    {exact_text(least):>5}           the optimum ({exact.solver})"]
    for cost, answers in groupby(approximate, _cost):
        more = "" if cost == least else f"+{float(Fraction(cost) / Fraction(least) - 1):.1%}".replace("%", " %")
        methods = [answer.solver for answer in answers]
        for first in range(0, len(methods), 4):
            stars, percent = (exact_text(cost), more) if first == 0 else ("", "")
            comma = "," if first + 4 < len(methods) else ""
            lines.append(f"    {stars:>5}  {percent:>7}  {', '.join(methods[first : first + 4])}{comma}")
    worst = [answer for answer in approximate if 10 * _cost(answer) >= 11 * least]
    if worst:
        lines.append(
            f"\n{len(worst)} of {len(approximate)} methods lose a tenth or more; only a proof of the optimum shows it."
        )
    return "\n".join(lines)


def _proof(exact: Answer[Partition], found: RowPrices) -> str:
    """Write the release with its stars and its rows' prices, group by group, and what the prices prove."""
    release, solution = exact.release, exact.require_solution()
    quasi = list(exact.problem.table.quasi)  # type: ignore[attr-defined]
    shown = release[quasi].copy()
    shown.insert(0, "row", range(1, len(shown) + 1))
    shown["stars"] = (release[quasi] == "*").sum(axis=1)
    shown["price"] = [exact_text(price) for price in found.prices]
    least, most = found.sizes
    total = exact_text(found.proof.value)
    sums = [" + ".join(exact_text(found.prices[row]) for row in group) for group in solution.groups()]
    return "\n".join(
        [
            _indented(shown.iloc[[row for group in solution.groups() for row in group]]),
            "",
            f"Each row has a price. No {least} to {most} rows can be made alike with fewer stars",
            f"than their prices add up to: all {found.groups:,} such groups were tried. A larger group",
            "splits into smaller ones without more stars, and every row is in one group.",
            f"So every release has at least {_plus(found.prices)} = {total} stars.",
            f"The groups above cost {', '.join(sums)}." if found.proof.value == exact.cost else "",
        ]
    ).rstrip()


def _plus(prices: tuple[Exact, ...]) -> str:
    return " + ".join(map(exact_text, prices))


def _indented(frame: pd.DataFrame) -> str:
    return "\n".join(f"    {line}" for line in frame.to_string(index=False).splitlines())
