"""Options in a solver's own words: one that it does not have, or of the wrong type, is refused in a sentence."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

from anoptima.answer import OptionValue
from anoptima.limits import shown
from anoptima.naming import did_you_mean, near_names

_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


def why_not_option(name: str, value: OptionValue, known: Mapping[str, Any]) -> str | None:
    """Say why an option cannot be set to `value`, where `known` has the values that options are set to by default; None if it can.

    >>> defaults = {"presolve": "choose", "threads": 0, "effort": 0.05}
    >>> why_not_option("presolv", "on", defaults), why_not_option("threads", 1.5, defaults)
    ("it has no option 'presolv'; did you mean presolve?", "the option 'threads' is 1.5; it must be a whole number")
    >>> why_not_option("effort", 1, defaults) is None
    True
    """
    if name not in known:
        hint = did_you_mean(near_names(name, known))
        return f"it has no option {name!r}" + (f"; {hint}" if hint else "")
    default = known[name]
    if isinstance(default, str | bool | int | float) and not isinstance(default, enum.Enum):
        kind = type(default)
        fits = type(value) in ((int, float) if kind is float else (kind,))
        allowed = _WORDS[kind]
    else:
        fits, allowed = value in members_of(default), f"one of {', '.join(members_of(default))}"
    return None if fits else f"the option {name!r} is {shown(value)}; it must be {allowed}"


def members_of(choice: Any) -> Mapping[str, Any]:
    """Return the members of an enumeration, Python's or one of native code, by name."""
    return type(choice).__members__  # type: ignore[no-any-return]


def why_not_set(name: str, value: OptionValue) -> str:
    """Say that a solver refuses a value which is of the right type."""
    return f"the option {name!r} is {shown(value)}, which it does not allow"
