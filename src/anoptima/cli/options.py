"""Further options for a backend, and the file for its log; options that would have no effect."""

from __future__ import annotations

import contextlib
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from anoptima.answer import OptionValue
from anoptima.cli.arguments import by_column
from anoptima.errors import BadInput


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


def given_among(arguments: Namespace, defaults: Mapping[str, object]) -> list[str]:
    """Return which options were given a value that is not their default, as a person writes them."""
    given = (option.replace("_", "-") for option, default in defaults.items() if getattr(arguments, option) != default)
    return [f"{'-' if len(option) == 1 else '--'}{option}" for option in given]


def refuse_of_other_actions(arguments: Namespace, of: Mapping[str, Mapping[str, object]]) -> None:
    """Refuse options without an effect on what is done; `of` has the options of each action with their defaults."""
    others = {option: default for options in of.values() for option, default in options.items()}
    own = of.get(arguments.doing, {})
    refuse_idle(arguments, {option: others[option] for option in others if option not in own}, arguments.doing)


def refuse_idle(arguments: Namespace, defaults: Mapping[str, object], beside: str) -> None:
    """Refuse options that would have no effect beside another word."""
    given = given_among(arguments, defaults)
    if given:
        raise BadInput(
            f"{', '.join(given)} would have no effect beside {beside}; leave {'them' if given[1:] else 'it'} out"
        )


def _value(text: str) -> OptionValue:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text
