"""Options that name principles: each value is used, or refused."""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from anoptima.errors import BadInput
from anoptima.limits import shown
from anoptima.principles import Principle
from anoptima.principles.in_a_table import principle_on
from anoptima.table import Table


class Once(Action):
    """Takes an option once. Of two values of `-k` the first would be lost without a word, while two of `-l` are both asked for."""

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: Any, option_string: str | None = None
    ) -> None:
        """Keep the value."""
        if getattr(namespace, self.dest) is not None:
            raise BadInput(
                f"{option_string} is given twice, as {getattr(namespace, self.dest)} and {values}; give it once"
            )
        setattr(namespace, self.dest, values)


def named_principle(text: str, data: Mapping[str, Any], table: Table) -> Principle:
    """Return the principle that `--principle` names, with the `data` that follow the name; those that it does not have are refused."""
    made = principle_on(table, data)
    known = made.as_json()
    for key, value in data.items():
        if key not in known and value is not None:
            has = ", ".join(name for name in known if name != "principle")
            raise BadInput(f"--principle is {shown(text)}; {made.kind} has no {key!r}; it has {has}")
    return made
