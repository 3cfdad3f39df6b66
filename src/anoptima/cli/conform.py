"""`anoptima conform`: whether a backend, a model, a solver or a reduction keeps what it promises; or every model on every backend."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from anoptima.cli import arguments as shared
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.errors import BadInput
from anoptima.models import models
from anoptima.reductions import reductions
from anoptima.solvers import algorithms
from anoptima.solvers.backends.registry import get_backend
from anoptima.testing import check_backend, check_model, check_reduction, check_solver
from anoptima.testing.checks import Check, State, Verdict
from anoptima.testing.table import check_table

EXAMPLES = (
    "anoptima conform mondrian",
    "anoptima conform highs",
)

SIGNS = {State.GREEN: "green", State.REFUSED: "-", State.RED: "RED"}
"""What stands in the table."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a backend, a model, a solver or a reduction")
    parser.add_argument("--all", action="store_true", help="solve small examples with every model on every backend")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Put the promises to the test."""
    if (arguments.name is None) == (not arguments.all):
        raise BadInput("give either the NAME of what is to be checked, or --all for every model on every backend")
    checks = check_table() if arguments.all else _checks_of(arguments.name)
    verdicts = list(_tried(checks, quiet=arguments.quiet))
    kept = all(verdicts)
    document = {"conforms": kept, "checks": [verdict.as_dict() for verdict in verdicts]}
    text = _table(verdicts) if arguments.all else _list(verdicts)
    return Reply(f"{text}\n\n{_sum(verdicts)}", document, ANSWERED if kept else NEGATIVE)


def _checks_of(name: str) -> Iterator[Check]:
    """Return the checks of whatever is called `name`; of a backend first."""
    try:
        return check_backend(get_backend(name))
    except BadInput as unknown:
        others: tuple[tuple[Any, Any], ...] = (
            (models, check_model),
            (algorithms, check_solver),
            (reductions, check_reduction),
        )
        for registry, check in others:
            for thing in registry.all():
                if thing.name == name:
                    found: Iterator[Check] = check(thing)
                    return found
        raise BadInput(f"{unknown}; nor is there a model, a solver or a reduction of that name") from None


def _tried(checks: Iterable[Check], *, quiet: bool) -> Iterator[Verdict]:
    """Try the checks, and say on a terminal which one is being tried."""
    shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
    for check in checks:
        if shown:
            print(f"\r\x1b[K{check.subject}: {check.name} ...", end="", file=sys.stderr, flush=True)
        yield check()
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _list(verdicts: Sequence[Verdict]) -> str:
    width = max(len(verdict.check) for verdict in verdicts)
    return "\n".join(
        f"{verdict.check:{width}}  {verdict.state.value:7}  {verdict.words}".rstrip() for verdict in verdicts
    )


def _table(verdicts: Sequence[Verdict]) -> str:
    """Models down, backends across; beneath it why what is not green is not."""
    down = list(dict.fromkeys(verdict.subject for verdict in verdicts))
    across = list(dict.fromkeys(verdict.check for verdict in verdicts))
    signs = {(verdict.subject, verdict.check): SIGNS[verdict.state] for verdict in verdicts}
    first = max(map(len, ("model", *down)))
    lines = ["  ".join([f"{'model':{first}}", *across]).rstrip()]
    for model in down:
        cells = [f"{signs[model, backend]:{len(backend)}}" for backend in across]
        lines.append("  ".join([f"{model:{first}}", *cells]).rstrip())
    reasons: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        if verdict.words:
            reasons.setdefault((verdict.check, verdict.words), []).append(verdict.subject)
    whys = [f"  {', '.join(subjects)} on {backend}: {words}" for (backend, words), subjects in reasons.items()]
    return "\n".join(lines) + ("\n\nnot green, because:\n" + "\n".join(whys) if whys else "")


def _sum(verdicts: Sequence[Verdict]) -> str:
    counts = [f"{sum(verdict.state is state for verdict in verdicts)} {state.value}" for state in State]
    return ", ".join(counts)
