"""Further options for a backend, and the file for its log."""

from __future__ import annotations

import contextlib
from argparse import ArgumentParser, Namespace

from anoptima.answer import OptionValue
from anoptima.cli.arguments import by_column


def add_options(parser: ArgumentParser) -> None:
    """Add what goes to a backend as it is, and where its log goes."""
    parser.add_argument(
        "--option",
        action="append",
        metavar="KEY=VALUE",
        help="pass an option to the backend, under the backend's own name: presolve=on for HiGHS; may be repeated",
    )
    parser.add_argument(
        "--log",
        metavar="FILE",
        help="write a log there: phases, costs, bounds, and the solver's own lines; - for standard error",
    )


def options_of(arguments: Namespace) -> dict[str, OptionValue]:
    """Return the options for the backend: true and false, numbers, and everything else as text."""
    found = by_column(arguments.option, "--option", "KEY=VALUE, such as presolve=on", last=False)
    return {name: _value(text) for name, text in found.items()}


def _value(text: str) -> OptionValue:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text
