"""Names that people type: what was meant where nothing is called so."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST = 3
"""How many names a message suggests."""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that are close to `name`, or else contain it.

    >>> near_names("mondrain", ["mondrian", "peel"]), near_names("gurobi", ["cbc", "gurobi_direct"]), near_names("x", ["peel"])
    (['mondrian'], ['gurobi_direct'], [])
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, MOST, 0.75)
    return close or [other for other in names if len(name) > 1 and name.lower() in other.lower()][:MOST]


def did_you_mean(names: list[str]) -> str:
    """Ask for one of some names; the empty text where there is none.

    >>> did_you_mean(["peel", "cover"]), did_you_mean([])
    ('did you mean peel or cover?', '')
    """
    return f"did you mean {' or '.join(names)}?" if names else ""
