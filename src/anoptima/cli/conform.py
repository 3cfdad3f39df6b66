"""`anoptima conform`: whether a backend, a model or anything else that can be plugged in keeps what it promises."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anoptima.answer import Progress
from anoptima.cli import arguments as shared
from anoptima.cli import conform_tables as shown
from anoptima.cli.conform_results import kept_in
from anoptima.cli.conform_tables import Part
from anoptima.cli.live import live
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.errors import BadInput
from anoptima.solvers.backends.interrupt import ended_at_once
from anoptima.testing.suites import SUITES
from anoptima.testing.table import check_table

EXAMPLES = (
    "anoptima conform mondrian",
    "anoptima conform --model fake-grid",
    "anoptima conform --all --model attributes --backend highs --results attributes.jsonl",
    "anoptima conform highs",
)

KINDS = f"{', '.join([*SUITES][:-1])} or {[*SUITES][-1]}"


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help=f"a {KINDS}")
    for kind in SUITES:
        parser.add_argument(
            f"--{kind}",
            action="append",
            metavar="NAME",
            help=f"the {kind} NAME, or all that match a pattern such as '*'",
        )
    parser.add_argument(
        "--all",
        action="store_true",
        help="check everything, and solve small examples with every model on every backend; "
        "with --model, --backend and so on, only what they name",
    )
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="write each result to FILE at once, and repeat no check whose result FILE has already, unless it was red: a run that was "
        "interrupted goes on",
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Put the promises to the test."""
    parts = _parts(arguments)
    tried = _try(parts, arguments)
    verdicts = [verdict for part in tried for verdict in part.verdicts]
    kept = all(verdicts)
    document = {
        "conforms": kept,
        "checks": [{"kind": part.title, **verdict.as_dict()} for part in tried for verdict in part.verdicts],
    }
    is_one = len({verdict.subject for verdict in verdicts}) == 1 and not arguments.all
    text = shown.as_list(verdicts) if is_one else "\n\n".join(map(shown.as_table, tried))
    return Reply(f"{text}\n\n{shown.as_sum(verdicts)}", document, ANSWERED if kept else NEGATIVE)


def _parts(arguments: Namespace) -> list[Part]:
    """Return the checks that are asked for, one part for each kind of thing."""
    asked = {kind: names for kind in SUITES if (names := getattr(arguments, kind))}
    if arguments.name is not None:
        if arguments.all or asked:
            raise BadInput("give either the NAME of what is to be checked, or --all, or options such as --backend NAME")
        found = _of_any_kind(arguments.name)
    elif asked:
        found = {kind: _each(kind, names) for kind, names in asked.items()}
    elif arguments.all:
        found = {kind: suite.find("*") for kind, suite in SUITES.items() if suite.names()}
    else:
        raise BadInput(
            "give the NAME of what is to be checked, or --all for everything, or options such as --backend NAME"
        )
    parts = [
        Part(kind, [check for thing in things for check in SUITES[kind].check(thing)]) for kind, things in found.items()
    ]
    if arguments.all and {"model", "backend"} & {*found}:
        parts.append(Part(shown.MODEL_ON_BACKEND, [*check_table(found.get("backend"), found.get("model"))]))
    return parts


def _each(kind: str, names: Sequence[str]) -> list[Any]:
    found = [thing for name in names for thing in SUITES[kind].find(name)]
    return [*dict.fromkeys(found)]


def _of_any_kind(name: str) -> dict[str, list[Any]]:
    """Return whatever is called `name`, by kind."""
    found, unknown = {}, []
    for kind, suite in SUITES.items():
        try:
            found[kind] = [suite.get(name)]
        except BadInput as error:
            unknown.append(f"{error}")
    if not found:
        others = [*SUITES][1:]
        raise BadInput(f"{unknown[0]}; nor is there a {', '.join(others[:-1])} or {others[-1]} of that name")
    return found


def _try(parts: Sequence[Part], arguments: Namespace) -> list[Part]:
    """Try the checks, and show which one is being tried."""
    total, done = sum(len(part.checks) for part in parts), 0
    try:
        with (
            live("", quiet=arguments.quiet, lines=not arguments.json) as on_progress,
            kept_in(arguments.results) as results,
            ended_at_once() as unless_ended,
        ):
            for part in parts:
                for check in part.checks:
                    if on_progress is not None:
                        on_progress(Progress(0.0, None, None, f"{done} of {total} done; {check.subject}: {check.name}"))
                    part.verdicts.append(results.of(part.title, check, unless_ended))
                    done += 1
    except KeyboardInterrupt:
        kept = (
            "--results FILE would have kept their results"
            if arguments.results is None
            else f"{arguments.results} has their results, and the next run goes on"
        )
        raise KeyboardInterrupt(f"{done} of {total} checks were done; {kept}") from None
    return [part for part in parts if part.verdicts]
