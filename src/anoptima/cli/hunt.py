"""`anoptima hunt`: search for small questions on which a solver, a formulation or a principle looks worst."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anoptima.cli import arguments as shared
from anoptima.cli.options import refuse_idle
from anoptima.cli.outputs import file_target
from anoptima.cli.principles import Once
from anoptima.cli.reply import Reply
from anoptima.cli.status_line import StatusLine
from anoptima.documents.writing import refuse_shared
from anoptima.errors import BadInput
from anoptima.exact import exact_plain, exact_text
from anoptima.experiments.hunting.archive import Champion, HuntArchive, read_archive
from anoptima.experiments.hunting.asked import Asked
from anoptima.experiments.hunting.engine import INTERRUPTED, HuntLimits, Standing
from anoptima.experiments.hunting.grids import Grid
from anoptima.experiments.hunting.growing import growths
from anoptima.experiments.hunting.hunting import asked_of, hunt
from anoptima.experiments.hunting.known import families_frame, keep, known_frame, require_algorithm
from anoptima.experiments.hunting.quarry import DearestPrinciple, Disagreement, LongestRun, LpGap, Quarry, WorstRatio
from anoptima.experiments.hunting.sizes import HuntSizes
from anoptima.instances.champions import champions_file, read_champions
from anoptima.packages import pd
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness

EXAMPLES = (
    "anoptima hunt clustering -k 2 --rows 4 --columns 1 --steps 30",
    "anoptima hunt forest -k 2 --rows 6 --columns 2 --steps 100 --archive forest.json",
    "anoptima hunt --lp-gap pattern -k 2 --rows 4 --columns 2 --steps 20",
    "anoptima hunt --disagreement subset-dp,halving -k 2 --rows 4 --columns 2 --steps 20",
)

STEPS = 2000
"""Questions that are scored unless a limit is given."""

SENSITIVE = "3"
"""Different sensitive values unless a number is given."""

FILES = ("archive", "csv", "table", "keep")
"""Options that name files."""

OF_A_HUNT: Mapping[str, object] = {
    **dict.fromkeys(
        ("lp_gap", "disagreement", "longest", "grow", "problem", "k", "l", "distinct_l", "t", "steps", "seconds")
    ),
    **dict.fromkeys(FILES),
    **{size: str(getattr(HuntSizes, size)) for size in ("rows", "columns", "values")},
    "dearest": False,
    "sensitive_values": SENSITIVE,
    "seed": "0",
    "orders": "1",
}
"""Options without an effect on what is known, with their defaults."""

REPEATED = ("problem", "k", "l", "distinct_l", "t", "rows", "columns", "values", "steps", "seconds", "seed", "orders")
"""Options by which a hunt is found again, with that for sensitive values."""

MOST_SHOWN = 5
"""Ways to grow that are shown."""

BETWEEN = 5.0
"""Seconds between two lines of progress where there is no terminal; a terminal's line is written ten times a second at most."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("algorithm", metavar="ALGORITHM", nargs="?", help="the approximation to find bad tables for")
    group = parser.add_argument_group("other quarries")
    group.add_argument("--lp-gap", metavar="MODEL", help="optimum over the bound of a formulation's linear relaxation")
    group.add_argument(
        "--disagreement", metavar="SOLVERS", help="exact methods, separated by commas, that should agree and do not"
    )
    group.add_argument(
        "--longest", metavar="SOLVER", nargs="?", const="auto", help="what keeps a solver busy longest (default: auto)"
    )
    group.add_argument(
        "--dearest", action="store_true", help="where -t or -l costs most beside k-anonymity alone (-k; default: 2)"
    )
    group = parser.add_argument_group("what is asked")
    group.add_argument("--problem", metavar="NAME", help="the kind of problem (default: the first that fits)")
    group.add_argument("-k", action=Once, metavar="K", help="k-anonymity (default: 2, if nothing else is asked)")
    group.add_argument("-l", action=Once, metavar="L", help="l-diversity, by frequency")
    group.add_argument("--distinct-l", action=Once, metavar="L", help="l-diversity, distinct")
    group.add_argument("-t", action=Once, metavar="T", help="t-closeness, all sensitive values equally far apart")
    group = parser.add_argument_group("limits")
    for name, what in (
        ("rows", "rows, or points"),
        ("columns", "columns, or dimensions"),
        ("values", "values a column"),
    ):
        default = getattr(HuntSizes, name)
        group.add_argument(
            f"--{name}", metavar="N", default=str(default), help=f"at most N {what} (default: {default})"
        )
    group.add_argument(
        "--sensitive-values", metavar="N", default=SENSITIVE, help=f"sensitive values (default: {SENSITIVE})"
    )
    group.add_argument(
        "--steps",
        metavar="N",
        help=f"score N questions, then make the worst smaller (default: {STEPS}, or no limit with --seconds)",
    )
    group.add_argument("--seconds", metavar="S", help="stop after S seconds; such a hunt is not repeatable")
    group.add_argument("--seed", metavar="N", default="0", help="the seed (default: 0)")
    group.add_argument(
        "--orders", metavar="N", default="1", help="try each table in N orders of rows, columns and values (default: 1)"
    )
    group = parser.add_argument_group("files")
    group.add_argument(
        "--archive", metavar="FILE", help="keep what is found there; if the file is there, go on from it"
    )
    group.add_argument("--csv", metavar="FILE", help="write the champions as CSV")
    group.add_argument("--table", metavar="FILE", help="write the worst table as CSV")
    group.add_argument("--keep", metavar="FILE", help="add the worst for each number of rows to a file of champions")
    parser.add_argument(
        "--grow",
        metavar="N",
        help="repeat columns and rows of the worst table up to N times, and say what makes it worse each time",
    )
    group = parser.add_argument_group("what is known")
    group.add_argument(
        "--known", action="store_true", help="solve the library's champions again, and compare with theorems"
    )
    group.add_argument("--families", action="store_true", help="solve and prove members of the families of worst cases")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Hunt, or show what is known."""
    if arguments.known or arguments.families:
        shown = "--known" if arguments.known else "--families"
        if arguments.algorithm is not None or (arguments.known and arguments.families):
            raise BadInput(f"{arguments.algorithm or '--families'} would have no effect beside {shown}; leave it out")
        refuse_idle(arguments, OF_A_HUNT, shown)
        frame = known_frame(read_champions(champions_file())) if arguments.known else families_frame()
        return Reply(table_of(frame), {"rows": frame.to_dict("records")})
    quarry = _quarry(arguments)
    archive = None if arguments.archive is None else Path(arguments.archive)
    known = read_archive(archive) if archive is not None and archive.exists() else None
    targets = {name: file_target(getattr(arguments, name), name, never="-") for name in FILES}
    refuse_shared(targets)
    principle = _principle(arguments)
    if known is not None and (principle is not None or arguments.problem is not None):
        idle = "--problem" if principle is None else "-k, -l and -t"
        raise BadInput(f"{archive} says what is asked: {known.asked}; leave out {idle}")
    asked = asked_of(quarry, principle, arguments.problem) if known is None else known.asked
    _require_use(targets, quarry, asked)
    copies = None if arguments.grow is None else shared.from_1(shared.whole(arguments.grow, "--grow"), "--grow")
    line = _Line(arguments.quiet or arguments.json)
    found = hunt(
        quarry,
        principle,
        problem=arguments.problem,
        sizes=_sizes(arguments),
        limits=_limits(arguments),
        archive=known,
        on_standing=line,
    )
    line.clear()
    grown = [] if copies is None else growths(found, quarry, copies)
    written = _write(found, targets, _command(arguments) + (" (interrupted)" if line.interrupted else ""))
    document = _document(found) | {"growths": [str(growth) for growth in grown], "interrupted": line.interrupted}
    notes = ("interrupted; this is what was found by then",) if line.interrupted else ()
    return Reply("\n".join([*_told(found), *map(str, grown[:MOST_SHOWN]), *written]), document, notes=notes)


def _quarry(arguments: Namespace) -> Quarry:
    given = {
        "an algorithm": arguments.algorithm,
        "--lp-gap": arguments.lp_gap,
        "--disagreement": arguments.disagreement,
        "--longest": arguments.longest,
        "--dearest": arguments.dearest,
    }
    named = [word for word, value in given.items() if value]
    if len(named) != 1:
        raise BadInput(f"{' and '.join(named) or 'nothing'} is to be hunted; give one of {', '.join(given)}")
    match named[0]:
        case "--lp-gap":
            return LpGap(arguments.lp_gap)
        case "--disagreement":
            return Disagreement(arguments.disagreement.split(","))
        case "--longest":
            return LongestRun(arguments.longest)
        case "--dearest":
            return DearestPrinciple(2 if arguments.k is None else shared.whole(arguments.k, "k"))
        case _:
            return WorstRatio(arguments.algorithm)


def _principle(arguments: Namespace) -> Principle | None:
    parts: list[Principle] = []
    if arguments.k is not None and not arguments.dearest:
        parts.append(KAnonymity(shared.whole(arguments.k, "k")))
    if arguments.l is not None:
        parts.append(LDiversity(arguments.l))
    if arguments.distinct_l is not None:
        parts.append(LDiversity(arguments.distinct_l, version="distinct"))
    if arguments.t is not None:
        parts.append(TCloseness(arguments.t))
    return shared.all_of(parts) if parts else None


def _sizes(arguments: Namespace) -> HuntSizes:
    rows, columns, values = (shared.whole(getattr(arguments, name), name) for name in ("rows", "columns", "values"))
    return HuntSizes(rows, columns, values, shared.whole(arguments.sensitive_values, "sensitive values"))


def _limits(arguments: Namespace) -> HuntLimits:
    seconds = None if arguments.seconds is None else shared.seconds_of(arguments.seconds)
    steps = None if arguments.steps is None else shared.whole(arguments.steps, "steps")
    if steps is None and seconds is None:
        steps = STEPS
    return HuntLimits(
        steps, seconds, shared.whole(arguments.seed, "the seed"), shared.whole(arguments.orders, "orders")
    )


def _require_use(targets: dict[str, Path | None], quarry: Quarry, asked: Asked) -> None:
    """Refuse files that what is found could not go into, before it is looked for."""
    for name, is_csv in (("csv", True), ("archive", False)):
        path = targets[name]
        if path is not None and (path.suffix == ".csv") != is_csv:
            raise BadInput(f"--{name} is {path}; its name must {'' if is_csv else 'not '}end in .csv")
    if targets["table"] is not None and asked.by_points:
        raise BadInput("--table is for tables; this hunt is for points")
    if targets["keep"] is not None:
        require_algorithm(quarry.name)


def _write(found: HuntArchive, targets: dict[str, Path | None], command: str) -> list[str]:
    said = []
    for name in ("archive", "csv"):
        path = targets[name]
        if path is not None:
            found.save(path)
            said.append(f"{len(found.champions):,} champions written to {path}")
    if targets["table"] is not None and found.worst is not None and isinstance(found.worst.subject, Grid):
        found.worst.subject.data().frame.to_csv(targets["table"], index=False)
        said.append(f"the worst table written to {targets['table']}")
    if targets["keep"] is not None:
        number = keep(found, targets["keep"], command)
        said.append(f"{number} champions added to {targets['keep']}")
    return said


def _command(arguments: Namespace) -> str:
    """Return the command that finds the same again, as far as it is repeatable."""
    words = ["anoptima hunt", arguments.algorithm or ""]
    for option in (*REPEATED, "sensitive_values"):
        value = getattr(arguments, option)
        if value is not None and (option in REPEATED or value != SENSITIVE):
            words.append(f"{'-' if len(option) == 1 else '--'}{option.replace('_', '-')} {value}")
    return " ".join(words)


def _told(found: HuntArchive) -> list[str]:
    lines = [
        f"{found.quarry}: {found.asked}, {found.steps:,} steps, {len(found.champions):,} sorts of tables or points"
    ]
    if found.complete:
        sizes = ", ".join(f"{rows} x {columns}" for rows, columns in sorted(found.complete))
        sort = (
            f"all sets of points up to symmetry in at most {found.values} quarters along an axis"
            if found.asked.by_points
            else f"all tables up to symmetry with at most {found.values} values a column"
        )
        lines.append(f"{sort}: {sizes}")
    worst = found.worst
    if worst is None:
        return [*lines, "nothing was found that has a score"]
    lines.append(f"worst {found.seeks}: {worst.score}{_beside(worst)}")
    lines += ["  " + " ".join(map(str, row)) for row in next(iter(worst.subject.as_json().values()))]
    return lines


def _beside(champion: Champion) -> str:
    if champion.promised is None:
        return ""
    return f"; the theorem allows {exact_text(champion.promised)}"


def _document(found: HuntArchive) -> dict[str, Any]:
    return {
        "quarry": found.quarry,
        "seeks": found.seeks,
        "asked": found.asked.as_json(),
        "steps": found.steps,
        "complete": [list(size) for size in found.complete],
        "worst": None if found.worst is None else found.worst.as_json(),
        "score": None if found.worst is None else exact_plain(found.worst.score.value),
        "champions": [champion.as_json() for champion in found.champions],
    }


def table_of(frame: pd.DataFrame) -> str:
    """Return a frame as lines; a message where it has none."""
    return "nothing is kept" if frame.empty else frame.to_string(index=False)


class _Line(StatusLine):
    """Shows how far a hunt is, now and then."""

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet)
        self.interrupted = False
        self._next = time.monotonic() + (0 if self.on_terminal else BETWEEN)

    def __call__(self, standing: Standing) -> None:
        """Show it if it is time to."""
        self.interrupted = standing.phase == INTERRUPTED
        if time.monotonic() >= self._next:
            self.show(str(standing))
            self._next = time.monotonic() + (0.1 if self.on_terminal else BETWEEN)
