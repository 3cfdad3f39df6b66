"""`anoptima points`: the fewest fake points after which every unit box holds none or at least k."""

from __future__ import annotations

import functools
import itertools
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import IO, Any

from anoptima.answer import Answer
from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.live import solve_live
from anoptima.cli.options import add_options
from anoptima.cli.outputs import STDOUT, Replaced, file_target, output_target
from anoptima.cli.principles import Once
from anoptima.cli.proofs import proof_line, proof_target
from anoptima.cli.reply import Reply, code_of, notes_of
from anoptima.documents.answers import outcome_document
from anoptima.documents.csv_texts import read_texts
from anoptima.documents.parquet import read_parquet
from anoptima.documents.proofs import proof_document, proof_text
from anoptima.documents.writing import Writer, refuse_shared, write_each
from anoptima.errors import BadInput
from anoptima.exact import counted, decimal_text, decimals_of
from anoptima.packages import pd
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.depths import Point
from anoptima.problems.fake_points import FakePoints, Regime

EXAMPLES = (
    "anoptima points points.csv --columns x,y -k 2",
    "anoptima points points.csv --columns x,y -k 2 --domain 0:4,0:4 -o published.csv --fakes fakes.csv",
    "anoptima points people.csv --columns age,income -k 2 --width age=5 --width income=1000",
    "anoptima points points.csv --columns x,y -k 2 --proof proof.json",
)

PUBLISHED, FAKES = "data and fakes", "fakes alone"
"""What may be written."""

MOST_SHOWN = 20
"""How many fakes a person is shown."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    parser.add_argument(
        "--columns", action="append", required=True, metavar="COLUMNS", help="the axes, separated by commas"
    )
    parser.add_argument(
        "-k", action=Once, required=True, metavar="K", help="the least number of points in a box that is not empty"
    )
    parser.add_argument(
        "--width",
        action="append",
        metavar="AXIS=WIDTH",
        help="the width of a box along this axis: age=5, income=1000 (default: 1)",
    )
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
    add_options(parser)
    shared.add_budget(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write data and fakes together, sorted, as CSV: the release to publish"
    )
    parser.add_argument("--fakes", metavar="FILE", help="write the fakes alone, as CSV")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_proof(parser)
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Read, solve, write, report."""
    targets = {
        PUBLISHED: output_target(arguments.output, PUBLISHED, never=arguments.table, as_json=arguments.json),
        FAKES: file_target(arguments.fakes, FAKES, never=arguments.table),
    }
    proof = proof_target(arguments)
    refuse_shared({**targets, "proof": proof, "log": arguments.log}, {"table": arguments.table})
    budget = shared.budget_of(arguments)
    axes, k = shared.names(arguments.columns), shared.whole(arguments.k, "k")
    widths = shared.by_column(arguments.width, "--width", "AXIS=WIDTH, such as age=5")
    tables.settle_table(arguments)
    frame = _frame(arguments)
    try:
        problem = FakePoints.from_frame(frame, axes, k, _domain(arguments.domain), arguments.regime, widths)
    except BadInput as refusal:
        raise BadInput(f"{arguments.source}: {refusal}") from None
    answer = solve_live(problem, arguments, budget)
    solution = answer.solution
    alike = [
        Alike(frame[name].astype(str), column)
        for name, column in zip(axes, zip(*problem.points, strict=True), strict=True)
    ]
    document: dict[str, Any] = {
        **outcome_document(answer),
        "k": k,
        "regime": problem.regime.value,
        "axes": axes,
        "widths": [decimal_text(width) for width in problem.widths],
        "solution": None if solution is None else list(_written(solution.points, alike)),
    }
    replaced = Replaced({**targets, "proof": proof})
    published = None
    files: dict[str, tuple[Path, Writer]] = {}
    if solution is not None:
        shown = {PUBLISHED: problem.published(solution), FAKES: solution.points}
        for what, target in targets.items():
            if target is not None:
                content = _csv(shown[what], axes, alike, arguments)
                if target == STDOUT:
                    published = content
                else:
                    files[what] = target, functools.partial(_write, content)
    if proof is not None:
        text = proof_text(proof_document(answer, {"file": Path(arguments.table).name}, axes)).encode()
        files["proof"] = proof, functools.partial(_write, text)
    failed = write_each(files)
    written = {what: path for what, (path, _) in files.items() if what not in failed}
    document |= {
        "written": {what: str(path) for what, path in written.items()},
        "replaced": replaced.among(written.values()),
    }
    lines = _lines(answer, alike)
    lines += [f"the {what} are in {replaced.place(path)}" for what, path in written.items() if what != "proof"]
    if "proof" in written:
        lines.append(proof_line(answer, written["proof"], replaced))
    if targets[PUBLISHED] is not None:
        lines += [f"column {name}: {column.note}" for name, column in zip(axes, alike, strict=True) if column.note]
    return Reply("\n".join(lines), document, code_of(answer, failed), notes_of(answer, failed), published)


def _write(content: bytes, stream: IO[bytes]) -> None:
    stream.write(content)


def _frame(arguments: Namespace) -> pd.DataFrame:
    if tables.is_parquet(arguments.table):
        return read_parquet(arguments.table)
    return read_texts(arguments.source, arguments.separator, encoding=arguments.encoding)


def _csv(points: Iterable[Point], axes: list[str], alike: list[Alike], arguments: Namespace) -> bytes:
    frame = pd.DataFrame(list(_written(points, alike)), columns=axes)
    text: str = frame.to_csv(sep=arguments.separator, index=False, lineterminator="\n")
    return text.encode(arguments.encoding)


def _written(points: Iterable[Point], alike: list[Alike]) -> Iterator[list[str]]:
    """Yield the coordinates of points as texts; of equal ones that follow each other, a million perhaps, they are made once."""
    for point, same in itertools.groupby(points):
        texts = [column.text(coordinate) for column, coordinate in zip(alike, point, strict=True)]
        yield from (texts for _ in same)


def _domain(text: str | None) -> list[tuple[str, str]] | None:
    """Return the sides that a text writes, still as texts."""
    if text is None:
        return None
    sides = [side.partition(":") for side in text.split(",")]
    for low, colon, high in sides:
        if not (low.strip() and colon and high.strip()):
            raise BadInput(f"the domain is {text!r}; it must be LOW:HIGH for each axis, such as 0:10,0:7.5")
    return [(low, high) for low, _, high in sides]


def _lines(answer: Answer[AddedPoints], alike: list[Alike]) -> list[str]:
    lines = [str(answer)]
    if answer.solution is not None:
        points = answer.solution.points
        fakes = [f"  ({', '.join(texts)})" for texts in _written(points[:MOST_SHOWN], alike)]
        more = [f"  ... {len(points) - MOST_SHOWN:,} more with --fakes FILE"] if len(points) > MOST_SHOWN else []
        lines += ["fakes:" if fakes else "no fake is needed", *fakes, *more]
    return [*lines, *([answer.reason] if answer.reason else [])]


class Alike:
    """How the coordinates of one axis are written, data and fakes alike, so that no fake is known by its looks.

    As they stand in the file, if every text is the shortest, or if all have the same number of decimals; otherwise with as many decimals
    as the longest of them. A number that is no decimal is a fraction.

    >>> column = Alike(["2.0", "2.4"], [Fraction(2), Fraction(12, 5)])
    >>> column.text(Fraction(2)), column.text(Fraction(7, 2)), column.text(Fraction(1, 3)), column.note
    ('2.0', '3.5', '1/3', '')
    >>> Alike(["2", "2.40"], [Fraction(2), Fraction(12, 5)]).text(Fraction(2))
    '2.00'
    """

    def __init__(self, texts: Iterable[str], values: Iterable[Fraction]) -> None:
        given = list(zip(texts, values, strict=True))
        self._decimals = 0
        if any(text != decimal_text(value) for text, value in given):
            self._decimals = max(_decimals(text, value) for text, value in given)
        changed = any(text != self.text(value) for text, value in given)
        self.note = (
            f"written with {counted(self._decimals, 'decimals')} throughout, so that fakes look like data" * changed
        )

    def text(self, value: Fraction) -> str:
        """Write a coordinate."""
        return decimal_text(value, self._decimals)


def _decimals(text: str, value: Fraction) -> int:
    _, point, digits = text.strip().partition(".")
    return max(len(digits) if point and digits.isdigit() else 0, decimals_of(value) or 0)
