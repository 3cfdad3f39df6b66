"""`anoptima points`: the fewest fake points after which every unit box holds none or at least k."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from anoptima.answer import Answer
from anoptima.cli import arguments as shared
from anoptima.cli.live import solve_live
from anoptima.cli.reply import Reply, code_of, notes_of
from anoptima.documents import outcome_document
from anoptima.errors import BadInput
from anoptima.exact import exact_text
from anoptima.files import require_room, write_each
from anoptima.packages import pd
from anoptima.problems.depths import Point
from anoptima.problems.fake_points import AddedPoints, FakePoints, Regime, place_text

MOST_SHOWN = 20
"""How many fakes a person is shown."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    shared.add_table(parser)
    parser.add_argument(
        "--columns", action="append", required=True, metavar="COLUMNS", help="the axes, separated by commas"
    )
    parser.add_argument("-k", required=True, metavar="K", help="how many points a box that is not empty must hold")
    parser.add_argument(
        "--domain",
        metavar="SIDES",
        help="LOW:HIGH for each axis, separated by commas, in the order of the axes: 0:10,0:7.5 (default: none)",
    )
    parser.add_argument(
        "--regime",
        choices=[regime.value for regime in Regime],
        help="what happens at the border (default: primal with a domain, unrestricted without one)",
    )
    shared.add_solver(parser)
    shared.add_budget(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write data and fakes together, sorted, as CSV: what may be published"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Read, solve, write, report."""
    read = Path(arguments.table)
    output = None if arguments.output is None else Path(arguments.output)
    if output is not None:
        require_room(output, "published points", never=read)
    budget = shared.budget_of(arguments)
    axes = shared.names(arguments.columns)
    k, domain = shared.whole(arguments.k, "k"), _domain(arguments.domain)
    problem = FakePoints.read_csv(read, axes, k, domain, arguments.regime, arguments.separator)
    answer = solve_live(problem, arguments, budget)
    document: dict[str, Any] = {
        **outcome_document(answer),
        "k": k,
        "regime": problem.regime.value,
        "axes": axes,
        "solution": None if answer.solution is None else [_texts(point) for point in answer.solution.points],
        "written": {},
    }
    failed: dict[str, Exception] = {}
    if output is not None and answer.solution is not None:
        published = pd.DataFrame([_texts(point) for point in problem.published(answer.solution)], columns=axes)
        text = published.to_csv(sep=arguments.separator, index=False, lineterminator="\n").encode()
        failed = write_each({"published points": (output, lambda stream: stream.write(text))})
        document["written"] = {} if failed else {"published points": str(output)}
    return Reply(_text(answer, None if failed else output), document, code_of(answer, failed), notes_of(answer, failed))


def _domain(text: str | None) -> list[tuple[str, str]] | None:
    """Return the sides that a text writes, still as texts."""
    if text is None:
        return None
    sides = [side.partition(":") for side in text.split(",")]
    for low, colon, high in sides:
        if not (low.strip() and colon and high.strip()):
            raise BadInput(f"the domain is {text!r}; it has to be LOW:HIGH for each axis, such as 0:10,0:7.5")
    return [(low, high) for low, _, high in sides]


def _texts(point: Point) -> list[str]:
    return [exact_text(coordinate) for coordinate in point]


def _text(answer: Answer[AddedPoints], output: Path | None) -> str:
    lines = [str(answer)]
    if answer.solution is not None:
        fakes = [f"  {place_text(point)}" for point in answer.solution.points]
        more = [f"  ... {len(fakes) - MOST_SHOWN:,} more with --json"] if len(fakes) > MOST_SHOWN else []
        lines += ["fakes:" if fakes else "no fake is needed", *fakes[:MOST_SHOWN], *more]
        lines += [] if output is None else [f"data and fakes are in {output}"]
    return "\n".join([*lines, *([answer.reason] if answer.reason else [])])
