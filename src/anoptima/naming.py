"""Names that people type: what was meant where nothing is called so."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST = 3
"""How many names a message suggests."""

_LEAST = 4
"""Letters without which the beginnings of names say nothing."""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that are close to `name`, or else contain it, or else begin with what is close to it.

    >>> near_names("ten-rowz", ["census-four-k3", "ten-rows-k2", "ten-rows-k3"])
    ['ten-rows-k2', 'ten-rows-k3']
    >>> near_names("mondrain", ["mondrian", "peel"]), near_names("gurobi", ["cbc", "gurobi_direct"]), near_names("x", ["peel"])
    (['mondrian'], ['gurobi_direct'], [])
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, MOST, 0.75)
    close = close or [other for other in names if len(name) > 1 and name.lower() in other.lower()]
    if not close and len(name) >= _LEAST:
        begun = difflib.get_close_matches(name, [other[: len(name)] for other in names], MOST, 0.75)
        close = [other for other in names if other[: len(name)] in begun]
    return close[:MOST]


def listed(name: str) -> str:
    """Write a column's name so that it can be told from its neighbours in a list, and typed so: in double quotes where it needs them.

    >>> print(listed("zip"), listed("pay, yearly"), listed("age "), listed(""), sep=", ")
    zip, "pay, yearly", "age ", ""
    """
    if name and name == name.strip() and not any(mark in name for mark in ',"\r\n'):
        return name
    return '"' + name.replace('"', '""').replace("\r", "\\r").replace("\n", "\\n") + '"'


def with_article(noun: str) -> str:
    """Return a noun after its article.

    >>> with_article("solver"), with_article("erratum")
    ('a solver', 'an erratum')
    """
    return f"{'an' if noun[:1] in 'AEIOUaeiou' else 'a'} {noun}"


def did_you_mean(names: list[str]) -> str:
    """Ask for one of some names; the empty text where there is none.

    >>> did_you_mean(["peel", "cover"]), did_you_mean([])
    ('did you mean peel or cover?', '')
    """
    return f"did you mean {' or '.join(names)}?" if names else ""
